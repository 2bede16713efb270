"""What the plug-in for pytest promises."""

from __future__ import annotations

from pathlib import Path

import pytest

import toolgauge

AGENT = """
import pytest
from toolgauge import assert_calls

EXPECT = {"call": {"tool": "light", "arguments": {"room": "hall"}}}

def said(room):
    call = {"name": "light", "args": {"room": room}}
    return [{"role": "user", "content": "on"}, {"role": "assistant", "tool_calls": [call]}]
"""


def written(pytester: pytest.Pytester, tests: str) -> None:
    pytester.makepyfile(AGENT + tests)


def log_of(pytester: pytest.Pytester) -> Path:
    (log,) = (pytester.path / "logs").glob("*.eval")
    return log


def test_a_good_agent_passes_as_soon_as_that_is_shown(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
@pytest.mark.toolgauge(trials=100, gate="score>=0.8")
def test_good():
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    # 20 is what the closed form of the test gives for a threshold of 0.8.
    result.stdout.fnmatch_lines("*test_good: passed: score 1.000 in 20 trials, gate score>=0.8")
    rows = toolgauge.read(log_of(pytester)).trials.to_dict()
    assert rows["trial"] == list(range(1, 21))
    assert rows["value"] == [1.0] * 20


def test_a_bad_agent_fails_early_and_says_why(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
@pytest.mark.toolgauge(trials=100, gate="score>=0.8")
def test_bad():
    assert_calls(said("kitchen"), EXPECT)
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines("*failed: score 0.000 in 3 trials, gate score>=0.8")
    result.stdout.fnmatch_lines('*3 × tool_calls: 0.000: wrong value: `light` at `room`*')


def test_undecided_is_an_outcome_of_its_own(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
rooms = itertools.cycle(["hall"] * 4 + ["kitchen"])

@pytest.mark.toolgauge(trials=25, gate="score>=0.8")
def test_between():
    assert_calls(said(next(rooms)), EXPECT)
""",
    )
    result = pytester.runpytest("-v")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*test_between UNDECIDED*", "*undecided: score 0.800 in 25 trials*"])
    assert "1 undecided" in result.stdout.str()
    lenient = pytester.runpytest("--toolgauge-undecided=pass")
    assert lenient.ret == 0
    assert "1 undecided" in lenient.stdout.str()


def test_what_breaks_is_no_wrong_answer(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turn = itertools.count()

@pytest.mark.toolgauge(trials=60)
def test_flaky_server():
    if next(turn) % 2:
        raise ConnectionError("down")
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge(trials=60)
def test_dead_server():
    raise ConnectionError("down")
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["*passed: score 1.000 in 20 trials, 19 broke*", "*broken: no value in 0 trials, 3 broke*"]
    )
    unscored = toolgauge.read(log_of(pytester)).trials.to_dict()["unscored"]
    assert sum(reason is not None for reason in unscored) == 22


def test_plain_assertions_count_and_partial_credit_is_graded(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
@pytest.mark.toolgauge(trials=60)
def test_plain():
    assert 1 == 1

@pytest.mark.toolgauge(trials=200, gate="score>=0.3")
def test_graded():
    two = {"calls": [{"tool": "light", "arguments": {"room": "hall"}}, "siren"]}
    assert_calls(said("hall"), two, scorer="partial")
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=2)
    values = set(toolgauge.read(log_of(pytester)).trials.to_dict()["value"])
    assert 1.0 in values and any(0.3 < value < 1.0 for value in values)


def test_fixtures_are_fresh_for_every_trial_and_shared_ones_stay(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
counts = {"own": 0, "own torn down": 0, "shared": 0}

@pytest.fixture
def own():
    counts["own"] += 1
    yield
    counts["own torn down"] += 1

@pytest.fixture(scope="module")
def shared():
    counts["shared"] += 1
    yield

@pytest.mark.toolgauge(trials=30)
def test_repeated(own, shared):
    assert_calls(said("hall"), EXPECT)

def test_counts(shared):
    assert counts == {"own": 20, "own torn down": 20, "shared": 1}
""",
    )
    pytester.runpytest().assert_outcomes(passed=2)


def test_skips_and_broken_fixtures_are_reported_as_usual(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
@pytest.fixture
def broken():
    raise RuntimeError("no database")

@pytest.mark.toolgauge(trials=30)
def test_setup(broken): ...

@pytest.mark.toolgauge(trials=30)
@pytest.mark.skip
def test_skipped(): ...
""",
    )
    pytester.runpytest().assert_outcomes(errors=1, skipped=1)


def test_a_single_test_has_the_losses_as_its_message(pytester: pytest.Pytester) -> None:
    written(pytester, 'def test_single():\n    assert_calls(said("kitchen"), EXPECT)\n')
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines('E * lost 1.000: wrong value at `light`, `room`, expected "hall"*')
    assert len(toolgauge.read(log_of(pytester)).trials) == 1


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        ('gate="score>0.8"', "cannot be read: use `>=` or `<=`"),
        ('gate="p95<=2s"', "cannot be judged trial by trial"),
        ('gate="score>=1"', "can never be shown by trials"),
        ("trials=5", "5 trials cannot show `score>=0.8`, even if all of them pass"),
        ("tries=5", "the mark takes `trials`, `gate` and `confidence`"),
    ],
)
def test_a_mark_that_cannot_be_used_is_refused_before_any_test_runs(
    pytester: pytest.Pytester, mark: str, words: str
) -> None:
    written(pytester, f"@pytest.mark.toolgauge({mark})\ndef test_it(): ...\n")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()


def test_workers_of_xdist_share_one_log(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    written(
        pytester,
        """
@pytest.mark.toolgauge(trials=30)
@pytest.mark.parametrize("number", range(4))
def test_many(number):
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest("-n", "2", "-p", "xdist")
    result.assert_outcomes(passed=4)
    rows = toolgauge.read(log_of(pytester)).trials.to_dict()
    assert len(rows["case"]) == 80 and len(set(rows["case"])) == 4


def test_inspect_opens_the_log_of_a_session(pytester: pytest.Pytester) -> None:
    log = pytest.importorskip("inspect_ai.log")
    written(pytester, 'def test_single():\n    assert_calls(said("hall"), EXPECT)\n')
    pytester.runpytest("--toolgauge-subject=lamp-agent")
    opened = log.read_eval_log(str(log_of(pytester)))
    assert opened.status == "success"
    (sample,) = opened.samples
    assert sample.scores["test"].value in (1.0, "C")
    assert opened.eval.model.endswith("lamp-agent")
