#!/usr/bin/env python3
"""Chooses the cases of `--quick` from logs of a suite.

    choose.py --cases 40 --tier small,medium logs/*.eval

Each log is one subject. A case tells subjects apart if some get it right and others do not: it is
worth p * (1 - p), where p is the share of subjects that do. Cases are taken in turns from each
phenomenon, so that no kind of request is left out, the best of each first; of cases that are worth
the same, the one that follows the subjects' scores more closely comes first, then that of the tier
named first, then the id.
Trials without a score are left out.
"""

import argparse
import json
import zipfile
from collections import defaultdict
from pathlib import Path


def main() -> None:
    options = arguments()
    subjects = [results(path) for path in options.logs]
    tiers = options.tier.split(",") if options.tier else None
    worth, strata, place = {}, defaultdict(list), {}
    for case, tags in sorted({k: v for one in subjects for k, v in one["tags"].items()}.items()):
        if tiers and tags.get("tier") not in tiers:
            continue
        scores = [(one["scores"][case], one["mean"]) for one in subjects if case in one["scores"]]
        if scores:
            worth[case] = value(scores)
            place[case] = tiers.index(tags["tier"]) if tiers else 0
            strata[tags.get(options.by, "")].append(case)
    for cases in strata.values():
        cases.sort(key=lambda case: (*[-part for part in worth[case]], place[case], case))
    chosen = []
    while len(chosen) < options.cases and any(strata.values()):
        # Within a round the most telling phenomena come first, should the last round be cut short.
        turn = sorted((s for s in strata if strata[s]), key=lambda s: (*[-p for p in worth[strata[s][0]]], s))
        chosen += [strata[stratum].pop(0) for stratum in turn][: options.cases - len(chosen)]
    print("quick:")
    for case in sorted(chosen):
        print(f"  - {case}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--tier", help="only these tiers")
    parser.add_argument("--by", default="phenomenon", help="the tag that cases are taken in turns of")
    return parser.parse_args()


def value(scores: list[tuple[float, float]]) -> tuple[float, float]:
    """How far a case tells subjects apart, and how far it agrees with their scores."""
    count = len(scores)
    p = sum(score for score, _ in scores) / count
    mean = sum(m for _, m in scores) / count
    agreement = sum((score - p) * (m - mean) for score, m in scores) / count
    return (round(p * (1 - p), 6), round(agreement, 6))


def results(path: Path) -> dict:
    """The mean score of each case by the scorer that counts, and the tags."""
    with zipfile.ZipFile(path) as log:
        run = json.loads(log.read("header.json"))["eval"]
        scorer = run["metadata"]["toolgauge"]["run"]["scorers"][0]
        scores, tags = defaultdict(list), {}
        for sample in json.loads(log.read("summaries.json")):
            got = (sample.get("scores") or {}).get(scorer)
            if got is None or not isinstance(got["value"], (int, float)):
                continue
            scores[sample["id"]].append(float(got["value"]))
            tags[sample["id"]] = sample.get("metadata") or {}
    means = {case: sum(values) / len(values) for case, values in scores.items()}
    return {"scores": means, "tags": tags, "mean": sum(means.values()) / max(1, len(means))}


if __name__ == "__main__":
    main()
