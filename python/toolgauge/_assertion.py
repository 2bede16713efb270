"""`assert_calls`: an assertion whose message is where the points were lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolgauge._native import Outcome, Scorer


@dataclass(frozen=True)
class Judged:
    """What one assertion saw, for whoever collects them."""

    messages: Any
    expect: Any
    outcome: Outcome


class CallsNotAsExpected(AssertionError):
    """The calls of a conversation are not the expected ones."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(described(outcome))
        self.outcome = outcome


_collectors: list[Callable[[Judged], None]] = []


def assert_calls(
    messages: Any,
    expect: Mapping[str, Any] | Sequence[Any] | str,
    tools: Sequence[Any] | None = None,
    *,
    scorer: str | None = None,
) -> Outcome:
    """Asserts that a conversation is as expected, and gives the outcome.

    Takes what `toolgauge.score` takes. What cannot be judged does not pass: an expectation that
    says nothing would otherwise always hold.
    """
    __tracebackhide__ = True
    outcome = Scorer(expect, tools, scorer=scorer).score(messages)
    for collect in _collectors:
        collect(Judged(messages, expect, outcome))
    if not outcome.passed:
        raise CallsNotAsExpected(outcome)
    return outcome


def described(outcome: Outcome) -> str:
    """An outcome in a few lines, for the message of a failed assertion."""
    if outcome.value is None:
        return f"{outcome.scorer}: not scored: {outcome.explanation}"
    lines = [f"{outcome.scorer}: {outcome.value:.3f}: {outcome.explanation}"]
    lines += [f"  lost {loss.points:.3f}: {loss}" for loss in outcome.losses]
    return "\n".join(lines)
