#!/usr/bin/env python3
"""Holds the rules of other tools against verdicts that those tools recorded.

    tools/peers.py --bfcl RESULTS --bfcl-data FOLDER      runs of BFCL, each with `result` and `score`
                   --bfcl-v1 RESULTS --bfcl-v1-data FOLDER
                   --tau2 FOLDER                          result files of τ²-bench
                   --tau-bench FOLDER                     result files of τ-bench
                   --ha FOLDER                            reports of home-assistant-datasets
                   --langfuse FOLDER                      traces with what Langfuse makes of them

Each folder is searched for results, each run is imported with the real program, and a table says
how many verdicts were compared and how many differ, row by row as they are done. Exit status 1 if
any does. What is not given is skipped and named. `--toolgauge` names the program
[default: target/release/toolgauge].
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import zipfile


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


def each(program, inputs, extra):
    """The same for inputs one by one, as many at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        imported = [pool.submit(summaries, program, [path], extra) for path in inputs]
        found = []
        for done, future in enumerate(imported, start=1):
            found += future.result()
            if sys.stderr.isatty():
                print(f"\r{done} of {len(inputs)} imported", end="\033[K\r", file=sys.stderr)
    return found


class Table:
    """What was compared, printed row by row."""

    def __init__(self):
        self.different = 0
        head = "runs", "compared", "different", "recorded only", "seconds"
        print(f"{'rule':18} {head[0]:>5} {head[1]:>9} {head[2]:>9} {head[3]:>14} {head[4]:>8}")

    def row(self, what, runs, compared, different, only=0, began=None):
        self.different += different
        seconds = f"{time.monotonic() - began:8.1f}" if began else ""
        print(f"{what:18} {runs:5} {compared:9} {different:9} {only:14} {seconds}", flush=True)

    def verdicts(self, what, found, began):
        """Adds up the verdicts of all runs."""
        checks = [check for summary in found for check in summary.get("recorded", {}).values()]
        compared = sum(check["compared"] for check in checks)
        different = sum(len(check["different"]) for check in checks)
        only = sum(check["recorded_only"] for check in checks)
        self.row(what, len(found), compared, different, only, began)


def bfcl(program, results, data):
    """The folders of models below each folder that is named `result`."""
    folders = [path for path in pathlib.Path(results).rglob("result") if path.is_dir()]
    models = sorted(path for folder in folders for path in folder.iterdir() if path.is_dir())
    return each(program, models, ["--data", data])


def is_tau2(path):
    """Whether a file holds results rather than another log of the same run."""
    try:
        value = json.loads(path.read_text())
    except (ValueError, OSError):
        return False
    return isinstance(value, dict) and "tasks" in value and "simulations" in value


def tau2(program, folder):
    files = [path for path in sorted(pathlib.Path(folder).rglob("*.json")) if is_tau2(path)]
    return each(program, files, [])


def tau_bench(program, folder):
    """Files that are lists of objects with `traj` and `reward`."""
    files = []
    for path in sorted(pathlib.Path(folder).rglob("*.json")):
        try:
            value = json.loads(path.read_text())
        except (ValueError, OSError):
            continue
        if isinstance(value, list) and value and {"traj", "reward"} <= set(value[0]):
            files.append(path)
    return each(program, files, [])


def ha_datasets(program, folder):
    """The folders of models: each holds a report, and the folder above it all of them."""
    reports = {path.parent for path in pathlib.Path(folder).rglob("report.csv")}
    return each(program, sorted(reports) or [pathlib.Path(folder)], [])


def decoded(value):
    """What a text of JSON holds, or the text of a text."""
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                break
    return value


def chatml_calls(told):
    """The calls that Langfuse itself finds in what a generation gave out."""
    calls = []
    for message in (told.get("data") or []) if told.get("success") else []:
        for call in message.get("tool_calls") or []:
            calls.append((call["name"], decoded(call["arguments"]), call.get("id") or ""))
        for part in message["content"] if isinstance(message.get("content"), list) else []:
            if part.get("type") == "tool_use":
                calls.append((part["name"], part["input"], part.get("id") or ""))
    return calls


def our_calls(program, trace, generation):
    """The calls in the log of a trace that has this generation alone."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "trace.json"
        source.write_text(json.dumps({"trace": trace["trace"], "observations": [generation]}))
        command = [program, "-q", "import", str(source), "--from", "langfuse", "-o", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        log = zipfile.ZipFile(next(pathlib.Path(folder).glob("*.eval")))
        sample = next(name for name in log.namelist() if name.startswith("samples/"))
        calls = []
        for message in json.loads(log.read(sample))["messages"]:
            for call in message.get("tool_calls") or []:
                calls.append((call["function"], call["arguments"], call.get("id") or ""))
        return calls


def langfuse(program, folder):
    """Pairs of a trace and what Langfuse makes of it, generation by generation."""
    pairs = compared = different = 0
    for path in sorted(pathlib.Path(folder).rglob("*.trace.json")):
        trace = json.loads(path.read_text())
        told = json.loads(path.with_name(path.name.replace(".trace.", ".chatml.")).read_text())
        pairs += 1
        for generation in trace["observations"]:
            if generation["type"] != "GENERATION":
                continue
            theirs = chatml_calls(told.get(generation["id"], {}).get("output", {}))
            ours = our_calls(program, trace, generation)
            # A server that gives no identifier gets one in our log.
            ours = [
                (name, arguments, identifier if place < len(theirs) and theirs[place][2] else "")
                for place, (name, arguments, identifier) in enumerate(ours)
            ]
            compared += 1
            if theirs != ours:
                different += 1
                print(f"{path.name} {generation['id']}: {theirs} and not {ours}", file=sys.stderr)
    return pairs, compared, different


def checks_of(found):
    """The single checks beside a verdict, which stand as means."""
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
    for name in ("bfcl", "bfcl-data", "bfcl-v1", "bfcl-v1-data", "tau2", "tau-bench", "ha", "langfuse"):
        parser.add_argument(f"--{name}")
    args = parser.parse_args()
    table, skipped = Table(), []
    for what, results, data in (
        ("bfcl", args.bfcl, args.bfcl_data),
        ("bfcl_v1", args.bfcl_v1, args.bfcl_v1_data),
    ):
        if not (results and data):
            skipped.append(what)
            continue
        began = time.monotonic()
        table.verdicts(what, bfcl(args.toolgauge, results, data), began)
    for what, folder, read in (
        ("tau2", args.tau2, tau2),
        ("tau_bench", args.tau_bench, tau_bench),
        ("ha_datasets", args.ha, ha_datasets),
    ):
        if not folder:
            skipped.append(what)
            continue
        began = time.monotonic()
        found = read(args.toolgauge, folder)
        table.verdicts(what, found, began)
        checks = checks_of(found)
        table.row(f"{what} checks", len(found), checks["checks_compared"], checks["checks_different"])
    if args.langfuse:
        began = time.monotonic()
        pairs, compared, different = langfuse(args.toolgauge, args.langfuse)
        table.row("langfuse calls", pairs, compared, different, began=began)
    else:
        skipped.append("langfuse")
    for what in skipped:
        print(f"skipped: {what}, whose folders were not named")
    sys.exit(1 if table.different else 0)


if __name__ == "__main__":
    main()
