"""`grader release` makes one file, and a student needs nothing else to begin."""

import io
import re
import tomllib
import zipfile
from pathlib import Path

import pytest

from grader.cli import status
from grader.course.layout import find_course
from grader.release import wheel as wheel_module
from grader.release.build import build
from grader.release.bundle import NAME, PAGES, TEMPLATES, make_release
from grader.release.platform import make_for_platform

from ...support.courses import small_course
from ...support.release_parts import files_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"01_tiny/README.md": "another text"}, "with its sources: assignments/01_tiny/README.md."),
        (
            {"01_tiny/tiny.py": "", "01_tiny/tiny.ipynb": ""},
            "with its sources: assignments/01_tiny/tiny.py and 1 more.",
        ),
    ],
)
def test_assignments_out_of_step_are_refused(tmp_path, capsys, change, sentence):
    build(small_course(tmp_path))
    for name, text in change.items():
        (tmp_path / "assignments" / name).write_text(text)
    assert status(["--course", str(tmp_path), "release", "--output", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_platforms_settings_name_all_other_assignments_those_graded_elsewhere_too(tmp_path, monkeypatch):
    monkeypatch.setattr("grader.release.platform.build_wheel", lambda: ("kit-0-py3-none-any.whl", b""))
    settings = small_course(tmp_path).root / "course.toml"
    kept = settings.read_text() if settings.exists() else ""
    settings.write_text('\ufeff other_assignments = [\n    "02_more",  # or [03]\n]\n' + kept, encoding="utf-8")
    _, packed = make_for_platform(find_course(tmp_path), "gradescope", "01_tiny")
    written = zipfile.ZipFile(io.BytesIO(packed)).read("course/course.toml").decode()
    assert tomllib.loads(written)["other_assignments"] == ["02_more"]


def test_command_says_what_it_wrote_and_nothing_beside_the_sources_gets_in(tmp_path, capsys, quick_wheel):
    course = small_course(tmp_path)
    build(course)
    (tmp_path / "assignments/01_tiny/key.py").write_text("answers")
    for _ in range(2):
        assert status(["--course", str(tmp_path), "release", "--output", str(tmp_path / "a" / "b")]) == 0
        printed = capsys.readouterr().out
    assert re.match(rf"written: .*/a/b/{re.escape(NAME)}\.zip \(1 assignment, \d+ KiB\)\n", printed)
    assert not any("key.py" in name for name in files_of(make_release(course)))
    assert (tmp_path / f"a/b/{NAME}.zip").read_bytes() == make_release(course)[1]
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == [f"{NAME}.zip"]


def test_further_packages_of_the_course_are_installed_and_known_to_check(tmp_path, quick_wheel):
    build(small_course(tmp_path))
    (tmp_path / "course.toml").write_text('extra_packages = ["scipy"]\nlanguage = "ko"\n')
    files = files_of(make_release(find_course(tmp_path)))
    assert files["course.toml"] == b"extra_packages = ['scipy']\n"
    assert b"pip install kit-0-py3-none-any.whl scipy torch==" in files["README.md"]
    (tmp_path / "course.toml").unlink()
    assert "course.toml" not in files_of(make_release(find_course(tmp_path)))


def test_output_that_cannot_be_written_gets_a_sentence(tmp_path, capsys, quick_wheel):
    build(small_course(tmp_path))
    (tmp_path / "taken").write_text("a file")
    assert status(["--course", str(tmp_path), "release", "--output", str(tmp_path / "taken")]) == 2
    assert re.search(rf"grader: .*taken/{re.escape(NAME)}\.zip could not be written", capsys.readouterr().err)
    assert status(["--course", str(tmp_path), "release", "--output", ""]) == 2
    assert "--output is empty" in capsys.readouterr().err


def test_the_version_in_the_name_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"attention-exercises-{project['version']}" == NAME


def test_without_a_checkout_the_error_says_so(tmp_path, capsys, monkeypatch):
    build(small_course(tmp_path))
    monkeypatch.setattr(wheel_module, "KIT", tmp_path)
    assert status(["--course", str(tmp_path), "release", "--output", str(tmp_path / "out")]) == 2
    assert f"{tmp_path} has no pyproject.toml" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_both_languages_give_the_same_commands():
    def commands(text):
        blocks = re.findall(r"```\n(.*?)```", text, re.DOTALL)
        return [block.replace("--language ko ", "") for block in blocks], re.findall(r"`(\S*\.venv[^`]*)`", text)

    english, korean = (commands((TEMPLATES / page).read_text(encoding="utf-8")) for page in PAGES)
    assert english[0] == korean[0]
    assert sorted(english[1]) == sorted(korean[1])
    assert len(english[0]) == 4
