#!/usr/bin/env python3
"""How many trials of a recorded MCP suite a second is enough for, on all cores and of processor time.

Runs the suite `workbench` on its recording with the baseline, once with few trials and once with many,
so that what a run does once (reading the suite, playing its golds, searching its floors) is left out.
Nothing waits for a model or a server, so that the time is that of replaying, judging and logging.
Run it from anywhere:

    cargo build --release
    python3 benches/replay.py
    python3 benches/replay.py --against OLDER/toolgauge

`--against` measures another build in turns with this one, compares their scores, and prints how often
this one is as fast. Ends with 1 if the scores differ.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FEW, MANY = 2, 42


def run(program, suite, trials):
    """Processor seconds and seconds of a run, how many trials it had, and its score."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "run", suite, "-m", "baseline", "--trials", str(trials), "--quiet"]
        command += ["--format", "json", "--log-dir", folder]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    after, passed = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - began
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    told = json.loads(told)
    summary = (told[0] if isinstance(told, list) else told)["summary"]
    return seconds, passed, summary["score"]["trials"], summary["score"]["mean"]


def measure(program, suite):
    """Processor seconds of what is done once and of each further trial, its seconds, and the score."""
    few, few_passed, fewer, _ = run(program, suite, FEW)
    many, many_passed, more, score = run(program, suite, MANY)
    each, passed = (many - few) / (more - fewer), (many_passed - few_passed) / (more - fewer)
    return few - each * fewer, each, passed, score


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    program = os.path.join(HERE, "..", "target", "release", "toolgauge")
    options.add_argument("--program", default=program)
    options.add_argument("--against", help="another build to compare with")
    options.add_argument("--suite", default="workbench")
    options.add_argument("--rounds", type=int, default=3)
    chosen = options.parse_args()
    programs = {"this": chosen.program}
    if chosen.against:
        programs["other"] = chosen.against
    # In turns, so that other load of the machine meets both; the best round was disturbed least.
    rounds = []
    for _ in range(chosen.rounds):
        rounds.append({name: measure(it, chosen.suite) for name, it in programs.items()})
    each = {}
    for name in programs:
        once = min(measured[name][0] for measured in rounds)
        each[name] = min(measured[name][1] for measured in rounds)
        passed = min(measured[name][2] for measured in rounds)
        print(
            f"{name:6} once {once:6.2f} s   each trial {each[name] * 1e3:6.3f} ms   "
            f"trials per second {1 / passed:8.0f}, of processor time {1 / each[name]:8.0f}"
        )
    if chosen.against:
        print(f"ratio  {each['other'] / each['this']:.2f}")
    scores = {measured[name][3] for measured in rounds for name in programs}
    if len(scores) > 1:
        print(f"the scores differ: {sorted(scores)}")
    return 1 if len(scores) > 1 else 0


if __name__ == "__main__":
    sys.exit(main())
