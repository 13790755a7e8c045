"""What becomes of a class in which something else is where a submission should."""

import os
import socket
from pathlib import Path

import pytest

from ...support.submission_folders import ONE, find, pairs, put


def test_a_misspelt_assignment_folder_in_a_class_is_a_submission_with_a_problem(tmp_path: Path) -> None:
    put(tmp_path, f"ann/{ONE}/simple_attention.py", "bob/01_Simple_Attentoin/simple_attention.py")
    put(tmp_path, f"ann/{ONE} (old)/simple_attention.py")
    found = find(tmp_path)
    assert pairs(found) == [("ann", ONE), ("bob", ONE)]
    assert found.submissions[0].problem is None
    assert f"Name it {ONE}" in (found.submissions[1].problem or "")


def test_a_folder_named_almost_like_an_assignment_does_not_cost_the_class(tmp_path: Path) -> None:
    """What is beside it shows that this is a class, so it is a student's folder, and a person is told to look."""
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
