"""What the scorers and tasks for Inspect AI promise: the same verdicts as `toolgauge run`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import choose, poor_model

import toolgauge

inspect_ai = pytest.importorskip("inspect_ai")

from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.model import (  # noqa: E402
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.solver import use_tools  # noqa: E402
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo  # noqa: E402

from toolgauge.inspect_ai import arguments, suite_task, task_from_suite, tool_calls  # noqa: E402


def mock_reply(
    messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
) -> ModelOutput:
    """What `poor_model` says, in Inspect's form."""
    last = messages[-1]
    offered = [{"name": t.name, "parameters": t.parameters.model_dump(exclude_none=True)} for t in tools]
    chosen = None if last.role == "tool" else choose(last.text, offered)
    if chosen is not None:
        output = ModelOutput.for_tool_call("mock", chosen[0], chosen[1], tool_call_id="call_1")
    else:
        text = "Done: " + last.text[:50] if last.role == "tool" else "Sorry."
        output = ModelOutput.from_content("mock", text)
    # Or Inspect would fetch a tokenizer to count them.
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def evaluated(task: inspect_ai.Task, logs: Path) -> Any:
    model = get_model("mockllm/model", custom_outputs=mock_reply)
    (log,) = inspect_ai.eval(task, model=model, display="none", log_dir=str(logs))
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize(
    ("suite", "tags"), [("everyday", {}), ("home-assistant", {"tier": "small", "domain": "lock"})]
)
def test_a_shipped_suite_gets_the_verdicts_of_a_run(
    suite: str, tags: dict[str, str], logs: Path
) -> None:
    own = toolgauge.run(suite, poor_model, tags=tags, log_dir=logs)
    rows = toolgauge.read(own.log).trials.to_dict()
    log = evaluated(task_from_suite(suite, tags=tags), logs / "inspect")
    scorer = log.results.scores[0].name
    assert rows["scorer"][0] == scorer
    values = {sample.id: sample.scores[scorer].value for sample in log.samples}
    assert values == dict(zip(rows["case_id"], rows["value"], strict=True))
    # Each dimension is a score of its own.
    assert "arguments" in {score.name for score in log.results.scores}


def test_a_task_of_your_own_names_what_it_expects(logs: Path) -> None:
    from inspect_ai.tool import Tool, tool

    @tool
    def set_light() -> Tool:
        async def execute(room: str) -> str:
            """Switches a light on.

            Args:
                room: The room.
            """
            return "done"

        return execute

    samples = [
        Sample(input="hall", id="right", metadata={"expect": "set_light"}),
        Sample(input="hall", id="wrong", target='{"no_calls": true}'),
        # What the sample says the model did before is not what it does.
        Sample(
            input=[
                ChatMessageUser(content="bath"),
                ChatMessageAssistant(content="", tool_calls=[ToolCall("1", "set_light", {"room": "bath"})]),
                ChatMessageTool(content="done", tool_call_id="1", function="set_light"),
                ChatMessageUser(content="hall"),
            ],
            id="with examples",
            metadata={"expect": ["set_light"]},
        ),
    ]
    task = inspect_ai.Task(
        dataset=samples, solver=[use_tools(set_light()), inspect_ai.solver.generate()],
        scorer=[tool_calls(), arguments()],
    )
    log = evaluated(task, logs)
    values = {sample.id: sample.scores["tool_calls"].value for sample in log.samples}
    assert values == {"right": 1.0, "wrong": 0.0, "with examples": 1.0}


SCHEMA = {
    "type": "object",
    "$defs": {"Room": {"type": "string", "minLength": 1}},
    "properties": {
        "room": {"$ref": "#/$defs/Room"},
        "level": {"oneOf": [{"type": "integer", "exclusiveMinimum": 0}, {"const": "full"}]},
        "names": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    },
    "required": ["room"],
}


