"""What `toolgauge.score` promises: one judgement, whatever form the messages have."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import json
import pathlib
import uuid

import pytest

import toolgauge

EXPECT = {"call": {"tool": "set_light", "arguments": {"room": "hall", "on": True}}}
USER = {"role": "user", "content": "turn on the light in the hall"}
ARGUMENTS = '{"room": "hall", "on": true}'


def openai_call(arguments: str = ARGUMENTS) -> dict[str, object]:
    call = {"id": "1", "type": "function", "function": {"name": "set_light", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def test_a_right_call_scores_one_and_names_its_dimensions() -> None:
    outcome = toolgauge.score([USER, openai_call()], EXPECT)
    assert outcome.value == 1.0
    assert outcome.passed
    assert outcome.dimensions["tool_name"] is True
    assert outcome.dimensions["arguments"] is True
    assert outcome.losses == []
    assert outcome.scorer == "tool_calls"


def test_a_wrong_argument_is_named_with_its_place() -> None:
    outcome = toolgauge.score([USER, openai_call('{"room": "hal", "on": true}')], EXPECT)
    assert not outcome.passed
    (loss,) = outcome.losses
    assert (loss.cause, loss.tool, loss.path) == ("wrong_value", "set_light", "room")
    assert (loss.expected, loss.actual) == ("hall", "hal")
    assert "hal" in outcome.explanation
    assert outcome.to_dict()["scored"]["losses"][0]["cause"] == "wrong_value"


def test_arguments_that_are_no_json_are_malformed_and_still_a_call() -> None:
    outcome = toolgauge.score([USER, openai_call('{"room": ')], EXPECT)
    assert outcome.dimensions["format_valid"] is False
    assert outcome.losses[0].cause == "malformed_call"


def test_a_call_that_came_as_text_is_recognised_as_in_a_run() -> None:
    tools = [{"name": "set_light", "parameters": {"type": "object", "properties": {"room": {}, "on": {}}}}]
    call = '<tool_call>{"name": "set_light", "arguments": {"room": "hall", "on": true}}</tool_call>'
    outcome = toolgauge.score([USER, {"role": "assistant", "content": call}], EXPECT, tools)
    assert "call_in_text" in [loss.cause for loss in outcome.losses]
    twice = openai_call(json.dumps(ARGUMENTS))
    assert toolgauge.score([USER, twice], EXPECT, tools).value == 1.0


ANTHROPIC = [
    USER,
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "At once."},
            {"type": "tool_use", "id": "1", "name": "set_light", "input": {"room": "hall", "on": True}},
        ],
    },
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "done"}]},
    {"role": "assistant", "content": "It is on."},
]
LANGCHAIN = [
    {"type": "human", "content": "turn on the light in the hall"},
    {
        "type": "ai",
        "content": "",
        "tool_calls": [
            {"name": "set_light", "args": {"room": "hall", "on": True}, "id": "1", "type": "tool_call"}
        ],
    },
    {"type": "tool", "content": "done", "tool_call_id": "1", "name": "set_light"},
    {"type": "ai", "content": "It is on."},
]
INSPECT = [
    USER,
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [
            {"id": "1", "function": "set_light", "arguments": {"room": "hall", "on": True}}
        ],
    },
    {"role": "tool", "content": "done", "tool_call_id": "1", "function": "set_light"},
    {"role": "assistant", "content": "It is on."},
]
RESPONSES = [
    USER,
    {"type": "reasoning", "summary": []},
    {"type": "function_call", "call_id": "1", "name": "set_light", "arguments": ARGUMENTS},
    {"type": "function_call_output", "call_id": "1", "output": "done"},
]


@pytest.mark.parametrize(
    "messages",
    [
        ANTHROPIC,
        LANGCHAIN,
        INSPECT,
        RESPONSES,
        {"messages": LANGCHAIN},
        tuple(INSPECT),
        [{"type": "human", "data": {"content": "hi"}}, {"type": "ai", "data": LANGCHAIN[1]}],
    ],
    ids=["anthropic", "langchain", "inspect", "responses", "graph", "tuple", "langchain-dict"],
)
def test_every_form_gets_the_same_judgement(messages: object) -> None:
    same = toolgauge.score([USER, openai_call()], EXPECT)
    outcome = toolgauge.score(messages, EXPECT)
    assert outcome.to_dict()["scored"]["dimensions"] == same.to_dict()["scored"]["dimensions"]
    assert outcome.value == 1.0


REFUSAL = "I'm sorry, I can't help with that."


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": REFUSAL},
        {"role": "assistant", "content": None, "refusal": REFUSAL},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": REFUSAL}]},
        {"type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": REFUSAL}]},
    ],
)
def test_a_refusal_is_what_the_model_said(message: dict[str, object]) -> None:
    outcome = toolgauge.score([USER, message], {"response": "error", "no_calls": True})
    assert outcome.value == 1.0, outcome.explanation


def test_items_of_responses_are_calls_or_passed_over() -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "On."}]}
    mcp = {"type": "mcp_call", "id": "1", "name": "set_light", "arguments": ARGUMENTS, "output": "done"}
    custom = {"type": "custom_tool_call", "call_id": "2", "name": "shell", "input": "ls"}
    answer = {"type": "custom_tool_call_output", "call_id": "2", "output": "a b"}
    for built_in in ("web_search_call", "file_search_call", "computer_call", "mcp_list_tools"):
        messages = [USER, {"type": built_in, "id": "0", "status": "completed"}, mcp, custom, answer, said]
        expect = [EXPECT["call"], {"tool": "shell", "arguments": {"input": "ls"}}]
        outcome = toolgauge.score(messages, expect)
        assert outcome.value == 1.0, outcome.explanation


def test_answers_of_tools_in_the_form_of_anthropic_belong_to_the_transcript() -> None:
    outcome = toolgauge.score(ANTHROPIC, {"answer": {"keywords": ["on"], "tools": ["set_light"]}})
    assert outcome.scorer == "chatbot"
    assert outcome.passed


def test_what_langchain_could_not_read_is_a_malformed_call() -> None:
    bad = {"name": "set_light", "args": '{"room": ', "id": "1", "error": "unterminated"}
    messages = [USER, {"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [bad]}]
    outcome = toolgauge.score(messages, EXPECT)
    assert outcome.losses[0].cause == "malformed_call"


class Room(enum.Enum):
    HALL = "hall"


@dataclasses.dataclass
class Message:
    role: str
    content: str
    tool_calls: list[dict[str, object]]


def test_objects_of_classes_are_taken_apart() -> None:
    call = {"name": "set_light", "args": {"room": Room.HALL, "on": True}}
    outcome = toolgauge.score([USER, Message("assistant", "", [call])], EXPECT)
    assert outcome.value == 1.0


def made(value: object) -> list[object]:
    """A conversation with a call that has this argument."""
    return [USER, {"role": "assistant", "tool_calls": [{"name": "f", "args": {"x": value}}]}]


def wanted(value: object) -> dict[str, object]:
    return {"call": {"tool": "f", "arguments": {"x": value}}}


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (datetime.datetime(2024, 1, 2), "2024-01-02T00:00:00"),
        (decimal.Decimal("1.50"), 1.5),
        (decimal.Decimal("7"), 7),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.PurePosixPath("/tmp/a"), "/tmp/a"),
        ({True: 1, None: 2, 2.0: 3, 4: 5}, {"true": 1, "null": 2, "2.0": 3, "4": 5}),
    ],
)
def test_values_of_python_become_those_of_json(value: object, json: object) -> None:
    outcome = toolgauge.score(made(value), wanted(json))
    assert outcome.value == 1.0, outcome.explanation


def test_times_and_arrays_of_other_libraries_become_text_and_lists() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    day = "2024-01-02T00:00:00"
    for value, json in [
        (pandas.Timestamp("2024-01-02"), day),
        (numpy.datetime64("2024-01-02T00:00:00", "ns"), day),
        (numpy.array(["2024-01-02"], dtype="datetime64[ns]"), [day]),
        (numpy.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (numpy.int64(3), 3),
        (numpy.bool_(True), True),
    ]:
        outcome = toolgauge.score(made(value), wanted(json))
        assert outcome.value == 1.0, outcome.explanation


@pytest.mark.parametrize("value", [12345678901234567890123, -(2**64), float("inf"), -float("inf")])
def test_numbers_beyond_json_come_back_as_they_were(value: float) -> None:
    assert toolgauge.score(made(value), wanted(value)).value == 1.0
    outcome = toolgauge.score(made(value), wanted(1))
    (loss,) = outcome.losses
    assert loss.actual == value and type(loss.actual) is type(value)
    assert outcome.to_dict()["scored"]["losses"][0]["actual"] == value
    written = {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), str(value))
    for text in (outcome.explanation, str(loss), outcome._repr_html_()):
        assert written in text and "\U0010ffff" not in text and f'"{written}"' not in text


def test_a_name_and_a_list_are_short_for_calls() -> None:
    assert toolgauge.score([USER, openai_call()], "set_light").value == 1.0
    assert toolgauge.score([USER, openai_call()], ["set_light"]).value == 1.0
    assert toolgauge.score([USER, openai_call()], []).value == 0.0
    assert toolgauge.score([USER, {"role": "assistant", "content": "No."}], []).value == 1.0


def test_a_tool_that_was_not_offered_is_undeclared() -> None:
    offered = toolgauge.score([USER, openai_call()], EXPECT, tools=["set_light"])
    missing = toolgauge.score([USER, openai_call()], EXPECT, tools=["get_time"])
    assert offered.dimensions["no_undeclared_tools"] is True
    assert missing.dimensions["no_undeclared_tools"] is False


SCHEMA = {"type": "object", "properties": {"room": {"type": "string"}}}


@pytest.mark.parametrize(
    "tool",
    [
        {"type": "function", "function": {"name": "set_light", "parameters": SCHEMA, "strict": True}},
        {"type": "function", "name": "set_light", "parameters": SCHEMA, "strict": True},
        {"type": "function", "name": "set_light", "description": None, "parameters": None, "strict": None},
        {"name": "set_light", "description": "…", "input_schema": SCHEMA},
        {"type": "custom", "name": "set_light", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}},
        {"type": "custom", "custom": {"name": "set_light", "format": {"type": "text"}}},
        {"type": "bash_20250124", "name": "set_light"},
        {"name": "set_light", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}},
    ],
)
def test_tools_are_taken_as_they_were_sent_to_the_model(tool: dict[str, object]) -> None:
    built_in = {"type": "web_search", "search_context_size": "low"}
    outcome = toolgauge.score([USER, openai_call()], EXPECT, tools=[built_in, tool])
    assert outcome.dimensions["no_undeclared_tools"] is True


def test_a_misspelt_field_of_a_tool_is_told() -> None:
    for tool in ({"name": "f", "params": SCHEMA}, {"type": "function", "name": "f", "params": SCHEMA}):
        with pytest.raises(toolgauge.ExpectationError, match="did you mean `parameters`"):
            toolgauge.score([USER, openai_call()], EXPECT, tools=[tool])


def test_a_scorer_is_read_once_and_gives_partial_credit() -> None:
    scorer = toolgauge.Scorer(EXPECT, scorer="partial")
    half = scorer.score([USER, openai_call('{"room": "hall", "on": false}')])
    assert half.value is not None and 0.0 < half.value < 1.0
    assert scorer.name == "partial"
    assert set(toolgauge.scorer_names()) >= {"tool_calls", "partial", "deepeval", "bfcl"}


def test_every_listed_scorer_gives_a_value_or_says_what_it_needs() -> None:
    """No name that is offered leads to a scorer that can never judge."""
    terms = {
        "bfcl": {
            "category": "simple_python",
            "functions": [{"name": "set_light", "parameters": {"type": "dict", "properties": {
                "room": {"type": "string"}, "on": {"type": "boolean"}}, "required": ["room"]}}],
            "ground_truth": [{"set_light": {"room": ["hall"], "on": [True]}}],
        },
        "agentevals": {"reference": [USER, openai_call()]},
    }
    terms["bfcl_v1"] = {**terms["bfcl"], "category": "simple", "ground_truth": terms["bfcl"]["ground_truth"][0]}
    answer = {"keywords": ["on"], "tools": ["set_light"], "documents": ["a.md"]}
    result = {"role": "tool", "tool_call_id": "1", "content": "a.md: on, with 40 watts"}
    said = [USER, openai_call(), result, {"role": "assistant", "content": "It is on, with 40 watts."}]
    for name in toolgauge.scorer_names():
        if name in terms:
            with pytest.raises(toolgauge.ExpectationError, match=f'"more": .*"{name}"'):
                toolgauge.score(said, EXPECT, scorer=name)
        expect = {**EXPECT, "answer": answer, "more": {name: terms[name]} if name in terms else {}}
        messages = said[:2] if name in terms else said
        outcome = toolgauge.score(messages, expect, scorer=name)
        assert outcome.value is not None, (name, outcome.explanation)
        if name in terms:
            assert outcome.value == 1.0, (name, outcome.explanation)


def test_what_cannot_be_judged_is_not_zero() -> None:
    outcome = toolgauge.score([USER, openai_call()], {})
    assert outcome.value is None
    assert not outcome.passed
    assert "nothing expected" in outcome.explanation


def test_an_outcome_shows_itself_in_a_notebook_and_escapes_what_others_wrote() -> None:
    outcome = toolgauge.score([USER, openai_call('{"room": "<b>", "on": true}')], EXPECT)
    page = outcome._repr_html_()
    assert "<table>" in page and "&lt;b&gt;" in page and "<b>&quot;" not in page
    assert repr(outcome).startswith("Outcome(value=0.000, passed=False")


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ("turn on", "`messages` is a string, not a list"),
        (None, "`messages` is None"),
        ([USER], "no message of the assistant"),
        ([USER, "hello"], "`messages[1]`: this is a string"),
        ([{"text": "hi"}], "`messages[0]`: neither `role` nor `type`, but `text`"),
        ([{"role": "robot", "content": ""}], "unknown role `robot`"),
        ([{"type": "remove"}], "unknown type `remove`"),
        ([{"role": "assistant", "tool_calls": {"name": "f"}}], "`tool_calls` is a dict, not a list"),
        ([{"role": "assistant", "tool_calls": [{"id": "1"}]}], "a call without a name"),
        ({"choices": []}, "a whole completion"),
    ],
)
def test_a_wrong_shape_is_named(messages: object, words: str) -> None:
    with pytest.raises(toolgauge.MessageError) as caught:
        toolgauge.score(messages, EXPECT)
    assert words in str(caught.value)


def test_a_value_that_is_no_json_is_named_by_its_type() -> None:
    with pytest.raises(TypeError, match="builtins.object"):
        toolgauge.score([USER, {"role": "assistant", "content": object()}], EXPECT)
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="contains itself"):
        toolgauge.score(endless, EXPECT)


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"tool_calls": []}, "did you mean `calls`?"),
        ({"calls": [{"name": "f"}]}, "`expect.calls[0].name`"),
        ({"call": {"tool": "f", "arguments": {"a": {"$regx": "x"}}}}, "$regex"),
        ({"call": {"tool": "f", "arguments": {"a": {"$regex": "("}}}}, "`(` is not a regular expression"),
        (7, "an expectation should be a mapping, but this is a number"),
    ],
)
def test_a_wrong_expectation_is_placed(expect: object, words: str) -> None:
    with pytest.raises(toolgauge.ExpectationError) as caught:
        toolgauge.score([USER, openai_call()], expect)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_an_unknown_scorer_and_one_that_needs_a_world_are_refused() -> None:
    with pytest.raises(toolgauge.ToolgaugeError, match="there is no scorer `tools`"):
        toolgauge.score([USER, openai_call()], EXPECT, scorer="tools")
    for scorer in ("end_state", "latency", "judge", "tau2", "tau_bench", "ha_datasets"):
        assert scorer not in toolgauge.scorer_names()
        with pytest.raises(toolgauge.ToolgaugeError, match="needs more than a conversation"):
            toolgauge.score([USER, openai_call()], EXPECT, scorer=scorer)
    with pytest.raises(toolgauge.ExpectationError, match=r"tools\[0\]"):
        toolgauge.score([USER, openai_call()], EXPECT, tools=[{"description": "nameless"}])
