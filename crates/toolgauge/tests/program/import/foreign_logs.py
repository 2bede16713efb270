"""Makes logs with the real inspect_ai, and compares them with copies that toolgauge scored again.

Usage: foreign_logs.py make FOLDER
       foreign_logs.py compare ORIGINALS COPIES
       foreign_logs.py same ORIGINALS COPIES

`make` writes NAME.eval for each kind of score below, and figures/NAME.json with the figures of its
header; into FOLDER-json a log in Inspect's other form, and into FOLDER-failed logs of runs that
failed, one of them without scorers. `compare` opens every original and its copy (found by the
identifier of the run) and goes through all fields. A copy may have more scores, and nothing else may
differ. `same` allows no more scores either.
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
    transcript,
    write_eval_log,
)
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, accuracy, grouped, includes, match, mean, scorer, stderr
from inspect_ai.solver import Generate, TaskState, generate, solver, system_message, use_tools
from inspect_ai.tool import tool
from inspect_ai.util import store


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
            row = values[state.sample_id]
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


@tool
def add():
    async def execute(a: int, b: int):
        """Adds two numbers.

        Args:
            a: One number.
            b: The other.
        """
        return a + b

    return execute


@solver
def noting():
    async def solve(state: TaskState, generate: Generate):
        transcript().info({"seen": [state.sample_id, {"deep": [1, 2.5, None]}]}, source="notes")
        store().set("steps", ["one", {"two": 2}])
        state.metadata["noted"] = {"while": ["running"]}
        return state

    return solve


def everything(folder):
    """A log with what others have in theirs: tools, events, a store, scorers of several kinds,
    metadata of every shape, numbers and texts as names, epochs."""

    def called(number):
        call = ModelOutput.for_tool_call("mockllm/model", "add", {"a": number, "b": 1})
        said = ModelOutput.from_content("mockllm/model", f"It is {number + 1}.")
        # Without it tokens are counted, by a table from the network.
        call.usage = said.usage = ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
        return [call, said]

    about = {"tags": ["sums", "small"], "source": {"page": 3, "lines": [1, 2]}, "rare": None}
    samples = [
        Sample(id=7, input="6+1?", target="7", metadata={**about, "level": "easy"}),
        Sample(id="seven", input="6 and 1?", target=["7", "seven"], metadata={"level": "hard"}),
    ]
    task = Task(
        name="everything",
        dataset=samples,
        solver=[system_message("Count."), use_tools(add()), noting(), generate()],
        scorer=[
            match(numeric=True),
            includes(),
            scored_by({7: [[1, 0]], "seven": [{"a": 2}]}, [mean()]),
        ],
        metrics=[grouped(mean(), "level"), stderr()],
        epochs=Epochs(2, ["mean", "max"]),
        metadata={"of": ["the", {"task": 1}]},
        tags=["theirs"],
    )
    model = get_model("mockllm/model", custom_outputs=called(6) * len(samples) * 2)
    (log,) = eval(
        task, model=model, log_dir=f"{folder}/everything", display="none", max_samples=1
    )
    assert log.status == "success", log.error
    calls = [event.event for event in log.samples[0].events]
    assert {"model", "tool", "info", "store"} <= set(calls), calls
    # Inspect finds a log by the form of its name.
    write_eval_log(log, f"{folder}-json/{Path(log.location).stem}.json", format="json")
    Path(log.location).rename(f"{folder}/everything.eval")


@solver
def failing():
    async def solve(state: TaskState, generate: Generate):
        if state.sample_id == 2:
            raise ValueError("the second sample fails")
        return state

    return solve


def failed(folder):
    """Logs of runs that failed: they have no figures, and one of them has no scorers."""
    samples = [Sample(id=place, input=f"question {place}", target="x") for place in (1, 2)]
    for score in (True, False):
        task = Task(name="failed", dataset=samples, solver=failing(), scorer=match())
        (log,) = eval(
            task,
            model="mockllm/model",
            log_dir=f"{folder}-failed",
            display="none",
            max_samples=1,
            score=score,
        )
        assert (log.status, log.results) == ("error", None), log.status


def make(folder):
    Path(f"{folder}-json").mkdir(parents=True)
    failed(folder)
    Path(f"{folder}/figures").mkdir(parents=True)
    everything(folder)
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
        Path(f"{folder}/figures/{name}.json").write_text(json.dumps(figures))
    print("made", len(KINDS))


def more(place):
    """Whether a copy may have entries here that the original lacks."""
    last = place.rsplit("/", 1)[-1]
    return last in ("scores", "scorers")


def differences(one, other, place=""):
    if one is None and other is not None and more(place):
        return
    if one is None and other is not None and place == "/results":
        # A run that failed has no figures, and those of new scores are over all its samples.
        found = other["total_samples"], other["completed_samples"]
        if found != (2, 1):
            yield f"{place} is of {found} samples"
    elif isinstance(one, dict) and isinstance(other, dict):
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


def same(originals, copies):
    compare(originals, copies, adds=False)


def compare(originals, copies, adds=True):
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
        added = set(copy.samples[0].scores or {}) - set(log.samples[0].scores or {})
        assert bool(added) == adds, added
        assert adds or copy.results == log.results, copy.results
        assert adds or copy.eval.scorers == log.eval.scorers, copy.eval.scorers
        kept += len(log.samples)
    print("kept", kept)


if __name__ == "__main__":
    {"make": make, "compare": compare, "same": same}[sys.argv[1]](*sys.argv[2:])
