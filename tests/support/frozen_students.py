"""What students hand in for the first assignment of the frozen course, and the points that it earns."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from .classes.grading_runs import ASSIGNMENT, FILE, frozen_course

Notebook = dict[str, Any]
SCORES, NORMALIZED = "attention_scores_for_query", "normalize_scores"
SOFTMAX, WEIGHTS = "softmax_naive", "attention_weights"
POINTS = {SCORES: Decimal(3), NORMALIZED: Decimal(2), SOFTMAX: Decimal(3), WEIGHTS: Decimal(3)}
RIGHT = {
    SCORES: f"def {SCORES}(inputs, query):\n    return inputs @ query\n",
    NORMALIZED: f"def {NORMALIZED}(scores):\n    return scores / scores.sum()\n",
    SOFTMAX: f"def {SOFTMAX}(x):\n    powers = torch.exp(x)\n    return powers / powers.sum()\n",
    WEIGHTS: f"def {WEIGHTS}(scores):\n    return torch.softmax(scores, dim=-1)\n",
}
IN_ANOTHER_STYLE = {
    SCORES: f"{SCORES} = lambda inputs, query: (inputs * query).sum(-1)\n",
    NORMALIZED: f"def {NORMALIZED}(scores):\n    return torch.div(scores, sum(scores))\n",
    SOFTMAX: f"def {SOFTMAX}(x):\n    powers = (x - x.max()).exp()\n    return powers / powers.sum()\n",
    WEIGHTS: f"def {WEIGHTS}(scores):\n    return torch.nn.functional.log_softmax(scores, -1).exp()\n",
}
NO_EXPONENTIAL = f"def {SOFTMAX}(x):\n    return x / x.sum()\n"
"""The one mistake that the course lists for it."""
ANSWERS: dict[str, dict[str, str]] = {
    "ada_solution": RIGHT,
    "ben_untouched_stub": {},
    "emma_two_mistakes": RIGHT
    | {
        SOFTMAX: NO_EXPONENTIAL,
        WEIGHTS: f"def {WEIGHTS}(scores):\n    scores.exp_()\n    return scores / scores.sum(-1, keepdim=True)\n",
    },
    "farid_no_exponential": RIGHT | {SOFTMAX: NO_EXPONENTIAL},
    "jun_endless_loop": RIGHT | {SOFTMAX: f"def {SOFTMAX}(x):\n    while True:\n        pass\n"},
    "quinn_own_style": IN_ANOTHER_STYLE,
    "rosa_notebook": RIGHT,
}
NONE = Decimal(0)  # a wrong value loses the check on random numbers, without which an exercise is worth nothing
LOST = {
    "ben_untouched_stub": dict.fromkeys(POINTS, NONE),
    "emma_two_mistakes": {SOFTMAX: NONE, WEIGHTS: Decimal("2.1")},  # 3 * 7 / 10: all but purity
    "farid_no_exponential": {SOFTMAX: NONE},
    "jun_endless_loop": {SOFTMAX: NONE},
}
"""The points of exercises that lose some, by the weights in the suites."""


def points_of(student: str) -> dict[str, Decimal]:
    """Return the points of each exercise that a student's answers earn."""
    return POINTS | LOST.get(student, {})


def file_of(answers: Mapping[str, str]) -> str:
    return "\n\n".join(["import torch\n", *(f"# %%\n{text}" for text in answers.values())])


def notebook_of(answers: Mapping[str, str]) -> Notebook:
    """Return the notebook that students get with answers in the cells of their exercises."""
    path = frozen_course() / "assignments" / ASSIGNMENT / f"{FILE}.ipynb"
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = answers.get(cell["metadata"].get("nbgrader", {}).get("grade_id", ""), cell["source"])
    return notebook
