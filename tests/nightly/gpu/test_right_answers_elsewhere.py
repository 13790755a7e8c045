"""A whole run on the pretended device gives the solution and every right variant full marks, as one on a GPU should."""

import pytest

from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants, solution_submission
from grader.verify.repeat_runs import crowded
from grader.verify.trial import grade_texts

from ...support.classes.grading_runs import ROOT

COURSE = find_course(ROOT)


@pytest.mark.parametrize("name", COURSE.assignments)
def test_right_answers_have_full_marks_on_the_pretended_device(name: str) -> None:
    assignment = COURSE.assignments[name]
    texts = {"the-solution": solution_submission(assignment)}
    for number, crowd in enumerate(crowded(load_variants(assignment).rights)):
        texts[f"crowd-{number}"] = build_submission(assignment, *crowd)
    trial = grade_texts(COURSE, assignment, texts, jobs=2, device="pretended")
    lost = [who for who, report in trial.reports.items() if report["score"] != report["max_score"]]
    assert len(trial.reports) == len(texts) and not lost
