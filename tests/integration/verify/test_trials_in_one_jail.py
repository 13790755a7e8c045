"""All trials of a course are made in one jail, and go on in others where its process was killed."""

import pytest

from grader.course.variants.read_variants import solution_submission
from grader.errors import IsolationError
from grader.grading import ClassRun
from grader.grading.jails import open_course_jail
from grader.verify.trial import grade_texts, one_jail

from ...support.courses import small_course


@pytest.mark.parametrize("lives", [True, False])
def test_trials_go_on_in_other_jails_only_where_the_first_one_was_killed(tmp_path, monkeypatch, lives):
    opened, others, in_jails = [], [], ClassRun.in_jails

    def opening(*options):
        opened.append(open_course_jail(*options))
        return opened[0]

    def elsewhere(class_run, left):
        others.append([*left])
        in_jails(class_run, left)

    monkeypatch.setattr("grader.verify.trial.open_course_jail", opening)
    monkeypatch.setattr(ClassRun, "in_jails", elsewhere)
    course = small_course(tmp_path)
    (assignment,) = course.assignments.values()
    texts = {"ann": solution_submission(assignment)}
    with one_jail(course, 1) as judge:
        if not lives:
            opened[0]._zygote.process.kill()
        trials = [grade_texts(course, assignment, texts, 1, judge=judge) for _ in range(2)]
    assert len(opened) == 1 and not any(trial.lost("ann") for trial in trials)
    assert others == ([] if lives else [[assignment.id]] * 2)


def test_without_isolation_what_needs_no_jail_is_looked_at_all_the_same(tmp_path, monkeypatch):
    def refused(*_):
        raise IsolationError("No isolation.")

    monkeypatch.setattr("grader.verify.trial.open_course_jail", refused)
    with one_jail(small_course(tmp_path), 1) as judge:
        assert judge == ClassRun.in_jails
