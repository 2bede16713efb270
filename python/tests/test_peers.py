"""The adapters, held against the real packages of DeepEval and agentevals."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")


def test_deepeval_takes_the_metric() -> None:
    deepeval = pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase, ToolCall

    from toolgauge.deepeval import ToolCalls

    def case(room: str) -> LLMTestCase:
        return LLMTestCase(
            input="hall on",
            actual_output="done",
            tools_called=[ToolCall(name="light", input_parameters={"room": room})],
            expected_tools=[ToolCall(name="light", input_parameters={"room": "hall"})],
        )

    deepeval.assert_test(case("hall"), [ToolCalls()], run_async=False)
    with pytest.raises(AssertionError, match="wrong value"):
        deepeval.assert_test(case("kitchen"), [ToolCalls()], run_async=False)
    metric = ToolCalls(threshold=0.2, scorer="partial", expect=["light", "siren"])
    assert 0.2 < metric.measure(case("hall")) < 1.0
    assert metric.is_successful()


def test_agentevals_takes_the_evaluator_and_both_agree_on_exact_calls() -> None:
    pytest.importorskip("agentevals")
    from agentevals.trajectory.match import create_trajectory_match_evaluator
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    from toolgauge.agentevals import create_tool_call_evaluator

    def said(room: str) -> list[object]:
        call = {"name": "light", "args": {"room": room}, "id": "1"}
        return [
            HumanMessage("hall on"),
            AIMessage("", tool_calls=[call]),
            ToolMessage("done", tool_call_id="1"),
            AIMessage("It is on."),
        ]

    theirs = create_trajectory_match_evaluator(trajectory_match_mode="strict")
    ours = create_tool_call_evaluator()
    for room, right in (("hall", True), ("kitchen", False)):
        found = ours(outputs=said(room), reference_outputs=said("hall"))
        assert found["key"] == "toolgauge_tool_calls"
        assert bool(found["score"]) is right
        assert bool(theirs(outputs=said(room), reference_outputs=said("hall"))["score"]) is right
    assert "wrong value" in found["comment"]
