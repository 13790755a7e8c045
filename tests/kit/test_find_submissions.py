"""Where submissions are found, and what is said when there are none."""

import os
import socket
import unicodedata
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submissions.find import find_submissions
from grader.submissions.submission import Found

STEMS = {"01_simple_attention": "simple_attention", "04_multi_head_attention": "multi_head_attention"}
ONE, FOUR = STEMS


def put(root: Path, *names: str, text: str = "x = 1\n") -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def find(*paths: Path, assignment: str | None = None, student: str | None = None) -> Found:
    return find_submissions(paths, assignments=STEMS, assignment=assignment, student=student)


def pairs(found: Found) -> list[tuple[str, str]]:
    return [(each.student, each.assignment) for each in found.submissions]


def refused(*paths: Path, assignment: str | None = None, student: str | None = None) -> str:
    with pytest.raises(UsageError) as caught:
        find(*paths, assignment=assignment, student=student)
    sentence = str(caught.value)
    assert sentence.endswith((".", "?")), "the error is no sentence"
    return sentence


def test_a_class_is_found_in_a_stable_order(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"bob/{FOUR}/multi_head_attention.ipynb",
        f"bob/{ONE}/simple_attention.py",
        f"ann/{ONE}/simple_attention.py",
    )
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]
    assert found.students == ["ann", "bob"]
    assert found.warnings == []
    assert found.submissions[2].files == (tmp_path / "bob" / FOUR / "multi_head_attention.ipynb",)


def test_a_student_without_a_submission_is_known(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "bob/notes.txt")
    found = find(tmp_path)
    assert found.students == ["ann", "bob"]
    assert pairs(found) == [("ann", ONE)]


def test_files_and_hidden_folders_of_a_class_are_no_students(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "roster.csv", ".git/config", "__pycache__/a.pyc")
    put(tmp_path, "ann/.ipynb_checkpoints/simple_attention.py", f"ann/{ONE}/.ipynb_checkpoints/simple_attention.ipynb")
    found = find(tmp_path)
    assert (found.students, len(found.submissions), found.warnings) == (["ann"], 1, [])


def test_nbgraders_submitted_folder_is_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.ipynb", f"ann/{ONE}/timestamp.txt")
    assert find(tmp_path).submissions[0].problem is None


def test_the_reports_of_an_earlier_run_inside_a_class_are_no_student(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "reports/summary.json", f"reports/for-students/ann/{ONE}.json")
    assert find(tmp_path).students == ["ann"]


def test_files_directly_in_students_folders_are_found(tmp_path: Path) -> None:
    put(tmp_path, "ann/simple_attention.py", "bob/simple_attention.py", "bob/multi_head_attention.py")
    assert pairs(find(tmp_path)) == [("ann", ONE), ("bob", ONE), ("bob", FOUR)]


def test_a_students_folder_is_found(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"ann/{FOUR}/multi_head_attention.py")
    assert pairs(find(tmp_path / "ann")) == [("ann", ONE), ("ann", FOUR)]
    assert pairs(find(tmp_path / "ann", student="zoe", assignment="multi_head_attention")) == [("zoe", FOUR)]


def test_an_assignments_folder_is_found(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / "ann" / ONE)) == [("ann", ONE)]


def test_an_assignments_folder_with_a_folder_for_each_student_is_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"{ONE}/ann/simple_attention.py", f"{ONE}/bob/simple_attention.py")
    assert pairs(find(tmp_path / ONE)) == [("ann", ONE), ("bob", ONE)]


def test_a_file_is_found_with_its_student_and_assignment(tmp_path: Path) -> None:
    put(
        tmp_path,
        f"ann/{ONE}/simple_attention.py",
        f"ann/{ONE}/simple_attention.ipynb",
        "bob/multi_head_attention.ipynb",
    )
    found = find(tmp_path / "ann" / ONE / "simple_attention.ipynb")
    assert pairs(found) == [("ann", ONE)]
    assert [path.name for path in found.submissions[0].files] == ["simple_attention.ipynb"]
    assert pairs(find(tmp_path / "bob" / "multi_head_attention.ipynb")) == [("bob", FOUR)]


