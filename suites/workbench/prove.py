#!/usr/bin/env python3
"""Proves the suite on the real servers, with the official client of the protocol.

Every expected answer, every alternative, every other right way and every wrong way of every case is
carried out by the four servers in a fresh folder, and the end states are compared:

* an expected answer and its alternatives do not fail; they change something if the case asks for
  an act, and nothing otherwise;
* another right way (`metadata.also`) ends as the expected answer does;
* a wrong way (`metadata.wrong`) ends otherwise, or says something else than the expected answer.

If there is a recording, the same calls are followed through it, and it must answer as the servers
do. What is said is judged by toolgauge itself: `--script` writes the ways as scripts for it.

    prove.py                                  # all cases
    prove.py file-thursday git-unstage        # some of them
    prove.py --script scripts                 # writes scripts/{right,also,wrong}.ndjson and stops
"""

import argparse
import asyncio
import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
SUITE = yaml.safe_load((HERE / "suite.yaml").read_text())
WORLD = SUITE["world"]
SERVERS = WORLD["servers"]
# The one server that reports its errors as if they were answers.
PLAIN_ERRORS = re.compile(r"(Database error|Error): ")


def cases():
    for file in sorted((HERE / "cases").glob("*.yaml")):
        yield from yaml.safe_load(file.read_text())


# Ways


def example(pattern):
    """The first value that a pattern accepts; None if it names none."""
    if isinstance(pattern, list):
        return [example(item) for item in pattern]
    if not isinstance(pattern, dict):
        return pattern
    if "$any_of" in pattern:
        return next(value for value in map(example, pattern["$any_of"]) if value is not None)
    if "$set" in pattern:
        return example(pattern["$set"])
    if any(key.startswith("$") for key in pattern):
        return None
    return {key: example(value) for key, value in pattern.items()}


def calls_of(expected):
    calls = expected.get("calls") or ([expected["call"]] if "call" in expected else [])
    return [{"tool": call["tool"], "arguments": example(call["arguments"])} for call in calls]


def ways(case):
    """All ways of a case: what they are, their calls, and what is said then."""
    expect, about = case["expect"], case["metadata"]
    says = about.get("says") or expect.get("answer", {}).get("reference") or "Done."
    yield "right", calls_of(expect), says
    for other in expect.get("alternatives", []):
        yield "alternative", calls_of(other), says
    for kind in ("also", "wrong"):
        if kind in about:
            yield kind, about[kind]["calls"], about[kind].get("says", says)


