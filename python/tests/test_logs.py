"""What `run`, `read` and `compare` promise."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import poor_model

import toolgauge


def test_a_shipped_suite_runs_on_the_baseline_and_leaves_a_log(logs: Path) -> None:
    result = toolgauge.run("everyday", log_dir=logs, limit=5)
    assert result.complete
    assert result.score == pytest.approx(0.2)
    assert result.interval is not None and result.interval[0] < 0.2 < result.interval[1]
    assert Path(result.log).parent == logs
    assert result.summary["subject"]["name"] == "baseline"
    assert "everyday" in str(result)
    assert "0.200" in result._repr_html_()


def test_a_function_of_one_argument_is_a_chatbot(logs: Path) -> None:
    asked: list[str] = []

    def weather_bot(question: str) -> dict[str, object]:
        asked.append(question)
        call = {"name": "get_weather", "arguments": {"date": "2026-03-13"}}
        return {"answer": "It rains.", "tools_used": [call]}

    result = toolgauge.run("everyday", weather_bot, log_dir=logs, limit=3)
    assert len(asked) == 3
    assert result.summary["subject"]["name"] == "weather_bot"
    assert toolgauge.read(result.log).trials.to_dict()["calls"] == [1, 1, 1]


def test_a_chatbot_may_answer_in_messages(logs: Path) -> None:
    async def bot(question: str) -> list[dict[str, object]]:
        call = {"id": "1", "name": "get_weather", "args": {}}
        return [
            {"type": "ai", "content": "", "tool_calls": [call]},
            {"type": "tool", "content": "rain", "tool_call_id": "1"},
            {"type": "ai", "content": "It rains."},
        ]

    result = toolgauge.run("everyday", bot, log_dir=logs, limit=1)
    assert toolgauge.read(result.log).trials.to_dict()["calls"] == [1]


def test_a_function_of_two_arguments_is_a_model(logs: Path) -> None:
    result = toolgauge.run("everyday", poor_model, log_dir=logs, limit=10)
    assert result.complete
    assert result.summary["subject"]["provider"] == "openai"
    rows = toolgauge.read(result.log).trials.to_dict()
    assert None not in rows["value"]


def test_a_function_that_breaks_is_an_error_and_no_wrong_answer(
    logs: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(question: str) -> str:
        raise RuntimeError("the database is down")

    with pytest.raises(toolgauge.ToolgaugeError, match="database is down"):
        toolgauge.run("everyday", broken, log_dir=logs, limit=2)
    # What it does, it does once for each question.
    assert capfd.readouterr().err.count("RuntimeError: the database is down") == 2


def test_failures_of_a_function_do_not_vanish_from_the_figures(logs: Path) -> None:
    asked: list[str] = []

    def flaky(question: str) -> str:
        asked.append(question)
        if len(asked) % 2:
            raise RuntimeError("out of memory")
        return "I do not know."

    result = toolgauge.run("everyday", flaky, log_dir=logs, limit=6)
    assert len(asked) == 6
    failures = toolgauge.read(result.log).trials.to_dict()["failure"]
    assert failures.count("refused") == 3


CONVERSATION = """
name: talk
tools:
  - {name: light, description: Switches a light.}
cases:
  - id: two
    context: [user: the light in the hall]
    say: on, please
    expect: {no_calls: true}