def test_a_relative_path_takes_the_student_from_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    monkeypatch.chdir(tmp_path / "ann" / ONE)
    assert pairs(find(Path("simple_attention.py"))) == [("ann", ONE)]
    assert pairs(find(Path())) == [("ann", ONE)]


def test_a_file_of_another_name_needs_the_assignment(tmp_path: Path) -> None:
    put(tmp_path, "ann/homework.py")
    assert "--assignment" in refused(tmp_path / "ann" / "homework.py")
    assert pairs(find(tmp_path / "ann" / "homework.py", assignment=FOUR)) == [("ann", FOUR)]
    assert pairs(find(tmp_path / "ann", assignment=FOUR)) == [("ann", FOUR)]


def test_assignment_picks_one_of_a_class(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{FOUR}/multi_head_attention.py")
    found = find(tmp_path, assignment=FOUR)
    assert pairs(found) == [("bob", FOUR)]
    assert found.students == ["ann", "bob"]


def test_several_paths_are_one_run(tmp_path: Path) -> None:
    put(tmp_path, f"a/ann/{ONE}/simple_attention.py", f"b/bob/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / "b", tmp_path / "a" / "ann")) == [("ann", ONE), ("bob", ONE)]


def test_the_same_submission_twice_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"a/ann/{ONE}/simple_attention.py", f"b/ann/{ONE}/simple_attention.py")
    sentence = refused(tmp_path / "a", tmp_path / "b")
    assert "'ann'" in sentence and "both" in sentence


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    assert "There is no" in refused(tmp_path / "nowhere")
    put(tmp_path, "file.py")
    assert "There is no" in refused(tmp_path / "file.py" / "x")


def test_an_empty_class_is_refused(tmp_path: Path) -> None:
    assert "is empty" in refused(tmp_path)
    (tmp_path / "ann").mkdir()
    assert "holds none of this course's" in refused(tmp_path)


def test_a_class_without_the_assignment_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert FOUR in refused(tmp_path, assignment=FOUR)
    assert FOUR in refused(tmp_path / "ann", assignment=FOUR)
    assert FOUR in refused(tmp_path / "ann" / ONE, assignment=FOUR)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("simple_atention", f"Did you mean {ONE}?"), ("04_multihead_attention", f"Did you mean {FOUR}?"), ("zz", ONE)],
)
def test_an_unknown_assignment_is_answered_with_the_nearest(tmp_path: Path, asked: str, meant: str) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert meant in refused(tmp_path, assignment=asked)


def test_a_folder_that_is_no_submission_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    put(tmp_path, "notes.txt", "pictures/a.png")
    sentence = refused(tmp_path)
    assert "'notes.txt'" in sentence and "student/assignment/file" in sentence


def test_a_misspelt_assignment_folder_given_by_hand_is_named(tmp_path: Path) -> None:
    put(tmp_path, "ann/01_simple_atention/simple_attention.py")
    assert f"Did you mean {ONE}?" in refused(tmp_path / "ann" / "01_simple_atention")
    assert f"Did you mean {ONE}?" in refused(tmp_path / "ann")


def test_a_misspelt_assignment_folder_in_a_class_is_a_submission_with_a_problem(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "bob/01_Simple_Attentoin/simple_attention.py")
    put(tmp_path, f"ann/{ONE} (old)/simple_attention.py")
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert found.submissions[0].problem is None
    assert f"Name it {ONE}" in (found.submissions[1].problem or "")


