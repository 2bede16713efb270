"""Package, binary and Inspect's scorers give the same outcome for the same case, to the bit.

Random cases: expected calls with plain values and patterns, and replies in which calls and arguments
were dropped, renamed, changed, doubled, reordered or broken. `TOOLGAUGE_BINARY` names the binary.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

import toolgauge

CASES = int(os.environ.get("TOOLGAUGE_AGREEMENT_CASES", "2000"))
SCORERS = ("tool_calls", "partial")
TOOLS = ("light", "lock", "timer", "play")
FIELDS = ("room", "level", "on", "names", "options")
WORDS = ("hall", "Kitchen", "", "living room", "Küche", "0")


def value(chance: random.Random) -> Any:
    return chance.choice(
        [
            chance.choice(WORDS),
            chance.randint(-3, 200),
            chance.choice([0.5, 21.0, 1e-9, 1e300]),
            chance.random() < 0.5,
            None,
            [chance.choice(WORDS) for _ in range(chance.randint(0, 3))],
            {"colour": chance.choice(WORDS), "speed": chance.randint(0, 9)},
        ]
    )


def pattern(plain: Any, chance: random.Random) -> Any:
    """A pattern that mostly accepts the value."""
    ways = [plain, {"$exact": plain}, {"$any_of": ["something else", plain]}, {"$optional": plain}]
    if isinstance(plain, str):
        ways.append({"$text": plain.upper()})
    if isinstance(plain, list):
        ways.append({"$set": plain[::-1]})
    if isinstance(plain, int) and not isinstance(plain, bool):
        ways.append({"$number": plain, "tolerance": 1})
    return chance.choice(ways)


def changed(calls: list[dict[str, Any]], chance: random.Random) -> list[dict[str, Any]]:
    """What a model makes of the right calls."""
    made: list[dict[str, Any]] = json.loads(json.dumps(calls))
    for _ in range(chance.choice([0, 0, 1, 1, 2])):
        how = chance.randrange(6)
        if how == 0 and made:
            made.pop(chance.randrange(len(made)))
        elif how == 1:
            made.append({"name": chance.choice([*TOOLS, "siren"]), "arguments": {"room": "hall"}})
        elif how == 2:
            chance.shuffle(made)
        elif made:
            call = chance.choice(made)
            if how == 3:
                call["name"] = chance.choice(TOOLS)
            elif how == 4 and isinstance(call["arguments"], dict):
                call["arguments"][chance.choice(FIELDS)] = value(chance)
            elif how == 5:
                call["arguments"] = '{"room": '
    return made


def random_case(number: int) -> tuple[dict[str, Any], list[dict[str, Any]], str]:
    """What is expected, the calls that were made, and what was said."""
    chance = random.Random(number)
    calls = [
        {"name": chance.choice(TOOLS), "arguments": {f: value(chance) for f in chance.sample(FIELDS, 2)}}
        for _ in range(chance.choice([0, 1, 1, 2, 3]))
    ]
    expected = [
        {"tool": c["name"], "arguments": {k: pattern(v, chance) for k, v in c["arguments"].items()}}
        for c in calls
    ]
    expect: dict[str, Any] = {"calls": expected}
    if calls and chance.random() < 0.3:
        expect["order"] = chance.choice(["strict", "subsequence"])
    if chance.random() < 0.2:
        expect["rules"] = {"text": "loose", "extra": "lost"}
    if calls and chance.random() < 0.2:
        expect["alternatives"] = [{"call": chance.choice(TOOLS), "quality": "acceptable"}]
    return expect, changed(calls, chance), chance.choice(["", "Done.", "I cannot do that."])


def text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def conversation(number: int, calls: list[dict[str, Any]], said: str) -> list[dict[str, Any]]:
    made = [{"id": f"c{i}", "function": {**c, "arguments": text(c["arguments"])}} for i, c in enumerate(calls)]
    return [
        {"role": "user", "content": f"request {number}"},
        {"role": "assistant", "content": said, "tool_calls": made},
    ]


def by_package(number: int) -> dict[str, Any]:
    expect, calls, said = random_case(number)
    messages = conversation(number, calls, said)
    outcomes = {name: toolgauge.score(messages, expect, TOOLS, scorer=name) for name in SCORERS}
    return {name: found.to_dict().get("scored") for name, found in outcomes.items()}


def test_package_and_binary_agree_to_the_bit(tmp_path: Path) -> None:
    binary = os.environ.get("TOOLGAUGE_BINARY")
    if not binary:
        pytest.skip("`TOOLGAUGE_BINARY` does not name the binary")
    cases, script = [], []
    for number in range(CASES):
        expect, calls, said = random_case(number)
        cases.append({"id": f"case-{number}", "say": f"request {number}", "expect": expect})
        made = [{"name": c["name"], "arguments": c["arguments"]} for c in calls]
        script.append(json.dumps({"id": f"case-{number}", "text": said, "calls": made}))
    open_schema = {"type": "object", "properties": {field: {} for field in FIELDS}}
    tools = [{"name": name, "description": name, "parameters": open_schema} for name in TOOLS]
    suite = {"name": "random", "tools": tools, "scorers": list(SCORERS), "cases": cases}
    (tmp_path / "suite.json").write_text(json.dumps(suite))
    (tmp_path / "script.jsonl").write_text("\n".join(script))
    order = ["run", "suite.json", "-m", "script:script.jsonl", "--log-dir", "logs", "--quiet"]
    ran = subprocess.run([binary, *order], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    (log,) = (tmp_path / "logs").glob("*.eval")
    found = logged(log)
    differing = [number for number in range(CASES) if found[f"case-{number}"] != by_package(number)]
    assert not differing, (len(differing), found[f"case-{differing[0]}"], by_package(differing[0]))


def logged(log: Path) -> dict[str, dict[str, Any]]:
    """What the binary found in each case, from its log."""
    with zipfile.ZipFile(log) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/")]
        samples = [json.loads(archive.read(name)) for name in names]
    return {sample["id"]: {name: outcome(sample["scores"].get(name)) for name in SCORERS} for sample in samples}


def outcome(score: dict[str, Any] | None) -> dict[str, Any] | None:
    """A score of a log in the form of `Outcome.to_dict`; `None` where there is nothing to judge."""
    if score is None or isinstance(score["value"], str):
        return None
    further = (score.get("metadata") or {}).get("toolgauge") or {}
    return {"value": score["value"], "explanation": score["explanation"], **further}


def by_inspect(number: int, scorer: str) -> tuple[Any, Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelName
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState
    from inspect_ai.tool import ToolCall

    from toolgauge import inspect_ai as scorers

    expect, calls, said = random_case(number)
    made = [
        ToolCall(f"c{i}", c["name"], {}, parse_error="not JSON")
        if isinstance(c["arguments"], str)
        else ToolCall(f"c{i}", c["name"], c["arguments"])
        for i, c in enumerate(calls)
    ]
    messages = [
        ChatMessageUser(content=f"request {number}"),
        ChatMessageAssistant(content=said, tool_calls=made),
    ]
    state = TaskState(
        model=ModelName("mockllm/model"),
        sample_id=number,
        epoch=1,
        input=f"request {number}",
        messages=messages,
        metadata={"expect": expect},
    )
    score = asyncio.run(getattr(scorers, scorer)()(state, Target("")))
    return (None, None) if score is None else (score.value, score.metadata["losses"])


@pytest.mark.parametrize("scorer", SCORERS)
def test_package_and_inspect_agree_to_the_bit(scorer: str) -> None:
    pytest.importorskip("inspect_ai")
    for number in range(CASES):
        expect, calls, said = random_case(number)
        # Inspect's state holds no tools here, so none is undeclared in either.
        own = toolgauge.score(conversation(number, calls, said), expect, scorer=scorer)
        value, losses = by_inspect(number, scorer)
        assert value == own.value, number
        # Inspect drops the text of broken arguments, so only there the words differ.
        broken = any(isinstance(call["arguments"], str) for call in calls)
        key = (lambda loss: (loss["cause"], loss["points"])) if broken else (lambda loss: loss["words"])
        mine = [{"cause": lo.cause, "points": lo.points, "words": str(lo)} for lo in own.losses]
        assert [key(loss) for loss in losses or []] == [key(loss) for loss in mine], number
