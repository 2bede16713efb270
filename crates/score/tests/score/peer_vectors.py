"""Random calls, and what the real packages say of them, one JSON object a line."""

import json
import random
import sys
from copy import deepcopy

from agentevals.trajectory import strict, subset, superset, unordered
from deepeval.metrics import ToolCorrectnessMetric
from deepeval.test_case import ToolCall, ToolCallParams

VALUES = [1, 1.0, True, 0, "x", "X", None, [1], [1.0, "y"], {"k": 1}, {"k": 2, "j": 1}, {"k": {"l": 1}}]


def arguments(random):
    return {key: deepcopy(random.choice(VALUES)) for key in random.sample("abc", random.randint(0, 3))}


def calls(random, most):
    made = []
    for _ in range(random.randint(0, most)):
        if made and random.random() < 0.3:
            made.append(deepcopy(random.choice(made)))
        else:
            made.append({"name": random.choice("fgh"), "arguments": arguments(random)})
    return made


def related(random, first, most):
    """Calls that often are those of the other side, shuffled and changed."""
    if random.random() < 0.3:
        return calls(random, most)
    made = deepcopy(first)
    random.shuffle(made)
    for call in made:
        if call["arguments"] and random.random() < 0.3:
            key = random.choice(sorted(call["arguments"]))
            if random.random() < 0.5:
                del call["arguments"][key]
            else:
                call["arguments"][key] = deepcopy(random.choice(VALUES))
    if made and random.random() < 0.3:
        made.pop()
    return made


def deepeval(random, mode, with_arguments):
    expected = calls(random, 4)
    called = related(random, expected, 4)
    for call in called:
        if random.random() < 0.2:
            call["output"] = random.choice(["o", "p"])
    metric = ToolCorrectnessMetric.__new__(ToolCorrectnessMetric)
    metric.evaluation_params = [ToolCallParams.INPUT_PARAMETERS] if with_arguments else []
    metric.should_exact_match = mode == "exact"
    metric.should_consider_ordering = mode == "ordered"
    metric.strict_mode, metric.threshold = False, 0.5
    tool = lambda call: ToolCall(
        name=call["name"], input_parameters=call["arguments"], output=call.get("output")
    )
    metric.expected_tools, metric.tools_called = list(map(tool, expected)), list(map(tool, called))
    score = metric._calculate_score()
    options = {"mode": mode, "arguments": "yes" if with_arguments else "no"}
    return {"rule": "deepeval", "options": options, "expected": expected, "called": called, "score": score}


def messages(random, made):
    """Puts calls into messages, several into one at times."""
    said, made = [{"role": "user", "content": "go"}], list(made)
    while made:
        count = random.randint(1, 2)
        several, made = made[:count], made[count:]
        tools = [
            {"id": "", "type": "function", "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])}}
            for call in several
        ]
        said.append({"role": "assistant", "content": random.choice(["", "hm"]), "tool_calls": tools})
        said += [{"role": "tool", "tool_call_id": "", "content": "done"}] * random.randint(0, 1)
    if random.random() < 0.5:
        said.append({"role": "assistant", "content": "ready"})
    return said


MODES = {"strict": strict, "unordered": unordered, "subset": subset, "superset": superset}


def agentevals(random, mode, argument_mode):
    expected = calls(random, 3)
    seed = random.getrandbits(32)
    reference = messages(type(random)(seed), expected)
    # The same seed often gives the same messages.
    again = type(random)(seed if random.random() < 0.6 else seed + 1)
    output = messages(again, related(random, expected, 3))
    score = MODES[mode]._scorer(
        outputs=deepcopy(output), reference_outputs=deepcopy(reference), tool_args_match_mode=argument_mode
    )
    options = {"mode": mode, "arguments": argument_mode}
    return {"rule": "agentevals", "options": options, "output": output, "reference": reference, "score": float(score)}


def main():
    rounds, seed = int(sys.argv[1]), int(sys.argv[2])
    source = random.Random(seed)
    for _ in range(rounds):
        for mode in ("any", "ordered", "exact"):
            for with_arguments in (False, True):
                print(json.dumps(deepeval(source, mode, with_arguments)))
        for mode in MODES:
            for argument_mode in ("exact", "ignore", "subset", "superset"):
                print(json.dumps(agentevals(source, mode, argument_mode)))


main()
