#!/usr/bin/env python3
"""How fast the trials of a large log become tables, and with how much memory.

    cargo build --profile dist --features tables
    python3 benches/export.py --repeat 3

Makes a log of 200,000 trials as `large-log.py` does, or takes the one that `--log` names, and exports it
in every format. The target is 100,000 trials per second and processor, below 300 MB, for Parquet.
"""

import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from throughput import HERE, measured, write_suite

TRIALS_PER_SECOND = 100_000
MEGABYTES = 300
RUNS = [
    ("parquet", "runs,trials,calls,losses,turns"),
    ("parquet", "runs,trials,losses"),
    ("arrow", "runs,trials,calls,losses,turns"),
    ("csv", "runs,trials,calls,losses,turns"),
    ("parquet", "transcripts"),
]


def make_log(program, folder, cases):
    write_suite(folder, cases)
    command = [program, "serve", "--port", "0", "--script", "script.ndjson"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = server.stdout.readline().strip().removeprefix("listening on ")
    try:
        measured([program, "--quiet", "run", ".", "-m", "any", "--base-url", f"{url}/v1", "-c", "32",
                  "--limit", str(cases), "--log-dir", "logs"], cwd=folder)
    finally:
        server.terminate()
        server.wait()
    return glob.glob(os.path.join(folder, "logs", "*.eval"))[0]


def size(folder):
    files = (os.path.join(base, name) for base, _, names in os.walk(folder) for name in names)
    return sum(map(os.path.getsize, files)) / 1e6


def export(args, log, folder, kind, tables):
    rounds = []
    for _ in range(args.repeat):
        out = os.path.join(folder, "tables")
        command = [args.toolgauge, "--quiet", "export", log, "--format", kind, "-o", out, "--tables", tables]
        seconds, cpu, megabytes, _ = measured(command)
        rounds.append((seconds, cpu, megabytes, size(out)))
        shutil.rmtree(out)
    seconds, cpu, megabytes, written = (min(part) for part in zip(*rounds))
    print(f"{kind:8} {tables:32} {seconds:6.2f} s {args.cases / cpu:10,.0f} trials per second and processor "
          f"{megabytes:5.0f} MB of memory {written:7.1f} MB written", flush=True)
    return args.cases / cpu, megabytes


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--toolgauge", default=os.path.join(HERE, "../target/dist/toolgauge"))
    parser.add_argument("--log", help="a log to export, with as many trials as --cases says")
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    args.toolgauge = os.path.abspath(args.toolgauge)
    if not os.path.exists(args.toolgauge):
        sys.exit(f"{args.toolgauge} is missing: build it first")
    with tempfile.TemporaryDirectory() as folder:
        log = args.log or make_log(args.toolgauge, folder, args.cases)
        figures = [export(args, log, folder, kind, tables) for kind, tables in RUNS]
    rate, megabytes = figures[0]
    met = rate >= TRIALS_PER_SECOND and megabytes < MEGABYTES
    print(f"target {TRIALS_PER_SECOND:,} and {MEGABYTES} MB: {'met' if met else 'MISSED'}")
    sys.exit(0 if met else 1)


main()
