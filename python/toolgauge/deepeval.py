"""toolgauge as a metric of DeepEval."""

from __future__ import annotations

from typing import Any

from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase, ToolCall

from toolgauge._assertion import described
from toolgauge._native import Scorer


def _calls(calls: list[ToolCall] | None, arguments: str) -> list[dict[str, Any]]:
    return [{"name": call.name, arguments: call.input_parameters or {}} for call in calls or ()]


class ToolCalls(BaseMetric):  # type: ignore[misc]
    """Holds `tools_called` against `expected_tools`, or against an expectation as suites write it."""

    def __init__(self, threshold: float = 1.0, expect: Any = None, scorer: str = "tool_calls") -> None:
        self.threshold, self.expect, self.scorer = threshold, expect, scorer

    def measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        said = {"role": "assistant", "content": test_case.actual_output or ""}
        made = {**said, "tool_calls": _calls(test_case.tools_called, "args")}
        expect = self.expect
        if expect is None:
            wanted = _calls(test_case.expected_tools, "arguments")
            expect = [{"tool": call["name"], "arguments": call["arguments"]} for call in wanted]
        asked = {"role": "user", "content": test_case.input or ""}
        outcome = Scorer(expect, scorer=self.scorer).score([asked, made])
        self.score, self.reason = outcome.value or 0.0, described(outcome)
        self.success = outcome.value is not None and self.score >= self.threshold
        return self.score

    async def a_measure(self, test_case: LLMTestCase, *args: Any, **kwargs: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return f"toolgauge {self.scorer}"
