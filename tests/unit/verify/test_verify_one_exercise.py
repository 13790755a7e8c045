"""`grader verify` can look at one exercise alone."""

import pytest

from grader.errors import UsageError
from grader.verify.rules import chosen
from grader.verify.text_rules import everything_said, examples_are_true

from ...support.courses import small_course
from .test_verify_command import PROVEN, PROVEN_SOURCE, verified


def test_a_fault_of_the_one_exercise_is_named(tmp_path):
    course = small_course(tmp_path, PROVEN | {"solutions/01_tiny/tiny.py": PROVEN_SOURCE.replace("Hints:", "Notes:")})
    (assignment,) = course.assignments.values()
    assert [finding.exercise for finding in everything_said(assignment, ["Shift"])] == ["Shift"]
    assert [finding.exercise for finding in everything_said(assignment, ["shares", "Shift"])] == ["shares", "Shift"]


def test_nothing_needs_to_be_built(tmp_path):
    done = verified(tmp_path, None, "--exercise", "shares", build=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (tmp_path / "assignments" / "01_tiny" / "tiny.py").exists()


@pytest.mark.parametrize(
    ("assignment", "exercise", "words"),
    [
        (None, "shraes", "This course has no exercise `shraes`. Did you mean `shares`?"),
        ("tiny", "shft", "The assignment 01_tiny has no exercise `shft`. Did you mean `Shift`?"),
        (None, "zzzz", "Known are: `Shift`, `shares`."),
        ("01_tinny", "shares", "Did you mean `01_tiny`?"),
    ],
)
def test_an_unknown_exercise_is_refused_with_the_nearest_name(tmp_path, assignment, exercise, words):
    with pytest.raises(UsageError) as caught:
        chosen(small_course(tmp_path), assignment, exercise)
    assert words in str(caught.value) and caught.value.exit_code == 2


def test_an_exercise_is_found_without_its_assignment(tmp_path):
    course = small_course(tmp_path)
    assert [match.id for match in chosen(course, None, "Shift")] == [match.id for match in chosen(course, None, None)]
    assert [match.id for match in chosen(course, "tiny", "Shift")] == ["01_tiny"]


@pytest.mark.parametrize(("shown", "count"), [("0.5", 0), ("0.25", 1)])
def test_an_example_that_the_solution_does_not_give_is_named(tmp_path, shown, count):
    example = f"Example:\n        >>> float(shares(torch.ones(2))[0])\n        {shown}\n\n    Hints:"
    course = small_course(tmp_path, PROVEN | {"solutions/01_tiny/tiny.py": PROVEN_SOURCE.replace("Hints:", example, 1)})
    (assignment,) = course.assignments.values()
    findings = [*examples_are_true(assignment, ["shares", "Shift"])]
    assert [finding.exercise for finding in findings] == ["shares"] * count
    assert all(finding.found.startswith("Failed example: float(shares") for finding in findings)
