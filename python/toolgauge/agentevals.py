"""toolgauge as an evaluator of LangChain's agentevals, openevals and LangSmith."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolgauge._assertion import described
from toolgauge._native import Scorer, plain_messages


def create_tool_call_evaluator(
    *, scorer: str = "tool_calls", expect: Any = None
) -> Callable[..., dict[str, Any]]:
    """An evaluator that holds a trajectory against the calls of a reference, or against an
    expectation as suites write it."""

    def evaluate(*, outputs: Any, reference_outputs: Any = None, **others: Any) -> dict[str, Any]:
        wanted = _calls(reference_outputs) if expect is None else expect
        outcome = Scorer(wanted, scorer=scorer).score(outputs)
        return {"key": f"toolgauge_{scorer}", "score": outcome.value, "comment": described(outcome)}

    return evaluate


def _calls(reference: Any) -> list[dict[str, Any]]:
    """The calls of a reference as an expectation."""
    calls = [call for m in json.loads(plain_messages(reference)) for call in m.get("tool_calls") or ()]
    functions = (call["function"] for call in calls)
    return [{"tool": f["name"], "arguments": json.loads(f["arguments"])} for f in functions]
