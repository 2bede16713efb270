"""The same flaky agent in DeepEval's `assert_test` and under `@pytest.mark.toolgauge`.

The agent calls the right tool with a known rate, so it is known which verdict is right: an agent
below the gate must not pass, one above it must not fail. Each is tested 100 times. DeepEval judges
one answer per test, as its documentation shows; as a second way the test repeats 20 times and
compares the share with the gate, which is what people write who know that one answer says little.

    python benches/flaky.py            # needs `deepeval`
"""

from __future__ import annotations

import os
import random
import time

os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"

from deepeval import assert_test
from deepeval.test_case import LLMTestCase, ToolCall

import toolgauge
from toolgauge.deepeval import ToolCalls

GATE = 0.8
REPETITIONS = 100
TRIALS = 200
EXPECT = {"call": {"tool": "light", "arguments": {"room": "hall"}}}
METRIC = ToolCalls()


def room(rate: float, chance: random.Random) -> str:
    return "hall" if chance.random() < rate else "kitchen"


def by_deepeval(rate: float, chance: random.Random) -> str:
    """One test: one answer, right or wrong."""
    case = LLMTestCase(
        input="hall on",
        actual_output="",
        tools_called=[ToolCall(name="light", input_parameters={"room": room(rate, chance)})],
        expected_tools=[ToolCall(name="light", input_parameters={"room": "hall"})],
    )
    try:
        assert_test(case, [METRIC], run_async=False)
    except AssertionError:
        return "failed"
    return "passed"


def by_share(rate: float, chance: random.Random) -> str:
    """Twenty answers, and the share against the gate."""
    right = sum(room(rate, chance) == "hall" for _ in range(20))
    return "passed" if right / 20 >= GATE else "failed"


trials_used: list[int] = []


def by_toolgauge(rate: float, chance: random.Random) -> str:
    """Until the gate is decided, as the plug-in does it."""
    gate = toolgauge.Gate(f"score>={GATE}")
    scorer = toolgauge.Scorer(EXPECT)
    while gate.decision == "undecided" and gate.count < TRIALS:
        call = {"name": "light", "args": {"room": room(rate, chance)}}
        said = [{"role": "user", "content": "hall on"}, {"role": "assistant", "tool_calls": [call]}]
        gate.add(scorer.score(said).value or 0.0)
    trials_used.append(gate.count)
    return gate.decision


def main() -> None:
    print(f"gate score>={GATE}, {REPETITIONS} repetitions, at most {TRIALS} trials here")
    print(f"{'true rate':>9}  {'tested by':<22} {'passed':>6} {'failed':>6} {'undecided':>9} {'wrong':>6}  answers  seconds")
    ways = [("DeepEval assert_test", by_deepeval, 1), ("share of 20 answers", by_share, 20), ("toolgauge", by_toolgauge, 0)]
    for rate in (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 0.98):
        for name, test, answers in ways:
            trials_used.clear()
            chance = random.Random(7)
            started = time.perf_counter()
            verdicts = [test(rate, chance) for _ in range(REPETITIONS)]
            seconds = time.perf_counter() - started
            wrong = verdicts.count("failed" if rate >= GATE else "passed")
            used = answers or sum(trials_used) / REPETITIONS
            counts = [verdicts.count(word) for word in ("passed", "failed", "undecided")]
            print(f"{rate:>9}  {name:<22} {counts[0]:>6} {counts[1]:>6} {counts[2]:>9} {wrong:>6}  {used:>7.1f}  {seconds:>7.2f}")


if __name__ == "__main__":
    main()
