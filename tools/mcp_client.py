#!/usr/bin/env python3
"""Lets the Python client of the Model Context Protocol use toolgauge's tools, as an agent would.

    python tools/mcp_client.py COMMAND…

COMMAND starts the server, such as `toolgauge mcp` or the example of crates/mcp-server with the path
of a toolgauge. Needs the package `mcp`.
"""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client

TOOLS = {"run", "summary", "failing_cases", "compare", "check", "prompt"}


async def call(session, tool, **arguments):
    result = await session.call_tool(tool, arguments)
    is_error = getattr(result, "is_error", None) or getattr(result, "isError", False)
    return result.content[0].text, is_error


async def talk(session):
    """Each line is one thing that must hold."""
    await session.initialize()
    listed = await session.list_tools()
    yield "six tools are listed", {tool.name for tool in listed.tools} == TOOLS
    text, is_error = await call(session, "run", suite="everyday", cases=10)
    yield "a run gives a verdict", not is_error and "verdict" in text
    text, is_error = await call(session, "failing_cases", log="last")
    yield "failing cases are shown", not is_error and "question:" in text
    text, is_error = await call(session, "summary")
    yield "a summary has intervals", not is_error and "95 % interval" in text
    text, is_error = await call(session, "compare", before="last", after="last")
    yield "a run is compared with itself, or refused", bool(text)
    text, is_error = await call(session, "check", suite="everyday")
    yield "a suite is checked", not is_error
    text, is_error = await call(session, "prompt", suite="everyday", case="timer-*")
    yield "a request is shown", not is_error and "messages" in text and len(text) <= 24_100
    text, is_error = await call(session, "run", suite="everyday", model="command:touch touched")
    yield "no command is started", is_error and "does not measure" in text
    text, is_error = await call(session, "summary", log="/etc/passwd")
    yield "no file outside is read", is_error and "not in the folder" in text


async def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    command, *arguments = sys.argv[1:]
    folder = tempfile.mkdtemp()
    # Paths are given relative to where this was started; the server works in an empty folder.
    paths = [str(Path(word).resolve()) if Path(word).is_file() else word for word in arguments]
    server = StdioServerParameters(command=str(Path(command).resolve()), args=[*paths, *last(arguments, folder)], cwd=folder)
    outcomes = []
    async with stdio_client(server) as streams, ClientSession(*streams[:2]) as session:
        async for promise, holds in talk(session):
            outcomes.append(holds)
            print("ok  " if holds else "FAIL", promise)
    outcomes.append(not (Path(folder) / "touched").exists())
    shutil.rmtree(folder)
    print(f"{sum(outcomes)} passed, {len(outcomes) - sum(outcomes)} failed")
    sys.exit(0 if all(outcomes) else 1)


def last(arguments, folder):
    """The example takes the folder as its last word; `toolgauge mcp` works where it is started."""
    return [] if "mcp" in arguments else [folder]


asyncio.run(main())
