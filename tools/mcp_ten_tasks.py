#!/usr/bin/env python3
"""Ten tasks with a real MCP server in promptfoo and in toolgauge, side by side.

    tools/mcp_ten_tasks.py TOOLGAUGE PROMPTFOO FILESYSTEM_SERVER

TOOLGAUGE must have the feature `mcp`. Behind both is the same model: a script by `toolgauge serve`. It
carries out seven tasks rightly; three are wrong on purpose. Prints lines of configuration, seconds, and
which of the three each finds. docs/coming-from.md has the figures.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

W = "/workspace"
# Request, then the calls that the model makes, one turn for each.
TASKS = {
    "read": ("What is in todo.txt?", [("read_text_file", {"path": f"{W}/todo.txt"})]),
    "write": ("Write milk to list.txt.", [("write_file", {"path": f"{W}/list.txt", "content": "milk"})]),
    "move": ("Rename a.txt to b.txt.", [("move_file", {"source": f"{W}/a.txt", "destination": f"{W}/b.txt"})]),
    "folder": ("Make a folder named old.", [("create_directory", {"path": f"{W}/old"})]),
    "list": ("Which files are there?", [("list_directory", {"path": W})]),
    "info": ("How large is todo.txt?", [("get_file_info", {"path": f"{W}/todo.txt"})]),
    "copy": ("Copy todo.txt to copy.txt.", [("read_text_file", {"path": f"{W}/todo.txt"}),
                                            ("write_file", {"path": f"{W}/copy.txt", "content": "Call Ada.\n"})]),
    # Wrong on purpose: another text, another file as well, and a second step that is left out.
    "wrong-text": ("Write bread to bread.txt.", [("write_file", {"path": f"{W}/bread.txt", "content": "bred"})]),
    "damage": ("Write eggs to eggs.txt.", [("write_file", {"path": f"{W}/eggs.txt", "content": "eggs"}),
                                           ("write_file", {"path": f"{W}/todo.txt", "content": ""})]),
    "half": ("Copy todo.txt to half.txt.", [("read_text_file", {"path": f"{W}/todo.txt"})]),
}
RIGHT = {
    "wrong-text": [("write_file", {"path": f"{W}/bread.txt", "content": "bread"})],
    "damage": [("write_file", {"path": f"{W}/eggs.txt", "content": "eggs"})],
    "half": [("read_text_file", {"path": f"{W}/todo.txt"}),
             ("write_file", {"path": f"{W}/half.txt", "content": "Call Ada.\n"})],
}
READING = {"read", "list", "info"}


def expected(name):
    return RIGHT.get(name, TASKS[name][1])


def notes(folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "todo.txt").write_text("Call Ada.\n")
    (folder / "a.txt").write_text("a\n")


def script(path, folder, prefix):
    """What the model says, with the paths and names of whoever asks."""
    at = lambda arguments: json.loads(json.dumps(arguments).replace(W, str(folder)))
    lines = []
    for request, calls in TASKS.values():
        turns = [{"calls": [{"name": prefix + tool, "arguments": at(given)}]} for tool, given in calls]
        lines.append(json.dumps({"request": request, "turns": [*turns, {"text": "Done."}]}))
    path.write_text("\n".join(lines))


def promptfoo_files(home, port, server):
    notes(home / "work")
    script(home / "script.ndjson", home / "work", "")
    lines = ["prompts: ['{{request}}']", "providers:", "  - id: openai:chat:script", "    config:",
             f"      apiBaseUrl: http://127.0.0.1:{port}/v1", "      apiKey: none", "      mcp:",
             "        enabled: true",
             f"        server: {{name: files, command: {server}, args: [{home / 'work'}]}}",
             "defaultTest:", "  assert:", "    - type: javascript", "      value: |",
             "        const calls = context.providerResponse.metadata?.toolCalls || [];",
             "        return JSON.stringify(calls.map((c) => [c.name, c.input])) === context.vars.calls;", "tests:"]
    for name in TASKS:
        calls = json.dumps([[tool, given] for tool, given in expected(name)], separators=(",", ":"))
        calls = calls.replace(W, str(home / "work"))
        lines.append(f"  - vars: {{request: {json.dumps(TASKS[name][0])}, calls: {json.dumps(calls)}}}")
    (home / "promptfooconfig.yaml").write_text("\n".join(lines) + "\n")
    return len(lines)


def toolgauge_files(home, server):
    notes(home / "desk/notes")
    script(home / "script.ndjson", W, "")
    lines = ["name: desk", "world:", "  kind: mcp", "  names: plain",
             f"  servers: {{files: {{command: {server}, args: ['${{WORK}}']}}}}", "  setups: {notes: {copy: notes}}",
             "  state: {files: .}", "  recording: recording", "solver: loop", "scorers: [end_state, tool_calls]", "cases:"]
    for name in TASKS:
        kind = "query" if name in READING else "action"
        calls = json.dumps([{"tool": tool, "arguments": given} for tool, given in expected(name)])
        lines += [f"  - id: {name}", f"    say: {json.dumps(TASKS[name][0])}",
                  f"    expect: {{response: {kind}, calls: {calls}}}"]
    (home / "desk/suite.yaml").write_text("\n".join(lines) + "\n")
    return len(lines)


def timed(command, home, env=None):
    """Wall clock and processor time of a command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    done = subprocess.run(command, cwd=home, env={**os.environ, **(env or {})}, capture_output=True, text=True)
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used, done


