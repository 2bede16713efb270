#!/usr/bin/env python3
"""Times toolgauge beside the checkers of other tools, on the same files and in one run.

    cargo build --profile dist && cargo build --profile dist -p toolgauge-import --example bare_check
    benches/peers.py [--bfcl RESULTS --bfcl-data FOLDER [--bfcl-program PATH]] [--cases 2000]
                     [--rounds 3] [--megabytes 300] [--toolgauge PATH] [--bare PATH] [--check]

Run it with a Python that has the packages of the tools; what is missing is skipped and named.

* BFCL: every answer of one turn of the model in the folder RESULTS, decoded and judged by BFCL's own
  functions; as a program, `bfcl evaluate`, which `--bfcl-program` names.
* DeepEval: `ToolCorrectnessMetric` on made-up cases. agentevals: its trajectory match on the same.

Three times are taken of each, in seconds of the processor, the best of several rounds, so that other
work on the machine disturbs them little:

* of the bare check, on records that are in memory and parsed;
* from the files on: reading and judging, without the start of either program;
* of whole programs, from start to exit: toolgauge's is `atlas`, which judges by the rule of the tool
  and also looks for wrong golds. What `import` takes, which judges by two scorers of its own too
  and writes a log, and `score`, which judges such a log again, is shown beside.

Before that, the peak of memory while files of two sizes are imported, the second six times the first.
The first is a third of what --megabytes says, because the first thousands of cases take more than their
share, whatever follows.
With --check the exit status is 1 if a time is not as many times as short as it must be, or if
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
import shutil
import subprocess
import sys
import tempfile
import time
import types

# How many times as long the others must take: for the bare check, from the files on, and as a
# program. These are aims; docs/peers.md says what was reached. Most of our time is reading, for which
# Python has a reader in C. BFCL's own check is so quick that what a score of ours has beside the
# verdict takes most of the rest.
LEAST = {"DeepEval": (50, 50, 50), "agentevals": (50, 50, 50), "BFCL": (3, 3, 50)}

# How many bytes of memory a case may take on its way into a log: its name, a hash and its place in
# the log, and its marks in the summary, but nothing of what was said and called.
MOST_OF_A_CASE = 200

ROOT = pathlib.Path(__file__).resolve().parent.parent


def measured(command, env=None, fine=(0,)):
    """Processor seconds and peak of memory in MB of a command. The peak is never below that of this
    process. Another status than those that are fine is a failure, since a program that ends in an
    error has not judged anything."""
    with tempfile.TemporaryFile() as out:
        words = list(map(str, command))
        process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, env=env)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in fine:
            out.seek(0)
            sys.exit(f"{' '.join(map(str, command))}\n{out.read().decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(rounds, command, env=None, fine=(0,)):
    """The best processor time of a command."""
    return min(measured(command, env, fine)[0] for _ in range(rounds))


# Of our commands, 1 says that a verdict differs and 3 that a trial has no score.
JUDGED = (0, 1, 3)


def ours(program, source, scorer, options, rounds):
    """The best times of `atlas`, `import` and `score`."""
    with tempfile.TemporaryDirectory() as folder:
        checked = best(rounds, [program, "-q", "atlas", *source], fine=JUDGED)
        imported, scored = [], []
        for number in range(rounds):
            logs = pathlib.Path(folder) / f"imported-{number}"
            imported.append(measured([program, "-q", "import", *source, "-o", logs], fine=JUDGED)[0])
            command = [program, "-q", "score", *logs.glob("*.eval"), "--scorer", scorer, *options]
            again = f"{folder}/scored-{number}"
            scored.append(measured([*command, "--log-dir", again], fine=JUDGED)[0])
        return checked, min(imported), min(scored)


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
    """The best times in which our scorer judges what is in memory, and what is in files."""
    # The flag of our commands names the scorer as well.
    options = [option.split(".")[-1] for option in options]
    command = [program, *source, *options, "--rounds", max(rounds, 20)]
    return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True).stdout)


# The model whose results BFCL takes these for.
BFCL_MODEL = "gpt-4o-2024-11-20-FC"


def bfcl_copy(results, folder):
    """A folder as BFCL has them, with the results of one turn of a model and their scores."""
    results = pathlib.Path(results)
    scores = results.parent.parent / "score" / results.name
    for source, kind in ((results, "result"), (scores, "score")):
        for path in source.rglob(f"BFCL_v4_*_{kind}.json"):
            if not any(word in path.name for word in ("multi_turn", "memory", "web_search")):
                copy = folder / kind / BFCL_MODEL / path.relative_to(source)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)
    return folder / "result" / BFCL_MODEL


def bfcl_program(program, folder):
    """The command that judges the same, and its environment; it needs a key that it does not use."""
    if not program:
        return None
    command = [program, "evaluate", "--model", BFCL_MODEL, "--test-category", "single_turn"]
    # It writes scores, and those that are there stay as they are.
    command += ["--score-dir", "again"]
    return command, {**os.environ, "BFCL_PROJECT_ROOT": str(folder), "OPENAI_API_KEY": "none"}


def bfcl_checker(results, data):
    """Two functions: one reads all answers of one turn below a folder, one judges what was read as
    BFCL does."""
    model = BFCL_MODEL
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


CHECKERS = {"deepeval": deepeval_checker, "agentevals": agentevals_checker}


def alone(name, path):
    """The command that judges a file in a process of its own."""
    return [sys.executable, __file__, "--alone", name, path], None


def jobs(options, folder):
    """For each tool its checker, its program, where our commands read, and their scorer."""
    cases = list(made_up(options.cases))
    deep, agent = folder / "deepeval.json", folder / "agentevals.jsonl"
    deepeval_file(deep, cases)
    agentevals_file(agent, cases)
    flags = ["--option", "deepeval.arguments=yes"]
    yield "DeepEval", lambda: deepeval_checker(deep), alone("deepeval", deep), [deep], "deepeval", flags
    flags = ["--option", "agentevals.mode=superset"]
    made = lambda: agentevals_checker(agent)  # noqa: E731
    yield "agentevals", made, alone("agentevals", agent), [agent], "agentevals", flags
    if not options.bfcl:
        print("BFCL: skipped, --bfcl names no results")
        return
    results, data = bfcl_copy(options.bfcl, folder), options.bfcl_data
    made = lambda: bfcl_checker(results, data)  # noqa: E731
    command = bfcl_program(options.bfcl_program, folder)
    yield "BFCL", made, command, [results, "--data", data], "bfcl", []


def speed(options, folder):
    """A row for each tool: name, cases, pairs of their time and ours, and our other commands."""
    for tool, make, program, source, scorer, flags in jobs(options, folder):
        try:
            read, judge = make()
        except ImportError as error:
            print(f"{tool}: skipped, {error}")
            continue
        rows = read()
        bare_time, count = theirs(lambda: judge(rows), options.rounds)
        files_time, _ = theirs(lambda: judge(read()), options.rounds)
        told = {}
        if options.bare.exists():
            told = bare(options.bare, source, flags, options.rounds)
            if told["trials"] != count:
                sys.exit(f"{tool}: it judges {count} records and we {told['trials']}")
        program_time = best(options.rounds, *program) if program else None
        atlas, *others = ours(options.toolgauge, source, scorer, flags, options.rounds)
        columns = told.get("bare"), told.get("from_files"), atlas
        pairs = zip((bare_time, files_time, program_time), columns)
        yield tool, count, pairs, others


def memory(options, folder):
    """A row for each kind of file and length of answers: its size, and the peak of memory."""
    kinds = [("DeepEval", deepeval_file), ("agentevals", agentevals_file)]
    for (kind, write), words in itertools.product(kinds, (800, 1)):
        peaks = []
        for megabytes in (options.megabytes / 3, options.megabytes * 2):
            path = folder / f"large-{kind}"
            write(path, made_up(1000), "answer " * words)
            count = int(1000 * megabytes * 1e6 / path.stat().st_size)
            write(path, made_up(count), "answer " * words)
            source = [path, "--from", kind.lower(), "-o", folder / "large.eval"]
            command = [options.toolgauge, "-q", "import", *source]
            seconds, peak = measured(command, fine=JUDGED)
            (folder / "large.eval").unlink()
            peaks.append((path.stat().st_size / 1e6, count, seconds, peak))
            path.unlink()
        yield kind, peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--bfcl", type=pathlib.Path)
    parser.add_argument("--bfcl-data", type=pathlib.Path)
    parser.add_argument("--bfcl-program")
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=300)
    parser.add_argument("--toolgauge", default=ROOT / "target/dist/toolgauge")
    example = ROOT / "target/dist/examples/bare_check"
    parser.add_argument("--bare", type=pathlib.Path, default=example)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.alone:
        read, judge = CHECKERS[options.alone[0]](pathlib.Path(options.alone[1]))
        judge(read())
        return 0
    if not options.bare.exists():
        print(f"skipped: the first two columns, because there is no {options.bare}", file=sys.stderr)
        if options.check:
            return 2
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        # First, while this process is small, before it loads the packages of the other tools.
        print("peak of memory while a file is imported")
        for kind, ((small, few, _, low), (large, many, seconds, high)) in memory(options, folder):
            each = (high - low) * 1e6 / (many - few)
            print(
                f"{kind:12} {small:4.0f} MB, {few:6} cases: {low:4.0f} MB; {large:4.0f} MB, {many:6} "
                f"cases: {high:4.0f} MB ({each:4.0f} bytes a case), {seconds:.1f} s",
                flush=True,
            )
            missed |= each > MOST_OF_A_CASE
        print("\nprocessor time, theirs and ours")
        titles = "the bare check", "from the files on", "as programs", "import", "score"
        print(f"{'tool':10} {'cases':>6}", *(f"{title:>28}" for title in titles[:3]), *titles[3:])
        for tool, count, pairs, others in speed(options, folder):
            cells = []
            for (their, our), least in zip(pairs, LEAST[tool]):
                if their is None or our is None:
                    cells.append(f"{'–':>28}")
                    continue
                cells.append(f"{their:9.4f} {our:9.4f} s {their / our:6.1f}×")
                missed |= their / our < least
            print(f"{tool:10} {count:6}", *cells, *(f"{time:.2f} s" for time in others), flush=True)
    return 1 if options.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