def test_a_folder_named_almost_like_an_assignment_does_not_cost_the_class(tmp_path: Path) -> None:
    """What lies beside it shows that this is a class, so it is a student's folder, and a person is told to look."""
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"simple-attention/{ONE}/simple_attention.py")
    put(tmp_path, "01_simple_atention/simple_attention.py")
    found = find(tmp_path)
    assert pairs(found) == [("01_simple_atention", ONE), ("ann", ONE), ("simple-attention", ONE)]
    (warning,) = found.warnings
    assert "'01_simple_atention'" in warning and f"close to {ONE}" in warning


@pytest.mark.parametrize("name", ["simple_attention", "01_simple_atention"])
def test_a_class_named_almost_like_an_assignment_is_a_class(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"{name}/ann/{ONE}/simple_attention.py", f"{name}/bob/{ONE}/simple_attention.py")
    assert pairs(find(tmp_path / name)) == [("ann", ONE), ("bob", ONE)]


def test_a_class_with_a_student_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    assert "'" + str(tmp_path / "ann") + "'" in refused(tmp_path, student="ann")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "answers.docx")
    assert ".py or .ipynb" in refused(tmp_path / "answers.docx")


def test_a_link_given_by_hand_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / "link").symlink_to(tmp_path / "ann")
    assert "symbolic link" in refused(tmp_path / "link")


def test_a_pipe_given_by_hand_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "simple_attention.py")
    assert "a named pipe" in refused(tmp_path / "simple_attention.py")


def test_what_lies_in_the_files_place_is_named(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "secret.txt")
    for student in ("dir", "fifo", "link", "sock"):
        (tmp_path / student / ONE).mkdir(parents=True)
    place = {student: tmp_path / student / ONE / "simple_attention.py" for student in ("dir", "fifo", "link", "sock")}
    place["dir"].mkdir()
    os.mkfifo(place["fifo"])
    place["link"].symlink_to(tmp_path / "secret.txt")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(place["sock"].parent)  # the name of a socket may have no more than 107 bytes
        try:
            listener.bind(place["sock"].name)
        finally:
            os.chdir(here)
        found = {each.student: each for each in find(tmp_path).submissions}
    wanted = {"dir": "a folder", "fifo": "a named pipe", "link": "a symbolic link", "sock": "a socket"}
    for student, kind in wanted.items():
        assert kind in (found[student].problem or "")
        assert found[student].files == ()
    assert found["ann"].problem is None


