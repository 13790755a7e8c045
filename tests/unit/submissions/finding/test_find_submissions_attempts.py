"""Several attempts of a student are one student's, the newest counts, and nobody's attempts are guessed."""

import stat
from pathlib import Path

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.platforms import brightspace, nbgrader
from grader.submissions.platforms.handed_in import Listing, attempts_of
from grader.submissions.reading.read import StubTexts, read_submission

from ....support.submission_folders import FOUR, ONE, STEMS, find, pairs, put, refused

FOLDER = stat.S_IFDIR | 0o755
STUB = "def f():\n    raise NotImplementedError\n"
OLD, NEW = "2026-11-05 11:02:33 UTC", "2026-11-12 09:00:00.5 UTC"


def test_brightspaces_attempts_are_one_students_and_the_newest_counts(tmp_path):
    old, new = "123-456 - Ann Lee - Nov 5, 2026 1102 PM", "123-456 - Ann Lee - Nov 12, 2026 902 AM"
    put(tmp_path, f"{old}/simple_attention.py", f"{new}/simple_attention.py", "index.html")
    put(tmp_path, "124-456 - Ann Lee - Nov 5, 2026 1102 PM/simple_attention.py")
    found = find(tmp_path)
    assert pairs(found) == [("123-456 - Ann Lee", ONE), ("124-456 - Ann Lee", ONE)]
    assert found.submissions[0].files == (tmp_path / new / "simple_attention.py",)
    source = read_submission(found.submissions[0], StubTexts(), DEFAULT_LIMITS)
    assert source.notes[0] == f"Of 2 attempts the newest by the platform's time counts: '{new}'."
    assert f"'{old}'" in source.notes[1]
    assert f"'{old}'" in found.notes[0]
    assert pairs(find(*tmp_path.iterdir())) == pairs(found)


@pytest.mark.parametrize("name", ["ann", "김민준", "kim-lee", "a+b", "ann.lee"])
def test_nbgraders_inbound_attempts_are_one_students_by_assignment(tmp_path, name):
    put(tmp_path, f"{name}+{ONE}+{OLD}+abc/simple_attention.ipynb", f"{name}+{ONE}+{NEW}+def/simple_attention.ipynb")
    put(
        tmp_path, f"{name}+{FOUR}+{OLD}/multi_head_attention.ipynb", f"zoe+{ONE}+{OLD}+x/Copy of simple_attention.ipynb"
    )
    found = find(tmp_path)
    assert sorted(pairs(found)) == sorted([(name, ONE), (name, FOUR), ("zoe", ONE)])
    (one,) = (each for each in found.submissions if (each.student, each.assignment) == (name, ONE))
    assert one.files[0].parent.name == f"{name}+{ONE}+{NEW}+def"
    assert [len(each.beside) for each in found.submissions if each is not one] == [0, 0]
    assert one.beside == (f"{name}+{ONE}+{OLD}+abc",)
    assert pairs(find(tmp_path, assignment=FOUR)) == [(name, FOUR)]


@pytest.mark.parametrize(("owner", "counts"), [("ann", OLD), ("jovyan", NEW)])
def test_in_nbgraders_exchange_nobody_hands_in_for_somebody_who_owns_an_attempt(tmp_path, monkeypatch, owner, counts):
    """Any student may write there; where all belongs to one user, as in containers, owners say nothing."""
    put(tmp_path, *(f"ann+{ONE}+{when}+x/simple_attention.py" for when in (OLD, NEW)))
    monkeypatch.setattr(nbgrader, "owner_of", lambda folder: owner if OLD in folder.name else "eve")
    found = find(tmp_path)
    (ann,) = (each for each in found.submissions if each.student == "ann")
    assert [path.parent.name for path in ann.files] == [f"ann+{ONE}+{counts}+x"]
    assert (f"'ann+{ONE}+{NEW}+x'" in found.read_as[0]) is (counts == OLD), "what is not hers is named"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Nov 5, 2026 1102 PM", "5 2026"),
        ("Nov 5, 2026 1102 PM", "Nov 5, 2026 11:02 PM"),
        ("Foo 5, 2026 1102 PM", "Nov 6, 2026 1102 PM"),
    ],
)
def test_attempts_of_which_nobody_knows_the_newest_are_not_graded(tmp_path, first, second):
    put(tmp_path, *(f"1-2 - Bo - {when}/simple_attention.py" for when in (first, second)), "ann/simple_attention.py")
    put(tmp_path, *(f"zoe+{ONE}+{when}+a/simple_attention.py" for when in ("yesterday", "today")))
    bo, _, zoe = find(tmp_path).submissions
    assert (bo.student, bo.files, zoe.student, zoe.files) == ("1-2 - Bo", (), "zoe", ())
    assert "Which of these attempts is the newest" in str(zoe.problem)
    assert "Which of these attempts is the newest" in str(bo.problem)
    assert first in str(bo.problem) and second in str(bo.problem)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Nov 5, 2026 1102 AM", "Nov 5, 2026 102 PM"),
        ("Nov 5, 2026 1202 AM", "Nov 5, 2026 101 AM"),
        ("November 5, 2026 1159 PM", "6 Nov 2026 0001"),
        ("Dec 31, 2026 1200 PM", "Jan 1, 2027 1200 AM"),
        ("2026년 11월 5일 오전 1102", "2026년 11월 5일 오후 1202"),
        ("Sep 9, 2026 9:59 PM", "Sep 10, 2026 9:58 PM"),
    ],
)
def test_times_of_brightspace_are_compared_as_times(older, newer):
    names = [f"1-2 - Kim - Lee - {when}" for when in (newer, older)]
    for order in (names, names[::-1]):
        (found,) = attempts_of(brightspace.read(Listing(Path(), dict.fromkeys(order, FOLDER), STEMS)))
        told = (found.student, found.newest[0].name, found.older, found.unsure)
        assert told == ("1-2 - Kim - Lee", names[0], (names[1],), False)


