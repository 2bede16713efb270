"""The plug-in for pytest: agent tests that are decided by statistics.

`@pytest.mark.toolgauge(trials=20, gate="score>=0.8")` repeats a test until its gate is decided, and
`assert_calls` gives each repetition a graded value. A test that its trials leave undecided is
reported as such. The trials of a session are written to one log.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import pytest
from _pytest.runner import runtestprotocol

from toolgauge._native import Gate, ToolgaugeError

if TYPE_CHECKING:
    from _pytest.reports import CollectReport
    from _pytest.terminal import TerminalReporter

    from toolgauge._assertion import Judged

MARK = "toolgauge"
USUAL_GATE = "score>=0.8"
USUAL_TRIALS = 50
# After so many trials that break before anything could be judged, the test itself is broken.
BROKEN_TRIALS = 3

Decision = Literal["passed", "failed", "undecided", "broken"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("toolgauge", "agent tests decided by statistics")
    group.addoption(
        "--toolgauge-undecided",
        choices=("fail", "pass"),
        default=None,
        help="what a test counts as whose trials leave its gate undecided [default: fail]",
    )
    group.addoption(
        "--toolgauge-log-dir",
        metavar="DIR",
        default=None,
        help="the folder of the session's log [default: logs]; an empty name writes none",
    )
    group.addoption(
        "--toolgauge-subject",
        metavar="NAME",
        default=None,
        help="what the log calls the agent under test [default: agent]",
    )
    parser.addini("toolgauge_undecided", "what an undecided test counts as", default="fail")
    parser.addini("toolgauge_log_dir", "the folder of the session's log", default="logs")
    parser.addini("toolgauge_subject", "what the log calls the agent under test", default="agent")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f'{MARK}(trials={USUAL_TRIALS}, gate="{USUAL_GATE}", confidence=0.95): repeat the test until '
        "its gate is decided",
    )
    config.pluginmanager.register(SessionLog(config), "toolgauge-session-log")


def _option(config: pytest.Config, name: str) -> str:
    given = config.getoption(f"toolgauge_{name}")
    return str(config.getini(f"toolgauge_{name}") if given is None else given)


@dataclass
class StatisticalTest:
    """What a mark asks for."""

    trials: int
    gate: Gate

    @classmethod
    def of(cls, item: pytest.Item) -> StatisticalTest | None:
        mark = item.get_closest_marker(MARK)
        if mark is None:
            return None
        return cls.asked_for(item, *mark.args, **mark.kwargs)

    @classmethod
    def asked_for(
        cls,
        item: pytest.Item,
        trials: int = USUAL_TRIALS,
        gate: str = USUAL_GATE,
        confidence: float = 0.95,
    ) -> StatisticalTest:
        try:
            judge = Gate(gate, confidence=confidence)
        except ToolgaugeError as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None
        fewest = judge.fewest_to_pass or 1
        # Fewer could never pass, so the test would fail for its own sake and not the agent's.
        if trials < fewest:
            raise pytest.UsageError(
                f"{item.nodeid}: {trials} trials cannot show `{gate}`, even if all of them pass\n"
                f"  hint: at least {fewest} are needed; they stop as soon as the gate is decided"
            )
        return cls(trials, judge)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuses marks that cannot be used before any test runs."""
    for item in items:
        try:
            StatisticalTest.of(item)
        except TypeError as error:
            hint = "the mark takes `trials`, `gate` and `confidence`"
            raise pytest.UsageError(f"{item.nodeid}: {error}\n  hint: {hint}") from None


@dataclass
class TestTrial:
    """One repetition of a test: what was asserted, and how it ended."""

    __test__ = False

    started: float = field(default_factory=time.time)
    ended: float = 0.0
    judged: list[Judged] = field(default_factory=list)
    exception: BaseException | None = None
    skipped: bool = False

    @property
    def worst(self) -> Judged | None:
        """The assertion that counts: a repetition is as good as its worst one."""
        scored = [judged for judged in self.judged if judged.outcome.value is not None]
        return min(scored, key=lambda judged: judged.outcome.value or 0.0, default=None)

    def value(self, figure: str = "score") -> float | None:
        """What the repetition counts for; `None` if it says nothing about the agent."""
        from toolgauge._assertion import CallsNotAsExpected

        own = isinstance(self.exception, CallsNotAsExpected)
        if self.exception is not None and not own:
            # What was not asserted but broke (a server that is down) is no wrong answer.
            wrong = isinstance(self.exception, (AssertionError, pytest.fail.Exception))
            return 0.0 if wrong else None
        if self.worst is None:
            return None if own else 1.0
        outcome = self.worst.outcome
        if figure == "score":
            return outcome.value
        if figure == "pass":
            return float(outcome.passed)
        if figure == "right":
            return float(outcome.value == 1.0)
        correct = outcome.dimensions.get(figure)
        return None if correct is None else float(correct)

    def reason(self) -> str:
        if self.exception is None:
            return ""
        first = str(self.exception).strip().splitlines()[:1] or [""]
        return f"{type(self.exception).__name__}: {first[0]}".rstrip(": ")

    def for_log(self, case: str, number: int) -> dict[str, Any]:
        """The repetition as plain values: under xdist it goes to another process."""
        from toolgauge._native import plain_json, plain_messages

        worst = self.worst
        return {
            "case": case,
            "trial": number,
            "started": self.started,
            "ended": self.ended,
            "value": self.value(),
            "reason": self.reason(),
            "messages": worst and plain_messages(worst.messages),
            "expect": worst and plain_json(worst.expect),
            "outcome": worst and plain_json(worst.outcome.to_dict()),
        }


