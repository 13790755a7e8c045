"""Right answers stay far below the limits, also those by loops: a machine half as fast gives them the same grade."""

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants
from grader.limits import DEFAULT_LIMITS
from grader.verify.repeat_runs import crowded
from grader.verify.trial import grade_texts

from ...support.classes.grading_runs import ROOT

QUARTER = {name: getattr(DEFAULT_LIMITS, name) / 4 for name in ("check_cpu_s", "submission_cpu_s")}
QUARTER["memory_bytes"] = DEFAULT_LIMITS.memory_bytes // 4
COURSE = find_course(ROOT)


@pytest.mark.parametrize("name", COURSE.assignments)
def test_every_right_variant_has_full_marks_under_a_quarter_of_each_limit(name: str) -> None:
    assignment = COURSE.assignments[name]
    crowds = {f"crowd-{number}": crowd for number, crowd in enumerate(crowded(load_variants(assignment).rights))}
    texts = {who: build_submission(assignment, *crowd) for who, crowd in crowds.items()}
    trial = grade_texts(COURSE, assignment, texts, jobs=2, limits=QUARTER)
    graded = [(variant, trial.exercise(who, variant.exercise)) for who, crowd in crowds.items() for variant in crowd]
    lost = [f"{it.exercise}.{it.name}" for it, report in graded if report["score"] != report["max_score"]]
    assert graded and not lost
