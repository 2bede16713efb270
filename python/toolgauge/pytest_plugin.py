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
from _pytest.outcomes import Failed
from _pytest.runner import runtestprotocol

from toolgauge._native import Gate, ToolgaugeError

if TYPE_CHECKING:
    from _pytest.reports import CollectReport
    from _pytest.terminal import TerminalReporter

    from toolgauge._assertion import Judged

MARK = "toolgauge"
USUAL_GATE = "score>=0.8"
USUAL_TRIALS = 50
# What says nothing of an agent, unless the mark names other exceptions: its server is to blame.
USUAL_ERRORS: tuple[type[BaseException], ...] = (ConnectionError, TimeoutError)
# As soon as so many more trials break than not, the test itself is broken.
BROKEN_TRIALS = 3
# What a gate may look at beside dimensions.
FIGURES = ("score", "pass", "right")

# The name of the part that writes the log.
SESSION_LOG = "toolgauge-session-log"

Decision = Literal["passed", "failed", "undecided", "broken", "interrupted"]


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
        f'{MARK}(trials={USUAL_TRIALS}, gate="{USUAL_GATE}", confidence=0.95, errors=…): repeat the '
        "test until its gate is decided; trials that end with one of the errors do not count",
    )
    config.pluginmanager.register(SessionLog(config), SESSION_LOG)


def _option(config: pytest.Config, name: str) -> str:
    given = config.getoption(f"toolgauge_{name}")
    return str(config.getini(f"toolgauge_{name}") if given is None else given)


