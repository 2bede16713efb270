#!/usr/bin/env python3
"""What a run of 200,000 cases takes, and what its log can do.

Writes a suite of one-sentence cases, puts it to a `toolgauge serve` on this machine, and then
summarises the log, lists its folder, opens one of its samples and judges it again. Prints each
figure beside its target. Run it from anywhere:

    cargo build --profile dist
    cargo build --profile dist -p toolgauge-log --examples
    python3 benches/large-log.py

Times by the clock mean little on a busy machine; the processor time beside them does not count
what others use. `--repeat 3` takes the best of several. With `--breakdown` and `perf` on the
PATH it also tells where the processor time of a run goes.
"""

import argparse
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from throughput import HERE, measured, write_suite

TARGETS = {
    "peak memory of the run": ("MB", 300, "below"),
    "processor time a sample": ("µs", 200, "below"),
    "list the folder": ("s", 1, "below"),
    "open one sample": ("s", 1, "below"),
    "summarise": ("s", 1, "below"),
    "judge again, per processor": ("samples/s", 50000, "above"),
}

# What a function on the stack says about what the processor was doing; the first that is found,
# from the innermost call outwards, counts.
PARTS = [
    ("log entry", r"toolgauge_log::|Journal"),
    ("scoring", r"toolgauge_score::|Bench::judge"),
    ("reply", r"toolgauge_model::.*(reply|response|read|parse|answer|decode)"),
    ("request", r"toolgauge_model::"),
    ("suite", r"toolgauge_suite::"),
    ("numbers of the run", r"toolgauge_report::"),
    ("HTTP client", r"reqwest|hyper|h2::|http::|tower"),
    ("scheduling", r"tokio::|futures_util|toolgauge_runner"),
]


def show(name, value, note=""):
    unit, target, side = TARGETS.get(name, ("", None, None))
    text = f"{value:12,.2f}" if isinstance(value, float) else f"{value:12,}"
    verdict = ""
    if target is not None:
        met = value < target if side == "below" else value > target
        verdict = f"   target {side} {target:,}: {'met' if met else 'MISSED'}"
    print(f"{name:30} {text} {unit:10}{verdict}{note}", flush=True)


def best(repeat, command, **options):
    """The runs with the least time by the clock and the least processor time."""
    runs = [measured(command, **options) for _ in range(repeat)]
    seconds, cpu = min(run[0] for run in runs), min(run[1] for run in runs)
    return seconds, cpu, min(run[2] for run in runs), runs[0][3]


def serve(args, folder):
    command = [args.toolgauge, "serve", "--port", "0", "--script", "script.ndjson"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    return server, server.stdout.readline().strip().removeprefix("listening on ")


def run_command(args, url, logs, cases):
    return [args.toolgauge, "--quiet", "run", ".", "-m", "any", "--base-url", f"{url}/v1",
            "-c", "32", "--limit", str(cases), "--log-dir", logs]


def run(args, folder, url):
    logs = os.path.join(folder, "logs")
    seconds, cpu, megabytes, _ = measured(run_command(args, url, logs, args.cases), cwd=folder)
    show("run", seconds, "s by the clock")
    show("processor time a sample", cpu / args.cases * 1e6)
    show("peak memory of the run", megabytes)
    log = glob.glob(os.path.join(logs, "*.eval"))[0]
    show("size of the log", os.path.getsize(log) / 1e6, "MB")
    return log


def read(args, folder, log):
    case = f"n-{args.cases // 2}"
    times = collections.defaultdict(list)
    for _ in range(args.repeat):
        _, _, _, output = measured([args.open_log, log, case])
        for name, seconds in re.findall(r"^(\w+) ([0-9.]+) s", output, re.M):
            times[name].append(float(seconds))
    show("list the folder", min(times["list"]))
    show("open one sample", min(times["open"]))
    seconds, cpu, megabytes, _ = best(args.repeat, [args.toolgauge, "summary", log], cwd=folder)
    show("summarise", seconds, f"   ({cpu:.2f} s of processor, {megabytes:.0f} MB)")
    again = os.path.join(folder, "again")
    command = [args.toolgauge, "--quiet", "score", log, "--log-dir", again]
    runs = []
    for _ in range(args.repeat):
        os.makedirs(again)
        runs.append(best(1, command, cwd=folder))
        # The disk has better things to do than to keep hundreds of megabytes for each round.
        shutil.rmtree(again)
    seconds, cpu, megabytes = (min(run[part] for run in runs) for part in range(3))
    show("judge again, per processor", args.cases / cpu,
         f"   ({args.cases / seconds:,.0f} by the clock, {megabytes:.0f} MB)")


def breakdown(args, folder, url, cases=20000):
    """Where the processor time of a run goes, by what is on the stack."""
    data = os.path.join(folder, "perf.data")
    command = ["perf", "record", "-q", "-F", "499", "--call-graph", "dwarf,16384", "-o", data,
               *run_command(args, url, os.path.join(folder, "sampled"), cases)]
    _, cpu, _, _ = measured(command, cwd=folder)
    script = subprocess.Popen(["perf", "script", "-i", data, "-F", "ip,sym"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    parts, stack = collections.Counter(), []
    for line in script.stdout:
        if line.strip():
            stack.append(line.split(None, 1)[-1])
        elif stack:
            parts[part_of(stack)] += 1
            stack = []
    total = sum(parts.values())
    print(f"\nof the processor time of a run of {cases:,} cases:")
    for name, count in parts.most_common():
        print(f"  {name:20} {100 * count / total:5.1f} %")


def part_of(stack):
    for frame in stack:
        for name, pattern in PARTS:
            if re.search(pattern, frame):
                return name
    return "system and other"


def main():
    built = os.path.join(HERE, "../target/dist")
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--toolgauge", default=os.path.join(built, "toolgauge"))
    parser.add_argument("--open-log", default=os.path.join(built, "examples/open_log"))
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--breakdown", action="store_true", help="sample a run with perf")
    args = parser.parse_args()
    args.toolgauge, args.open_log = map(os.path.abspath, (args.toolgauge, args.open_log))
    for program in (args.toolgauge, args.open_log):
        if not os.path.exists(program):
            sys.exit(f"{program} is missing: build it first")
    with tempfile.TemporaryDirectory() as folder:
        write_suite(folder, args.cases)
        server, url = serve(args, folder)
        try:
            log = run(args, folder, url)
            if args.breakdown:
                breakdown(args, folder, url)
        finally:
            server.terminate()
            server.wait()
        read(args, folder, log)


if __name__ == "__main__":
    main()
