#!/usr/bin/env python3
"""Imports homes from a running Home Assistant and holds them against what it sends a model.

    live_import.py --version 2026.10.4 --toolgauge target/debug/toolgauge --homes 16

For each home: `toolgauge home import` over the WebSocket API, as an administrator and as somebody
who is none; then the prompt and the tools at every satellite beside Home Assistant's own. Home
Assistant watches all its events and states meanwhile: an import must leave none.
"""

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import homes
from compare import Tally, output
from install import install

HERE = Path(__file__).parent


def main() -> int:
    options = arguments()
    folder = options.folder / options.version
    python = options.python or install(options.version, folder)
    path = options.path or f"{folder / 'stubs'}:{folder / 'source'}"
    tally = Tally(options.show)
    for seed in range(options.seed, options.seed + options.homes):
        home = furnished(seed)
        if any(entity.get("exposed", True) for entity in home["entities"]):
            check(home, seed, options, python, path, folder, tally)
    tally.print()
    return tally.differs()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", default="2026.10.4", help="a version of Home Assistant on PyPI")
    parser.add_argument("--toolgauge", default="toolgauge", help="the binary")
    parser.add_argument("--homes", type=int, default=4, help="how many homes are made")
    parser.add_argument("--seed", type=int, default=1, help="the first home; the next ones count on")
    parser.add_argument("--show", type=int, default=10, help="how many differences are shown")
    parser.add_argument("--python", type=Path, help="a Python that has all packages, in place of an installation")
    parser.add_argument("--path", help="its PYTHONPATH")
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "toolgauge-compare"
    parser.add_argument("--folder", type=Path, default=default, help="where Home Assistant is installed")
    return parser.parse_args()


def furnished(seed: int) -> dict:
    """A home by chance whose entities hang on devices and have names that people chose."""
    home, pick = homes.make(seed), random.Random(seed)
    word = homes.Maker(seed + 1000).word
    areas = [area["name"] for area in home["areas"]]
    home["devices"] = [
        {"name": word(), "area": pick.choice([*areas, None]), "name_by_user": pick.choice([None, None, word()])}
        for _ in range(pick.randint(1, 5))
    ]
    for entity in home["entities"]:
        if entity["id"].startswith("script."):
            continue
        registry = {}
        if pick.random() < 0.5:
            entity["device"] = pick.randrange(len(home["devices"]))
            registry["has_entity_name"] = pick.random() < 0.7
        if pick.random() < 0.3:
            registry["aliases"] = pick.choice([[], [word()], [word(), None], [None, word()], [word(), word()]])
        if pick.random() < 0.2:
            registry["name"] = word()
        entity["registry"] = registry
    return home


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def check(home: dict, seed: int, options, python: Path, path: str, folder: Path, tally: Tally) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        (scratch / "home.json").write_text(json.dumps(home))
        (scratch / "config").mkdir()
        command = [python, HERE / "live.py", scratch / "home.json", scratch / "config", free_port()]
        environment = os.environ | {"PYTHONPATH": path, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        running = subprocess.Popen([*map(str, command)], env=environment, text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            told = json.loads(running.stdout.readline())
            ours = imported(options.toolgauge, told["url"], told["token"], scratch / "mine")
            imported(options.toolgauge, told["url"], told["user_token"], scratch / "theirs")
            running.stdin.write("\n")
            running.stdin.flush()
            since = json.loads(running.stdout.readline())
        finally:
            running.stdin.close()
            running.wait()
    where = f"home {seed}"
    tally.count("homes left as they were", not since["events"] and not since["changed"], where, since["events"][:5])
    for name, theirs in told["offers"].items():
        request = ours(name if home["satellites"][name] else None, home["satellites"][name])
        tally.count("prompts", request["messages"][0]["content"] == theirs["prompt"], f"{where} {name}")
        pair = [json.dumps(t).replace('["down", "up"]', '["up", "down"]') for t in (request["tools"], theirs["tools"])]
        tally.count("tools", pair[0] == pair[1], f"{where} {name}")


def imported(binary: str, url: str, token: str, folder: Path):
    """Imports a home; returns what gives the request at one of its satellites."""
    done = subprocess.run([binary, "-q", "home", "import", "--url", url, "-o", str(folder)],
                          env=os.environ | {"HASS_TOKEN": token}, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the import failed:\n{done.stderr}")
    text = (folder / "home.yaml").read_text()

    def request(satellite: str | None, described: dict | None) -> dict:
        name, adapted = "(no device)", text
        if satellite:
            name = f"Satellite {satellite}"
            if not described.get("supports_timers"):  # the one thing no read tells
                lines = [line.replace('"supports_timers":true', '"supports_timers":false')
                         if line.startswith(f'  "{name}":') else line for line in text.split("\n")]
                adapted = "\n".join(lines)
        with tempfile.TemporaryDirectory() as suite:
            suite = Path(suite)
            (suite / "home.yaml").write_text(adapted)
            world = {"kind": "home_assistant", "inventory": "home.yaml", "satellite": name}
            (suite / "suite.yaml").write_text(json.dumps({
                "name": "offer", "version": "1", "description": "x", "world": world,
                "cases": [{"id": "a", "say": "hello"}]}))
            return json.loads(output([binary, "-q", "prompt", str(suite)]))

    return request


if __name__ == "__main__":
    sys.exit(main())
