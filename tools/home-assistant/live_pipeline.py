#!/usr/bin/env python3
"""Puts a suite to the real pipeline of a running Home Assistant and to the simulator.

    live_pipeline.py --version 2026.10.4 --toolgauge target/debug/toolgauge --homes 4

For each home: `toolgauge home import` and `generate --home`, then two runs of its cases. In one
`toolgauge run -m home-assistant:URL` asks an agent of Home Assistant, which asks a model; in the
other toolgauge asks the same model and plays Home Assistant itself. The model is `toolgauge serve`
with a script: for every case an accepted answer, for every third one a wrong one in addition. All
that both runs tell is compared, trial by trial.

`--record FILE.json.gz` writes all messages of a run in a small home, which a test replays.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from compare import Tally, chosen, comparable
from install import install
from live_import import HERE, free_port, furnished

WRONG = {"name": "intent__HassTurnOn", "arguments": {"name": "no such thing"}}


def main() -> int:
    options = arguments()
    folder = options.folder / options.version
    python = options.python or install(options.version, folder)
    path = options.path or f"{folder / 'stubs'}:{folder / 'source'}"
    if options.record:
        return record(options, [python, path, folder])
    tally = Tally(options.show)
    for seed in range(options.seed, options.seed + options.homes):
        home = furnished(seed)
        if any(entity.get("exposed", True) for entity in home["entities"]):
            with tempfile.TemporaryDirectory() as scratch:
                check(home, seed, options, [python, path, folder], Path(scratch), tally)
    tally.print()
    return tally.differs()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", default="2026.10.4", help="a version of Home Assistant on PyPI")
    parser.add_argument("--toolgauge", default="toolgauge", help="the binary")
    parser.add_argument("--homes", type=int, default=4, help="how many homes are made")
    parser.add_argument("--cases", type=int, default=40, help="how many cases are made for each home")
    parser.add_argument("--seed", type=int, default=1, help="the first home; the next ones count on")
    parser.add_argument("--show", type=int, default=10, help="how many differences are shown")
    parser.add_argument("--record", type=Path, help="write the messages of a run for the tests (.json.gz), and stop")
    parser.add_argument("--python", type=Path, help="a Python that has all packages, in place of an installation")
    parser.add_argument("--path", help="its PYTHONPATH")
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "toolgauge-compare"
    parser.add_argument("--folder", type=Path, default=default, help="where Home Assistant is installed")
    return parser.parse_args()


def check(home: dict, seed: int, options, installed: list, scratch: Path, tally: Tally) -> None:
    with Running(home, options, installed, scratch) as running:
        running.toolgauge("home", "import", "--url", running.url, "-o", "my-home")
        tell_timers(scratch / "my-home/home.yaml", home["satellites"])
        running.toolgauge("generate", "--home", "my-home", "--count", options.cases)
        agent, model = running.add_agent(script(scratch / "my-home/cases.yaml"))
        running.toolgauge("run", "my-home", "-m", f"home-assistant:{running.url}", "--agent", agent, "--log-dir", "real")
        running.toolgauge("run", "my-home", "-m", "any", "--any-model", "--base-url", model, "--log-dir", "simulated")
        compare(scratch, f"home {seed}", tally)


def tell_timers(file: Path, satellites: dict) -> None:
    """Writes which satellites run timers into an imported home, the one thing that no read tells."""
    without = [f'  "Satellite {name}":' for name, told in satellites.items() if told and not told.get("supports_timers")]
    adapted = lambda line: line.replace('"supports_timers":true', '"supports_timers":false')
    lines = file.read_text().split("\n")
    file.write_text("\n".join(adapted(line) if line.startswith(tuple(without)) else line for line in lines))


class Running:
    """A Home Assistant with a home, and what else is started beside it."""

    def __init__(self, home: dict, options, installed: list, scratch: Path):
        python, path, folder = installed
        (scratch / "home.json").write_text(json.dumps(home))
        (scratch / "config").mkdir()
        self.binary, self.python, self.scratch = options.toolgauge, python, scratch
        self.environment = os.environ | {"PYTHONPATH": path, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        command = [python, HERE / "live.py", scratch / "home.json", scratch / "config", free_port()]
        self.home = self.start(*command, env=self.environment, stdin=subprocess.PIPE)
        self.others = []

    def __enter__(self):
        told = json.loads(self.home.stdout.readline())
        self.url, self.token = told["url"], told["token"]
        return self

    def __exit__(self, *_) -> None:
        for other in self.others:
            other.terminate()
            other.wait()
        self.home.stdin.close()
        self.home.wait()

    def start(self, *command, **more) -> subprocess.Popen:
        return subprocess.Popen([*map(str, command)], cwd=self.scratch, stdout=subprocess.PIPE, text=True, **more)

    def beside(self, *command, **more) -> None:
        """Starts a server that prints a line when it is ready."""
        self.others.append(self.start(*command, stderr=subprocess.DEVNULL, **more))
        self.others[-1].stdout.readline()

    def toolgauge(self, *more) -> None:
        call(self.binary, self.token, self.scratch, *more)

    def add_agent(self, script: str) -> tuple[str, str]:
        """An agent whose model answers by a script: its name, and the address of the model."""
        (self.scratch / "script.jsonl").write_text(script)
        port = free_port()
        self.beside(self.binary, "serve", "--port", port, "--script", "script.jsonl")
        model = f"http://127.0.0.1:{port}/v1"
        self.home.stdin.write(f"agent {model}\n")
        self.home.stdin.flush()
        return json.loads(self.home.stdout.readline())["agent"], model


RECORDED_HOME = {
    "floors": [], "scripts": {},
    "areas": [{"name": "Kitchen", "aliases": []}, {"name": "Hall", "aliases": ["entrance"]}],
    "satellites": {"kitchen": {"area": "Kitchen", "supports_timers": True}},
    "devices": [],
    "entities": [
        {"id": "light.lamp", "name": "Lamp", "area": "Kitchen", "settings": {"modes": ["brightness"], "on": False}},
        {"id": "lock.front_door", "name": "Front door", "area": "Hall", "settings": {}},
        {"id": "cover.blind", "name": "Blind", "area": "Kitchen", "settings": {"position": 100, "closed": False, "features": 15}},
        {"id": "sensor.outside", "name": "Outside", "settings": {"value": 7.5, "unit": "°C", "device_class": "temperature"}},
        {"id": "todo.shopping", "name": "Shopping", "settings": {"items": ["Milk"]}},
    ],
}

RECORDED_SUITE = """name: recorded
version: "1"
description: Commands that were put to a real Home Assistant
world: {kind: home_assistant, profile: "2026.10", inventory: home.yaml, satellite: Satellite kitchen}
solver: {kind: loop, max_turns: 10}
scorers: [end_state, tool_calls]
latency_budget: 3
cases:
- {id: lamp, say: turn on the lamp, expect: {calls: [{tool: intent__HassTurnOn, arguments: {name: Lamp}}], response: action}}
- id: blind
  say: blind to half and lamp off
  metadata: {setup: {light.lamp: {state: "on", brightness: 128}}}
  expect:
    calls:
    - {tool: intent__HassSetPosition, arguments: {name: Blind, position: 50}}
    - {tool: intent__HassTurnOff, arguments: {name: Lamp}}
    response: action