def test_a_linked_file_beside_a_real_one_is_left_out_with_a_note(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.ipynb", "secret.py")
    (tmp_path / "ann" / ONE / "simple_attention.py").symlink_to(tmp_path / "secret.py")
    (submission,) = find(tmp_path).submissions
    assert [path.name for path in submission.files] == ["simple_attention.ipynb"]
    assert "symbolic link" in submission.notes[0]


def test_a_linked_assignment_folder_is_not_followed(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / ONE).symlink_to(tmp_path / "ann" / ONE)
    found = find(tmp_path)
    assert "a symbolic link" in (found.submissions[1].problem or "")


def test_a_linked_students_folder_gets_a_report_of_its_own(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / "bob").symlink_to(tmp_path / "ann")
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert "a symbolic link" in (found.submissions[1].problem or "")
    assert found.submissions[1].files == ()


def test_a_file_in_the_assignment_folders_place_is_a_problem(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"bob/{ONE}")
    assert "in its place there is a file" in (find(tmp_path).submissions[1].problem or "")


def test_an_unreadable_folder_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal is played, since root may read everything."""
    put(tmp_path, *(f"{student}/{ONE}/simple_attention.py" for student in ("ann", "bob", "zoe")))
    scan = os.scandir

    def refusing(path: Path) -> object:
        if path in (tmp_path / "bob" / ONE, tmp_path / "zoe"):
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    ann, bob, zoe = find(tmp_path).submissions
    assert ann.problem is None
    assert "may not be read" in (bob.problem or "")
    assert "could not be read: Permission denied" in (zoe.problem or "")


def test_a_folder_without_a_known_file_says_what_it_holds(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/report.pdf", f"bob/{ONE}/test_simple_attention.py")
    (tmp_path / "zoe" / ONE).mkdir(parents=True)
    ann, bob, zoe = find(tmp_path).submissions
    assert "'report.pdf'" in (ann.problem or "") and "simple_attention.py" in (ann.problem or "")
    assert "'test_simple_attention.py'" in (bob.problem or "")
    assert "is empty" in (zoe.problem or "")


@pytest.mark.parametrize("name", ["simple_attention (1).py", "Simple_Attention.py", "submission.ipynb", "MINE.PY"])
def test_one_other_file_is_taken_with_a_note(tmp_path: Path, name: str) -> None:
    put(tmp_path, f"ann/{ONE}/{name}", f"ann/{ONE}/test_simple_attention.py", f"ann/{ONE}/conftest.py")
    (submission,) = find(tmp_path).submissions
    assert [path.name for path in submission.files] == [name]
    assert f"'{name}' was taken" in submission.notes[0]


def test_several_other_files_are_a_problem(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/a.py", f"ann/{ONE}/b.ipynb", f"bob/{ONE}/a.py", f"bob/{ONE}/a.ipynb")
    ann, bob = find(tmp_path).submissions
    assert "more than one other: 'a.py', 'b.ipynb'" in (ann.problem or "")
    assert [path.name for path in bob.files] == ["a.ipynb", "a.py"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("for-students", "for itself"),
        ("For-Students", "for itself"),
        ("summary.json", "for itself"),
        ("evil\x1b[2J", "control"),
        ("two\nlines", "control"),
        ("\u202egnp", "control"),
        ("zero\u200bwidth", "control"),
        ("back\\slash", "not the name of one folder"),
        (" ", "is empty"),
    ],
)
def test_a_name_that_can_not_be_a_folder_of_the_output_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == ["ann"]
    (warning,) = found.warnings
    assert reason in warning
    assert not set("\x1b\n\u202e\u200b") & set(warning)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    (tmp_path / os.fsdecode(b"\xff\xfe") / ONE).mkdir(parents=True)
    found = find(tmp_path)
    assert found.students == ["ann"]
    assert "UTF-8" in found.warnings[0]
    found.warnings[0].encode()


def test_ordinary_names_are_used_as_they_are(tmp_path: Path) -> None:
    names = ["O'Neil, Jr.", "Łukasz", "김철수", "=1+1", "a b", "-x", "name.json"]
    for name in names:
        put(tmp_path, f"{name}/{ONE}/simple_attention.py")
    found = find(tmp_path)
    assert found.students == sorted(names)
    assert found.warnings == []


@pytest.mark.parametrize("other", ["ANN", unicodedata.normalize("NFD", "añn")])
def test_names_that_some_file_systems_take_for_one_are_refused(tmp_path: Path, other: str) -> None:
    first = "ann" if other == "ANN" else "añn"
    put(tmp_path, f"{first}/{ONE}/simple_attention.py", f"zoe/{ONE}/simple_attention.py")
    put(tmp_path, f"{other}/{ONE}/simple_attention.py")
    if len(list(tmp_path.iterdir())) < 3:
        pytest.skip("this file system takes the two names for one")
    found = find(tmp_path)
    assert found.students == ["zoe"]
    assert "differ only by case" in found.warnings[0]


def test_a_bad_student_name_on_the_command_line_is_refused(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py")
    for name in ("../x", "for-students", "", "x" * 300):
        assert "name" in refused(tmp_path / "ann", student=name)


def test_a_class_of_a_thousand_is_found_by_looking_at_each_folder_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1000):
        (tmp_path / f"s{number:04}" / ONE).mkdir(parents=True)
        (tmp_path / f"s{number:04}" / ONE / "simple_attention.py").touch()
    looked: list[object] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: looked.append(path) or scan(path))
    assert len(find(tmp_path).submissions) == 1000
    assert len(looked) <= 2002
