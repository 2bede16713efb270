"""Measures how well something calls tools.

`score` judges one conversation, `run` a whole suite, `read` and `compare` take logs. The plug-in for
pytest and the scorers for Inspect AI are found by those programs by themselves.
"""

from __future__ import annotations

import os

from toolgauge._native import (
    Comparison,
    ExpectationError,
    Gate,
    Logs,
    Loss,
    MessageError,
    Outcome,
    RunResult,
    Scorer,
    Suite,
    Table,
    ToolgaugeError,
    compare_logs,
    read_logs,
    score,
    scorer_names,
    suite_names,
)

# Type checkers know the name; importing `typing` for it would take longer than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from toolgauge._assertion import assert_calls

    LogPath: TypeAlias = "str | os.PathLike[str]"

__all__ = [
    "Comparison",
    "ExpectationError",
    "Gate",
    "Logs",
    "Loss",
    "MessageError",
    "Outcome",
    "RunResult",
    "Scorer",
    "Suite",
    "Table",
    "ToolgaugeError",
    "assert_calls",
    "compare",
    "read",
    "run",
    "score",
    "scorer_names",
    "suite_names",
]


def read(logs: LogPath | Iterable[LogPath] | None = None) -> Logs:
    """Reads a log, a folder of logs, or several of them, as the tables `runs`, `trials`, `losses`.

    Without any, those of the project: `logs`, or the folder that its settings name. What cannot be
    read in a folder is named in `damaged`.

    Each table has `__arrow_c_stream__`, so `polars.DataFrame(logs.trials)`,
    `pandas.DataFrame.from_arrow(logs.trials)` and `pyarrow.table(logs.trials)` take it over.
    """
    if isinstance(logs, (str, os.PathLike)):
        return read_logs([logs])
    return read_logs(None if logs is None else list(logs))


def compare(
    a: LogPath,
    b: LogPath,
    *,
    scorer: str | None = None,
    margin: float | None = None,
    seed: int = 0,
) -> Comparison:
    """Compares log B with log A, trial by trial, and says whether the difference is more than chance.

    With a `margin`, a difference that surely lies within it is called equivalent.
    """
    return compare_logs(a, b, scorer=scorer, margin=margin, seed=seed)


def run(
    suite: str,
    subject: str | Callable[..., Any] = "baseline",
    *,
    log_dir: LogPath | None = None,
    cases: str | Sequence[str] = (),
    tags: Mapping[str, str] | None = None,
    sample: int | None = None,
    limit: int | None = None,
    trials: int | None = None,
    concurrency: int | None = None,
    seed: int = 0,
    base_url: str | None = None,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> RunResult:
    """Runs a suite: a shipped one by its name, or one of your own by its path.

    The subject is a function, the address of a chatbot, or anything that `toolgauge run --model`
    takes. A function of one argument is a chatbot: it gets the question and gives the answer, as
    text, as a dict with `answer` and `tools_used`, or as messages. A function of two is a model: it
    gets messages and tools in OpenAI's form and gives the assistant's message.

    `base_url` is the server of a model. `settings` are further ones in the form of `toolgauge.toml`,
    such as `{"sampling": {"temperature": 0}}`; they go before that file and the environment.
    """
    from toolgauge._native import plain_json
    from toolgauge._run import run as run_on

    order = {
        "suite": suite,
        "base_url": base_url,
        "settings": plain_json(settings or {}),
        "log_dir": log_dir,
        "cases": [cases] if isinstance(cases, str) else list(cases),
        "tags": list((tags or {}).items()),
        "sample": sample,
        "limit": limit,
        "trials": trials,
        "concurrency": concurrency,
        "seed": seed,
    }
    return run_on(subject, order)


def __getattr__(name: str) -> Any:
    # Only who asserts needs it, and importing the package must take no time.
    if name == "assert_calls":
        from toolgauge._assertion import assert_calls

        return assert_calls
    raise AttributeError(f"module `toolgauge` has no attribute `{name}`")
