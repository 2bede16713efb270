#!/usr/bin/env python3
"""Times `toolgauge partial` against a straightforward Python program and against bare parsing.

    benches/partial.py [RESULTS.json] [--megabytes 100] [--rounds 5] [--toolgauge PATH]

Without a results file one is made up, shaped like those of tau-bench: mostly long texts, few
calls. The file is repeated until it has the size asked for. Three things are timed on it:

* `toolgauge partial`, from start to exit, reading the file and writing the copy;
* `partial_peer.py`, which does the same work the straightforward way, likewise;
* the bare parse of the same bytes, already in memory, by sonic-rs and by simd-json, of which
  the faster one counts (`bare-parse`, built on the first run; --no-bare leaves it out).

Toolgauge should take at most 1/40 of the time of the Python program and at most 2.5 times that
of the bare parse, and stay under 100 MB of memory. With --check the exit status says whether it
does. Times are the best of several rounds, for the Python program of --peer-rounds; other work on
the machine disturbs them.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def made_up(path):
    """A results file of 50 tasks with 4 trials each, about 4 MB, always the same."""
    chance = random.Random(17)
    words = "flight booking seat please change the reservation to another date and confirm".split()

    def text(length):
        return " ".join(chance.choice(words) for _ in range(length)) + '.\n"Yes"\n'

    def kwargs(seed):
        luck = random.Random(seed)
        flights = [{"number": f"HAT{luck.randrange(300):03}", "date": "2024-05-20"} for _ in "ab"]
        return {"user_id": f"mia_{seed}", "cabin": "economy", "flights": flights, "bags": 3}

    policy = text(700)
    tasks = []
    for trial in range(4):
        for task in range(50):
            action = {"name": "book_reservation", "kwargs": kwargs(task)}
            messages = [{"role": "system", "content": policy}]
            for turn in range(6):
                calls = ["search_flights", "book_reservation"][turn % 2]
                arguments = kwargs(task if chance.random() < 0.5 else task + 1)
                function = {"name": calls, "arguments": json.dumps(arguments)}
                call = {"id": f"call_{turn}", "type": "function", "function": function}
                answer = json.dumps([kwargs(task + other) for other in range(8)])
                messages += [
                    {"role": "user", "content": text(20)},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": f"call_{turn}", "content": answer},
                    {"role": "assistant", "content": text(60)},
                ]
            info = {"task": {"user_id": f"mia_{task}", "actions": [action], "instruction": text(90)}}
            reward = float(chance.random() < 0.4)
            tasks.append(
                {"task_id": task, "reward": reward, "info": info, "traj": messages, "trial": trial}
            )
    path.write_text(json.dumps(tasks, indent=2))


def repeat(source, target, size):
    """Repeats the tasks of a results file until it has `size` bytes."""
    text = source.read_text().strip()
    body = text[1:-1].rstrip()
    times = max(1, -(-size // len(body.encode())))
    with open(target, "w") as file:
        file.write("[")
        for index in range(times):
            file.write("," * (index > 0))
            file.write(body)
        file.write("\n]\n")


def run(command):
    """Runs a command; gives the seconds it took and the most memory it held, in MB."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command[0]} failed with status {child.returncode}")
    # Linux counts kilobytes, macOS bytes.
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return seconds, usage.ru_maxrss / unit


def times(command, output, rounds):
    """The sorted seconds of several rounds and the most memory, each round with no output yet.

    Replacing a file would time the system taking the old one apart as well.
    """
    results = []
    for _ in range(rounds):
        output.unlink(missing_ok=True)
        results.append(run(command))
    return sorted(seconds for seconds, _ in results), max(memory for _, memory in results)


def bare_parse(file, rounds):
    """The time of the faster parser, and its name."""
    target = ROOT / "target" / "bare-parse"
    build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(target)]
    subprocess.run(build, cwd=HERE / "bare-parse", check=True)
    program = target / "release" / "bare-parse"
    output = subprocess.run([program, file, str(rounds)], check=True, capture_output=True, text=True)
    times = [line.split() for line in output.stdout.splitlines()]
    return min((float(seconds), name) for name, seconds in times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", nargs="?", type=pathlib.Path, help="a tau-bench results file")
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-rounds", type=int, default=1, help="rounds of the Python program")
    parser.add_argument("--toolgauge", type=pathlib.Path, default=ROOT / "target/release/toolgauge")
    parser.add_argument("--no-bare", action="store_true", help="leave the bare parse out")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a target is missed")
    args = parser.parse_args()
    if not args.toolgauge.exists():
        sys.exit(f"{args.toolgauge} is missing; build it with `cargo build --release`")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        source = args.results or folder / "made-up.json"
        if args.results is None:
            made_up(source)
        file, ours, theirs = folder / "big.json", folder / "ours.json", folder / "theirs.json"
        repeat(source, file, args.megabytes * 1_000_000)
        size = file.stat().st_size / 1e6
        command = [str(args.toolgauge), "partial", str(file), "-o", str(ours)]
        all_seconds, memory = times(command, ours, args.rounds)
        seconds, median = all_seconds[0], all_seconds[len(all_seconds) // 2]
        print(f"file            {size:8.1f} MB")
        print(f"toolgauge       {seconds:8.3f} s  {size / seconds:7.0f} MB/s  {memory:6.1f} MB memory  "
              f"(median {median:.3f} s)")
        peer = [sys.executable, str(HERE / "partial_peer.py"), str(file), str(theirs)]
        peer_times, peer_memory = times(peer, theirs, args.peer_rounds)
        peer_seconds = peer_times[0]
        print(f"python          {peer_seconds:8.3f} s  {size / peer_seconds:7.0f} MB/s  "
              f"{peer_memory:6.1f} MB memory")
        print(f"  toolgauge is {peer_seconds / seconds:.1f} times as fast (target: 40)")
        good = peer_seconds / seconds >= 40 and memory < 100
        if not args.no_bare:
            bare_seconds, name = bare_parse(file, max(args.rounds, 5))
            print(f"{name:15} {bare_seconds:8.3f} s  {size / bare_seconds:7.0f} MB/s")
            print(f"  toolgauge takes {seconds / bare_seconds:.2f} times as long (target: 2.5)")
            good = good and seconds / bare_seconds <= 2.5
        scores = [[task["partial_score"] for task in json.loads(copy.read_text())]
                  for copy in (ours, theirs)]
        print("scores          " + ("the same" if scores[0] == scores[1] else "DIFFERENT"))
        good = good and scores[0] == scores[1]
    if args.check and not good:
        sys.exit(1)


if __name__ == "__main__":
    main()