def test_zones_of_nbgrader_are_minded_and_one_that_is_not_known_is_no_guess():
    seoul, utc = (f"ann+{ONE}+2026-11-05 {time}+h" for time in ("18:00:00 Asia/Seoul", "10:00:00 UTC"))
    (found,) = attempts_of(nbgrader.read(Listing(Path(), dict.fromkeys([seoul, utc], FOLDER), STEMS)))
    assert (found.newest[0].name, found.unsure) == (utc, False)
    strange = f"ann+{ONE}+2026-11-05 10:00:00 XYZ"
    (found,) = attempts_of(nbgrader.read(Listing(Path(), dict.fromkeys([strange, utc], FOLDER), STEMS)))
    assert found.unsure


def test_a_newest_attempt_without_work_is_for_a_person_and_an_empty_one_names_the_older(tmp_path):
    old, new = (f"1-2 - Bo - Nov {day}, 2026 1102 PM" for day in (5, 6))
    put(tmp_path, f"{old}/simple_attention.py", "ann/simple_attention.py")
    put(tmp_path, f"{new}/simple_attention.py", text=STUB)
    bo = find(tmp_path).submissions[0]
    source = read_submission(bo, StubTexts(py=STUB), DEFAULT_LIMITS)
    assert f"'{old}'" in str(source.problem)
    (tmp_path / new / "simple_attention.py").unlink()
    found = find(tmp_path)
    assert (pairs(found), found.students) == ([("ann", ONE)], ["1-2 - Bo", "ann"])
    assert f"'1-2 - Bo' ('{old}')" in found.notes[0]


@pytest.mark.parametrize(
    "names",
    [
        ["simple_attention.py", *(f"simple_attention ({number}).py" for number in (1, 2, 3))],
        ["simple_attention (1).py", "simple_attention (2).py"],
        ["simple_attention.py", "simple_attention - 김민준.ipynb"],
        ["simple_attention_ann.py", "simple_attention_bob.py"],
    ],
)
@pytest.mark.parametrize("folder", ["hw", f"hw/{ONE}"])
def test_files_of_one_assignment_in_a_folder_of_nobody_are_refused(tmp_path, names, folder):
    put(tmp_path / folder, *names)
    sentence = refused(tmp_path / folder, assignment=ONE)
    assert "one student's attempts or several students' files" in sentence
    assert "--student" in sentence and "STUDENT/simple_attention.py" in sentence
    assert pairs(find(tmp_path / folder, assignment=ONE, student="ann")) == [("ann", ONE)]
    put(tmp_path, "zoe/simple_attention.py")
    if folder == "hw":
        assert pairs(find(tmp_path)) == [("hw", ONE), ("zoe", ONE)]


@pytest.mark.parametrize("other", ["simple_attention.ipynb", "simple_attention-Copy1.py", "Simple_Attention.PY"])
def test_files_that_are_plainly_one_students_are_not_refused(tmp_path, other):
    put(tmp_path, "ann/simple_attention.py", f"ann/{other}")
    assert pairs(find(tmp_path / "ann")) == [("ann", ONE)]


def test_many_students_folders_of_an_assignment_are_not_refused_for_one_with_a_copy(tmp_path):
    put(tmp_path, *(f"{name}/{ONE}/simple_attention.py" for name in ("ann", "bob")))
    put(tmp_path, f"ann/{ONE}/simple_attention (1).py")
    assert pairs(find(tmp_path / "ann" / ONE, tmp_path / "bob" / ONE)) == [("ann", ONE), ("bob", ONE)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2026-11-05 11_02_33 UTC", "2026-11-06 11_02_33 UTC"),
        ("2026-11-05 11:02:33 +0900", "2026-11-05 11:02:33 +0800"),
        ("2026-11-05 11-02-33.5 UTC", "2026-11-05 11-02-34 UTC"),
    ],
)
def test_nbgraders_times_are_read_whatever_stands_for_the_colons_and_for_the_zone(tmp_path, old, new):
    for when in (old, new):
        put(tmp_path, f"ann+{ONE}+{when}+hash/simple_attention.py")
    (ann,) = find(tmp_path).submissions
    counts = f"Of 2 attempts the newest by the platform's time counts: 'ann+{ONE}+{new}+hash'."
    assert (ann.student, ann.notes) == ("ann", (counts,))


def test_a_canvas_download_of_which_everything_was_unpacked_is_its_students(tmp_path):
    names = ["김철수_11_101_hw", "lee-ann_LATE_12_102_simple_attention", "anon_4fKx9_103_hw-1"]
    put(tmp_path, *(f"{name}/simple_attention.py" for name in names))
    found = find(tmp_path)
    assert sorted(found.students) == ["anon_4fKx9", "lee-ann_12", "김철수_11"] and not found.warnings
    assert pairs(find(*tmp_path.iterdir())) == pairs(found) and len(found.submissions) == 3
    put(tmp_path, "김철수_11_104_hw/simple_attention.py")
    again = find(tmp_path)
    assert again.students == found.students
    (one,) = (each for each in again.submissions if each.student == "김철수_11")
    assert "Which of these attempts is the newest" in str(one.problem)


def test_names_like_canvas_beside_other_names_are_students_as_they_are(tmp_path):
    put(tmp_path, "team_1_2_a/simple_attention.py", "ann/simple_attention.py")
    assert find(tmp_path).students == ["ann", "team_1_2_a"]
