"""Shared by the tests."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    return tmp_path / "logs"


def choose(text: str, tools: list[dict[str, Any]]) -> tuple[str, dict[str, Any]] | None:
    """What a poor model does, the same in every process: a tool by the hash of the request, and
    arguments that fit its schema."""
    number = zlib.crc32(text.encode())
    if number % 5 == 0:
        return None
    tool = sorted(tools, key=lambda tool: str(tool["name"]))[number % len(tools)]
    fields = tool["parameters"].get("properties", {}).items()
    arguments = {
        name: (schema.get("enum") or ["x"])[0] if schema.get("type") == "string" else 1
        for name, schema in fields
    }
    return tool["name"], arguments


def poor_model(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> object:
    """The same as a function that `toolgauge.run` takes for a model."""
    last = messages[-1]
    if last["role"] == "tool":
        return "Done: " + last["content"][:50]
    chosen = choose(last["content"], [tool["function"] for tool in tools])
    if chosen is None:
        return "Sorry."
    function = {"name": chosen[0], "arguments": json.dumps(chosen[1])}
    call = {"id": "call_1", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}
