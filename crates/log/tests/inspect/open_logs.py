"""Opens logs with the real inspect_ai in every way a user would, and checks what it finds.

Usage: open_logs.py FOLDER

For each NAME.eval in FOLDER, NAME.json says what Inspect must find in it. Where the folder has a
subfolder `rewritten`, each log is also written there by Inspect itself, for toolgauge to read.
Exits with a traceback at the first thing that is not as it should be.
"""

import json
import math
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from inspect_ai.log import (
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
    write_eval_log,
)

INSPECT = tuple(int(part) for part in version("inspect_ai").split(".")[:3])


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def check_header(path, want):
    header = read_eval_log(path, header_only=True)
    assert header.status == want["status"], header.status
    assert header.eval.model == want["model"]
    assert header.eval.task == want["task"]
    assert header.eval.task_id == want["run_id"]
    assert header.eval.packages["toolgauge"] == want["version"]
    assert header.eval.revision.commit == want["revision"]
    assert header.eval.config.epochs == want["trials"]
    assert header.eval.dataset.sample_ids == want["cases"]
    assert header.eval.metadata["toolgauge"]["run"]["suite"]["hash"] == want["suite_hash"]
    found = {
        f"{score.name}/{name}": metric.value
        for score in header.results.scores
        for name, metric in score.metrics.items()
    }
    assert set(found) == set(want["metrics"]), (found, want["metrics"])
    for name, value in want["metrics"].items():
        assert close(found[name], value), (name, found[name], value)
    usage = header.stats.model_usage[want["model"]]
    assert usage.input_tokens == want["input_tokens"], usage


def check_sample(sample, want):
    assert len(sample.messages) == want["messages"], (sample.id, len(sample.messages))
    assert [m.role for m in sample.messages][:2] == ["system", want["second_role"]]
    calls = [c for m in sample.messages if m.role == "assistant" for c in (m.tool_calls or [])]
    assert [c.function for c in calls] == want["calls"], (sample.id, calls)
    assert [c.parse_error is not None for c in calls] == want["malformed"], (sample.id, calls)
    values = {name: score.value for name, score in (sample.scores or {}).items()}
    assert values == want["scores"], (sample.id, values, want["scores"])
    assert (sample.error.message if sample.error else None) == want["error"]
    assert sample.metadata.get("tier") == want["tier"]
    models = [e for e in sample.events if e.event == "model"]
    assert len(models) == want["model_events"], (sample.id, len(models))
    assert [t.name for t in models[0].tools] == want["tools"]
    if want["turns"]:
        assert models[0].output.usage.output_tokens == 31
        assert close(models[0].working_time, 0.456789012)
    if INSPECT >= (0, 3, 186):
        # Pooled messages are put back by the versions that know pools.
        assert len(models[-1].input) == want["last_input"], (sample.id, len(models[-1].input))
    assert len([e for e in sample.events if e.event == "tool"]) == want["tool_events"]
    assert sample.store == want["store"], (sample.id, sample.store)
    try:
        from inspect_ai.util import store_from_events
    except ImportError:
        pass
    else:
        replayed = store_from_events(sample.events)
        assert dict(replayed.items()) == want["store"], (sample.id, replayed)
    before = {
        change.path: change.replaced
        for event in sample.events
        if event.event == "store"
        for change in event.changes
        if change.op == "replace"
    }
    assert before == want["replaced"], (sample.id, before)
    bodies = [e.call for e in models if e.call is not None]
    assert len(bodies) == want["bodies"]


def check_samples(path, want):
    log = read_eval_log(path)
    by_id = {(s.id, s.epoch): s for s in log.samples}
    assert len(by_id) == len(want["samples"])
    for sample in want["samples"]:
        check_sample(by_id[(sample["id"], sample["epoch"])], sample)
        one = read_eval_log_sample(path, id=sample["id"], epoch=sample["epoch"])
        check_sample(one, sample)
    generated = list(read_eval_log_samples(path, all_samples_required=want["complete"]))
    assert len(generated) == len(want["samples"])
    with open(path, "rb") as stream:  # this way checksums are verified
        assert len(read_eval_log(stream).samples) == len(want["samples"])


def check_summaries(path, want):
    summaries = {(s.id, s.epoch): s for s in read_eval_log_sample_summaries(path)}
    assert len(summaries) == len(want["samples"])
    for sample in want["samples"]:
        summary = summaries[(sample["id"], sample["epoch"])]
        values = {name: score.value for name, score in (summary.scores or {}).items()}
        assert values == sample["scores"], (summary.id, values)
        assert summary.error == sample["error"]
        assert summary.completed
        assert summary.message_count is None or summary.message_count == sample["messages"]


def check_frames(path, want):
    from inspect_ai.analysis import evals_df, messages_df, samples_df

    frame = samples_df(path)
    assert len(frame) == len(want["samples"])
    for score in want["score_columns"]:
        assert f"score_{score}" in frame.columns, list(frame.columns)
    assert frame["total_tokens"].sum() == want["total_tokens"], frame["total_tokens"].sum()
    assert "metadata_tier" in frame.columns
    messages = messages_df(path)
    assert len(messages) >= len(want["samples"])
    if INSPECT >= (0, 3, 200):  # older ones fail inside a newer jsonpath-ng on any log
        evals = evals_df(path)
        assert len(evals) == 1
        first = want["score_columns"][0]
        assert close(evals[f"score_{first}_mean"].iloc[0], want["metrics"][f"{first}/mean"])


def check_recomputation(path, want):
    """Editing a score makes Inspect compute the metrics again, from `eval.scorers`."""
    try:
        from inspect_ai.log import ProvenanceData, ScoreEdit, edit_score
    except ImportError:
        return
    log = read_eval_log(path)
    sample = next(s for s in log.samples if s.scores)
    name = want["score_columns"][0]
    edit = ScoreEdit(
        value=sample.scores[name].value, provenance=ProvenanceData(author="test", reason="same")
    )
    edit_score(log, sample.id, name, edit, epoch=sample.epoch)
    found = {
        f"{score.name}/{metric}": figure.value
        for score in log.results.scores
        for metric, figure in score.metrics.items()
    }
    assert set(found) == set(want["metrics"]), (sorted(found), sorted(want["metrics"]))
    for key, value in want["metrics"].items():
        assert close(found[key], value), (key, found[key], value)


def check_command(path, want):
    inspect = [str(Path(sys.executable).parent / "inspect")]
    dump = subprocess.run([*inspect, "log", "dump", path], capture_output=True, check=True)
    assert len(json.loads(dump.stdout)["samples"]) == len(want["samples"])
    listing = subprocess.run(
        [*inspect, "log", "list", "--json", "--log-dir", str(Path(path).parent)],
        capture_output=True,
        check=True,
    )
    assert any(Path(path).name in entry["name"] for entry in json.loads(listing.stdout))


def main():
    folder = Path(sys.argv[1])
    logs = sorted(folder.glob("*.eval"))
    assert logs, "no logs to open"
    assert len(list_eval_logs(str(folder), recursive=False)) == len(logs)
    for log in logs:
        want = json.loads(log.with_suffix(".json").read_text())
        path = str(log)
        check_header(path, want)
        check_samples(path, want)
        check_summaries(path, want)
        check_frames(path, want)
        check_recomputation(path, want)
        check_command(path, want)
        if (folder / "rewritten").is_dir():
            write_eval_log(read_eval_log(path), str(folder / "rewritten" / log.name))
        print(f"{log.name}: {len(want['samples'])} samples as expected")


main()