def write_scripts(folder):
    """The ways as scripts: what a subject would call and say, turn by turn."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = {"right": [], "also": [], "wrong": []}
    for case in cases():
        for kind, calls, says in ways(case):
            if kind in lines:
                made = [{"name": call["tool"], "arguments": call["arguments"]} for call in calls]
                turns = [{"calls": [call]} for call in made]
                lines[kind].append({"id": case["id"], "turns": [*turns, {"text": says}]})
    for kind, entries in lines.items():
        text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
        (folder / f"{kind}.ndjson").write_text(text)


# Folders and what is in them


def prepare(setup, folder):
    """Makes the folder of a setup, as a trial finds it."""
    shutil.copytree(HERE / setup["copy"], folder)
    for name, script in setup["sql"].items():
        with sqlite3.connect(folder / name) as database:
            database.executescript((HERE / script).read_text())
        database.close()
    for line in setup["run"]:
        env = {"PATH": os.environ["PATH"], **WORLD["env"]}
        subprocess.run(shlex.split(line), cwd=folder, env=env, check=True)


def fill(work, prepared):
    """Empties the folder and fills it again. It stays, for servers remember where they are."""
    for entry in work.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    shutil.copytree(prepared, work, symlinks=True, dirs_exist_ok=True)


def look(work):
    """Everything that counts: files, rows, what is remembered, and the repository."""
    state = {}
    for root in WORLD["state"]["files"]:
        for path in sorted((work / root).rglob("*")):
            name = path.relative_to(work)
            if ".git" not in name.parts:
                state[f"file {name}"] = "(a folder)" if path.is_dir() else path.read_text()
    memory = (work / WORLD["state"]["lines"]).read_text().splitlines()
    state["memory"] = sorted(json.dumps(json.loads(line), sort_keys=True) for line in memory if line)
    database = sqlite3.connect(work / WORLD["state"]["sqlite"])
    tables = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    for name, sql in tables:
        state[f"table {name}"] = [sql, sorted(map(repr, database.execute(f"SELECT * FROM {name}")))]
    database.close()
    state |= look_at_repository(work / WORLD["state"]["git"])
    return state


def look_at_repository(folder):
    def git(*words):
        env = {"PATH": os.environ["PATH"], **WORLD["env"]}
        done = subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True)
        return done.stdout.decode().splitlines()

    branches = git("for-each-ref", "refs/heads", "--format=%(refname:short)")
    return {
        "git branch": git("rev-parse", "--abbrev-ref", "HEAD"),
        "git index": git("ls-files", "--stage"),
        "git status": git("status", "--porcelain"),
        **{f"git {branch}": git("log", "--format=%s %T", branch, "--") for branch in branches},
    }


# Servers


class Bench:
    """The four servers over one folder."""

    def __init__(self, work):
        self.work = work
        self.clients = {}

    async def start(self, stack):
        from mcp import Client, StdioServerParameters

        for name, server in SERVERS.items():
            real = lambda text: text.replace("${WORK}", str(self.work))
            env = {"PATH": os.environ["PATH"], **WORLD["env"], **server.get("env", {})}
            parameters = StdioServerParameters(
                command=server["command"],
                args=[real(word) for word in server.get("args", [])],
                env={key: real(value) for key, value in env.items()},
                cwd=self.work,
            )
            self.clients[name] = await stack.enter_async_context(Client(parameters))

    async def call(self, tool, arguments):
        """What a tool answers, and whether it failed; with the folder as the suite names it."""
        shown, real = WORLD["workspace"], str(self.work)
        arguments = json.loads(json.dumps(arguments).replace(shown, real))
        server, name = tool.split("__")
        result = await self.clients[server].call_tool(name, arguments)
        text = "\n".join(block.text for block in result.content)
        for mask in WORLD["mask"]:
            text = re.sub(mask["pattern"], re.sub(r"\$(\d)", r"\\\1", mask["with"]), text)
        return text.replace(real, shown), bool(result.is_error)


class Recording:
    """What was recorded: in this state, to this call, this answer and the next state."""

    def __init__(self, folder):
        lines = lambda name: map(json.loads, (folder / name).read_text().splitlines())
        key = lambda call: json.dumps([call["in"], call["tool"], call["arguments"]], sort_keys=True)
        self.starts = {s["setup"]: s["state"] for s in lines("states.ndjson") if "made_of" in s}
        self.calls = {key(call): call for call in lines("calls.ndjson")}

    def follow(self, state, tool, arguments):
        return self.calls.get(json.dumps([state, tool, arguments], sort_keys=True))


# The proof


async def play(bench, recording, setup, calls):
    """Carries out calls; gives the first failure and what the recording answers otherwise."""
    failure, unlike = None, []
    state = recording and recording.starts[setup]
    for call in calls:
        text, failed = await bench.call(call["tool"], call["arguments"])
        if (failed or PLAIN_ERRORS.match(text)) and failure is None:
            failure = f"{call['tool']}: {text}"
        if recording:
            recorded = recording.follow(state, call["tool"], call["arguments"])
            if recorded is None:
                return failure, [*unlike, f"{call['tool']} is not recorded in {state}"]
            told = recorded["reply"]
            if (told, recorded.get("failed", False)) != (text, failed):
                unlike.append(f"{call['tool']} answers {text!r}, recorded was {told!r}")
            state = recorded.get("to", state)
    return failure, unlike


async def prove(case, bench, recording, prepared):
    """What is wrong with the ways of a case."""
    setup = case["metadata"].get("setup", next(iter(WORLD["setups"])))
    response = case["expect"]["response"]
    ends, complaints = [], []
    said = None
    for kind, calls, says in ways(case):
        fill(bench.work, prepared[setup])
        before = look(bench.work)
        failure, unlike = await play(bench, recording, setup, calls)
        after = look(bench.work)
        complaints += unlike
        if kind in ("right", "alternative"):
            ends.append(after)
            said = said or says
            if failure:
                complaints.append(f"{kind} fails at {failure}")
            if (before != after) != (response == "action"):
                complaints.append(f"{kind} changes {'something' if before != after else 'nothing'}")
        elif kind == "also" and after not in ends:
            complaints.append("also ends otherwise")
        elif kind == "wrong" and after in ends and says == said:
            complaints.append("wrong ends as a right way does, and says the same")
    return complaints


async def main():
    parser = argparse.ArgumentParser(description="Proves the suite on the real servers.")
    parser.add_argument("case", nargs="*", help="only these cases")
    parser.add_argument("--script", type=Path, help="write the ways into this folder and stop")
    options = parser.parse_args()
    if options.script:
        return write_scripts(options.script)
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        folder = Path(folder).resolve()
        prepared = {name: folder / name for name in WORLD["setups"]}
        for name, setup in WORLD["setups"].items():
            prepare(setup, prepared[name])
        bench = Bench(folder / "work")
        shutil.copytree(prepared["busy"], bench.work)
        async with AsyncExitStack() as stack:
            await bench.start(stack)
            recording = HERE / WORLD["recording"]
            recording = Recording(recording) if recording.exists() else None
            count, wrong = 0, 0
            for case in cases():
                if options.case and case["id"] not in options.case:
                    continue
                complaints = await prove(case, bench, recording, prepared)
                count, wrong = count + 1, wrong + bool(complaints)
                for complaint in complaints:
                    print(f"{case['id']}: {complaint}")
            beside = "and recorded alike" if recording else "without a recording to compare"
            print(f"{count - wrong} of {count} cases proved, {beside}")
            return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
