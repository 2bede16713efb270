#!/usr/bin/env python3
"""Times toolgauge beside the checkers of other tools, on the same files and in one run.

    cargo build --release && cargo build --release -p toolgauge-import --example bare_check
    benches/peers.py [--bfcl RESULTS --bfcl-data FOLDER] [--cases 2000] [--rounds 3]
                     [--megabytes 300] [--toolgauge PATH] [--bare PATH] [--check]

Run it with a Python that has the packages of the tools; what is missing is skipped and named.

* BFCL: every answer of one turn below RESULTS, decoded and judged by BFCL's own functions.
* DeepEval: `ToolCorrectnessMetric` on made-up cases. agentevals: its trajectory match on the same.

The other tool is timed within this process, without its start and its imports, which take seconds.
Its check is timed twice: bare, on records that are in memory and parsed, and from the files on. The
bare one is held against the same of ours, on the same records: `bare_check` reads them, and then
times the scorer of that tool alone. The files are the ones for toolgauge as a whole, from start to
exit: it reads the files and judges by the rule of the tool alone (`atlas`); or judges by two scorers
of its own as well and writes a log (`import`); or judges a log again by that rule and writes another
(`score`). Times are those of the processor, the best of several rounds, so that other work on the
machine disturbs them little.

Then the peak of memory while files of two sizes are imported, the second ten times the first. With
--check the exit status is 1 if a bare check is not as many times as fast as it must be, or if
memory grows by more than a case takes whose answers are not kept.
"""

import argparse
import contextlib
import io
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import types

# How many times as fast the bare check must be. BFCL's own is so quick that what a score of ours
# has beside the verdict takes most of the time.
LEAST = {"DeepEval": 50, "agentevals": 50, "BFCL": 3}

# How many bytes of memory a case may take on its way into a log: its name, its place in the
# log and its marks in the summary, but nothing of what was said and called.
MOST_OF_A_CASE = 1000

ROOT = pathlib.Path(__file__).resolve().parent.parent


