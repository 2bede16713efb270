#!/usr/bin/env python3
"""Partial credit for a tau-bench results file, the straightforward way.

The same scores as `toolgauge partial`, by the rules of docs/partial.md, written without a thought
for speed: load everything, score it, dump everything. It is what the benchmark times toolgauge
against, and what the tests hold toolgauge's scores against.

    partial_peer.py RESULTS.json OUTPUT.json
"""

import json
import sys

NAME_SHARE = 0.4
ARGUMENT_SHARE = 0.6


def likeness(expected, actual):
    """How much of the expected value the actual one fulfils, from 0 to 1."""
    if expected == actual:
        return 1.0
    if isinstance(expected, dict) and isinstance(actual, dict):
        if not expected:
            return 1.0
        credit = 0.0
        for key in expected:
            if key in actual:
                credit += likeness(expected[key], actual[key])
        return credit / len(expected)
    if isinstance(expected, list) and isinstance(actual, list):
        if not expected:
            return 1.0
        credit = 0.0
        for item in expected:
            credit += max((likeness(item, other) for other in actual), default=0.0)
        return credit / len(expected)
    return 0.0


def arguments_of(function):
    """The arguments of a call; what is not JSON counts as no arguments."""
    arguments = function.get("arguments", "{}")
    if arguments is None:
        return {}
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except (ValueError, RecursionError):
        return {}


def calls_of(trajectory):
    """Every call of every message: its name and its arguments."""
    calls = []
    for message in trajectory:
        tool_calls = message.get("tool_calls") if isinstance(message, dict) else None
        if not isinstance(tool_calls, list):
            continue
        for call in tool_calls:
            function = call.get("function") if isinstance(call, dict) else None
            if not isinstance(function, dict):
                function = {}
            calls.append((function.get("name", ""), arguments_of(function)))
    return calls


def score_of(task):
    """The partial score of one task."""
    info = task.get("info")
    if not isinstance(info, dict) or "error" in info:
        return 0.0
    expected_task = info.get("task")
    if not isinstance(expected_task, dict) or "actions" not in expected_task:
        return 0.0
    actions = expected_task["actions"]
    if actions is None:
        actions = []
    trajectory = task.get("traj")
    if not isinstance(actions, list) or not isinstance(trajectory, list):
        return 0.0
    calls = calls_of(trajectory)
    if not actions:
        return 0.0 if calls else 1.0
    total = 0.0
    for action in actions:
        if not isinstance(action, dict):
            continue
        best = 0.0
        for name, arguments in calls:
            if name == action.get("name", ""):
                similar = likeness(action.get("kwargs", {}), arguments)
                best = max(best, NAME_SHARE + ARGUMENT_SHARE * similar)
        total += best
    return total / len(actions)


def reward_of(task):
    """The reward; what is not a finite number counts as 0."""
    reward = task.get("reward")
    if isinstance(reward, bool) or not isinstance(reward, (int, float)):
        return 0.0
    return float(reward) if abs(reward) < float("inf") else 0.0


def print_statistics(tasks):
    """The first block of the statistics."""
    scores = [task["partial_score"] for task in tasks]
    rewards = [reward_of(task) for task in tasks]
    count = len(tasks)
    successes = sum(reward > 0.9 for reward in rewards)
    lines = ["=== SCORING STATISTICS ===", f"Total tasks: {count}", "", "Binary Scoring:"]
    lines.append(f"  Success rate: {successes}/{count} ({successes / count * 100:.1f}%)")
    lines += [f"  Average: {sum(rewards) / count:.3f}", "", "Partial Scoring:"]
    lines += [f"  Average: {sum(scores) / count:.3f}", f"  Min: {min(scores):.3f}"]
    lines += [f"  Max: {max(scores):.3f}", "", "Partial Score Distribution:"]
    ends = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    for low, high in zip(ends, ends[1:]):
        inside = sum(low <= score < high for score in scores)
        lines.append(f"  [{low:.1f}-{high:.1f}): {inside:3d} tasks ({inside / count * 100:5.1f}%)")
    perfect = sum(score >= 1.0 for score in scores)
    lines.append(f"  [1.0]: {perfect:3d} tasks ({perfect / count * 100:5.1f}%)")
    lines += ["", "Interesting Cases:"]
    both = list(zip(tasks, rewards, scores))
    near = [(task, score) for task, reward, score in both if reward <= 0.9 and score > 0.7]
    far = [(task, score) for task, reward, score in both if reward > 0.9 and score < 0.8]
    for what, cases in (("fail but partial > 0.7", near), ("success but partial < 0.8", far)):
        if cases:
            lines.append(f"  Binary {what}: {len(cases)} tasks")
        for task, score in cases[:3]:
            lines.append(f"    Task {task.get('task_id')}: partial={score:.2f}")
    print("\n".join(lines))


def main():
    source, target = sys.argv[1:3]
    with open(source, encoding="utf-8") as file:
        tasks = json.load(file)
    for task in tasks:
        task["partial_score"] = score_of(task)
    if tasks:
        print_statistics(tasks)
    with open(target, "w", encoding="utf-8") as file:
        json.dump(tasks, file, indent=2)


if __name__ == "__main__":
    main()
