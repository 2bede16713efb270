"""Scorers, a solver and suites for Inspect AI.

Inspect finds this module by its entry point: `inspect eval toolgauge/suite -T name=everyday` runs a
shipped suite on any model that Inspect knows. In a task of your own, put what is expected into the
metadata of each sample under `expect` and name the scorers: `scorer=[tool_calls(), arguments()]`.
"""

from __future__ import annotations

import copy
import functools
import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.scorer import Scorer as InspectScorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall, ToolCallError, ToolDef, ToolInfo, ToolParams
from pydantic import PrivateAttr

from toolgauge._native import Outcome, Scorer, Suite, ToolgaugeError

# The dimensions that scorers judge on their own; each becomes a score of its own.
DIMENSIONS: dict[str, tuple[str, ...]] = {
    "tool_calls": (
        "tool_name",
        "arguments",
        "call_count",
        "no_undeclared_tools",
        "format_valid",
        "response_kind",
    ),
}
SCORERS = ("tool_calls", "partial", "end_state", "chatbot", "keywords", "retrieval", "grounding")
# What the solver leaves for the scorers, in the store of the sample.
LIMIT = "toolgauge_limit"
# As many samples as are scored at the same time; each is judged once for all scorers.
_JUDGED_KEPT = 256

_judged: OrderedDict[tuple[str, int], dict[str, Outcome]] = OrderedDict()


@functools.lru_cache(maxsize=8)
def load_suite(name: str) -> Suite:
    """A suite, read once for all samples."""
    return Suite(name)


def _outcomes(state: TaskState, target: Target, wanted: str) -> dict[str, Outcome]:
    """What the scorers say of a sample, by their names."""
    # Shared by all scorers of a sample, because playing the calls is the costly part.
    key = (f"{state.uuid}/{wanted if 'toolgauge_case' not in state.metadata else ''}", len(state.messages))
    if key not in _judged:
        _judged[key] = _judge(state, target, wanted)
        while len(_judged) > _JUDGED_KEPT:
            _judged.popitem(last=False)
    return _judged[key]


def _judge(state: TaskState, target: Target, wanted: str) -> dict[str, Outcome]:
    case = state.metadata.get("toolgauge_case")
    if case is not None:
        suite = load_suite(state.metadata["toolgauge_suite"])
        said = state.messages[state.metadata["toolgauge_input"] :]
        limit = state.store.get(LIMIT)
        return {outcome.scorer: outcome for outcome in suite.judge(case, said, limit=limit)}
    expect = state.metadata.get("expect")
    if expect is None:
        expect = _expectation_in(target)
    tools = [ToolDef(tool).name for tool in state.tools] or None
    return {wanted: Scorer(expect, tools, scorer=wanted).score(_since_input(state))}


def _since_input(state: TaskState) -> list[ChatMessage]:
    """What was said to and by the model, without what the sample makes it have said before."""
    given = [] if isinstance(state.input, str) else state.input
    earlier = sum(message.role == "assistant" for message in given)
    spoken = [place for place, message in enumerate(state.messages) if message.role == "assistant"]
    # Counted, because solvers put messages of their own before and between those of the sample.
    begin = spoken[earlier] if len(spoken) > earlier else len(state.messages)
    before = [message for message in state.messages[:begin] if message.role in ("system", "user")]
    return [*before, *state.messages[begin:]]


def _expectation_in(target: Target) -> Any:
    try:
        expect = json.loads(target.text)
    except ValueError:
        expect = None
    if not isinstance(expect, (dict, list)):
        raise ToolgaugeError(
            "the sample does not say what is expected\n"
            '  hint: give it `metadata={"expect": {"call": …}}`, or the same as JSON as its target'
        )
    return expect


def _score(outcome: Outcome | None, dimension: str | None) -> Score | None:
    if outcome is None or outcome.value is None:
        return None
    value: float | None = outcome.value
    if dimension is not None:
        correct = outcome.dimensions.get(dimension)
        value = None if correct is None else float(correct)
    # Nothing to judge here: a sample without a score, and not a zero.
    if value is None:
        return None
    losses = [{"cause": loss.cause, "points": loss.points, "words": str(loss)} for loss in outcome.losses]
    return Score(value=value, explanation=outcome.explanation, metadata={"losses": losses})


def _registered(name: str, of: str, dimension: str | None) -> Callable[[], InspectScorer]:
    @scorer(metrics=[mean(), stderr()], name=name)
    def make() -> InspectScorer:
        async def score(state: TaskState, target: Target) -> Score | None:
            return _score(_outcomes(state, target, of).get(of), dimension)

        return score

    made: Callable[[], InspectScorer] = make
    return made


_made = {name: _registered(name, name, None) for name in SCORERS}
_made |= {
    dimension: _registered(dimension, of, dimension)
    for of, dimensions in DIMENSIONS.items()
    for dimension in dimensions
}

tool_calls = _made["tool_calls"]
partial = _made["partial"]
end_state = _made["end_state"]
chatbot = _made["chatbot"]
keywords = _made["keywords"]
retrieval = _made["retrieval"]
grounding = _made["grounding"]
tool_name = _made["tool_name"]
arguments = _made["arguments"]
call_count = _made["call_count"]
no_undeclared_tools = _made["no_undeclared_tools"]
format_valid = _made["format_valid"]
response_kind = _made["response_kind"]


