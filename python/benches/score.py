"""Scores per second from Python, against DeepEval's and agentevals' own checks in the same run.

The same call (one tool, two arguments) is judged again and again, for a second each, and the best of
three counts. Also the time of `import toolgauge`, in processes of their own.

    python benches/score.py            # needs `deepeval` and `agentevals`
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
# DeepEval asks for a key even for checks that ask no model.
os.environ.setdefault("OPENAI_API_KEY", "unused")

import toolgauge

ARGUMENTS = {"room": "hall", "on": True}
CALL = {"id": "1", "type": "function", "function": {"name": "light", "arguments": '{"room": "hall", "on": true}'}}
MESSAGES = [{"role": "user", "content": "hall on"}, {"role": "assistant", "content": "", "tool_calls": [CALL]}]
EXPECT = {"call": {"tool": "light", "arguments": ARGUMENTS}}


def rate(check: Callable[[], object]) -> float:
    best = 0.0
    for _ in range(3):
        count, started = 0, time.perf_counter()
        while time.perf_counter() - started < 1.0:
            check()
            count += 1
        best = max(best, count / (time.perf_counter() - started))
    return best


def deepeval_check() -> Callable[[], object]:
    from deepeval.metrics import ToolCorrectnessMetric
    from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams

    calls = [ToolCall(name="light", input_parameters=ARGUMENTS)]
    case = LLMTestCase(input="hall on", actual_output="", tools_called=calls, expected_tools=calls)
    compared = [ToolCallParams.INPUT_PARAMETERS]
    metric = ToolCorrectnessMetric(evaluation_params=compared, async_mode=False)
    return lambda: metric.measure(case, _show_indicator=False)


def agentevals_check() -> Callable[[], object]:
    from agentevals.trajectory.match import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(trajectory_match_mode="strict")
    return lambda: evaluate(outputs=MESSAGES, reference_outputs=MESSAGES)


def import_time() -> float:
    """Milliseconds, as Python itself counts them; the median of nine processes."""
    times = []
    for _ in range(9):
        run = [sys.executable, "-X", "importtime", "-c", "import toolgauge"]
        line = subprocess.run(run, capture_output=True, text=True, check=True).stderr.splitlines()[-1]
        times.append(int(line.split("|")[1]) / 1000)
    return sorted(times)[4]


def main() -> None:
    scorer = toolgauge.Scorer(EXPECT)
    ways: list[tuple[str, Callable[[], object]]] = [
        ("Scorer(expect).score(messages)", lambda: scorer.score(MESSAGES)),
        ("toolgauge.score(messages, expect)", lambda: toolgauge.score(MESSAGES, EXPECT)),
        ("DeepEval ToolCorrectnessMetric", deepeval_check()),
        ("agentevals strict trajectory", agentevals_check()),
    ]
    print(f"import toolgauge: {import_time():.1f} ms")
    for name, check in ways:
        print(f"{name:<36} {rate(check):>10,.0f} per second")


if __name__ == "__main__":
    main()