- id: outside
  say: how warm is it outside
  metadata: {setup: {sensor.outside: "23.5"}}
  expect: {calls: [{tool: homeassistant__GetLiveContext, arguments: {}}], response: query, more: {end_state: {says: [["23.5"]]}}}
- {id: claimed, say: lock the front door, expect: {calls: [{tool: intent__HassTurnOn, arguments: {name: Front door}}], response: action}}
- {id: shopping, say: put eggs on the list, expect: {calls: [{tool: todo__HassListAddItem, arguments: {item: Eggs, name: Shopping}}], response: action}}
- {id: broken, say: do something broken, expect: {no_calls: true, response: text}}
"""


def record(options, installed: list) -> int:
    """Writes all messages of a run: right commands, a claim that is not true, a turn that breaks off."""
    turn = lambda *calls, text="Done.": [{"calls": [{"name": n, "arguments": a} for n, a in calls]}, {"text": text}]
    says = {
        "turn on the lamp": turn(("intent__HassTurnOn", {"name": "Lamp"})),
        "blind to half and lamp off": turn(("intent__HassSetPosition", {"name": "Blind", "position": 50}),
                                           ("intent__HassTurnOff", {"name": "Lamp"})),
        "how warm is it outside": turn(("homeassistant__GetLiveContext", {}), text="It is 23.5 degrees outside."),
        "lock the front door": turn(("intent__HassTurnOn", {"name": "Fridge"}), text="The front door is locked."),
        "put eggs on the list": turn(("todo__HassListAddItem", {"item": "Eggs", "name": "Shopping"})),
        "do something broken": turn(("intent__HassTurnOn", "{not JSON")),
    }
    lines = [{"request": said, "turns": turns} for said, turns in says.items()] + [{"text": "Well."}]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        with Running(RECORDED_HOME, options, installed, scratch) as running:
            running.toolgauge("home", "import", "--url", running.url, "-o", "my-home")
            (scratch / "my-home/suite.yaml").write_text(RECORDED_SUITE)
            agent, _ = running.add_agent("\n".join(map(json.dumps, lines)))
            port = free_port()
            running.beside(running.python, HERE / "recorder.py", port, running.url, scratch / "messages.jsonl",
                           env=running.environment)
            running.toolgauge("run", "my-home", "-m", f"home-assistant:http://127.0.0.1:{port}", "--agent", agent)
        files = {name: (scratch / "my-home" / name).read_text() for name in ("home.yaml", "suite.yaml")}
        messages = [json.loads(line) for line in (scratch / "messages.jsonl").read_text().splitlines()]
    text = json.dumps({"agent": agent, "files": files, "messages": messages}, ensure_ascii=False)
    options.record.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(messages)} messages are in {options.record}")
    return 0


def call(binary: str, token: str, folder: Path, *more) -> None:
    command = [binary, "-q", *map(str, more)]
    done = subprocess.run(command, env=os.environ | {"HASS_TOKEN": token}, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")


def script(cases: Path) -> str:
    """What the model says: the accepted calls of each case, and then that it is done."""
    lines = []
    for number, line in enumerate(cases.read_text().splitlines()):
        if line.startswith("#"):
            continue
        case = json.loads(line.removeprefix("- "))
        calls = [{"name": c["tool"], "arguments": accepted(c["arguments"])} for c in case["expect"].get("calls", [])]
        if number % 3 == 0:
            calls = [WRONG, *calls]
        turns = [{"calls": calls}] if calls else []
        lines.append({"request": case["say"], "turns": [*turns, {"text": "Done."}]})
    # What is said before the last message of a case, and what Home Assistant asks to try the model.
    lines.append({"text": "Well."})
    return "\n".join(map(json.dumps, lines))


def accepted(arguments: dict) -> dict:
    """Arguments that the rules of a case accept."""
    found = {}
    for name, value in arguments.items():
        if isinstance(value, dict) and value.keys() & {"$forbidden", "$optional"}:
            continue
        if isinstance(value, dict):
            value = value["$any_of"][0] if "$any_of" in value else value.get("$number", value)
        found[name] = value
    return found


def trials(folder: Path) -> dict[str, dict]:
    (log,) = folder.glob("*.eval")
    with zipfile.ZipFile(log) as archive:
        names = [name for name in archive.namelist() if name.startswith("samples/")]
        samples = [json.loads(archive.read(name)) for name in names]
    return {sample["id"]: sample for sample in samples}


def compare(scratch: Path, where: str, tally: Tally) -> None:
    real, simulated = trials(scratch / "real"), trials(scratch / "simulated")
    tally.count("trials", real.keys() == simulated.keys(), where)
    for id in real.keys() & simulated.keys():
        told = f"{where} {id}"
        both = [[comparable(message) for message in messages(sample)] for sample in (real[id], simulated[id])]
        other = [pair for pair in zip(*both) if pair[0] != pair[1]]
        tally.count("calls and answers", both[0] == both[1], told, *(text[:900] for pair in other for text in pair))
        odd = json.dumps(real[id])
        tally.count("prompts", "other_prompt" not in odd, told)
        tally.count("effects", "other_effect" not in odd, told, odd[odd.find('"observed"'):][:900])
        scores = [json.dumps({name: s.get("value") for name, s in sample["scores"].items()}) for sample in (real[id], simulated[id])]
        tally.count("scores", scores[0] == scores[1], told, *scores)


def messages(sample: dict) -> list:
    """What was called and answered, without what is left to chance or to the clock."""
    found = []
    for message in sample["messages"]:
        if message["role"] == "tool" and "GetDateTime" in (message.get("function") or ""):
            continue
        if message["role"] == "tool":
            message["content"] = chosen(json.loads(message["content"]))
        found.append({key: message.get(key) for key in ("role", "content", "tool_calls", "function")})
    return found


if __name__ == "__main__":
    sys.exit(main())
