"""The examples of docs/python.md and of the package's README do what the text around them says."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "python.md"
CALL = {"name": "set_light", "arguments": json.dumps({"room": "hal", "on": True})}
MESSAGES = [
    {"role": "user", "content": "hall light on"},
    {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": CALL}]},
]


def example(path: Path, heading: str, number: int = 0) -> str:
    """A block of Python below a heading, the first one unless told otherwise."""
    below = path.read_text().split(f"# {heading}\n", 1)[1]
    return re.findall(r"```python\n(.*?)```", below, re.DOTALL)[number]


def run_example(path: Path, heading: str, number: int = 0, **given: Any) -> dict[str, Any]:
    names: dict[str, Any] = dict(given)
    exec(compile(example(path, heading, number), f"{path.name}: {heading}", "exec"), names)
    return names


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_readme_scores_a_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    run_example(ROOT / "python" / "README.md", "toolgauge for Python")
    assert 'expected "hall", got "hal"' in capsys.readouterr().out


def test_a_conversation_is_scored() -> None:
    parameters = {"type": "object", "properties": {"room": {}, "on": {}}}
    tools = [{"type": "function", "function": {"name": "set_light", "parameters": parameters}}]
    outcome = run_example(PAGE, "Score a conversation", messages=MESSAGES, tools=tools)["outcome"]
    assert outcome.value == 0.0 and outcome.passed is False
    assert outcome.dimensions["tool_name"] is True and outcome.dimensions["arguments"] is False
    # The page shows this sentence as the value.
    said = re.search(r"outcome\.explanation +# (.+)", PAGE.read_text())
    assert said and said.group(1) in outcome.explanation


def test_a_suite_is_run_and_its_logs_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    import toolgauge

    def my_bot(question: str) -> str:
        return "I do not know."

    result = run_example(PAGE, "Run a suite", toolgauge=toolgauge, my_bot=my_bot)["result"]
    assert "everyday" in capsys.readouterr().out
    for name in ("a.eval", "b.eval"):
        shutil.copy(result.log, name)
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    if not hasattr(pandas.DataFrame, "from_arrow"):
        pytest.skip("pandas 2")
    logs = run_example(PAGE, "Read logs", toolgauge=toolgauge, pandas=pandas, polars=polars)["logs"]
    assert polars.DataFrame(logs.trials).height == pandas.DataFrame.from_arrow(logs.trials).shape[0] > 0


def test_an_agent_is_tested_with_pytest(pytester: pytest.Pytester) -> None:
    agent = f"""
def my_agent(text):
    messages = {MESSAGES!r}
    messages[1]["tool_calls"][0]["function"]["arguments"] = '{{"room": "hall"}}'
    return messages
"""
    pytester.makepyfile(agent + example(PAGE, "Test an agent with pytest"))
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_task_of_inspect_takes_the_scorers() -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import Tool, tool

    @tool
    def set_light() -> Tool:
        async def execute(room: str) -> str:
            """Switches the light of a room.

            Args:
                room: its name
            """
            return "done"

        return execute

    tasks = []

    def task(**settings: Any) -> Any:
        tasks.append(inspect_ai.Task(**settings))
        return tasks[-1]

    given = {"Sample": Sample, "generate": generate, "use_tools": use_tools, "set_light": set_light}
    run_example(PAGE, "Use Inspect AI", Task=task, **given)
    replies = [
        ModelOutput.for_tool_call("mockllm/model", "set_light", {"room": "hall"}),
        ModelOutput.from_content("mockllm/model", "Done."),
    ]
    for reply in replies:
        # Or Inspect would fetch a tokenizer to count them.
        reply.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    model = get_model("mockllm/model", custom_outputs=replies)
    (log,) = inspect_ai.eval(tasks, model=model, display="none", log_dir="logs")
    assert log.status == "success" and log.samples, log.error
    assert {score.value for score in (log.samples[0].scores or {}).values()} == {1}


def test_deepeval_and_agentevals_take_the_adapters() -> None:
    deepeval = pytest.importorskip("deepeval")
    pytest.importorskip("agentevals")
    from deepeval.test_case import LLMTestCase, ToolCall

    calls = [ToolCall(name="set_light", input_parameters={"room": "hall"})]
    case = LLMTestCase(input="hall on", actual_output="done", tools_called=calls, expected_tools=calls)
    heading = "Use DeepEval or agentevals"
    run_example(PAGE, heading, assert_test=deepeval.assert_test, test_case=case)
    names = run_example(PAGE, heading, 1, messages=MESSAGES, reference=MESSAGES)
    assert set(names["evaluate"](outputs=MESSAGES, reference_outputs=MESSAGES)) == {"key", "score", "comment"}
