#!/usr/bin/env python3
"""How many samples a second toolgauge, Inspect AI and a bare load generator manage.

All of them talk to one `toolgauge serve` on this machine, in one go, and send the same request
for each sample. Run it from anywhere:

    cargo build --profile dist
    python3 benches/throughput.py --inspect-python VENV/bin/python

Without `--inspect-python` (a Python that has `inspect_ai` and `openai`) the peer is left out, and without
`wrk` on the PATH the load generator is. Prints one line for each measurement and, at the end,
ratios within this run.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

SUITE = """\
name: throughput
system: You are an assistant that calls tools. Answer every request with exactly one call.
tools:
  - name: say
    description: Says a number out loud
    parameters:
      type: object
      properties: {n: {type: integer, description: The number to say}}
      required: [n]
cases: cases.ndjson
"""

INSPECT_TASK = """\
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate, system_message, use_tools
from inspect_ai.tool import tool


@tool
def say():
    async def execute(n: int) -> str:
        '''Says a number out loud

        Args:
            n: The number to say
        '''
        return "said"

    return execute


@scorer(metrics=[accuracy(), stderr()])
def called():
    async def score(state: TaskState, target: Target) -> Score:
        calls = state.output.message.tool_calls or []
        right = [c.arguments.get("n") for c in calls] == [int(target.text)]
        return Score(value="C" if right else "I")

    return score


@task
def throughput(samples: int = 100):
    return Task(
        dataset=[Sample(id=f"n-{n}", input=f"say the number {n}", target="7") for n in range(samples)],
        solver=[
            system_message("You are an assistant that calls tools. Answer every request with exactly one call."),
            use_tools(say()),
            generate(tool_calls="none"),
        ],
        scorer=called(),
    )
"""

WRK_SCRIPT = """\
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = [==[%s]==]
"""


def write_suite(folder, cases):
    with open(os.path.join(folder, "suite.yaml"), "w") as file:
        file.write(SUITE)
    with open(os.path.join(folder, "cases.ndjson"), "w") as file:
        for n in range(cases):
            call = {"tool": "say", "arguments": {"n": 7}}
            case = {"id": f"n-{n}", "say": f"say the number {n}", "expect": {"calls": [call]}}
            file.write(json.dumps(case) + "\n")
    with open(os.path.join(folder, "script.ndjson"), "w") as file:
        file.write(json.dumps({"calls": [{"name": "say", "arguments": {"n": 7}}]}) + "\n")


def measured(command, **options):
    """Runs a command and returns its seconds, processor seconds and peak megabytes."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - began
    if process.returncode != 0:
        sys.exit(f"{command[0]} failed:\n{output.decode(errors='replace')[-2000:]}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output.decode()


def report(name, concurrency, samples, seconds, cpu, megabytes):
    rate = samples / seconds
    per_sample = cpu / samples * 1e6
    print(f"{name:12} c={concurrency:<4} {samples:>7} samples {seconds:8.2f} s "
          f"{rate:10.1f} samples/s {per_sample:9.1f} µs CPU/sample {megabytes:7.0f} MB", flush=True)
    return rate


def toolgauge(args, folder, url, concurrency, samples):
    logs = tempfile.mkdtemp(dir=folder)
    command = [args.toolgauge, "--quiet", "run", ".", "-m", "any", "--base-url", f"{url}/v1",
               "-c", str(concurrency), "--limit", str(samples), "--log-dir", logs]
    seconds, cpu, megabytes, _ = measured(command, cwd=folder)
    return report("toolgauge", concurrency, samples, seconds, cpu, megabytes)


def inspect(args, folder, url, concurrency, samples):
    task = "throughput_task.py"
    with open(os.path.join(folder, task), "w") as file:
        file.write(INSPECT_TASK)
    environment = dict(os.environ, LOCAL_API_KEY="none", LOCAL_BASE_URL=f"{url}/v1")
    command = [args.inspect_python, "-m", "inspect_ai", "eval", task, "--model",
               "openai-api/local/any", "-T", f"samples={samples}", "--max-connections",
               str(concurrency), "--max-samples", str(concurrency), "--display", "none",
               "--log-dir", os.path.join(folder, "inspect-logs")]
    seconds, cpu, megabytes, _ = measured(command, env=environment, cwd=folder)
    return report("inspect_ai", concurrency, samples, seconds, cpu, megabytes)


def load_generator(folder, url, concurrency, seconds):
    body = {"model": "any", "messages": [
        {"role": "system", "content": "You are an assistant that calls tools. "
                                      "Answer every request with exactly one call."},
        {"role": "user", "content": "say the number 1"}],
        "tools": [{"type": "function", "function": {
            "name": "say", "description": "Says a number out loud", "parameters": {
                "type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}}}]}
    script = os.path.join(folder, "post.lua")
    with open(script, "w") as file:
        file.write(WRK_SCRIPT % json.dumps(body))
    command = ["wrk", "-t1", f"-c{concurrency}", f"-d{seconds}s", "-s", script,
               f"{url}/v1/chat/completions"]
    _, cpu, megabytes, output = measured(command)
    requests = int(re.search(r"(\d+) requests in", output).group(1))
    return report("wrk", concurrency, requests, seconds, cpu, megabytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--toolgauge", default=os.path.join(HERE, "../target/dist/toolgauge"))
    parser.add_argument("--inspect-python", help="a Python with inspect_ai")
    parser.add_argument("--samples", type=int, default=20000, help="samples for toolgauge")
    parser.add_argument("--inspect-samples", type=int, default=300, help="samples for the peer")
    parser.add_argument("--concurrency", type=int, nargs="*", default=[1, 32, 256])
    args = parser.parse_args()
    args.toolgauge = os.path.abspath(args.toolgauge)
    with tempfile.TemporaryDirectory() as folder:
        write_suite(folder, args.samples)
        server = subprocess.Popen([args.toolgauge, "serve", "--port", "0", "--script", "script.ndjson"],
                                  cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = server.stdout.readline().strip().removeprefix("listening on ")
        ratios = []
        try:
            for concurrency in args.concurrency:
                samples = args.samples if concurrency > 1 else args.samples // 4
                ours = toolgauge(args, folder, url, concurrency, samples)
                if args.inspect_python:
                    theirs = inspect(args, folder, url, concurrency, args.inspect_samples)
                    ratios.append(f"c={concurrency}: {ours / theirs:.0f} times inspect_ai")
                if shutil.which("wrk"):
                    bare = load_generator(folder, url, concurrency, 5)
                    ratios.append(f"c={concurrency}: {ours / bare:.2f} of wrk")
        finally:
            server.terminate()
            server.wait()
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(f"(all children together used {used.ru_utime + used.ru_stime:.0f} s of processor)")
        print("\n".join(ratios))


if __name__ == "__main__":
    main()
