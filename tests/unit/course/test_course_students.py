"""A student's own files are found without any solution, and also where the student changed them."""

import json
import re
import shutil

import pytest

from grader.course.content.student_course import files_of_exercise, find_student_files
from grader.errors import UsageError
from grader.release.build import build

from ...support.courses import small_course


@pytest.fixture
def released(tmp_path):
    """A folder as a student has it: `assignments/` and nothing else."""
    build(small_course(tmp_path / "course"))
    return (tmp_path / "course" / "assignments").rename(tmp_path / "assignments")


def test_file_in_its_folder_gives_assignment_tests_and_exercises(released):
    files = find_student_files(released / "01_tiny" / "tiny.py")
    assert (files.assignment, files.name) == ("01_tiny", "tiny")
    assert files.submission == released / "01_tiny" / "tiny.py"
    assert files.visible == released / "01_tiny" / "test_tiny.py"
    assert [(exercise.id, exercise.title) for exercise in files.exercises] == [
        ("shares", "Shares of a whole"),
        ("Shift", "Shift | by a parameter"),
    ]
    for above in (released, released.parent):
        assert find_student_files(above).assignment == "01_tiny"


@pytest.mark.parametrize("left", [".py", ".ipynb"])
def test_of_a_folder_both_files_may_count_and_of_a_named_file_that_one(released, left):
    folder = released / "01_tiny"
    assert find_student_files(folder).whole
    named = find_student_files(folder / f"tiny{left}")
    assert (named.whole, named.submission.suffix, len(named.exercises)) == (False, left, 2)
    (folder / ("tiny.ipynb" if left == ".py" else "tiny.py")).unlink()
    assert find_student_files(folder).submission.suffix == left


def test_exercises_are_known_though_the_student_lost_every_marker(released):
    (released / "01_tiny" / "tiny.ipynb").unlink()
    (released / "01_tiny" / "tiny.py").write_text("def shares(x):\n    return x / x.sum()\n")
    files = find_student_files(released / "01_tiny")
    assert [(exercise.id, exercise.title) for exercise in files.exercises] == [("shares", "shares"), ("Shift", "Shift")]


PROGRAMS = ("# %% nbgrader={oops\n", "\0")
NOTEBOOKS = ('{"cells": [{"metadata": {"nbgrader": 1}}]}', "[" * 100_000)


@pytest.mark.parametrize(
    ("name", "text"), [*(("tiny.py", text) for text in PROGRAMS), *(("tiny.ipynb", text) for text in NOTEBOOKS)]
)
def test_exercises_are_known_though_one_of_the_students_files_is_broken(released, name, text):
    (released / "01_tiny" / name).write_text(text)
    exercises = find_student_files(released / "01_tiny" / "tiny.py").exercises
    assert [exercise.title for exercise in exercises] == ["Shares of a whole", "Shift | by a parameter"]


def test_changed_metadata_is_not_believed_beyond_its_form(released):
    notebook = released / "01_tiny" / "tiny.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        cell["metadata"]["exercise"] = {"title": 7}
    notebook.write_text(json.dumps(content))
    (released / "01_tiny" / "tiny.py").unlink()
    assert [exercise.title for exercise in find_student_files(notebook).exercises] == ["shares", "Shift"]


def test_file_beside_the_assignments_is_known_by_its_name(released):
    (released.parent / "tiny.py").write_text("")
    assert find_student_files(released.parent / "tiny.py").assignment == "01_tiny"


def test_file_elsewhere_is_known_from_the_current_folder(released, tmp_path, monkeypatch):
    far = tmp_path / "far"
    far.mkdir()
    (far / "tiny.py").write_text("")
    monkeypatch.chdir(released / "01_tiny")
    files = find_student_files(far / "tiny.py")
    assert (files.assignment, files.submission) == ("01_tiny", far / "tiny.py")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_path_that_leads_to_no_file_gets_a_sentence(released, subtests, language, refuses):
    cases = {
        "tinny.py": {"tinny.py": ""},
        "far.py": {"far.py": ""},
        "missing.py": {},
        "shares": {},
        "notes.txt": {"notes.txt": ""},
        "assignments": {"assignments/02_next/test_next.py": ""},
        "empty": {"empty/x": ""},
        "mine": {"mine/test_tiny.py": "", "mine/tiny.py": ""},
    }
    for path, files in cases.items():
        for name, text in files.items():
            (released.parent / name).parent.mkdir(exist_ok=True, parents=True)
            (released.parent / name).write_text(text)
        with subtests.test(path=path):
            with refuses(UsageError) as caught:
                find_student_files(released.parent / path, language)
            assert bool(re.search("[가-힣]", str(caught.value))) == (language == "ko")


@pytest.mark.parametrize("name", ["tiny (1).py", "tiny_\uae40.ipynb", "mine.py"])
def test_the_only_other_program_is_taken_as_in_grading_and_of_several_none(released, name, refuses):
    folder = released / "01_tiny"
    (folder / "tiny.ipynb").unlink()
    (folder / "tiny.py").rename(folder / name)
    assert find_student_files(folder).submission.name == name
    (folder / "old.py").write_text("")
    with refuses(UsageError):
        find_student_files(folder)


def test_link_to_a_file_is_the_students_file(released, tmp_path):
    """Given by name or found in its folder, it counts where it is, whatever it leads to is called."""
    folder = released / "01_tiny"
    (folder / "tiny.ipynb").unlink()
    (tmp_path / "mine").mkdir()
    (folder / "tiny.py").rename(tmp_path / "mine" / "work.py")
    (folder / "tiny.py").symlink_to(tmp_path / "mine" / "work.py")
    assert find_student_files(folder / "tiny.py").submission == folder / "tiny.py"
    assert find_student_files(folder).submission == folder / "tiny.py"


def test_link_to_a_folder_is_that_folder(released, tmp_path):
    (tmp_path / "link").symlink_to(released / "01_tiny")
    assert find_student_files(tmp_path / "link").assignment == "01_tiny"
    assert find_student_files(tmp_path / "link" / "tiny.py").submission == released / "01_tiny" / "tiny.py"


@pytest.mark.parametrize("place", ["01_tiny", ".", "..", "01_tiny/deeper"])
def test_assignment_is_known_by_its_exercise_from_around(released, place):
    (released / "01_tiny" / "deeper").mkdir()
    assert files_of_exercise(released / place, "Shift").name == "tiny"


def test_own_assignment_comes_before_another_with_the_same_exercise(released):
    twin = released / "00_twin"
    twin.mkdir()
    (twin / "test_twin.py").write_text('Shift = exercise("Shift")\n')
    assert files_of_exercise(released / "01_tiny", "Shift").name == "tiny"
    assert files_of_exercise(twin, "Shift").name == "twin"


def test_unknown_exercise_gets_the_closest_or_the_way_to_an_assignment(released, tmp_path, refuses):
    with refuses(UsageError):
        files_of_exercise(released, "share")
    (tmp_path / "far").mkdir()
    shutil.rmtree(released)
    shutil.rmtree(tmp_path / "course")
    with refuses(UsageError):
        files_of_exercise(tmp_path / "far", "share")
