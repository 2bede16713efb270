"""Makes logs with the real inspect_ai, and compares them with copies that toolgauge scored again.

Usage: foreign_logs.py make FOLDER
       foreign_logs.py compare ORIGINALS COPIES

`make` writes NAME.eval for each kind of score below, and NAME.json with the figures of its header.
`compare` opens every original and its copy (found by the identifier of the run) and goes through
all fields. A copy may have more scores, and nothing else may differ.
"""

import json
import sys
from pathlib import Path

from inspect_ai import Epochs, Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import (
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
)
from inspect_ai.scorer import Score, Target, accuracy, mean, scorer
from inspect_ai.solver import Generate, TaskState, solver


@solver
def silent():
    async def solve(state: TaskState, generate: Generate):
        return state

    return solve


def scored_by(values, metrics):
    """A scorer that gives the value at the place of the sample and its epoch."""

    @scorer(metrics=metrics, name="marks")
    def marks():
        async def score(state: TaskState, target: Target):
            row = values[int(state.sample_id)]
            return Score(value=row[(state.epoch - 1) % len(row)], answer="a", explanation="why")

        return score

    return marks()


WORDS = [["C"], ["I"], ["partly"], ["yes"], ["P"], ["0.25"], ["unknown"]]
EPOCHS = [[1, 0, 0], [0, 0, 0], [1, 1, 0], [0.5, 0.5, 1], [0, 1, 0.5], ["C", "I", "C"]]
KINDS = {
    "words": (WORDS, [accuracy()], None),
    "max": (EPOCHS, [mean()], Epochs(3, "max")),
    "mode": (EPOCHS, [mean()], Epochs(3, "mode")),
    "median": (EPOCHS, [accuracy()], Epochs(3, "median")),
    "several": (EPOCHS, [mean()], Epochs(3, ["mean", "at_least_2", "pass_at_2", "pass_k_2"])),
    "beyond": ([[12], [45.5], [99], [-3]], [mean()], None),
    "lists": ([[[1, 0]], [[1, 1]], [[0, 0.5]]], [mean()], None),
    "parts": (
        [[{"a": 1, "b": 0.5}], [{"a": 0, "b": "C"}]],
        {"a": [mean()], "b": [mean()]},
        None,
    ),
    "none": ([[float("nan")], [1], [0]], [mean()], None),
}


def make(folder):
    for name, (values, metrics, epochs) in KINDS.items():
        about = {"about": "a text of several sentences. " * 20, "level": "hard"}
        samples = [
            Sample(id=place, input=f"question {place}", target=["x", "y"], metadata=about)
            for place in range(len(values))
        ]
        task = Task(
            name=name,
            dataset=samples,
            solver=silent(),
            scorer=scored_by(values, metrics),
            epochs=epochs,
        )
        (log,) = eval(
            task, model="mockllm/model", log_dir=f"{folder}/{name}", display="none", score=True
        )
        assert log.status == "success", (name, log.error)
        Path(log.location).rename(f"{folder}/{name}.eval")
        figures = [
            {"score": s.name, "reducer": s.reducer, "metric": m.name, "value": m.value}
            for s in log.results.scores
            for m in s.metrics.values()
        ]
        Path(f"{folder}/{name}.json").write_text(json.dumps(figures))
    print("made", len(KINDS))


def more(place):
    """Whether a copy may have entries here that the original lacks."""
    last = place.rsplit("/", 1)[-1]
    return last in ("scores", "scorers")


def differences(one, other, place=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            if key not in one and more(place):
                continue
            if key not in one or key not in other:
                yield f"{place}/{key} is only on one side"
            else:
                yield from differences(one[key], other[key], f"{place}/{key}")
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other) and not (more(place) and len(one) < len(other)):
            yield f"{place} has {len(one)} and {len(other)} items"
        for index, (a, b) in enumerate(zip(one, other)):
            yield from differences(a, b, f"{place}/{index}")
    elif one != other and not (one != one and other != other):
        yield f"{place}: {one!r} and {other!r}"


def compare(originals, copies):
    kept = 0
    others = {read_eval_log(i, header_only=True).eval.eval_id: i for i in list_eval_logs(copies)}
    for info in list_eval_logs(originals):
        log = read_eval_log(info)
        copy = read_eval_log(others[log.eval.eval_id])
        # Where a log lies is no part of it.
        one, other = (entry.model_dump(exclude={"location", "etag"}) for entry in (log, copy))
        found = list(differences(one, other))
        summaries = (read_eval_log_sample_summaries(i) for i in (info, others[log.eval.eval_id]))
        one, other = ([entry.model_dump() for entry in found] for found in summaries)
        found += differences(one, other, "summaries")
        assert not found, (info.name, found[:20])
        added = set(copy.samples[0].scores) - set(log.samples[0].scores)
        assert added, "the copy has no score of toolgauge"
        kept += len(log.samples)
    print("kept", kept)


if __name__ == "__main__":
    {"make": make, "compare": compare}[sys.argv[1]](*sys.argv[2:])
