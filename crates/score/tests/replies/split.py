#!/usr/bin/env python3
"""Checks the labelled replies beside this file: their form, their ids, their cases and their split.

Prints a line for each problem and a count for each file; ends with 1 if there is a problem.
Case ids are read from the suites with a regular expression, so that nothing has to be installed.
"""

import hashlib
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITES = HERE.parents[3] / "suites"
TIERS = ["small", "medium", "large", "enormous"]
HOMES = ["flat", "farmhouse"]
RIGHT = {"ordinary-right", "unusual-right"}
WRONG = {
    "plausible-wrong", "number-near-miss", "contradiction", "invented-detail",
    "false-act-claim", "evasive", "constant", "question-read-back", "raw-json",
}
FIELDS = ["id", "suite", "case", "reply", "right", "kind", "why", "calls", "split"]


def split(row_id):
    """The half a row belongs to: by its id alone, so that nobody can choose it."""
    return "unseen" if hashlib.sha256(row_id.encode()).hexdigest()[-1] in "89abcdef" else "dev"


def case_folders(suite):
    """Maps each case id of a suite to the folders whose files hold it."""
    found = {}
    for file in (SUITES / suite / "cases").rglob("*.yaml"):
        for case in re.findall(r"^- id: *(\S+)", file.read_text(encoding="utf-8"), re.M):
            found.setdefault(case, set()).add(file.parent.name)
    return found


def in_tier(folders, tier):
    """Whether a case is asked in a tier: its own, or any larger than the one it was written for."""
    if tier in HOMES:
        return tier in folders
    if tier not in TIERS:
        return False
    smaller = set(TIERS[: TIERS.index(tier) + 1])
    # Folders such as `medium-large` name the tiers that their cases are asked in.
    named = {folder for folder in folders if tier in folder.split("-") and folder not in TIERS}
    return bool(folders & smaller or named)


def problems(row, cases, seen):
    """Yields what is wrong with one row."""
    missing = [field for field in FIELDS if field not in row]
    if missing:
        yield f"lacks {', '.join(missing)}"
        return
    if row["id"] in seen:
        yield "the id is taken"
    if row["split"] != split(row["id"]):
        yield f"belongs to {split(row['id'])}"
    if row["case"] not in cases:
        yield f"there is no case {row['case']}"
    elif row["suite"] == "home-assistant" and not in_tier(cases[row["case"]], row.get("tier")):
        yield f"the case {row['case']} is not asked in tier {row.get('tier')}"
    if row["kind"] in RIGHT and not row["right"] or row["kind"] in WRONG and row["right"]:
        yield f"the kind {row['kind']} contradicts the verdict"
    if row["kind"] not in RIGHT | WRONG | {"recorded-model"}:
        yield f"unknown kind {row['kind']}"
    if row["calls"] not in ("expected", "none"):
        yield f"unknown calls {row['calls']}"
    if not row["reply"].strip() or not row["why"].strip():
        yield "the reply or the reason is empty"


def main():
    seen, bad = set(), 0
    for file in sorted(HERE.glob("*.jsonl")):
        cases, rows = case_folders(file.name.split(".")[0]), []
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            row = json.loads(line)
            for problem in problems(row, cases, seen):
                print(f"{file.name}:{number}: {problem}")
                bad += 1
            seen.add(row.get("id"))
            rows.append(row)
        right = sum(row["right"] for row in rows)
        unseen = sum(row["split"] == "unseen" for row in rows)
        print(f"{file.stem}: {len(rows)} rows, {right} right, {unseen} unseen, {len({r['case'] for r in rows})} cases")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
