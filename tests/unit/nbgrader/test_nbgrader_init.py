"""`grader nbgrader init`, the exchange of nbgrader in its course, and what is said where something is missing."""

import importlib.metadata

import pytest

from grader.cli import status

from ...support.courses import ASSIGNMENT as TINY
from ...support.courses import write_course
from ...support.notebooks.nbgrader_courses import need_real_nbgrader

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def kit(tmp_path):
    need_real_nbgrader()
    return write_course(tmp_path / "kit")


def init(kit, place, *options):
    return status(["--course", str(kit), "nbgrader", "init", str(place), *options])


def test_a_second_init_changes_nothing(kit, tmp_path, capsys):
    init(kit, tmp_path / "nb")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "nb").rglob("*") if path.is_file()}
    capsys.readouterr()
    assert init(kit, tmp_path / "nb") == 0
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert "written:" not in capsys.readouterr().out


def test_a_file_that_the_teacher_changed_is_not_replaced_unasked(kit, tmp_path, capsys):
    init(kit, tmp_path / "nb")
    settings = tmp_path / "nb" / "nbgrader_config.py"
    text = settings.read_text(encoding="utf-8")
    settings.write_text("c = get_config()\n", encoding="utf-8")
    (tmp_path / "nb" / "source" / TINY / "README.md").unlink()
    assert init(kit, tmp_path / "nb") == 2
    assert "'nbgrader_config.py' is there already and differs, so nothing was written." in capsys.readouterr().err
    assert not (tmp_path / "nb" / "source" / TINY / "README.md").exists()
    assert init(kit, tmp_path / "nb", "--replace") == 0
    assert settings.read_text(encoding="utf-8") == text


def test_wrong_use_is_a_sentence(kit, tmp_path, capsys):
    assert init(kit, tmp_path / "nb", "--assignment", "01_tinny") == 2
    assert "Did you mean `01_tiny`?" in capsys.readouterr().err
    assert init(kit, kit / "solutions" / "nb") == 2
    assert "belongs to the course" in capsys.readouterr().err
    assert init(kit, kit) == 2
    assert init(tmp_path, tmp_path / "nb") == 2
    assert not (tmp_path / "nb").exists()


def test_without_nbgrader_one_sentence_says_what_to_install(kit, tmp_path, monkeypatch, capsys):
    def not_installed(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", not_installed)
    assert init(kit, tmp_path / "nb") == 2
    assert status(["nbgrader", "init", str(tmp_path)]) == 2
    errors = capsys.readouterr().err
    assert errors.count("pip install 'attention-grader[nbgrader]'") == 2
    assert errors.count("\n") == 2
