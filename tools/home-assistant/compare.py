#!/usr/bin/env python3
"""Makes the same calls in Home Assistant and in toolgauge, and tells how often they agree.

    compare.py --version 2026.10.4 --toolgauge target/debug/toolgauge --homes 8 --calls 250
    compare.py --version 2026.10.4 --export FOLDER      # tools and prompts of a new version
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import calls
import effects
import homes
from install import install

HERE = Path(__file__).parent
SPOKEN = ("HassGetState", "HassGetWeather", "HassClimateGetTemperature")
NAMES = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?\+00:00"), "<T>"),
    (re.compile(r'"id":"[0-9A-HJKMNP-TV-Z]{26}"'), '"id":"<ID>"'),
    (re.compile(r'"device_id":"[0-9a-z_]+"'), '"device_id":"<DEV>"'),
    (re.compile(r'"time":"(\d\d:\d\d:\d\d)\.\d+"'), r'"time":"\1"'),
]


def main() -> int:
    options = arguments()
    folder = options.folder / options.version
    python = install(options.version, folder)
    profile = options.profile or ("classic" if options.classic else ".".join(options.version.split(".")[:2]))
    sets = []
    for seed in range(options.seed, options.seed + options.homes):
        home = furnished(options, seed)
        record = drive(python, folder, home, seed, options.calls)
        sets.append({"name": f"home-{seed}", **record})
    if options.export:
        return export(options.export, sets)
    tally = Tally(options.show, has_sets(options.version))
    for record in sets:
        if not options.classic:  # its prompt is none of Home Assistant's
            tally.offers(record, offered(options.toolgauge, record["inventory"], profile))
        tally.calls(record, tried(options.toolgauge, record, profile))
    if options.record:
        write(options.record, options.version, sets)
    tally.print()
    return tally.differs()


def furnished(options, seed: int) -> dict:
    home = homes.make(seed) | {"language": options.language, "at_once": options.at_once}
    if options.classic:
        tools = json.loads((HERE / "../../crates/home-assistant/src/data/tools-classic.json").read_text())
        home["classic"] = [tool["name"] for tool in tools]
    return effects.furnish(home, seed) if options.effects else home


def has_sets(version: str) -> bool:
    year, month = map(int, version.split(".")[:2])
    return (year, month) < (2026, 4)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True, help="a version of Home Assistant on PyPI")
    parser.add_argument("--profile", help="toolgauge's profile, if it is not the version's month")
    parser.add_argument("--toolgauge", default="toolgauge", help="the binary")
    parser.add_argument("--homes", type=int, default=4, help="how many homes are made")
    parser.add_argument("--calls", type=int, default=250, help="how many calls are made in each home")
    parser.add_argument("--seed", type=int, default=1, help="the first home; the next ones count on")
    parser.add_argument("--language", default="en", help="the language Home Assistant and its assistant are set to")
    parser.add_argument("--effects", action="store_true", help="give scenes and scripts something to do")
    parser.add_argument("--at-once", action="store_true", help="make several calls in one message")
    parser.add_argument("--classic", action="store_true", help="call the tools of the profile `classic`")
    parser.add_argument("--show", type=int, default=10, help="how many differences are shown")
    parser.add_argument("--record", type=Path, help="write the calls for the tests (.json.gz)")
    parser.add_argument("--export", type=Path, help="write tools and a prompt for a new profile, and stop")
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "toolgauge-compare"
    parser.add_argument("--folder", type=Path, default=default, help="where Home Assistant is installed")
    return parser.parse_args()


def drive(python: Path, folder: Path, home: dict, seed: int, count: int) -> dict:
    """Home Assistant is started twice: what it offers decides which calls are made."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        (scratch / "home.json").write_text(json.dumps(home))
        environment = os.environ | {
            "PYTHONPATH": f"{folder / 'stubs'}:{folder / 'source'}",
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        }

        def run(*more) -> dict:
            command = [python, HERE / "driver.py", scratch / "home.json", scratch / "out.json", *more]
            subprocess.run([*map(str, command)], env=environment, check=True)
            return json.loads((scratch / "out.json").read_text())

        first = run()
        if not count:
            return first
        names = {s: [t["function"]["name"] for t in ts] for s, ts in first["offer"]["tools"].items()}
        (scratch / "calls.json").write_text(json.dumps(calls.make(home, names, seed, count)))
        return run(scratch / "calls.json")