def scorers_of(name: str) -> list[InspectScorer]:
    """The scorers of a suite, the one that counts first, each followed by its dimensions."""
    found: list[InspectScorer] = []
    for own in load_suite(name).scorers:
        # `wire` judges bytes of HTTP, which Inspect keeps to itself.
        if own in _made:
            found.append(_made[own]())
            found += [_made[dimension]() for dimension in DIMENSIONS.get(own, ())]
    return found


@solver
def suite_solver(name: str) -> Solver:
    """Puts a case to the model as `toolgauge run` does, and carries out its calls in the suite's
    world."""
    suite = load_suite(name)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        case = state.metadata["toolgauge_case"]
        tools = [_tool_info(tool) for tool in suite.case(case)["tools"]]
        world = suite.enter(case) if suite.carries_out_calls else None
        for _ in range(suite.max_turns):
            state.output = await get_model().generate(state.messages, tools=tools)
            state.messages.append(state.output.message)
            calls = state.output.message.tool_calls or []
            if world is None or not calls:
                return state
            is_over = False
            for call in calls:
                given: Any = call.parse_error or call.arguments
                content, failed, ends = world.call(call.function, given)
                is_over = is_over or ends
                state.messages.append(_answer(call, content, failed))
            if is_over or state.completed:
                return state
        state.store.set(LIMIT, f"not done after {suite.max_turns} turns")
        return state

    return solve


def _answer(call: ToolCall, content: str, failed: bool) -> ChatMessageTool:
    error = ToolCallError("unknown", content) if failed else None
    return ChatMessageTool(content=content, tool_call_id=call.id, function=call.function, error=error)


class SuiteParams(ToolParams):
    """The parameters of a tool as its suite writes them, which is what providers send. Inspect's own
    class knows a part of JSON Schema, and closes objects that the suite leaves open."""

    _schema: dict[str, Any] = PrivateAttr(default_factory=dict)

    def model_dump(self, *_: Any, **__: Any) -> dict[str, Any]:
        return copy.deepcopy(self._schema)


def _tool_info(tool: dict[str, Any]) -> ToolInfo:
    schema = tool["parameters"]
    known = {key: schema[key] for key in ("properties", "required", "additionalProperties") if key in schema}
    parameters = SuiteParams(**known)
    parameters._schema = schema
    return ToolInfo(name=tool["name"], description=tool["description"], parameters=parameters)


def _message(message: dict[str, Any]) -> ChatMessage:
    content = message.get("content") or ""
    match message["role"]:
        case "system":
            return ChatMessageSystem(content=content)
        case "assistant":
            calls = [_call(call) for call in message.get("tool_calls") or ()]
            return ChatMessageAssistant(content=content, tool_calls=calls or None)
        case "tool":
            return ChatMessageTool(
                content=content, tool_call_id=message.get("tool_call_id"), function=message.get("name")
            )
        case _:
            return ChatMessageUser(content=content)


def _call(call: dict[str, Any]) -> ToolCall:
    function = call["function"]
    return ToolCall(call.get("id") or "", function["name"], json.loads(function["arguments"]))


def _sample(name: str, suite: Suite, id: str) -> Sample:
    case = suite.case(id)
    messages = [_message(message) for message in case["input"]]
    if case["system"]:
        messages.insert(0, ChatMessageSystem(content=case["system"]))
    metadata = {
        "toolgauge_suite": name,
        "toolgauge_case": id,
        "toolgauge_input": len(messages),
        **case["tags"],
    }
    return Sample(input=messages, target=json.dumps(case["expectation"]), id=id, metadata=metadata)


def task_from_suite(
    name: str,
    *,
    cases: Sequence[str] | None = None,
    tags: dict[str, str] | None = None,
) -> Task:
    """A suite as a task: a shipped one by its name, or one of your own by its path.

    Only `cases`, or those with all of these `tags`, if any are given.
    """
    suite = load_suite(name)
    ids = suite.cases if cases is None else list(cases)
    samples = [_sample(name, suite, id) for id in ids]
    wanted = (tags or {}).items()
    samples = [s for s in samples if all((s.metadata or {}).get(tag) == value for tag, value in wanted)]
    if not samples:
        raise ToolgaugeError(f"the suite `{suite.name}` has no case with these tags")
    known = {"temperature", "top_p", "max_tokens", "seed", "parallel_tool_calls"}
    sampling = {key: value for key, value in suite.sampling.items() if key in known and value is not None}
    return Task(
        name=suite.name,
        version=suite.version or "0",
        dataset=MemoryDataset(samples, name=suite.name),
        solver=suite_solver(name),
        scorer=scorers_of(name),
        config=GenerateConfig(**sampling),
    )


@task(name="suite")
def suite_task(name: str = "home-assistant", tags: str | list[str] | None = None) -> Task:
    """A suite of toolgauge. `tags` selects cases: `tier=small,domain=light`."""
    # The command line of Inspect parts texts at commas by itself.
    words = tags if isinstance(tags, list) else str(tags or "").split(",")
    parts = [str(word).split("=", 1) for word in words if word]
    if any(len(part) != 2 for part in parts):
        raise ToolgaugeError(f"`{tags}` is no list of tags\n  hint: write `tier=small,domain=light`")
    return task_from_suite(name, tags={part[0]: part[1] for part in parts})