_trial_key = pytest.StashKey[TestTrial]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Collects what is asserted while a test runs."""
    from toolgauge._assertion import _collectors

    trial = item.stash[_trial_key] = TestTrial()
    collect = trial.judged.append
    _collectors.append(collect)
    try:
        return (yield)
    except BaseException as error:
        trial.exception = error
        raise
    finally:
        trial.ended = time.time()
        _collectors.remove(collect)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A single test that asserts calls gets into the log too."""
    report = yield
    trial = item.stash.get(_trial_key, None)
    if call.when == "call" and trial is not None:
        trial.skipped = report.skipped
        if trial.judged and item.get_closest_marker(MARK) is None:
            _attach(report, trials=[trial.for_log(item.nodeid, 1)])
    return report


def _attach(report: pytest.TestReport, **facts: Any) -> None:
    # Further attributes of a report are sent along by xdist if they are plain values.
    report.toolgauge = facts  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Repeats a test with the mark until its gate is decided."""
    asked = StatisticalTest.of(item)
    if asked is None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in _repeated(item, nextitem, asked):
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _repeated(
    item: pytest.Item, nextitem: pytest.Item | None, asked: StatisticalTest
) -> list[pytest.TestReport]:
    """The reports of all repetitions as those of one test."""
    trials: list[TestTrial] = []
    seconds = 0.0
    while True:
        # The parent as the next item: what belongs to the test is torn down after every repetition,
        # and what it shares with other tests stays.
        reports = runtestprotocol(item, log=False, nextitem=item.parent)  # type: ignore[arg-type]
        call = next((report for report in reports if report.when == "call"), None)
        seconds += sum(report.duration for report in reports)
        others_failed = any(report.failed for report in reports if report.when != "call")
        if call is None or call.skipped or others_failed:
            # Skipped, or its fixtures broke: nothing that repetitions could decide.
            break
        trial = item.stash[_trial_key]
        trials.append(trial)
        value = trial.value(asked.gate.figure)
        if value is not None:
            asked.gate.add(value)
        broken = not asked.gate.count and len(trials) >= BROKEN_TRIALS
        if asked.gate.decision != "undecided" or len(trials) >= asked.trials or broken:
            _decide(item, call, asked, trials)
            call.duration = seconds
            break
    # Now what the next test does not share is torn down, and reported if that breaks.
    state = item.session._setupstate
    final = pytest.CallInfo.from_call(lambda: state.teardown_exact(nextitem), when="teardown")
    if final.excinfo is not None:
        reports.append(item.ihook.pytest_runtest_makereport(item=item, call=final))
    return reports


def _decide(
    item: pytest.Item, report: pytest.TestReport, asked: StatisticalTest, trials: list[TestTrial]
) -> None:
    """Makes the report of the last repetition that of the test."""
    gate = asked.gate
    decision: Decision = "broken" if not gate.count else gate.decision
    lines = _words(asked, trials, decision)
    passes = decision == "passed"
    if decision == "undecided":
        passes = _option(item.config, "undecided") == "pass"
    report.outcome = "passed" if passes else "failed"
    report.longrepr = None if passes else "\n".join(lines)
    report.sections = [] if passes else report.sections
    _attach(
        report,
        decision=decision,
        words=lines[0],
        trials=[trial.for_log(item.nodeid, number) for number, trial in enumerate(trials, 1)],
    )


def _words(asked: StatisticalTest, trials: list[TestTrial], decision: Decision) -> list[str]:
    """What was decided, then why trials failed, the most frequent reason first."""
    gate = asked.gate
    broke = len(trials) - gate.count
    mean = "no value" if gate.mean is None else f"{gate.figure} {gate.mean:.3f}"
    beside = f", {broke} broke" if broke else ""
    first = f"{decision}: {mean} in {gate.count} trials{beside}, gate {gate.figure}>={gate.threshold:g}"
    reasons: dict[str, int] = {}
    for trial in trials:
        if trial.exception is not None:
            text = str(trial.exception).strip() or trial.reason()
            reasons[text] = reasons.get(text, 0) + 1
    frequent = sorted(reasons.items(), key=lambda reason: -reason[1])[:5]
    return [first, *(f"{count} × {text}" for text, count in frequent)]


def pytest_report_teststatus(
    report: CollectReport | pytest.TestReport,
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Gives undecided tests an outcome of their own."""
    facts = getattr(report, "toolgauge", None)
    if facts and facts.get("decision") == "undecided":
        return "undecided", "U", ("UNDECIDED", {"yellow": True})
    return None


class SessionLog:
    """Collects the trials of a session, those of xdist's workers included, and writes its log."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        # A worker hands its reports to the controller, which has the trials of all of them.
        self.is_worker = hasattr(config, "workerinput")
        self.trials: list[dict[str, Any]] = []
        self.decided: list[tuple[str, str]] = []
        self.told = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = getattr(report, "toolgauge", None)
        if self.is_worker or not facts:
            return
        self.trials += facts["trials"]
        if "decision" in facts:
            self.decided.append((report.nodeid, facts["words"]))

    def pytest_sessionfinish(self) -> None:
        folder = _option(self.config, "log_dir")
        if self.is_worker or not self.trials or not folder:
            return
        from toolgauge._native import write_session_log

        try:
            subject = _option(self.config, "subject")
            path = write_session_log(folder, self.config.rootpath.name or "tests", subject, self.trials)
            self.told = f"log: {path}"
        except (OSError, ToolgaugeError) as error:
            self.told = f"no log was written: {error}"

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        if not self.decided and not self.told:
            return
        terminalreporter.section("toolgauge")
        for name, words in self.decided:
            terminalreporter.write_line(f"{name}: {words}")
        if self.told:
            terminalreporter.write_line(self.told)
