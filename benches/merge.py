#!/usr/bin/env python3
"""How long it takes to make one log of the shards of a large run, and with how much memory.

    cargo build --profile dist
    python3 benches/merge.py --repeat 3

Runs 200,000 cases in 16 shards against `toolgauge serve`, or takes the folder of shards that `--shards`
names, and merges them. The target is 4 seconds on two free processors, below 150 MB.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from throughput import HERE, measured, write_suite

SECONDS = 4
MEGABYTES = 150


def make_shards(args, folder):
    write_suite(folder, args.cases)
    command = [args.toolgauge, "serve", "--port", "0", "--script", "script.ndjson"]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    url = server.stdout.readline().strip().removeprefix("listening on ")
    try:
        for shard in range(1, args.count + 1):
            measured([args.toolgauge, "--quiet", "run", ".", "-m", "any", "--base-url", f"{url}/v1", "-c", "32",
                      "--limit", str(args.cases), "--shard", f"{shard}/{args.count}", "--log-dir", "shards"],
                     cwd=folder)
    finally:
        server.terminate()
        server.wait()
    return os.path.join(folder, "shards")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--toolgauge", default=os.path.join(HERE, "../target/dist/toolgauge"))
    parser.add_argument("--shards", help="a folder of shards to merge")
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--count", type=int, default=16, help="how many shards are made")
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    args.toolgauge = os.path.abspath(args.toolgauge)
    if not os.path.exists(args.toolgauge):
        sys.exit(f"{args.toolgauge} is missing: build it first")
    with tempfile.TemporaryDirectory() as folder:
        shards = os.path.abspath(args.shards) if args.shards else make_shards(args, folder)
        merged, rounds = os.path.join(folder, "run.eval"), []
        for _ in range(args.repeat):
            seconds, cpu, mebibytes, _ = measured([args.toolgauge, "--quiet", "merge", shards, "-o", merged])
            rounds.append((seconds, cpu, mebibytes * 1.048576))
            size = os.path.getsize(merged) / 1e6
            os.remove(merged)
    seconds, cpu, megabytes = (min(part) for part in zip(*rounds))
    print(f"{size:.0f} MB merged in {seconds:.2f} s, {cpu:.2f} s of processors, {megabytes:.0f} MB of memory")
    met = seconds < SECONDS and megabytes < MEGABYTES
    print(f"target {SECONDS} s and {MEGABYTES} MB: {'met' if met else 'MISSED'}")
    sys.exit(0 if met else 1)


main()