def tried(binary: str, record: dict, profile: str) -> list[dict]:
    with tempfile.NamedTemporaryFile("w", suffix=".json") as inventory:
        json.dump(record["inventory"], inventory, ensure_ascii=False)
        inventory.flush()
        keys = ("tool", "args", "satellite", "continues_previous_state")
        lines = [json.dumps({key: call[key] for key in keys if key in call}) for call in record["calls"]]
        command = [binary, "try", "home-assistant", "--inventory", inventory.name, "--profile", profile]
        return [json.loads(line) for line in output(command, "\n".join(lines)).split("\n") if line.strip()]


def output(command: list[str], given: str | None = None) -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def offered(binary: str, inventory: dict, profile: str) -> dict[str, dict]:
    """The request at each satellite."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "home.json").write_text(json.dumps(inventory, ensure_ascii=False))
        for satellite in inventory["satellites"]:
            world = {"kind": "home_assistant", "inventory": "home.json", "satellite": satellite, "profile": profile}
            suite = {"name": "offer", "version": "1", "description": "x", "world": world,
                     "cases": [{"id": "a", "say": "hello"}]}
            (folder / "suite.yaml").write_text(json.dumps(suite))
            found[satellite] = json.loads(output([binary, "-q", "prompt", str(folder)]))
    return found


def comparable(value) -> str:
    """JSON without what no two runs share."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for pattern, name in NAMES:
        text = pattern.sub(name, text)
    return text


def any_order(text: str) -> str:
    """A text of Home Assistant before 2026.4, with sets in one order. Aliases and device classes were
    sets then, which Python lists in an order that differs from start to start. Failed matches print
    the registry entry of the area, too, which toolgauge leaves out."""

    def line(found: re.Match) -> str:
        plain = re.sub(r"\s+", " ", found[2].strip())
        if plain[:1] in "'\"" and plain[-1:] == plain[:1]:
            plain = plain[1:-1].replace("''", "'")
        return f"{found[1]}: {', '.join(sorted(plain.split(', ')))}"

    listed = lambda found: ", ".join(sorted(found.split(", ")))
    text = re.sub(r"(names|areas): (.*?)(?=\n- names|\n  \w+:|\n?$)", line, text, flags=re.S)
    text = re.sub(r"areas=\[AreaEntry\(.*?_cache=\{\}\)\]", "areas=[]", text)
    text = re.sub(r"floors=\[FloorEntry\(.*?level=None\)\]", "floors=[]", text)
    text = re.sub(r"=\{([^{}]*)\}", lambda found: f"={{{listed(found[1])}}}", text)
    return re.sub(r'"enum": \[([^\]]*)\]', lambda found: f'"enum": [{listed(found[1])}]', text)


def chosen(answer, has_sets: bool = False) -> str:
    """An answer with what is left to chance in one order: which targets are named as failed."""
    answer = json.loads(comparable(answer))
    if has_sets and isinstance(answer, dict):
        for key in ("error_text", "result"):
            if isinstance(answer.get(key), str):
                answer[key] = any_order(answer[key])
    body = answer.get("data", answer) if isinstance(answer, dict) else answer
    targets = body.get("data") if isinstance(body, dict) else None
    if isinstance(targets, dict) and "failed" in targets:
        every = sorted(json.dumps(target) for target in targets["success"] + targets["failed"])
        body["data"] = {"targets": every, "failed": len(targets["failed"])}
    elif isinstance(body, dict) and "Failed to call" in body.get("error_text", ""):
        body["error_text"] = sorted(re.findall(r"'([^']+)'", body["error_text"]))
    return json.dumps(answer)


def unspoken(tool: str, answer):
    """An answer without the states in words that toolgauge adds for the profile `classic`."""
    return {**answer, "speech": {}} if tool in SPOKEN and "speech" in answer else answer


def left_to_chance(calls: list[dict]) -> list[bool]:
    """Of each call, whether what it changes depends on how long devices take: it starts several scenes
    or scripts side by side, or goes on after a call that did."""
    found, loose = [], False
    for call in calls:
        started = set(re.findall(r"[\"'](?:scene|script)\.\w+", json.dumps(call.get("answer"))))
        several = call["tool"].endswith("HassTurnOn") and len(started) > 1
        loose = several or (loose and call.get("continues_previous_state", False))
        found.append(loose)
    return found