"""


def test_a_chatbot_may_ask_for_the_session_or_the_history(tmp_path: Path, logs: Path) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(CONVERSATION)
    seen: list[tuple[object, ...]] = []

    def with_session(question: str, session: str) -> str:
        seen.append((question, session))
        return "Well."

    toolgauge.run(str(suite), with_session, log_dir=logs, trials=2, concurrency=2)
    by_session: dict[object, list[object]] = {}
    for question, session in seen:
        by_session.setdefault(session, []).append(question)
    assert list(by_session.values()) == [["the light in the hall", "on, please"]] * 2

    seen.clear()

    def with_history(question: str, *, history: list[dict[str, str]]) -> str:
        seen.append((question, [message["content"] for message in history]))
        return "Well."

    toolgauge.run(str(suite), with_history, log_dir=logs)
    assert seen == [("on, please", ["the light in the hall"])]

    def model(messages: list[object], tools: list[object], session: object = None) -> str:
        seen.append((len(tools), session))
        return "Well."

    seen.clear()
    toolgauge.run(str(suite), model, log_dir=logs)
    assert seen == [(1, None)]


def test_a_model_is_asked_where_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOLGAUGE_BASE_URL", "http://127.0.0.1:1/v1")
    with pytest.raises(toolgauge.ToolgaugeError, match="nothing answers at `http://127.0.0.1:1/v1`") as caught:
        toolgauge.run("everyday", "my-model")
    assert "hint: is the server running?" in str(caught.value)
    with pytest.raises(toolgauge.ToolgaugeError, match="127.0.0.1:2"):
        toolgauge.run("everyday", "my-model", base_url="http://127.0.0.1:2/v1")
    with pytest.raises(toolgauge.ToolgaugeError, match="127.0.0.1:3"):
        toolgauge.run("everyday", "my-model", settings={"server": {"base_url": "http://127.0.0.1:3/v1"}})
    with pytest.raises(toolgauge.ToolgaugeError, match="temprature"):
        toolgauge.run("everyday", settings={"sampling": {"temprature": 0}})
    with pytest.raises(toolgauge.ToolgaugeError, match="a function has no `base_url`"):
        toolgauge.run("everyday", poor_model, base_url="http://127.0.0.1:2/v1")


def test_the_file_of_the_project_holds_here_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toolgauge.toml").write_text('run.log_dir = "elsewhere"\ngrades.pass = 0.0\n')
    result = toolgauge.run("property-manager", lambda question: "I do not know.", limit=3)
    assert result.log.parent == Path("elsewhere")
    # No answer is worth so little that it does not pass by this file.
    rows = toolgauge.read().trials.to_dict()
    assert rows["passed"] == [True] * 3 and min(rows["value"]) < 0.7
    assert toolgauge.compare("last", "last").difference == 0.0
    monkeypatch.setenv("TOOLGAUGE_LOG_DIR", "third")
    monkeypatch.setenv("TOOLGAUGE_TRIALS", "2")
    assert toolgauge.run("everyday", limit=1).log.parent == Path("third")
    assert len(toolgauge.read().trials) == 2


@pytest.mark.parametrize("name", ["trials", "limit", "sample", "concurrency"])
@pytest.mark.parametrize("number", [0, -1])
def test_nothing_is_not_run(name: str, number: int, logs: Path) -> None:
    with pytest.raises(toolgauge.ToolgaugeError, match=f"`{name}` is {number}"):
        toolgauge.run("everyday", log_dir=logs, **{name: number})  # type: ignore[arg-type]
    assert not logs.exists()


def test_one_case_may_be_named_without_a_list(logs: Path) -> None:
    case = toolgauge.Suite("everyday").cases[3]
    result = toolgauge.run("everyday", cases=case, log_dir=logs)
    assert toolgauge.read(result.log).trials.to_dict()["case_id"] == [case]
    with pytest.raises(toolgauge.ToolgaugeError, match="matches `seattl`"):
        toolgauge.run("everyday", cases="seattl", log_dir=logs)


def test_a_log_that_cannot_be_read_does_not_hide_the_others(logs: Path) -> None:
    result = toolgauge.run("everyday", log_dir=logs, limit=3)
    broken = logs / "aa-broken.eval"
    broken.write_bytes(result.log.read_bytes()[:3000])
    found = toolgauge.read(logs)
    assert len(found.trials) == 3
    (damage,) = found.damaged
    assert "aa-broken.eval" in damage
    with pytest.raises(toolgauge.ToolgaugeError, match="aa-broken.eval"):
        toolgauge.read(broken)


def test_an_unknown_suite_a_wrong_subject_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(toolgauge.ToolgaugeError, match="no-such-suite"):
        toolgauge.run("no-such-suite", log_dir=tmp_path)
    with pytest.raises(TypeError, match="`subject` is a function"):
        toolgauge.run("everyday", 7)  # type: ignore[arg-type]
    with pytest.raises(toolgauge.ToolgaugeError, match="holds no log"):
        toolgauge.read(tmp_path)
    assert "everyday" in toolgauge.suite_names()


@pytest.fixture
def two_runs(logs: Path) -> tuple[toolgauge.RunResult, toolgauge.RunResult]:
    first = toolgauge.run("everyday", log_dir=logs, limit=10)
    return first, toolgauge.run("everyday", poor_model, log_dir=logs, limit=10)


def test_two_logs_are_compared(two_runs: tuple[toolgauge.RunResult, toolgauge.RunResult]) -> None:
    a, b = two_runs
    found = toolgauge.compare(a.log, b.log)
    assert a.score is not None and b.score is not None
    assert found.difference == pytest.approx(b.score - a.score)
    assert found.interval is not None and found.p_value is not None
    assert found.verdict in str(found)
    assert found.to_dict()["scorer"] == "tool_calls"
    assert "<" in found._repr_html_()
    with pytest.raises(toolgauge.ToolgaugeError, match="is no margin"):
        toolgauge.compare(a.log, b.log, margin=-1)
    with pytest.raises(toolgauge.ToolgaugeError, match="no scorer `zz`\n  hint: there are: tool_calls"):
        toolgauge.compare(a.log, b.log, scorer="zz")


def test_tables_are_taken_over_by_other_libraries(
    two_runs: tuple[toolgauge.RunResult, toolgauge.RunResult], logs: Path
) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    tables = toolgauge.read(logs)
    assert len(tables.runs) == 2 and len(tables.trials) == 20
    plain = tables.trials.to_dict()
    assert set(plain["model"]) == {"baseline", "poor_model"}
    by_polars = polars.DataFrame(tables.trials)
    by_pyarrow = pyarrow.table(tables.trials)
    # Python 3.10 has pandas 2 at most.
    from_arrow = getattr(pandas.DataFrame, "from_arrow", lambda table: pyarrow.table(table).to_pandas())
    by_pandas = from_arrow(tables.trials)
    for column in ("case_id", "value", "passed", "tag.kind", "dimension.arguments"):
        assert by_polars[column].to_list() == plain[column]
        assert by_pyarrow[column].to_pylist() == plain[column]
    assert list(by_pandas["value"]) == plain["value"]
    # A table can be read more than once, and two tables fit together.
    losses = polars.DataFrame(tables.losses)
    joined = losses.join(by_polars, on=["run", "case_id", "trial"])
    assert len(joined) == len(losses) > 0
    assert polars.DataFrame(tables.trials).equals(by_polars)
    assert "20 rows" in tables._repr_html_()
