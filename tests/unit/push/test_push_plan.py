"""Whom in Canvas a push finds for each folder of a class, without a Canvas."""

from decimal import Decimal

from grader.push.plan import Student, plan_of
from grader.results.grades import Grade

ANN = {"canvas_id": "1", "sis_id": "s1", "login": "ann@uni", "email": "ann@mail"}
BEN = {"canvas_id": "2", "sis_id": "s2", "login": "ben@uni", "email": "ben@mail"}


def grade(student="ann", score="8", **more):
    given = {"ids": ANN, "assignment": "01_a", "by_hand": None, "status": "graded", **more}
    return Grade(student=student, name="", score=None if score is None else Decimal(score), max=Decimal(10), **given)


def student(score=None, ids=ANN, **more):
    return Student("Ann", ids, None if score is None else Decimal(score), **more)


def test_any_identity_that_canvas_shows_finds_the_student():
    for kind, value in ANN.items():
        for written in (value, value.upper()):
            plan = plan_of([grade(ids={kind: written, "number": "2"})], [student(), student(ids=BEN)])
            assert [change.student.ids for change in plan.changes] == [ANN]
    seen = [student(ids={"canvas_id": "1", "login": "ann@uni"})]
    assert plan_of([grade(ids={"sis_id": "s1", "login": "ann@uni"})], seen).changes


def test_who_cannot_be_matched_is_left_out_with_the_reason(subtests):
    """Nobody is matched by name, or by a number of another platform."""
    double = [student(), student(ids={**BEN, "login": "ann@uni"})]
    for ids, students, reason in (
        ({}, [student()], "nobody in Canvas by the name of the folder"),
        ({"number": "1", "participant": "1"}, [student()], "nobody in Canvas by number '1'"),
        ({"login": "ann@uni"}, double, "several students"),
        ({"sis_id": "s1"}, [student(ids={"canvas_id": "1"})], "nobody in Canvas by sis_id 's1'"),
    ):
        with subtests.test(ids):
            plan = plan_of([grade(ids=ids)], students)
            assert (plan.changes, plan.unchanged) == ([], 0)
            assert reason in plan.left_out["ann"]


def test_whom_the_roster_contradicts_gets_nothing(subtests):
    """A column that slipped by a row would give the whole class the scores of others."""
    slipped = [{"canvas_id": "1", "sis_id": "s2"}, {"canvas_id": "1", "login": "ben@uni"}, {**ANN, "login": "b@uni"}]
    for ids in (*slipped, {"canvas_id": "9", "login": "ann@uni"}):
        with subtests.test(ids):
            plan = plan_of([grade(ids=ids)], [student(), student(ids=BEN)])
            assert (plan.changes, plan.left_out.keys()) == ([], {"ann"})
    plan = plan_of(
        [grade(ids={**ANN, "sis_id": "s2"}), grade("ben", ids={**BEN, "sis_id": "s1"})], [student(), student(ids=BEN)]
    )
    assert plan.changes == []


def test_a_folder_of_canvas_needs_no_roster():
    """The number at its end is Canvas's, if the name is that student's."""
    for folder, matched in (("leeann_1", True), ("foxben_1", False), ("ann@uni", True)):
        plan = plan_of([grade(folder, ids={})], [Student("Ann Lee", ANN)])
        assert bool(plan.changes) == matched and bool(plan.left_out) != matched


def test_an_email_that_the_student_changed_contradicts_nothing():
    assert plan_of([grade(ids={**ANN, "email": "other@mail"})], [student()]).changes


def test_two_folders_are_never_one_student():
    plan = plan_of([grade(ids={"canvas_id": "1"}), grade("ann2", ids={"sis_id": "s1"})], [student()])
    assert plan.changes == [] and plan.left_out.keys() == {"ann", "ann2"}


def test_only_a_score_that_canvas_can_tell_from_its_own_is_sent():
    for stored, sent in ((None, True), ("7.99", True), ("8", False), ("8.004", False), ("0", True)):
        plan = plan_of([grade()], [student(stored)])
        assert (bool(plan.changes), plan.unchanged) == (sent, not sent)


def test_points_by_hand_count_and_no_points_change_nothing():
    by_hand = grade(score=None, by_hand=Decimal("6.5"), status="not graded")
    assert [change.score for change in plan_of([by_hand], [student("8")]).changes] == [Decimal("6.5")]
    zero = grade(by_hand=Decimal(0))
    assert [change.score for change in plan_of([zero], [student("8")]).changes] == [Decimal(0)]
    missing = plan_of([grade(score=None, status="missing")], [student("8")])
    assert (missing.changes, missing.left_out) == ([], {})
    torn = plan_of([grade(score=None, status="not graded", problem="No file.")], [student("8")])
    assert torn.changes == [] and "No file." in torn.left_out["ann"]


def test_who_is_excused_is_left_out():
    assert plan_of([grade()], [student("8", excused=True)]).left_out.keys() == {"ann"}
