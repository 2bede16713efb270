#!/usr/bin/env python3
"""ha-voice-bench's rules for tool calls, written a second time to hold toolgauge's against.

Reads one JSON object a line from standard input and writes one for each to standard output:

  in   {"kind": "action", "expected": [CALL…], "alternatives": [{"calls": [CALL…], "quality": …,
        "kind": …}…], "tools": {NAME: [PARAMETER…]}, "reply": {"content": …, "tool_calls": […]},
        "fixes": ["alternative-kinds", "text", "inspect-0.3.260"]}
  out  {"right": true, "dimensions": "CCCCCC", "quality": "optimal"}

The letters are those of tool name, arguments, call count, no undeclared tools, valid format and
response kind. A CALL is {"name": …, "arguments": {…}}; the reply is OpenAI's assistant message.
Nothing but Python's own library is used.
"""
import json
import string
import sys

QUERIES = {
    "HassGetState", "HassClimateGetTemperature", "HassGetWeather", "HassGetCurrentTime",
    "HassGetCurrentDate",
}


def read_object(text, fixes):
    """The object in a text; with the rule of Inspect AI 0.3.260, quotes behind it are ignored."""
    if "inspect-0.3.260" not in fixes:
        return json.loads(text)
    value, end = json.JSONDecoder().raw_decode(text)
    if set(text[end:]) - {'"'} - set(string.whitespace):
        raise ValueError(text)
    return value


def read_reply(reply, tools, fixes):
    """Name and arguments of each call. Text that opens like an object and is none is broken;
    other text is the value of the tool's first parameter."""
    calls = []
    for sent in reply.get("tool_calls") or []:
        function = sent.get("function") or {}
        name, text = function.get("name") or "", (function.get("arguments") or "").strip()
        broken, arguments = False, {}
        if text.startswith("{"):
            try:
                arguments = read_object(text, fixes)
            except ValueError:
                broken = True
        elif tools.get(name):
            try:
                value = json.loads(text) if text else None
            except ValueError:
                value = text
            arguments = {tools[name][0]: value}
        calls.append((name, arguments, broken or "_raw" in arguments))
    return calls


def plain(value):
    return str(value).strip().lower()


def argument_fits(wanted, given):
    numbers = (int, float)
    if isinstance(wanted, numbers) and isinstance(given, numbers):
        return not abs(wanted - given) > 0.01
    if isinstance(wanted, list) and isinstance(given, list):
        items = [sorted(str(item).lower() for item in values) for values in (wanted, given)]
        return items[0] == items[1]
    return plain(wanted) == plain(given)


def call_fits(wanted, call):
    name, arguments, _ = call
    if wanted["name"] != name:
        return False
    for key, value in wanted["arguments"].items():
        any_of = key.endswith("_any_of")
        given = arguments.get(key.removesuffix("_any_of") if any_of else key)
        if given is None:
            return False
        if not any_of and not argument_fits(value, given):
            return False
        if any_of and isinstance(value, list) and plain(given) not in map(plain, value):
            return False
    return True


def arguments_fit(wanted, calls):
    """Each wanted call, in turn, takes the first call left over that fits."""
    if len(wanted) != len(calls):
        return False
    left = list(calls)
    for want in wanted:
        taken = next((call for call in left if call_fits(want, call)), None)
        if taken is None:
            return False
        left.remove(taken)
    return True


def kind_fits(kind, calls, text, fixes):
    if kind == "action":
        return bool(calls)
    if kind == "query":
        return any(name in QUERIES for name, _, _ in calls)
    silent = kind == "text" and "text" in fixes and not text.strip()
    return not calls and not silent


def judge(wanted, kind, calls, case):
    text = case["reply"].get("content") or ""
    names = [name for name, _, _ in calls]
    checks = [
        sorted(want["name"] for want in wanted) == sorted(names) if wanted else None,
        arguments_fit(wanted, calls) if wanted else None,
        len(wanted) == len(calls),
        all(not name or name in case["tools"] for name in names) if calls else None,
        all(name and not broken for name, _, broken in calls) if calls else None,
        kind_fits(kind, calls, text, case["fixes"]),
    ]
    return ["N" if check is None else "C" if check else "I" for check in checks]


def score(case):
    calls = read_reply(case["reply"], case["tools"], case["fixes"])
    ways = [(case["expected"], case["kind"], "optimal")]
    for other in case["alternatives"]:
        own = other.get("kind") if "alternative-kinds" in case["fixes"] else None
        ways.append((other["calls"], own or case["kind"], other["quality"]))
    verdicts = [(judge(wanted, kind, calls, case), quality) for wanted, kind, quality in ways]
    for verdict, quality in verdicts:
        if "I" not in verdict:
            return {"right": True, "dimensions": "".join(verdict), "quality": quality}
    return {"right": False, "dimensions": "".join(verdicts[0][0]), "quality": None}


for line in sys.stdin:
    print(json.dumps(score(json.loads(line))))
