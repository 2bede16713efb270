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


def test_a_server_that_is_down_is_no_wrong_answer(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turn = itertools.count()

class ClientError(Exception): ...

@pytest.mark.toolgauge(trials=60)
def test_flaky_server():
    number = next(turn)
    if number % 4 == 1:
        raise ConnectionError("down")
    if number % 4 == 3:
        raise ClientError("no answer") from TimeoutError()
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge(trials=60)
def test_dead_server():
    raise ConnectionError("down")

@pytest.mark.toolgauge(trials=60, errors=ClientError)
def test_other_errors():
    if next(turn) % 2:
        raise ClientError("busy")
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*test_flaky_server: passed: score 1.000 in 20 trials, 19 broke*",
            "*test_dead_server: broken: no value in 0 trials, 3 broke*",
            "*test_other_errors: passed: score 1.000 in 20 trials, *broke*",
        ]
    )
    unscored = toolgauge.read(log_of(pytester)).trials.to_dict()["unscored"]
    assert sum(reason is not None for reason in unscored) in (41, 42)


def test_an_agent_that_crashes_is_wrong(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turn = itertools.count()

@pytest.mark.toolgauge(trials=300)
def test_crashes_in_nine_of_ten():
    if next(turn) % 10:
        raise KeyError("tool_calls")
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge(trials=300)
def test_hangs_in_nine_of_ten():
    if next(turn) % 10:
        raise TimeoutError
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(failed=2)
    # With the place, since the message alone does not tell where the agent broke.
    result.stdout.fnmatch_lines(["*failed: score 0.200 in 5 trials*", "4 × KeyError: 'tool_calls'", "E * KeyError*"])
    # Nor does it pass on the few that were answered, if its server is to blame.
    result.stdout.fnmatch_lines("*test_hangs_in_nine_of_ten: broken: *")


def test_a_skip_in_one_repetition_hides_nothing(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turns = {name: itertools.count() for name in ("call", "fixture", "setup")}

@pytest.mark.toolgauge(trials=30, gate="score>=0.6")
def test_skips_later():
    number = next(turns["call"])
    if number == 12:
        pytest.skip("rate limit")
    assert_calls(said("hall" if number % 2 else "kitchen"), EXPECT)

@pytest.fixture
def limited():
    if next(turns["setup"]) >= 19:
        pytest.skip("rate limit")

@pytest.mark.toolgauge(trials=20)
def test_last_one_is_skipped_by_a_fixture(limited):
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge
def test_skips_at_once():
    pytest.skip("no key")

@pytest.fixture
def breaks():
    if next(turns["fixture"]) == 2:
        raise RuntimeError("disk full")

@pytest.mark.toolgauge
def test_fixture_breaks_later(breaks):
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest("-v")
    result.assert_outcomes(errors=1, skipped=1)
    result.stdout.fnmatch_lines(
        [
            "*test_skips_later UNDECIDED*",
            "*test_last_one_is_skipped_by_a_fixture UNDECIDED*",
            "*test_skips_at_once SKIPPED*",
            "*test_fixture_breaks_later ERROR*",
            "*test_skips_later: undecided: score 0.* in 29 trials, 1 broke*",
            "*test_last_one_is_skipped_by_a_fixture: undecided: score 1.000 in 19 trials, 1 broke*",
            "*test_fixture_breaks_later: broken: score 1.000 in 2 trials*",
        ]
    )
    assert len(toolgauge.read(log_of(pytester)).trials) == 30 + 20 + 2


def test_trials_before_a_broken_teardown_are_kept(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turn = itertools.count()

@pytest.fixture
def breaks():
    yield
    if next(turn) == 4:
        raise RuntimeError("disk full")

@pytest.mark.toolgauge
def test_it(breaks):
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    assert "1 undecided" in result.stdout.str()
    assert len(toolgauge.read(log_of(pytester)).trials) == 5


@pytest.mark.parametrize("ending", ["raise KeyboardInterrupt", 'pytest.exit("enough")'])
def test_what_a_test_measured_before_ctrl_c_is_kept(pytester: pytest.Pytester, ending: str) -> None:
    written(
        pytester,
        f"""
import itertools
turn = itertools.count()

@pytest.mark.toolgauge(trials=50)
def test_stopped():
    if next(turn) == 5:
        {ending}
    assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest_subprocess()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines("*test_stopped: interrupted: score 1.000 in 5 trials, gate score>=0.8")
    assert toolgauge.read(log_of(pytester)).trials.to_dict()["value"] == [1.0] * 5


def test_expected_failures_are_held_against_the_decision(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
import itertools
turn = itertools.count()

@pytest.mark.xfail(strict=True)
@pytest.mark.toolgauge
def test_passes_against_expectation():
    assert_calls(said("hall"), EXPECT)

@pytest.mark.xfail
@pytest.mark.toolgauge(trials=100)
def test_one_wrong_answer():
    assert_calls(said("hall" if next(turn) else "kitchen"), EXPECT)

@pytest.mark.xfail(raises=AssertionError)
@pytest.mark.toolgauge
def test_fails_as_expected():
    assert_calls(said("kitchen"), EXPECT)
""",
    )
    result = pytester.runpytest("-v")
    result.assert_outcomes(failed=1, xpassed=1, xfailed=1)
    result.stdout.fnmatch_lines(
        [
            "*XPASS(strict)*",
            "*test_one_wrong_answer: passed: score 0.9*",
            "*test_fails_as_expected: failed: score 0.000 in 3 trials*",
        ]
    )


def test_every_attempt_of_a_test_that_is_run_again_is_a_trial(pytester: pytest.Pytester) -> None:
    # As plug-ins do that run failed tests again.
    pytester.makeconftest(
        """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for attempt in range(3):
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            item.ihook.pytest_runtest_logreport(report=report)
    return True
"""
    )
    written(
        pytester,
        """
import itertools
rooms = iter(["kitchen", "kitchen", "hall"])

def test_flaky():
    assert_calls(said(next(rooms)), EXPECT)
""",
    )
    pytester.runpytest()
    rows = toolgauge.read(log_of(pytester)).trials.to_dict()
    assert list(zip(rows["trial"], rows["value"], strict=True)) == [(1, 0.0), (2, 0.0), (3, 1.0)]


def test_a_dimension_is_judged_by_its_own_name(pytester: pytest.Pytester) -> None:
    written(
        pytester,
        """
@pytest.mark.toolgauge(gate="arguments>=0.8")
def test_right():
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge(gate="argumnts>=0.8")
def test_misspelt():
    assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge(gate="arguments>=0.8")
def test_nothing_judged():
    assert 1 == 1
""",
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(
        [
            "broken: no value in 0 trials, 1 without `argumnts`*",
            "there is no `argumnts`; there are: score, pass, right, tool_name, arguments, *",
            "nothing judges `arguments`: the test does not use `assert_calls`",
        ]
    )


def test_subtests_belong_to_their_repetition(pytester: pytest.Pytester) -> None:
    pytest.importorskip("_pytest.subtests")
    written(
        pytester,
        """
import itertools, unittest
turn = itertools.count()

@pytest.mark.toolgauge(trials=100)
def test_passes(subtests):
    with subtests.test("first"):
        assert next(turn)
    with subtests.test("second"):
        assert_calls(said("hall"), EXPECT)

@pytest.mark.toolgauge
def test_fails(subtests):
    with subtests.test("graded"):
        assert_calls(said("hall"), {"calls": ["light", "siren"]}, scorer="partial")
    with subtests.test("not graded"):
        assert False
    with subtests.test("skipped"):
        pytest.skip("nothing to see")

class TestOld(unittest.TestCase):
    @pytest.mark.toolgauge
    def test_fails(self):
        with self.subTest("first"):
            self.fail("wrong")

    @pytest.mark.toolgauge
    def test_fails_plainly(self):
        self.assertEqual(1, 2)

def test_single(subtests):
    with subtests.test("one"):
        assert_calls(said("hall"), EXPECT)
    with subtests.test("two"):
        assert_calls(said("hall"), EXPECT)
""",
    )
    result = pytester.runpytest()
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["failed"]) == (2, 3)
    result.stdout.fnmatch_lines(
        [
            "*test_passes: passed: score 0.9*",
            "*::test_fails: failed: score 0.000 in 3 trials*",
            "*TestOld::test_fails: failed: score 0.000 in 3 trials*",
            "*TestOld::test_fails_plainly: failed: score 0.000 in 3 trials*",
        ]
    )
    result.stdout.no_fnmatch_line("*SUBFAILED*")
    cases = toolgauge.read(log_of(pytester)).trials.to_dict()["case_id"]
    assert sum(case.endswith("test_single") for case in cases) == 1


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
        ('trials=50, gate="score>=0.9999999"', "at least 45"),
        ('trials=10**12, gate="score>=0.9999999999999999"', "choose a lower threshold"),
        ("trials=5", "5 trials cannot show `score>=0.8`, even if all of them pass"),
        ('errors="ConnectionError"', "the mark takes `trials`, `gate`, `confidence` and `errors`"),
        ("tries=5", "the mark takes `trials`, `gate`, `confidence` and `errors`"),
    ],
)
def test_a_mark_that_cannot_be_used_is_refused_before_any_test_runs(
    pytester: pytest.Pytester, mark: str, words: str
) -> None:
    written(pytester, f"@pytest.mark.toolgauge({mark})\ndef test_it(): ...\n")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()


def test_a_mark_that_cannot_be_used_is_told_under_xdist_too(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    written(pytester, "@pytest.mark.toolgauge(trials=5)\ndef test_it(): ...\n")
    result = pytester.runpytest("-n", "1", "-p", "xdist")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines("*5 trials cannot show `score>=0.8`, even if all of them pass*")


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
    assert len(rows["case_id"]) == 80 and len(set(rows["case_id"])) == 4


def test_inspect_opens_the_log_of_a_session(pytester: pytest.Pytester) -> None:
    log = pytest.importorskip("inspect_ai.log")
    written(pytester, 'def test_single():\n    assert_calls(said("hall"), EXPECT)\n')
    pytester.runpytest("--toolgauge-subject=lamp-agent")
    opened = log.read_eval_log(str(log_of(pytester)))
    assert opened.status == "success"
    (sample,) = opened.samples
    assert sample.scores["test"].value in (1.0, "C")
    assert opened.eval.model.endswith("lamp-agent")
