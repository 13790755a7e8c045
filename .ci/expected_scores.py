#!/usr/bin/env python3
"""Compares the reports of the example class with `examples/expected_scores.json` and names each difference.

Usage: expected_scores.py REPORTS. Ends with 1 where a score differs, or a submission has no report or one too many.
"""

import json
import sys
from decimal import Decimal
from pathlib import Path

EXPECTED = Path(__file__).resolve().parent.parent / "examples" / "expected_scores.json"
PROBLEM = "problem"


def scores_in(report):
    """Return the points of each exercise as text, or that the submission could not be graded."""
    if report["problem"] is not None:
        return PROBLEM
    return {exercise["id"]: exercise["score"].normalize() for exercise in report["exercises"]}


def main(reports):
    """Print each difference and return the exit code."""
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))
    wanted = {
        (student, assignment): scores
        if scores == PROBLEM
        else {key: Decimal(value).normalize() for key, value in scores.items()}
        for student, work in expected.items()
        for assignment, scores in work.items()
    }
    graded = {
        (path.parent.name, path.stem): scores_in(json.loads(path.read_bytes(), parse_float=Decimal, parse_int=Decimal))
        for path in Path(reports).glob("*/*.json")
        if path.parent.name in expected
    }
    different = [key for key in sorted({*wanted, *graded}) if wanted.get(key) != graded.get(key)]
    for key in different:
        print(f"{key[0]}, {key[1]}: {graded.get(key)} and not {wanted.get(key)}")
    print(f"The example class: {len(wanted) - len(different)} of {len(wanted)} submissions have their expected scores.")
    return 1 if different or not wanted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
