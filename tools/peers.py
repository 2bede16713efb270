#!/usr/bin/env python3
"""Holds the rules of other tools against verdicts that those tools recorded.

    tools/peers.py --bfcl RESULTS --bfcl-data FOLDER      runs of BFCL, each with `result` and `score`
                   --bfcl-v1 RESULTS --bfcl-v1-data FOLDER
                   --tau2 FOLDER                          result files of τ²-bench

Each folder is searched for results, each run is imported with the real program, and a table says
how many verdicts were compared and how many differ. Exit status 1 if any does. What is not given
is skipped and named. `--toolgauge` names the program [default: target/release/toolgauge].
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def summaries(program, inputs, extra):
    """Imports runs into one folder, and gives the summary of each."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "-q", "import", *map(str, inputs), *extra, "-o", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        logs = sorted(map(str, pathlib.Path(folder).glob("*.eval")))
        told = subprocess.run(
            [program, "-q", "summary", "--format", "json", *logs], capture_output=True, text=True
        )
        return [entry["summary"] for entry in json.loads(told.stdout)]


def row(table, what, found, seconds):
    """Adds up what was compared."""
    checks = [check for summary in found for check in summary.get("recorded", {}).values()]
    compared = sum(check["compared"] for check in checks)
    different = sum(len(check["different"]) for check in checks)
    only = sum(check["recorded_only"] for check in checks)
    table.append((what, len(found), compared, different, only, seconds))


def bfcl(program, results, data):
    """One run at a time: a folder that holds `result`."""
    runs = sorted({path.parent for path in pathlib.Path(results).rglob("result") if path.is_dir()})
    found = []
    for run in runs:
        for model in sorted((run / "result").iterdir()):
            if model.is_dir():
                found += summaries(program, [model], ["--data", data])
    return found


def is_tau2(path):
    """Whether a file holds results rather than another log of the same run."""
    try:
        value = json.loads(path.read_text())
    except (ValueError, OSError):
        return False
    return isinstance(value, dict) and "tasks" in value and "simulations" in value


def tau2(program, folder):
    files = [path for path in sorted(pathlib.Path(folder).rglob("*.json")) if is_tau2(path)]
    return summaries(program, files, []) if files else []


def checks_of(found):
    """The single checks of τ², which stand as means beside the reward."""
    total = {"checks_compared": 0, "checks_different": 0}
    for summary in found:
        for name in total:
            measure = summary["measures"].get(name)
            if measure:
                total[name] += round(measure["mean"] * measure["trials"])
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--toolgauge", default="target/release/toolgauge")
    for name in ("bfcl", "bfcl-data", "bfcl-v1", "bfcl-v1-data", "tau2"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    table, skipped = [], []
    for what, results, data in (
        ("bfcl", args.bfcl, args.bfcl_data),
        ("bfcl_v1", args.bfcl_v1, args.bfcl_v1_data),
    ):
        if results and data:
            began = time.monotonic()
            found = bfcl(args.toolgauge, results, data)
            row(table, what, found, time.monotonic() - began)
        else:
            skipped.append(what)
    if args.tau2:
        began = time.monotonic()
        found = tau2(args.toolgauge, args.tau2)
        row(table, "tau2 rewards", found, time.monotonic() - began)
        checks = checks_of(found)
        compared, different = checks["checks_compared"], checks["checks_different"]
        table.append(("tau2 checks", len(found), compared, different, 0, 0.0))
    else:
        skipped.append("tau2")
    print(f"{'rule':14} {'runs':>5} {'compared':>9} {'different':>9} {'recorded only':>14} {'seconds':>8}")
    for what, runs, compared, different, only, seconds in table:
        print(f"{what:14} {runs:5} {compared:9} {different:9} {only:14} {seconds:8.1f}")
    for what in skipped:
        print(f"skipped: {what}, whose folders were not named")
    sys.exit(1 if any(line[3] for line in table) else 0)


if __name__ == "__main__":
    main()
