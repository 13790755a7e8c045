"""Right answers, also those by loops, stay far below the limits, and have full marks on the pretended device."""

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants, solution_submission
from grader.limits import DEFAULT_LIMITS
from grader.verify.repeat_runs import crowded
from grader.verify.trial import grade_texts

from ...support.classes.grading_runs import ROOT

QUARTER = {name: getattr(DEFAULT_LIMITS, name) / 4 for name in ("check_cpu_s", "submission_cpu_s")}
QUARTER["memory_bytes"] = DEFAULT_LIMITS.memory_bytes // 4
"""A machine half as fast gives them the same grade."""
WHERE = {"under a quarter of each limit": {"limits": QUARTER}, "on the pretended device": {"device": "pretended"}}
COURSE = find_course(ROOT)


@pytest.mark.parametrize("options", WHERE.values(), ids=WHERE)
@pytest.mark.parametrize("name", COURSE.assignments)
def test_the_solution_and_every_right_variant_have_full_marks(name, options):
    assignment = COURSE.assignments[name]
    crowds = crowded(load_variants(assignment).rights)
    texts = {f"crowd-{number}": build_submission(assignment, *crowd) for number, crowd in enumerate(crowds)}
    texts["the-solution"] = solution_submission(assignment)
    trial = grade_texts(COURSE, assignment, texts, jobs=2, **options)
    lost = [who for who, report in trial.reports.items() if report["score"] != report["max_score"]]
    assert len(trial.reports) == len(texts) and not lost
