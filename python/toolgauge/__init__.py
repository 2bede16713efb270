"""Measures how well something calls tools.

`score` judges one conversation, `run` a whole suite, `read` and `compare` take logs. The plug-in for
pytest and the scorers for Inspect AI are found by those programs by themselves.
"""

from __future__ import annotations

from toolgauge._native import (
    ExpectationError,
    Loss,
    MessageError,
    Outcome,
    Scorer,
    ToolgaugeError,
    score,
    scorer_names,
)

__all__ = [
    "ExpectationError",
    "Loss",
    "MessageError",
    "Outcome",
    "Scorer",
    "ToolgaugeError",
    "score",
    "scorer_names",
]
