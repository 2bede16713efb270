#!/usr/bin/env python3
"""What a live call to an MCP server costs beside the server's own time.

    benches/mcp_call.py TOOLGAUGE

TOOLGAUGE must have the feature `mcp`. A server over stdio notes when it has read each of 500 calls and when
it has written the answer. The log says how long each call took; the difference is the pipe, the client,
the recording and everything else that is toolgauge. On a machine that others use, the lower quartile tells
more than the median: a call that waits for a processor takes milliseconds. docs/mcp-world.md has the figures.
"""

import glob
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile

CALLS = 500


def serve(notes):
    """A server with one tool, which writes its own times to a file at the end."""
    own = []
    for line in sys.stdin:
        read = time.perf_counter()
        message = json.loads(line)
        method = message.get("method")
        if method == "initialize":
            result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {"tools": {}},
                      "serverInfo": {"name": "echo", "version": "1"}}
        elif method == "tools/list":
            schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
            result = {"tools": [{"name": "echo", "description": "Says a number.", "inputSchema": schema}]}
        elif method == "tools/call":
            result = {"content": [{"type": "text", "text": str(message["params"]["arguments"]["n"])}]}
        if "id" in message:
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}) + "\n")
            sys.stdout.flush()
        if method == "tools/call":
            own.append(time.perf_counter() - read)
            if len(own) % CALLS == 0:
                pathlib.Path(notes).write_text(json.dumps(own[-CALLS:]))


def measure(toolgauge, place):
    notes = place / "own.json"
    server = {"command": sys.executable, "args": [str(pathlib.Path(__file__).absolute()), "--serve", str(notes)]}
    calls = [{"name": "it__echo", "arguments": {"n": number}} for number in range(CALLS)]
    (place / "script.json").write_text(json.dumps([{"id": "many", "turns": [{"calls": calls}, {"text": "Done."}]}]))
    expect = {"call": {"tool": "it__echo", "arguments": {"n": 0}}}
    suite = {"name": "calls", "world": {"kind": "mcp", "servers": {"it": server}, "recording": "recording"},
             "solver": "loop", "scorers": ["tool_calls"], "cases": [{"id": "many", "say": "Count.", "expect": expect}]}
    (place / "suite.json").write_text(json.dumps(suite))
    run = [toolgauge, "run", "suite.json", "-m", "script:script.json", "--quiet", "--replay", "live", "--allow-commands"]
    subprocess.run(run, cwd=place, stdout=subprocess.DEVNULL)
    log = zipfile.ZipFile(glob.glob(f"{place}/logs/*.eval")[0])
    sample = json.loads(next(log.read(name) for name in log.namelist() if name.startswith("samples/")))
    times = sample["metadata"]["toolgauge"]["background"]["tool_times"]
    return [call["time"] for call in times], json.loads(notes.read_text())


def main():
    if sys.argv[1] == "--serve":
        return serve(sys.argv[2])
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            taken, own = measure(str(pathlib.Path(sys.argv[1]).absolute()), pathlib.Path(folder))
        # The first call starts the server.
        beside = [(took - its) * 1e6 for took, its in zip(taken[1:], own[1:])]
        lower, median, upper = statistics.quantiles(beside)
        print(f"beside the server's own {statistics.median(own) * 1e6:.0f} µs: "
              f"{min(beside):.0f} µs at least, quartiles {lower:.0f}, {median:.0f} and {upper:.0f} µs")


if __name__ == "__main__":
    main()
