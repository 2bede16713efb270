#!/usr/bin/env python3
"""How fast the viewer answers over a large log, and how much memory it takes.

Makes two logs of 200,000 cases with tags, which differ in every case (or takes those that `--log`
names), starts `toolgauge view` over them, and measures the time to the first byte of every
page, of every filter and order, of searches in the transcripts while their index is built and after
that, of the comparison of both and of the grid of both, and the memory of the process, each beside
its target. Then the same of the log as it was while its run went on: its first opening, and how
long after it grew the pages show it. With `--inspect-python` (a Python that has `inspect_ai`) the same log is opened
in `inspect view`. Run it from anywhere:

    cargo build --release
    python3 benches/view.py --inspect-python VENV/bin/python

Figures for packages need `cargo build --profile dist` and `--toolgauge target/dist/toolgauge`:
`release` does not optimise the viewer.
"""

import argparse
import glob
import html
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST_BYTE_MS = 150
SEARCH_MS = 1000
MEMORY_MB = 300
SECOND = "second.eval"
COLUMNS = ["asked", "answered", "expected", "instead", "lost", "calls", "time", "tokens"]

SUITE = """\
name: many
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


def make_suite(folder, cases):
    """A suite of so many cases, with tags to filter by: a seventh want 8, the others 7."""
    suite = os.path.join(folder, "suite")
    os.makedirs(suite)
    with open(os.path.join(suite, "suite.yaml"), "w") as file:
        file.write(SUITE)
    with open(os.path.join(suite, "cases.ndjson"), "w") as file:
        for number in range(cases):
            wanted = 7 if number % 7 else 8
            case = {
                "id": f"n-{number}",
                "say": f"say the number {number}",
                "tags": {"tier": ["small", "medium", "large"][number % 3], "batch": str(number % 40)},
                "expect": {"calls": [{"tool": "say", "arguments": {"n": wanted}}]},
            }
            file.write(json.dumps(case) + "\n")
    return suite


def make_log(toolgauge, suite, number):
    """The log of a run in which every answer was this number."""
    script = os.path.join(suite, f"always-{number}.ndjson")
    with open(script, "w") as file:
        file.write(json.dumps({"calls": [{"name": "say", "arguments": {"n": number}}]}) + "\n")
    logs = os.path.join(suite, f"logs-{number}")
    command = [toolgauge, "run", suite, "-m", f"script:{script}", "--log-dir", logs, "-q"]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
    (log,) = glob.glob(os.path.join(logs, "*.eval"))
    return log


def gather(arguments, folder):
    """A folder with the two logs to look at, and the path of the first."""
    logs = os.path.join(folder, "logs")
    os.makedirs(logs)
    if arguments.log:
        first, second = arguments.log[0], arguments.log[-1]
    else:
        suite = make_suite(folder, arguments.cases)
        first, second = (make_log(arguments.toolgauge, suite, number) for number in (7, 8))
    path = os.path.join(logs, os.path.basename(first))
    os.link(first, path)
    os.link(second, os.path.join(logs, SECOND))
    return logs, path


def memory_mb(process, field="VmHWM"):
    with open(f"/proc/{process.pid}/status") as file:
        return int(re.search(rf"{field}:\s+(\d+)", file.read()).group(1)) / 1024


def cpu_seconds(process):
    """The processor time of all threads, in nanoseconds each: a page takes less than a clock tick."""
    total = 0
    for task in glob.glob(f"/proc/{process.pid}/task/*/schedstat"):
        try:
            with open(task) as file:
                total += int(file.read().split()[0])
        except OSError:
            pass  # The thread has ended since the folder was read.
    return total / 1e9


class Viewer:
    """`toolgauge view` over a folder."""

    def __init__(self, toolgauge, logs, cache):
        command = [toolgauge, "view", logs, "--port", "0", "--cache", cache]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.address = re.search(r"http://([^/]+)/", line).group(1)

    def get(self, path):
        """Milliseconds to the first byte, and the body."""
        connection = http.client.HTTPConnection(self.address)
        began = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        first = answer.read(1)
        milliseconds = (time.perf_counter() - began) * 1000
        body = first + answer.read()
        connection.close()
        return milliseconds, body.decode()

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def wait_for(viewer, path, name):
    """Asks for a page until it is more than the progress of making it."""
    began = time.perf_counter()
    while 'data-version="building"' in viewer.get(path)[1]:
        time.sleep(0.02)
    print(f"{name:44} {time.perf_counter() - began:9.1f} s", flush=True)


def told(name, value, target, unit, beside=""):
    verdict = "ok" if value <= target else "OVER"
    print(f"{name:44} {value:9.1f} {unit}   target {target} {unit}   {verdict}{beside}", flush=True)
    return value <= target


def measure(viewer, log, rounds):
    """Every page and every kind of filter; whether all were within their targets."""
    run = f"/run/{urllib.parse.quote(log)}"
    first_milliseconds, _ = viewer.get(run)
    fine = told("run, very first opening (progress page)", first_milliseconds, FIRST_BYTE_MS, "ms")
    wait_for(viewer, run, "log read into columns after")
    body = viewer.get(f"{run}/rows?from=100000&count=1")[1]
    middle = re.search(r"id=([^&]+)&", body)
    middle = middle.group(1) if middle else "n-0"
    pattern = re.search(r"pattern=([^&\"]+)", viewer.get(run)[1])
    pattern = pattern.group(1) if pattern else ""
    cases = f"{run}/cases"
    pages = {
        "runs": "/",
        "overview": run,
        "cases": cases,
        "cases, page 1000": f"{cases}?page=1000",
        "cases, every column": cases + "?column=" + "&column=".join(COLUMNS),
        "figures": f"{run}/figures",
        "settings": f"{run}/settings",
        "case in the middle": f"{run}/case?id={middle}",
        "raw trial": f"{run}/raw?id={middle}",
        "trial as a tree": f"{run}/tree?id={middle}",
        "trial as JSON": f"{run}/case.json?id={middle}",
        "annotate, the next trial": f"{run}/annotate",
        "annotate, one trial": f"{run}/case?id={middle}&annotate=1",
        "feedback": "/feedback",
        "glossary": "/glossary",
        "compare, choice": "/compare",
        "filter: verdict": f"{run}/rows?verdict=fail",
        "filter: cause": f"{run}/rows?cause=wrong_value",
        "filter: dimension": f"{run}/rows?dimension=arguments",
        "filter: pattern": f"{run}/rows?pattern={pattern}",
        "filter: tag": f"{run}/rows?tag=tier%3Dsmall",
        "filter: two tags": f"{run}/rows?tag=tier%3Dsmall&tag=batch%3D12",
        "sort: score": f"{run}/rows?sort=score",
        "sort: case": f"{run}/rows?sort=case",
        "sort: latency": f"{run}/rows?sort=latency",
        "sort: tokens, turned round": f"{run}/rows?sort=tokens&reversed=1",
        "scroll: 100,000th": f"{run}/rows?from=100000&count=100",
    }
    fine &= worst_of(viewer, pages, rounds, FIRST_BYTE_MS)
    # Its two thousand lines have answers, so that as many trials are read.
    fine &= worst_of(viewer, {"list to print": f"{run}/list?verdict=fail"}, rounds, SEARCH_MS)
    return fine


def worst_of(viewer, pages, rounds, target):
    """The longest time to the first byte of each page; whether all were within the target.

    On a machine that others use, the first byte waits for them. The processor time of the viewer
    for the whole page does not, so it is printed beside.
    """
    fine = True
    for name, path in pages.items():
        times, spent = [], []
        for _ in range(rounds):
            before = cpu_seconds(viewer.process)
            times.append(viewer.get(path)[0])
            spent.append((cpu_seconds(viewer.process) - before) * 1000)
        processor = f"   processor {max(spent):.1f} ms"
        fine &= told(f"{name} (worst of {rounds})", max(times), target, "ms", processor)
    return fine


def measure_search(viewer, log, rounds):
    """Searches in names, requests and transcripts, while their index is built and after that."""
    run = f"/run/{urllib.parse.quote(log)}"
    began, longest = time.perf_counter(), 0.0
    while True:
        milliseconds, body = viewer.get(f"{run}/rows?q=number+1999")
        longest = max(longest, milliseconds)
        if "data-searching" not in body:
            break
        time.sleep(0.2)
    note = re.search(r'data-note="([^"]+)"', body)
    print(f"{'every transcript is searched after':44} {time.perf_counter() - began:9.1f} s"
          f"{'   ' + note.group(1) if note else ''}", flush=True)
    fine = told("search while the index is built (worst)", longest, SEARCH_MS, "ms")
    pages = {
        "search: words of requests": f"{run}/rows?q=number+1999",
        "search: a word of every transcript": f"{run}/rows?q=say",
        "search: an argument": f"{run}/rows?q=%22n%22",
        "search: no match": f"{run}/rows?q=nothing+like+it",
        "search: tag and words": f"{run}/rows?tag=tier%3Dsmall&q=12",
        "search: the page itself": f"{run}/cases?q=number+1999",
    }
    fine &= worst_of(viewer, pages, rounds, SEARCH_MS)
    return fine


def measure_comparison(viewer, log, rounds):
    """The comparison with a second log of the same size, both of which were looked at."""
    wait_for(viewer, f"/run/{SECOND}", "second log read into columns after")
    compare = f"/compare?run={urllib.parse.quote(log)}&run={SECOND}"
    fine = told("compare, first asked (progress page)", viewer.get(compare)[0], FIRST_BYTE_MS, "ms")
    wait_for(viewer, compare, "both logs compared after")
    flip = re.search(r'href="(/compare/case[^"]+)"', viewer.get(compare)[1])
    pages = {"compare": compare}
    if flip:
        pages["compare, a flip side by side"] = html.unescape(flip.group(1))
    fine &= worst_of(viewer, pages, rounds, FIRST_BYTE_MS)
    grid = compare.replace("/compare?", "/compare/cases?")
    grids = {
        "grid of both runs": grid,
        "grid, different only": f"{grid}&show=different",
        "grid, broken": f"{grid}&show=broken",
        "grid, page 1000": f"{grid}&page=1000",
        "grid, search": f"{grid}&q=number+1999",
    }
    fine &= worst_of(viewer, grids, rounds, SEARCH_MS)
    return fine


def cut_at(path, share):
    """The length of a log up to an entry about there: what a run leaves that is still going."""
    wanted = int(os.path.getsize(path) * share)
    with open(path, "rb") as file:
        file.seek(wanted)
        return wanted + file.read(1 << 20).index(b"PK\x03\x04")


def trials_shown(viewer, run):
    shown = re.search(r"([\d,\u202f]+) of [\d,\u202f]+ trials", viewer.get(run)[1])
    return int(re.sub(r"\D", "", shown.group(1))) if shown else 0


def measure_growth(toolgauge, path, folder, rounds):
    """An unfinished log: its first opening, and how soon what came to it is shown."""
    logs = os.path.join(folder, "growing")
    os.makedirs(logs)
    growing = os.path.join(logs, "growing.eval")
    shutil.copyfile(path, growing)
    os.truncate(growing, cut_at(path, 0.9))
    viewer = Viewer(toolgauge, logs, os.path.join(folder, "growing-cache"))
    run = "/run/growing.eval"
    try:
        first, _ = viewer.get(run)
        fine = told("unfinished: very first opening", first, FIRST_BYTE_MS, "ms")
        wait_for(viewer, run, "unfinished: log read into columns after")
        waits, processor = [], []
        for number in range(rounds):
            before, spent = trials_shown(viewer, run), cpu_seconds(viewer.process)
            length = cut_at(path, 0.9 + 0.001 * (number + 1))
            with open(path, "rb") as source, open(growing, "ab") as target:
                source.seek(os.path.getsize(growing))
                target.write(source.read(length - os.path.getsize(growing)))
            began = time.perf_counter()
            worst = 0
            while trials_shown(viewer, run) <= before:
                worst = max(worst, viewer.get(run)[0])
                time.sleep(0.02)
            waits.append(time.perf_counter() - began)
            processor.append(cpu_seconds(viewer.process) - spent)
            fine &= told("unfinished: page while it is read on", worst, FIRST_BYTE_MS, "ms")
            time.sleep(2)
        print(f"{'unfinished: growth shown after (worst)':44} {max(waits):9.2f} s", flush=True)
        print(f"{'unfinished: processor time for it (worst)':44} {max(processor):9.2f} s", flush=True)
        fine &= told("unfinished: memory, at its highest", memory_mb(viewer.process), MEMORY_MB, "MB")
    finally:
        viewer.stop()
    return fine


def inspect_view(python, logs, log):
    """Seconds until Inspect's viewer has answered with the log's header and with its samples."""
    command = [python, "-m", "inspect_ai", "view", "--log-dir", logs, "--port", "17575"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    quoted = urllib.parse.quote(os.path.abspath(os.path.join(logs, log)), safe="")
    try:
        for _ in range(300):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", 17575, timeout=600)
                connection.request("GET", "/api/logs")
                connection.getresponse().read()
                break
            except OSError:
                time.sleep(0.2)
        for name, path in {
            "inspect view: header": f"/api/logs/{quoted}?header-only=1",
            "inspect view: whole log": f"/api/logs/{quoted}",
        }.items():
            connection = http.client.HTTPConnection("127.0.0.1", 17575, timeout=900)
            began = time.perf_counter()
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read(1)
            milliseconds = (time.perf_counter() - began) * 1000
            print(f"{name:44} {milliseconds:9.1f} ms to the first byte (status {answer.status})", flush=True)
            connection.close()
        print(f"{'inspect view: memory':44} {memory_mb(process):9.1f} MB", flush=True)
    except (OSError, http.client.HTTPException) as error:
        print(f"inspect view cannot open it: {error!r}", flush=True)
    finally:
        process.kill()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--toolgauge", default=os.path.join(HERE, "../target/release/toolgauge"))
    parser.add_argument("--log", action="append", help="a log to measure on, in place of a new one; twice for two")
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--inspect-python", help="a Python that has inspect_ai")
    arguments = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="view-bench-")
    try:
        logs, path = gather(arguments, folder)
        log = os.path.basename(path)
        print(f"log: {os.path.getsize(path) / 1e6:.0f} MB")
        viewer = Viewer(arguments.toolgauge, logs, os.path.join(folder, "cache"))
        try:
            fine = measure(viewer, log, arguments.rounds)
            fine &= told("memory, one log", memory_mb(viewer.process), MEMORY_MB, "MB")
            fine &= measure_search(viewer, log, arguments.rounds)
            fine &= told("memory, one log and its transcripts", memory_mb(viewer.process), MEMORY_MB, "MB")
            fine &= measure_comparison(viewer, log, arguments.rounds)
            fine &= told("memory, two logs compared", memory_mb(viewer.process), MEMORY_MB, "MB")
            print(f"{'memory at the end':44} {memory_mb(viewer.process, 'VmRSS'):9.1f} MB")
        finally:
            viewer.stop()
        fine &= measure_growth(arguments.toolgauge, path, folder, arguments.rounds)
        if arguments.inspect_python:
            inspect_view(arguments.inspect_python, logs, log)
    finally:
        shutil.rmtree(folder)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