def merged(earlier: dict, later: dict) -> dict:
    """What two calls changed together."""
    found = {id: dict(changed) for id, changed in earlier.items()}
    for id, changed in later.items():
        thing = found.setdefault(id, {})
        for name, (before, after) in changed.items():
            thing[name] = [thing.get(name, [before])[0], after]
    differ = {id: {n: both for n, both in thing.items() if both[0] != both[1]} for id, thing in found.items()}
    return {id: thing for id, thing in differ.items() if thing}


class Tally:
    def __init__(self, show: int, has_sets: bool = False):
        self.show, self.counts, self.has_sets = show, {}, has_sets

    def count(self, what: str, equal: bool, *told) -> None:
        right, all = self.counts.get(what, (0, 0))
        self.counts[what] = (right + equal, all + 1)
        if not equal and self.show > 0:
            self.show -= 1
            print(f"{what} differs:", *told, sep="\n  ")

    def offers(self, record: dict, ours: dict) -> None:
        for satellite, request in ours.items():
            theirs = record["offer"]
            where = f"{record['name']} {satellite}"
            pair = [[r["messages"][0]["content"], json.dumps(r["tools"]).replace('["down", "up"]', '["up", "down"]')]
                    for r in (request, {"messages": [{"content": theirs["prompts"][satellite]}], "tools": theirs["tools"][satellite]})]
            if self.has_sets:  # tools came in the order in which integrations were loaded
                pair = [[any_order(prompt), any_order(json.dumps(sorted(json.loads(tools), key=json.dumps)))]
                        for prompt, tools in pair]
            for at, what in enumerate(("prompts", "tools")):
                self.count(what, pair[0][at] == pair[1][at], where)

    def calls(self, record: dict, ours: list[dict]) -> None:
        since = {}
        for call, our, chance in zip(record["calls"], ours, left_to_chance(record["calls"]), strict=True):
            told = f"{record['name']} {call['satellite']} {call['tool']} {json.dumps(call['args'], ensure_ascii=False)}"
            since = merged(since if call.get("at_once") else {}, our["state_changes"])
            if "answer" not in call:
                self.count("ended turns", our.get("ends_turn", False), told, call["ends_turn"])
                continue
            message = our["tool_message_content"]
            pair = [chosen(unspoken(call["tool"], answer), self.has_sets) for answer in (message, call["answer"])]
            self.count("messages", pair[0] == pair[1], told, comparable(call["answer"])[:600], comparable(message)[:600])
            self.count("error flags", message.get("error") == call["answer"].get("error") or ("error" in message) == ("error" in call["answer"]) and "data" not in message, told)
            if "changes" in call and not chance:
                changed = comparable(since), comparable(call["changes"])
                self.count("states", json.loads(changed[0]) == json.loads(changed[1]), told, changed[1][:600], changed[0][:600])

    def print(self) -> None:
        for what, (right, all) in self.counts.items():
            print(f"{what}: {right} of {all} ({100 * right / all:.2f} %)")

    def differs(self) -> int:
        return int(any(right < all for right, all in self.counts.values()))


def write(path: Path, version: str, sets: list[dict]) -> None:
    for record in sets:
        chances = left_to_chance(record["calls"])
        record["calls"] = [json.loads(comparable(call | {"chance": True} if chance else call))
                           for call, chance in zip(record["calls"], chances, strict=True)]
    text = json.dumps({"home_assistant": version, "sets": sets}, ensure_ascii=False, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def export(folder: Path, sets: list[dict]) -> int:
    """The tools of all homes, each once and in the order they are sent, and the longest prompt."""
    folder.mkdir(parents=True, exist_ok=True)
    tools, prompt = {}, ""
    for record in sets:
        for satellite, offered in record["offer"]["tools"].items():
            prompt = max(prompt, record["offer"]["prompts"][satellite], key=len)
            for tool in offered:
                function = tool["function"]
                if not function["name"].startswith("script__"):
                    tools.setdefault(function["name"], function)
    lines = [json.dumps(tools[name], ensure_ascii=False, separators=(",", ":")) for name in tools]
    (folder / "tools.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    (folder / "prompt.txt").write_text(prompt)
    print(f"{len(lines)} tools and a prompt are in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
