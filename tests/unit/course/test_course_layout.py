"""A course is found by its folders and refused, with the place to look at, when it is broken."""

from decimal import Decimal

import pytest

from grader.course.layout import find_course
from grader.errors import CourseError, UsageError

from ...support.courses import HIDDEN_SHARES, SHARES, SOURCE, small_course, write_course

SOLUTION = "solutions/01_tiny/tiny.py"


def line_of(text, part):
    """Return the number of the first line of `text` that holds `part`."""
    return next(number for number, line in enumerate(text.split("\n"), start=1) if part in line)


def test_course_is_found_from_a_folder_or_file_below_its_root(tmp_path):
    root = write_course(tmp_path)
    starts = (root, root / "tests" / "hidden" / "01_tiny", root / SOLUTION)
    assert {find_course(start).root for start in starts} == {root.resolve()}


def test_place_without_a_course_is_refused_with_what_a_course_is(tmp_path, refuses):
    with refuses(UsageError):
        find_course(tmp_path)


def test_assignment_knows_its_title_points_and_files(tmp_path):
    assignment = small_course(tmp_path).assignments["01_tiny"]
    assert (assignment.name, assignment.title, assignment.points) == ("tiny", "Tiny steps", Decimal("5.5"))
    assert assignment.visible == tmp_path / "tests/visible/test_tiny.py"
    assert [assignment.suite(exercise).is_file() for exercise in assignment.exercises] == [True, True]
    assert assignment.released == tmp_path / "assignments/01_tiny"


def test_exercises_come_in_order_with_exact_points(tmp_path):
    shares, shift = small_course(tmp_path).assignments["01_tiny"].exercises
    assert (shares.id, shares.points, shares.forbids) == ("shares", Decimal(2), ("softmax",))
    assert (shift.id, shift.points, shift.forbids) == ("Shift", Decimal("3.5"), ())
    assert (shares.title_ko, shares.minutes, shares.difficulty) == ("전체에서의 비율", 5, 1)


BROKEN = {
    "no points": ('"points": 2, ', "", '"grade_id": "shares-check"'),
    "points of zero": ('"points": 2', '"points": 0', '"points": 0'),
    "points of three decimals": ('"points": 2', '"points": 2.125', '"points": 2.125'),
    "points as NaN": ('"points": 2', '"points": NaN', '"points": NaN'),
    "points as the text NaN": ('"points": 2', '"points": "NaN"', '"points": "NaN"'),
    "points beyond all": ('"points": 2', '"points": 1e400', '"points": 1e400'),
    "same id twice": ('"Shift"}', '"shares"}', '"title": "Shift'),
    "check of nothing": ("shares-check", "share-check", '"share-check"'),
    "check of another": ('check("shares")', 'check("sharse")', '"shares-check"'),
    "id with a blank": ('"shares"}', '"sha res"}', '"sha res"}'),
    "unknown metadata": ('"task": false, "grade_id": "shares"', '"tasks": false', '"tasks"'),
    "hand-graded": ('true, "grade": false', 'true, "grade": true', '"grade": true'),
    "points of a solution": ('"grade_id": "shares"', '"points": 1, "grade_id": "shares"', '"points": 1'),
    "old schema": ('"schema_version": 3', '"schema_version": 2', '"schema_version": 2'),
    "broken JSON": ('"points": 2,', '"points": 2;', '"points": 2;'),
    "unknown key": ("exercise={", "exercize={", "exercize={"),
    "unknown field": ('"minutes": 5', '"minute": 5', '"minute"'),
    "no time": ('"minutes": 5', '"minutes": 0', '"minutes": 0'),
    "too hard": ('"difficulty": 1', '"difficulty": 6', '"difficulty": 6'),
    "no description": (f" exercise={{{SHARES}}}", "", '"grade_id": "shares"'),
    "empty title": ('"title": "Shares of a whole"', '"title": " "', '"title": " "'),
    "unknown group": ('["softmax"]', '["softmix"]', '["softmix"]'),
    "other name": ("def shares(x)", "def share(x)", "exercise={"),
    "not Python": ("return x / whole", "return x /", "return x /"),
    "markdown not commented": ("# Now with a", "Now with a", "Now with a"),
}


def test_broken_source_is_refused_with_file_line_and_reason(subtests, tmp_path, refuses):
    for case in BROKEN:
        with subtests.test(case=case):
            old, new, at = BROKEN[case]
            assert old in SOURCE
            text = SOURCE.replace(old, new, 1)
            with refuses(CourseError) as caught:
                small_course(tmp_path / case, {SOLUTION: text})
            assert f"{SOLUTION}, line {line_of(text, at)}: " in str(caught.value)


def test_check_cell_before_its_exercise_is_refused(tmp_path, refuses):
    cells = SOURCE.split("# %% nbgrader")
    cells[1], cells[2] = cells[2], cells[1]
    with refuses(CourseError):
        small_course(tmp_path, {SOLUTION: "# %% nbgrader".join(cells)})


def test_course_with_a_file_missing_or_too_many_is_refused(subtests, tmp_path, refuses):
    cases = [
        {SOLUTION: "# %% [markdown]\n# # Empty\n"},
        {SOLUTION: SOURCE.replace("# # Tiny", "# Tiny")},
        {"tests/hidden/01_tiny/test_Shift.py": None},
        {"tests/hidden/01_tiny/test_share.py": HIDDEN_SHARES},
        {"tests/visible/test_tiny.py": None},
        {"solutions/02_more/notes.txt": "later"},
        {"solutions/01_twin/twin.py": SOURCE},
        *({f"solutions/{name}/x.py": ""} for name in ("1_tiny", "02_Other")),
    ]
    for number, files in enumerate(cases):
        with subtests.test(files=list(files)), refuses(CourseError):
            small_course(tmp_path / str(number), files)


@pytest.mark.parametrize("name", ["_drafts", ".old", "__pycache__"])
def test_folder_kept_out_by_its_name_is_no_assignment(tmp_path, name):
    course = small_course(tmp_path, {f"solutions/{name}/x.py": ""})
    assert list(course.assignments) == ["01_tiny"]


def test_course_without_assignments_is_refused(tmp_path, refuses):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "tests" / "hidden").mkdir(parents=True)
    with refuses(CourseError):
        find_course(tmp_path)


def test_source_in_another_encoding_is_refused_with_its_line(tmp_path, refuses):
    root = write_course(tmp_path)
    (root / SOLUTION).write_bytes(SOURCE.encode() + "\n# é\n".encode("latin-1"))
    with refuses(CourseError):
        find_course(root)


def test_source_with_windows_line_ends_and_a_mark_at_the_start_is_read(tmp_path):
    root = write_course(tmp_path)
    (root / SOLUTION).write_bytes(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode())
    assert find_course(root).assignments["01_tiny"].points == Decimal("5.5")


def test_assignment_is_known_by_id_or_name_and_a_slip_in_a_name_gets_the_closest(tmp_path, refuses):
    course = small_course(tmp_path)
    assert course.assignment("tiny") is course.assignment("01_tiny")
    with refuses(UsageError):
        course.assignment("01_tin")
    with refuses(UsageError):
        course.assignments["01_tiny"].exercise("share")