def failed_in_promptfoo(home):
    results = json.loads((home / "results.json").read_text())["results"]["results"]
    by_request = {request: name for name, (request, _) in TASKS.items()}
    return sorted(by_request[it["vars"]["request"]] for it in results if not it["success"])


def failed_in_toolgauge(printed):
    """The cases that the short summary lists as failed."""
    rows = [line.split() for line in printed.splitlines()]
    return sorted(row[1] for row in rows if row[:1] == ["fail"])


def main():
    toolgauge, promptfoo, server = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:4])
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = pathlib.Path(folder, "promptfoo"), pathlib.Path(folder, "toolgauge")
        theirs.mkdir(), ours.mkdir()
        ports = {}
        print("lines:", promptfoo_files(theirs, 0, server), "promptfoo,", toolgauge_files(ours, server), "toolgauge")
        serving = []
        for home in (theirs, ours):
            serve = subprocess.Popen([toolgauge, "serve", "--port", "0", "--script", home / "script.ndjson"],
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            serving.append(serve)
            ports[home] = serve.stdout.readline().split(":")[-1].strip()
        try:
            promptfoo_files(theirs, ports[theirs], server)
            quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1",
                     "PROMPTFOO_CONFIG_DIR": str(theirs / "config")}
            address = f"http://127.0.0.1:{ports[ours]}/v1"
            run = [toolgauge, "run", "desk", "-m", "script", "--any-model", "--base-url", address, "--quiet"]
            live = ["--replay", "live", "--allow-commands"]
            check = timed([toolgauge, "check", "desk", *live], ours)
            print(f"toolgauge, recording once: {check[0]:.2f} s, {check[1]:.2f} s of processor, {check[2].returncode}")
            for _ in range(3):
                notes(theirs / "work")
                seconds, used, _ = timed([promptfoo, "eval", "--no-cache", "-j", "1", "-o", "results.json"], theirs, quiet)
                print(f"promptfoo {seconds:.2f} s, {used:.2f} s of processor, failed: {failed_in_promptfoo(theirs)}")
                for way, flags in (("live", live), ("recorded", [])):
                    seconds, used, done = timed([*run, *flags], ours)
                    failed = failed_in_toolgauge(done.stdout)
                    print(f"toolgauge {way} {seconds:.2f} s, {used:.2f} s of processor, failed: {failed}")
        finally:
            for serve in serving:
                serve.terminate()


if __name__ == "__main__":
    main()