def test_tools_reach_the_model_as_in_a_run(tmp_path: Path, logs: Path) -> None:
    pytest.importorskip("openai")
    tool = {"name": "light", "description": "Switches a light.", "parameters": SCHEMA}
    case = {"id": "on", "say": "on", "expect": {"call": "light"}}
    suite = tmp_path / "suite.json"
    suite.write_text(json.dumps({"name": "schemas", "tools": [tool], "cases": [case]}))
    sent: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent.append([tool["function"] for tool in body["tools"]])
            message = {"role": "assistant", "content": "No."}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "any"}
            written = json.dumps({**reply, "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            self.end_headers()
            self.wfile.write(written)

        def do_GET(self) -> None:
            self.send_error(404)

        def log_message(self, format: str, *args: Any) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/v1"
        model = get_model("openai-api/local/any", base_url=address, api_key="unused")
        (log,) = inspect_ai.eval(
            task_from_suite(str(suite)), model=model, display="none", log_dir=str(logs)
        )
        server.shutdown()
    assert log.status == "success", log.error
    assert [{key: found[0][key] for key in tool} for found in sent] == [tool]


def test_wrong_names_are_refused() -> None:
    with pytest.raises(toolgauge.ToolgaugeError, match="no case `nothing`"):
        task_from_suite("everyday", cases=["nothing"])
    with pytest.raises(toolgauge.ToolgaugeError, match="no case with these tags"):
        task_from_suite("everyday", tags={"kind": "nothing"})
    with pytest.raises(toolgauge.ToolgaugeError, match="is no list of tags"):
        suite_task("everyday", tags="kind")


def test_inspect_eval_on_the_command_line_gives_the_verdicts_of_the_binary(logs: Path) -> None:
    """`toolgauge serve` answers both: `inspect eval toolgauge/suite`, and `toolgauge run`."""
    pytest.importorskip("openai")
    binary = os.environ.get("TOOLGAUGE_BINARY")
    if not binary:
        pytest.skip("`TOOLGAUGE_BINARY` does not name the binary")
    with subprocess.Popen([binary, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1] + "/v1"
            order = [binary, "run", "everyday", "-m", "any", "--base-url", address, "--quiet"]
            ran = subprocess.run([*order, "--log-dir", str(logs)], capture_output=True, text=True)
            assert ran.returncode in (0, 3), ran.stderr
            values = by_inspect_eval(address, logs / "all")
            # Inspect itself parts the tags at the comma.
            some = by_inspect_eval(address, logs / "some", "-T", "tags=domain=light,difficulty=medium")
        finally:
            server.terminate()
    rows = toolgauge.read(logs).trials.to_dict()
    assert values == dict(zip(rows["case_id"], rows["value"], strict=True))
    assert len(values) == 46
    tags = zip(rows["case_id"], rows["tag.domain"], rows["tag.difficulty"], strict=True)
    chosen = {case for case, *found in tags if found == ["light", "medium"]}
    assert some == {case: values[case] for case in chosen} and some


def by_inspect_eval(address: str, logs: Path, *words: str) -> dict[str, Any]:
    """What `inspect eval toolgauge/suite` gives the cases of `everyday`."""
    from inspect_ai.log import read_eval_log

    command = [sys.executable, "-m", "inspect_ai", "eval", "toolgauge/suite", "-T", "name=everyday"]
    model = ["--model", "openai-api/local/any", "--model-base-url", address]
    inspected = subprocess.run(
        [*command, *words, *model, "--log-dir", str(logs), "--display", "none"],
        capture_output=True,
        text=True,
        # The address is this machine's, so the key is a formality.
        env={**os.environ, "LOCAL_API_KEY": "unused"},
    )
    assert inspected.returncode == 0, inspected.stderr + inspected.stdout
    (path,) = logs.glob("*.eval")
    samples = read_eval_log(str(path)).samples or []
    return {str(sample.id): sample.scores["tool_calls"].value for sample in samples if sample.scores}
