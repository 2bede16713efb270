#!/usr/bin/env python3
"""Gathers the pool of `--decoys`: what real MCP servers say of their tools.

Installs each server in a folder of its own, asks it for its tools and writes
crates/engine/src/decoys/pool.json. Servers get invented keys: they are asked for a list, and call
nobody. A server that cannot be installed or started is named, and keeps the tools that the pool has
of it. NOTICE names every server with its version and licence.

    tools/decoys.py FOLDER [SERVER…]     FOLDER keeps what is installed; all servers unless named
"""

import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import threading

POOL = pathlib.Path(__file__).resolve().parent.parent / "crates/engine/src/decoys/pool.json"

# A definition longer than this says more than all others together.
LONGEST = 6000

OFFICIAL = "@modelcontextprotocol/server-"

# (server, package of npm, version, licence, program, arguments, environment)
SERVERS = [
    ("filesystem", f"{OFFICIAL}filesystem", "2026.8.31", "MIT AND Apache-2.0", "mcp-server-filesystem", ["."], {}),
    ("memory", f"{OFFICIAL}memory", "2026.8.31", "MIT AND Apache-2.0", "mcp-server-memory", [], {}),
    ("everything", f"{OFFICIAL}everything", "2026.8.31", "MIT AND Apache-2.0", "mcp-server-everything", [], {}),
    ("github", f"{OFFICIAL}github", "2025.4.8", "MIT", "mcp-server-github", [], {"GITHUB_PERSONAL_ACCESS_TOKEN": "x"}),
    ("slack", f"{OFFICIAL}slack", "2025.4.25", "MIT", "mcp-server-slack", [], {"SLACK_BOT_TOKEN": "x", "SLACK_TEAM_ID": "x"}),
    ("google_maps", f"{OFFICIAL}google-maps", "0.6.2", "MIT", "mcp-server-google-maps", [], {"GOOGLE_MAPS_API_KEY": "x"}),
    ("playwright", "@playwright/mcp", "0.0.83", "Apache-2.0", "playwright-mcp", ["--headless"], {}),
    ("kubernetes", "mcp-server-kubernetes", "4.1.7", "MIT", "mcp-server-kubernetes", [], {}),
    ("airtable", "airtable-mcp-server", "1.14.0", "MIT", "airtable-mcp-server", [], {"AIRTABLE_API_KEY": "pat123.abc123"}),
    ("mongodb", "mongodb-mcp-server", "3.0.4", "Apache-2.0", "mongodb-mcp-server", [], {"MDB_MCP_TELEMETRY": "disabled", "MDB_MCP_API_CLIENT_ID": "x", "MDB_MCP_API_CLIENT_SECRET": "x"}),
    ("chrome_devtools", "chrome-devtools-mcp", "1.11.0", "Apache-2.0", "chrome-devtools-mcp", ["--headless"], {}),
    ("notion", "@notionhq/notion-mcp-server", "2.5.2", "MIT", "notion-mcp-server", [], {"NOTION_TOKEN": "ntn_x"}),
    ("firecrawl", "firecrawl-mcp", "3.26.0", "MIT", "firecrawl-mcp", [], {"FIRECRAWL_API_KEY": "fc-x"}),
]


def install(folder, package, version):
    """Where the programs of a package are, which is installed unless it is there."""
    here = folder / (package.replace("/", "+") + "-" + version)
    if not (here / "done").exists():
        shutil.rmtree(here, ignore_errors=True)
        here.mkdir(parents=True)
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(here)]
        subprocess.run([*command, f"{package}@{version}"], check=True, stdout=subprocess.DEVNULL, timeout=600)
        (here / "done").touch()
    return here / "node_modules/.bin"


def ask(folder, command, environment):
    """The tools that a server lists."""
    work = folder / "work"
    work.mkdir(exist_ok=True)
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    server = subprocess.Popen(
        command, cwd=work, env=kept | environment, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    lines = queue.Queue()
    threading.Thread(target=lambda: [lines.put(line) for line in server.stdout], daemon=True).start()

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
        server.stdin.flush()

    def answer(number):
        while True:
            try:
                message = json.loads(lines.get(timeout=90))
            except json.JSONDecodeError:
                continue
            if message.get("id") == number and "method" not in message:
                return message["result"]

    try:
        client = {"name": "toolgauge", "version": "1"}
        send({"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}})
        answer(1)
        send({"method": "notifications/initialized"})
        tools, number, page = [], 1, {}
        while True:
            number += 1
            send({"id": number, "method": "tools/list", "params": page})
            result = answer(number)
            tools += result["tools"]
            if not result.get("nextCursor"):
                return tools
            page = {"cursor": result["nextCursor"]}
    finally:
        server.kill()


def kept_of(tool):
    """What a model is told of a tool."""
    parameters = {name: value for name, value in tool["inputSchema"].items() if name != "$schema"}
    return {"name": tool["name"], "description": (tool.get("description") or "").strip(), "parameters": parameters}


def main():
    folder, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    pool = {server["server"]: server for server in json.loads(POOL.read_text())} if POOL.exists() else {}
    failed = []
    for server, package, version, license, program, arguments, environment in SERVERS:
        if chosen and server not in chosen:
            continue
        try:
            programs = install(folder, package, version)
            tools = [kept_of(tool) for tool in ask(folder, [str(programs / program), *arguments], environment)]
        except Exception as error:
            failed.append(f"{server}: {error!r}")
            continue
        # Some servers list tools without saying what they take.
        fits = lambda tool: len(json.dumps(tool)) <= LONGEST and len(f"{server}__{tool['name']}") <= 64 \
            and tool["parameters"].get("type") == "object"
        tools = [tool for tool in tools if fits(tool)]
        pool[server] = {"server": server, "package": package, "version": version, "license": license, "tools": tools}
        print(f"{server}: {len(tools)} tools", flush=True)
    listed = [pool[server] for server, *_ in SERVERS if server in pool]
    lines = []
    for server in listed:
        head = {name: value for name, value in server.items() if name != "tools"}
        tools = ",\n".join(json.dumps(tool, ensure_ascii=False, separators=(",", ":")) for tool in server["tools"])
        lines.append(json.dumps(head)[:-1] + ', "tools": [\n' + tools + "\n]}")
    POOL.parent.mkdir(parents=True, exist_ok=True)
    POOL.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(f"{sum(len(server['tools']) for server in listed)} tools of {len(listed)} servers")
    for failure in failed:
        print(f"failed: {failure}", file=sys.stderr)
    sys.exit(bool(failed))


main()