def measured(command):
    """Processor seconds and peak of memory in MB of a command, and the command's output."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        # 1 says that a verdict differs, 3 that a trial has no score: neither is a failure here.
        if os.waitstatus_to_exitcode(status) not in (0, 1, 3):
            out.seek(0)
            sys.exit(f"{' '.join(map(str, command))}\n{out.read().decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def ours(program, source, scorer, options, rounds):
    """The best times of `atlas`, `import` and `score`."""
    with tempfile.TemporaryDirectory() as folder:
        checked, imported, scored = [], [], []
        for number in range(rounds):
            checked.append(measured([program, "-q", "atlas", *source])[0])
            logs = pathlib.Path(folder) / f"imported-{number}"
            imported.append(measured([program, "-q", "import", *source, "-o", logs])[0])
            command = [program, "-q", "score", *logs.glob("*.eval"), "--scorer", scorer, *options]
            again = f"{folder}/scored-{number}"
            scored.append(measured([*command, "--log-dir", again])[0])
        return min(checked), min(imported), min(scored)


def theirs(judge, rounds):
    """The best time of a function, and how many it judged."""
    times, count = [], 0
    for _ in range(rounds):
        start = time.process_time()
        # Some tools print while they judge. That is not what is timed.
        with contextlib.redirect_stdout(io.StringIO()):
            count = judge()
        times.append(time.process_time() - start)
    return min(times), count


def bare(program, source, options, rounds):
    """The best time in which our scorer judges what it has in memory, and how many trials."""
    # The flag of our commands names the scorer as well.
    options = [option.split(".")[-1] for option in options]
    command = [program, *source, *options, "--rounds", max(rounds, 20)]
    told = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True).stdout)
    return told["seconds"], told["trials"]


def bfcl_checker(results, data):
    """Two functions: one reads all answers of one turn below a folder, one judges what was read as
    BFCL does."""
    model = "gpt-4o-2024-11-20-FC"
    # The checker needs one property of one model; BFCL's own table imports every vendor's package.
    table = types.ModuleType("bfcl_eval.constants.model_config")
    table.MODEL_CONFIG_MAPPING = {model: types.SimpleNamespace(underscore_to_dot=True)}
    sys.modules[table.__name__] = table
    from bfcl_eval.constants.enums import Language
    from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker
    from bfcl_eval.utils import is_empty_output, is_function_calling_format_output

    def by_id(path):
        lines = path.read_text().splitlines() if path.exists() else []
        return {entry["id"]: entry for entry in map(json.loads, filter(None, lines))}

    def read():
        rows = []
        for path in sorted(pathlib.Path(results).rglob("BFCL_v4_*_result.json")):
            category = path.name.removeprefix("BFCL_v4_").removesuffix("_result.json")
            if category.startswith(("multi_turn", "memory", "web_search")):
                continue
            language = Language.PYTHON
            if "java" in category:
                language = Language.JAVASCRIPT if "script" in category else Language.JAVA
            questions = by_id(data / f"BFCL_v4_{category}.json")
            answers = by_id(data / "possible_answer" / f"BFCL_v4_{category}.json")
            for case, row in by_id(path).items():
                try:
                    calls = [{n: json.loads(t) for n, t in c.items()} for c in row["result"]]
                except Exception:
                    calls = None
                gold = answers.get(case, {}).get("ground_truth")
                rows.append((questions[case]["function"], calls, gold, language, category))
        return rows

    def judge(rows):
        for functions, calls, gold, language, category in rows:
            if calls is None:
                continue
            if "relevance" in category:
                is_empty_output(calls)
            elif is_function_calling_format_output(calls):
                ast_checker(functions, calls, gold, language, category, model)
        return len(rows)

    return read, judge


def made_up(count, seed=5):
    """Cases with expected and made calls, always the same."""
    chance = random.Random(seed)

    def call():
        keys = chance.sample(["city", "day", "unit", "limit", "name"], chance.randint(0, 4))
        arguments = {key: chance.choice(["a", "b", 1, 2.5, True, [1, 2]]) for key in keys}
        return {"name": f"tool_{chance.randrange(6)}", "arguments": arguments}

    for _ in range(count):
        expected = [call() for _ in range(chance.randint(1, 4))]
        made = [call() if chance.random() < 0.4 else dict(gold) for gold in expected]
        yield expected, made


def deepeval_case(number, expected, made, answer):
    def tools(calls):
        return [{"name": c["name"], "type": "FUNCTION", "inputParameters": c["arguments"]} for c in calls]

    return {
        "name": f"case-{number}",
        "input": "a question",
        "actualOutput": answer,
        "toolsCalled": tools(made),
        "expectedTools": tools(expected),
        "success": True,
        "metricsData": [],
        "runDuration": 0.0,
        "order": number,
    }


def deepeval_file(path, cases, answer="an answer"):
    entries = (json.dumps(deepeval_case(n, *case, answer)) for n, case in enumerate(cases))
    with open(path, "w") as out:
        out.write('{"testCases":[')
        for number, entry in enumerate(entries):
            out.write("," * (number > 0) + entry)
        out.write('],"conversationalTestCases":[],"metricsScores":[],"testPassed":0,"testFailed":0}')


def deepeval_checker(path):
    os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    from deepeval.metrics import ToolCorrectnessMetric
    from deepeval.test_case import LLMTestCase, ToolCall, ToolCallParams

    from deepeval.models import DeepEvalBaseLLM

    class Nobody(DeepEvalBaseLLM):
        """The metric wants a model though it asks none."""

        def load_model(self):
            return self

        def generate(self, prompt):
            return ""

        async def a_generate(self, prompt):
            return ""

        def get_model_name(self):
            return "nobody"

    params = [ToolCallParams.INPUT_PARAMETERS]
    metric = ToolCorrectnessMetric(
        evaluation_params=params, async_mode=False, include_reason=False, model=Nobody()
    )

    def tools(calls):
        return [ToolCall(name=c["name"], input_parameters=c["inputParameters"]) for c in calls]

    def read():
        return [
            LLMTestCase(
                input=case["input"],
                actual_output=case["actualOutput"],
                tools_called=tools(case["toolsCalled"]),
                expected_tools=tools(case["expectedTools"]),
            )
            for case in json.loads(path.read_text())["testCases"]
        ]

    def judge(cases):
        for case in cases:
            metric.measure(case, _show_indicator=False)
        return len(cases)

    return read, judge


def trajectory(calls, answer=""):
    made = [
        {
            "id": f"c{place}",
            "type": "function",
            "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
        }
        for place, c in enumerate(calls)
    ]
    return [
        {"role": "user", "content": "a question"},
        {"role": "assistant", "content": answer, "tool_calls": made},
    ]


def agentevals_file(path, cases, answer=""):
    with open(path, "w") as out:
        for number, (expected, made) in enumerate(cases):
            row = {
                "id": f"case-{number}",
                "inputs": {"question": "a question"},
                "outputs": {"messages": trajectory(made, answer)},
                "reference_outputs": {"messages": trajectory(expected)},
            }
            out.write(json.dumps(row) + "\n")


def agentevals_checker(path):
    os.environ.setdefault("LANGSMITH_TRACING", "false")
    from agentevals.trajectory.match import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(trajectory_match_mode="superset")

    def read():
        rows = map(json.loads, path.read_text().splitlines())
        return [(r["outputs"]["messages"], r["reference_outputs"]["messages"]) for r in rows]

    def judge(pairs):
        for made, expected in pairs:
            evaluate(outputs=made, reference_outputs=expected)
        return len(pairs)

    return read, judge


def speed(options, folder):
    """A row for each tool: name, cases, their bare time and ours, theirs from the files on, our
    commands."""
    cases = list(made_up(options.cases))
    deep, agent = folder / "deepeval.json", folder / "agentevals.jsonl"
    deepeval_file(deep, cases)
    agentevals_file(agent, cases)
    jobs = {
        "DeepEval": (
            lambda: deepeval_checker(deep),
            [deep],
            ("deepeval", ["--option", "deepeval.arguments=yes"]),
        ),
        "agentevals": (
            lambda: agentevals_checker(agent),
            [agent],
            ("agentevals", ["--option", "agentevals.mode=superset"]),
        ),
    }
    if options.bfcl:
        source = [options.bfcl, "--data", options.bfcl_data]
        checker = lambda: bfcl_checker(options.bfcl, options.bfcl_data)  # noqa: E731
        jobs["BFCL"] = (checker, source, ("bfcl", []))
    else:
        print("BFCL: skipped, --bfcl names no results")
    for tool, (make, source, (scorer, flags)) in jobs.items():
        try:
            read, judge = make()
        except ImportError as error:
            print(f"{tool}: skipped, {error}")
            continue
        rows = read()
        bare_time, count = theirs(lambda: judge(rows), options.rounds)
        whole_time, _ = theirs(lambda: judge(read()), options.rounds)
        our_bare, trials = bare(options.bare, source, flags, options.rounds)
        if trials != count:
            sys.exit(f"{tool}: it judges {count} records and we {trials}")
        commands = ours(options.toolgauge, source, scorer, flags, options.rounds)
        yield tool, count, (bare_time, our_bare), whole_time, commands


def memory(options, folder):
    """A row for each kind of file and length of answers: its size, and the peak of memory."""
    kinds = [("DeepEval", deepeval_file), ("agentevals", agentevals_file)]
    for (kind, write), words in itertools.product(kinds, (800, 1)):
        peaks = []
        for megabytes in (options.megabytes / 10, options.megabytes):
            path = folder / f"large-{kind}"
            write(path, made_up(1000), "answer " * words)
            count = int(1000 * megabytes * 1e6 / path.stat().st_size)
            write(path, made_up(count), "answer " * words)
            source = [path, "--from", kind.lower(), "-o", folder / "large.eval"]
            command = [options.toolgauge, "-q", "import", *source]
            seconds, peak = measured(command)
            (folder / "large.eval").unlink()
            peaks.append((path.stat().st_size / 1e6, count, seconds, peak))
            path.unlink()
        yield kind, peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bfcl", type=pathlib.Path)
    parser.add_argument("--bfcl-data", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=300)
    parser.add_argument("--toolgauge", default=ROOT / "target/release/toolgauge")
    parser.add_argument("--bare", default=ROOT / "target/release/examples/bare_check")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        print("processor time of the bare check on parsed records")
        rows = []
        for tool, count, (bare_time, our_bare), whole_time, commands in speed(options, folder):
            ratio = bare_time / our_bare
            each = f"{bare_time / count * 1e6:7.1f} µs {our_bare / count * 1e6:7.2f} µs"
            print(f"{tool:12} {count:7} cases, each {each} {ratio:6.0f}×", flush=True)
            missed |= ratio < LEAST[tool]
            rows.append((tool, count, whole_time, commands))
        print("\nfrom the files on, toolgauge as whole commands")
        print(f"{'tool':12} {'cases':>7} {'theirs':>10} {'atlas':>17} {'import':>17} {'score':>17}")
        for tool, count, their_time, times in rows:
            row = f"{tool:12} {count:7} {their_time:8.2f} s"
            cells = [f"{time:7.2f} s {their_time / time:5.1f}×" for time in times]
            print(row, *cells, flush=True)
        print()
        print("peak of memory while a file is imported")
        for kind, ((small, few, _, low), (large, many, seconds, high)) in memory(options, folder):
            each = (high - low) * 1e6 / (many - few)
            print(
                f"{kind:12} {small:4.0f} MB, {few:6} cases: {low:4.0f} MB; {large:4.0f} MB, {many:6} "
                f"cases: {high:4.0f} MB ({each:4.0f} bytes a case), {seconds:.1f} s",
                flush=True,
            )
            missed |= each > MOST_OF_A_CASE
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
