#!/usr/bin/env python3
"""Judges the replies of a run of `bfcl:` questions with BFCL's own code, and compares.

    tools/bfcl_replies.py LOG… [--data FOLDER]

Needs a Python with `bfcl-eval`. Each reply is taken from the log as BFCL's result files would have
it, decoded and judged by BFCL's own functions, and held against the score `bfcl` in the log.
`--data` names the folder of questions and accepted answers [default: that of the package]. Exit
status 1 if a verdict differs.
"""

import argparse
import json
import pathlib
import sys
import zipfile

import types

import bfcl_eval

# Any model of theirs whose names have underscores in place of dots.
MODEL = "gpt-4o-2024-11-20-FC"

# The checker asks BFCL's table of models for this one property. The table itself imports the
# package of every vendor.
table = types.ModuleType("bfcl_eval.constants.model_config")
table.MODEL_CONFIG_MAPPING = {MODEL: types.SimpleNamespace(underscore_to_dot=True)}
sys.modules[table.__name__] = table

from bfcl_eval.constants.enums import Language  # noqa: E402
from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker  # noqa: E402
from bfcl_eval.utils import is_empty_output, is_function_calling_format_output  # noqa: E402


def samples(log):
    archive = zipfile.ZipFile(log)
    for name in archive.namelist():
        if name.startswith("samples/"):
            yield json.loads(archive.read(name))


def reply(sample):
    """The calls of the last answer, as a result file has them: names with texts."""
    calls = []
    for message in sample["messages"]:
        for call in message.get("tool_calls") or []:
            arguments = call["arguments"]
            if call.get("parse_error"):
                arguments = next(iter(arguments.values()), "")
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            calls.append({call["function"]: text})
    return calls or (sample["output"].get("completion") or "")


def decoded(result):
    """What BFCL's handler for models with tools makes of a result."""
    return [{name: json.loads(text) for name, text in call.items()} for call in result]


def verdict(category, question, answers, result):
    try:
        calls = decoded(result)
        usable = is_function_calling_format_output(calls)
    except Exception:
        calls, usable = None, False
    if "irrelevance" in category:
        return calls is None or is_empty_output(calls)
    if "relevance" in category:
        return calls is not None and not is_empty_output(calls)
    if not usable:
        return False
    language = Language.PYTHON
    if "javascript" in category:
        language = Language.JAVASCRIPT
    elif "java" in category:
        language = Language.JAVA
    checked = ast_checker(question["function"], calls, answers, language, category, MODEL)
    return checked["valid"]


def by_id(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return {entry["id"]: entry for entry in map(json.loads, filter(None, lines))}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", metavar="LOG")
    parser.add_argument("--data", type=pathlib.Path)
    options = parser.parse_args()
    data = options.data or pathlib.Path(bfcl_eval.__file__).parent / "data"
    questions, answers, counts = {}, {}, {}
    for log in options.logs:
        for sample in samples(log):
            case = str(sample["id"])
            category = sample["metadata"]["category"]
            if category not in questions:
                questions[category] = by_id(data / f"BFCL_v4_{category}.json")
                answers[category] = by_id(data / "possible_answer" / f"BFCL_v4_{category}.json")
            ours = (sample.get("scores") or {}).get("bfcl")
            if ours is None:
                continue
            gold = answers[category].get(case, {}).get("ground_truth")
            theirs = verdict(category, questions[category][case], gold, reply(sample))
            count = counts.setdefault(category, [0, 0, 0])
            count[0] += 1
            count[1] += theirs
            if bool(theirs) != (ours["value"] >= 1):
                count[2] += 1
                print(f"{case}: {theirs} and not {ours['value']}", file=sys.stderr)
    print(f"{'category':28} {'compared':>8} {'right':>7} {'differ':>7}")
    for category, (compared, right, differ) in counts.items():
        print(f"{category:28} {compared:8} {right:7} {differ:7}")
    total = [sum(column) for column in zip(*counts.values())]
    print(f"{'all':28} {total[0]:8} {total[1]:7} {total[2]:7}")
    return 1 if total[2] else 0


if __name__ == "__main__":
    sys.exit(main())