@dataclass
class StatisticalTest:
    """What a mark asks for."""

    trials: int
    gate: Gate
    errors: tuple[type[BaseException], ...]

    @classmethod
    def of(cls, item: pytest.Item) -> StatisticalTest | None:
        mark = item.get_closest_marker(MARK)
        if mark is None:
            return None
        try:
            return cls.asked_for(item, *mark.args, **mark.kwargs)
        except TypeError as error:
            hint = "the mark takes `trials`, `gate`, `confidence` and `errors`"
            raise pytest.UsageError(f"{item.nodeid}: {error}\n  hint: {hint}") from None

    @classmethod
    def asked_for(
        cls,
        item: pytest.Item,
        trials: int = USUAL_TRIALS,
        gate: str = USUAL_GATE,
        confidence: float = 0.95,
        errors: type[BaseException] | tuple[type[BaseException], ...] = USUAL_ERRORS,
    ) -> StatisticalTest:
        # Asked for here, so that what is no exception is refused before any test runs.
        isinstance(None, errors)
        try:
            judge = Gate(gate, confidence=confidence)
        except ToolgaugeError as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None
        fewest = judge.fewest_to_pass
        # Fewer could never pass, so the test would fail for its own sake and not the agent's.
        if fewest is None or trials < fewest:
            needed = "choose a lower threshold" if fewest is None else f"at least {fewest} are needed"
            raise pytest.UsageError(
                f"{item.nodeid}: {trials} trials cannot show `{gate}`, even if all of them pass\n"
                f"  hint: {needed}; they stop as soon as the gate is decided"
            )
        return cls(trials, judge, errors if isinstance(errors, tuple) else (errors,))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuses marks that cannot be used before any test runs."""
    # xdist does not tell why a worker ends; there the test itself is refused.
    for item in () if _is_worker(config) else items:
        StatisticalTest.of(item)


def _is_worker(config: pytest.Config) -> bool:
    """Whether this process runs tests for another one, under xdist."""
    return hasattr(config, "workerinput")


@dataclass
class TestTrial:
    """One repetition of a test: what was asserted, and how it ended."""

    __test__ = False

    started: float = field(default_factory=time.time)
    ended: float = 0.0
    judged: list[Judged] = field(default_factory=list)
    exception: BaseException | None = None
    errors: tuple[type[BaseException], ...] = USUAL_ERRORS

    def note(self, error: BaseException) -> None:
        """Keeps what went wrong. Of several, as subtests have, what is no graded assertion counts."""
        if self.exception is None or self.is_graded:
            self.exception = error

    @property
    def is_graded(self) -> bool:
        """Whether it ended with `assert_calls`, which says how wrong the calls are."""
        from toolgauge._assertion import CallsNotAsExpected

        return isinstance(self.exception, CallsNotAsExpected)

    @property
    def broke(self) -> bool:
        """Whether it ended in a way that says nothing of the agent."""
        if self.is_graded:
            return self.worst is None
        error = self.exception
        # Clients of models wrap the failed connection into exceptions of their own.
        while error is not None and not isinstance(error, (pytest.skip.Exception, *self.errors)):
            error = error.__cause__
        return error is not None

    @property
    def worst(self) -> Judged | None:
        """The assertion that counts: a repetition is as good as its worst one."""
        scored = [judged for judged in self.judged if judged.outcome.value is not None]
        return min(scored, key=lambda judged: judged.outcome.value or 0.0, default=None)

    def value(self, figure: str = "score") -> float | None:
        """What the repetition counts for; `None` if it says nothing about the agent."""
        if self.broke:
            return None
        if self.exception is not None and not self.is_graded:
            return 0.0
        if figure not in FIGURES:
            found = [judged.outcome.dimensions.get(figure) for judged in self.judged]
            applicable = [correct for correct in found if correct is not None]
            return float(all(applicable)) if applicable else None
        if self.worst is None:
            return 1.0
        outcome = self.worst.outcome
        if figure == "score":
            return outcome.value
        return float(outcome.passed if figure == "pass" else outcome.value == 1.0)

    def without(self, figure: str) -> str | None:
        """Why no trial will ever have such a figure."""
        names = {name: None for judged in self.judged for name in judged.outcome.dimensions}
        if figure in (*FIGURES, *names) or self.exception is not None and not self.is_graded:
            return None
        if not names:
            return f"nothing judges `{figure}`: the test does not use `assert_calls`"
        return f"there is no `{figure}`; there are: {', '.join((*FIGURES, *names))}"

    def reason(self) -> str:
        """Why it failed or broke, in full."""
        text = str(self.exception or "").strip()
        # What an assertion says needs no name.
        if self.exception is None or text and isinstance(self.exception, (AssertionError, Failed)):
            return text
        return f"{type(self.exception).__name__}: {text}".rstrip(": ")

    def for_log(self, case: str) -> dict[str, Any]:
        """The repetition as plain values: under xdist it goes to another process."""
        from toolgauge._native import plain_json, plain_messages

        worst = self.worst
        return {
            "case": case,
            "started": self.started,
            "ended": self.ended,
            "value": self.value(),
            "reason": "".join(self.reason().splitlines()[:1]),
            "messages": worst and plain_messages(worst.messages),
            "expect": worst and plain_json(worst.expect),
            "outcome": worst and plain_json(worst.outcome.to_dict()),
        }


_trial_key = pytest.StashKey[TestTrial]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    item.stash[_trial_key] = TestTrial()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Collects what is asserted while a test runs."""
    from toolgauge._assertion import _collectors

    trial = item.stash[_trial_key]
    trial.started = time.time()
    collect = trial.judged.append
    _collectors.append(collect)
    try:
        return (yield)
    finally:
        trial.ended = time.time()
        _collectors.remove(collect)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Notes how a test ended. A single one that asserts calls gets into the log too."""
    report = yield
    trial = item.stash.get(_trial_key, None)
    if trial is None or call.when == "teardown":
        return report
    is_marked = item.get_closest_marker(MARK) is not None
    # The call is not over yet: this is the report of a subtest.
    is_part = call.when == "call" and not trial.ended
    if call.excinfo is not None and not (is_part and report.skipped):
        trial.note(call.excinfo.value)
    if is_part and is_marked:
        # It belongs to a repetition, and only all of them decide.
        report.outcome, report.longrepr = "passed", None
    elif call.when == "call" and not is_part and not is_marked and trial.judged:
        _attach(report, trials=[trial.for_log(item.nodeid)])
    return report


def _attach(report: pytest.TestReport, **facts: Any) -> None:
    # Further attributes of a report are sent along by xdist if they are plain values.
    report.toolgauge = facts  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Repeats a test with the mark until its gate is decided."""
    try:
        asked = StatisticalTest.of(item)
    except pytest.UsageError as error:
        return _refuse(item, str(error))
    if asked is None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    repetitions = Repetitions(item, asked)
    try:
        reports = repetitions.run()
    except (KeyboardInterrupt, pytest.exit.Exception):
        # A test that is broken off is not reported, but what it measured is kept.
        log = item.config.pluginmanager.get_plugin(SESSION_LOG)
        assert isinstance(log, SessionLog)
        log.take(item.nodeid, repetitions.facts("interrupted"))
        raise
    # Now what the next test does not share is torn down, and reported if that breaks.
    state = item.session._setupstate
    final = pytest.CallInfo.from_call(lambda: state.teardown_exact(nextitem), when="teardown")
    if final.excinfo is not None:
        reports.append(item.ihook.pytest_runtest_makereport(item=item, call=final))
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _refuse(item: pytest.Item, why: str) -> bool:
    """Reports a test as one that cannot be set up."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    call = pytest.CallInfo.from_call(lambda: pytest.fail(why, pytrace=False), when="setup")
    report = item.ihook.pytest_runtest_makereport(item=item, call=call)
    item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


class GateNotPassed(Failed, AssertionError):
    """What a test fails with whose gate is not passed; `xfail(raises=AssertionError)` expects it."""


@dataclass
class Repetitions:
    """A test with the mark while it is repeated."""

    item: pytest.Item
    asked: StatisticalTest
    trials: list[TestTrial] = field(default_factory=list)
    seconds: float = 0.0
    # Where the last exception came from that is not graded.
    traceback: str = ""
    # Why no further trial would have a value either.
    problem: str | None = None

    def run(self) -> list[pytest.TestReport]:
        """The reports of all repetitions as those of one test."""
        # The parent as the next item: what belongs to the test is torn down after every repetition,
        # and what it shares with other tests stays.
        parent: Any = self.item.parent
        while True:
            reports = runtestprotocol(self.item, log=False, nextitem=parent)
            self.seconds += sum(report.duration for report in reports)
            trial = self.item.stash[_trial_key]
            call = next((report for report in reports if report.when == "call"), None)
            is_skip = isinstance(trial.exception, (pytest.skip.Exception, pytest.xfail.Exception))
            if is_skip and not self.trials:
                # Before anything was measured it skips the test, as any other.
                return reports
            if call is None and not is_skip:
                # A fixture broke, which is reported as usual.
                if self.trials:
                    _attach(reports[0], **self.facts("broken"))
                return reports
            self.add(trial, call)
            torn_down = all(report.passed for report in reports if report.when == "teardown")
            if self.decision != "undecided" or len(self.trials) >= self.asked.trials or not torn_down:
                return self.as_one(reports)

    def add(self, trial: TestTrial, call: pytest.TestReport | None) -> None:
        """Takes in the next repetition."""
        trial.errors = self.asked.errors
        self.trials.append(trial)
        gate = self.asked.gate
        value = trial.value(gate.figure)
        if value is not None:
            gate.add(value)
        elif not trial.broke:
            self.problem = self.problem or trial.without(gate.figure)
        if call is not None and trial.exception is not None and not trial.is_graded:
            self.traceback = call.longreprtext

    @property
    def broke(self) -> int:
        return sum(trial.broke for trial in self.trials)

    @property
    def decision(self) -> Decision:
        if self.problem is not None or 2 * self.broke >= len(self.trials) + BROKEN_TRIALS:
            return "broken"
        return self.asked.gate.decision

    def as_one(self, reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
        """The reports of the last repetition, with the one of its call for all of them."""
        decision = self.decision
        words, facts = self.words(decision), self.facts(decision)
        passes = decision == "passed"
        if decision == "undecided":
            passes = _option(self.item.config, "undecided") == "pass"

        def judged() -> None:
            if not passes:
                raise GateNotPassed(words[0])

        # As if the test had ended this way, so that pytest applies `xfail` to what was decided.
        call = pytest.CallInfo.from_call(judged, when="call")
        call.start, call.duration = self.trials[0].started, self.seconds
        del self.item.stash[_trial_key]
        report = self.item.ihook.pytest_runtest_makereport(item=self.item, call=call)
        if passes:
            report.sections = []
        else:
            report.longrepr = "\n".join(words)
        _attach(report, **facts)
        others = [other for other in reports if other.when != "call"]
        for other in others:
            # The last repetition was skipped by a fixture, and not the test.
            if other.skipped:
                other.outcome, other.longrepr = "passed", None
        return [others[0], report, *others[1:]]

    def facts(self, decision: Decision) -> dict[str, Any]:
        """What the log and the end of the session are told."""
        trials = [trial.for_log(self.item.nodeid) for trial in self.trials]
        return {"decision": decision, "words": self.words(decision)[0], "trials": trials}

    def words(self, decision: Decision) -> list[str]:
        """What was decided, then why trials failed, the most frequent reason first."""
        gate = self.asked.gate
        mean = "no value" if gate.mean is None else f"{gate.figure} {gate.mean:.3f}"
        beside = f", {self.broke} broke" if self.broke else ""
        without = len(self.trials) - self.broke - gate.count
        beside += f", {without} without `{gate.figure}`" if without else ""
        first = f"{decision}: {mean} in {gate.count} trials{beside}, gate {gate.figure}>={gate.threshold:g}"
        reasons: dict[str, int] = {}
        for trial in self.trials:
            if trial.exception is not None:
                reasons[trial.reason()] = reasons.get(trial.reason(), 0) + 1
        frequent = sorted(reasons.items(), key=lambda reason: -reason[1])[:5]
        lines = [first, self.problem, *(f"{count} × {text}" for text, count in frequent), self.traceback]
        return [line for line in lines if line]


def pytest_report_teststatus(
    report: CollectReport | pytest.TestReport,
) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    """Gives undecided tests an outcome of their own."""
    facts = getattr(report, "toolgauge", None)
    # Where a failure is expected, pytest's own words say so.
    if facts and facts.get("decision") == "undecided" and not hasattr(report, "wasxfail"):
        return "undecided", "U", ("UNDECIDED", {"yellow": True})
    return None


class SessionLog:
    """Collects the trials of a session, those of xdist's workers included, and writes its log."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        # A worker hands its reports to the controller, which has the trials of all of them.
        self.is_worker = _is_worker(config)
        self.trials: list[dict[str, Any]] = []
        self.numbers: dict[str, int] = {}
        self.decided: list[tuple[str, str]] = []
        self.told = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        facts = getattr(report, "toolgauge", None)
        if facts:
            self.take(report.nodeid, facts)

    def take(self, test: str, facts: dict[str, Any]) -> None:
        """Takes in what one test came to."""
        if self.is_worker or not facts["trials"]:
            return
        for trial in facts["trials"]:
            # Counted here, because other plug-ins repeat tests too, and every attempt is a trial.
            number = self.numbers[trial["case"]] = self.numbers.get(trial["case"], 0) + 1
            self.trials.append({**trial, "trial": number})
        if "decision" in facts:
            self.decided.append((test, facts["words"]))

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
