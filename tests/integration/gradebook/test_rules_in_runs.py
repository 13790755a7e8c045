"""The rules at the end of a run, after a merge, and with what a platform's download says of times."""

import json
from pathlib import Path

import pytest

from grader.gradebook.current import NAME
from grader.gradebook.files import SHEET
from grader.gradebook.given import NAME as GIVEN

from ...support.class_runs import RIGHT, WRONG
from ...support.command_line import run_here
from ...support.courses import hand_in, write_course, write_files
from ...unit.gradebook.graded_classes import (
    POLICY,
    TIMES,
    files,
    refused,
)


@pytest.mark.usefixtures("kept_jails")
def test_grading_applies_the_rules_at_its_end_and_without_rules_writes_no_new_file(tmp_path):
    course, klass, reports = write_course(tmp_path / "course"), tmp_path / "class", tmp_path / "reports"
    hand_in(klass, "ann", RIGHT)
    hand_in(klass, "ben", WRONG)
    command = ("grade", klass, "--output", reports, "--course", course)
    assert run_here(*command).returncode == 0
    assert not any((reports / name).exists() for name in (NAME, SHEET, GIVEN))
    write_files(course, {"policy.toml": POLICY})
    times = write_files(tmp_path, {"times.csv": TIMES}) / "times.csv"
    done = run_here(*command, "--times", times)
    assert done.returncode == 0
    assert "1.45 (2)" in done.stdout
    assert (reports / "scores.csv").read_text().splitlines()[1] == '"ann","2","2"'
    hand_in(klass, "ann", RIGHT + "# again\n")
    again = run_here(*command)
    assert "Submissions whose time is not known count as on time (see --times): 1." in again.stdout
    entry = next(each for each in json.loads((reports / NAME).read_bytes())["entries"] if each["student"] == "ann")
    assert (entry["attempt"], entry["attempts"], entry["counted"]) == (2, 2, 2)
    write_files(course, {"policy.toml": "dues = 1\n"})
    before = files(reports)
    assert "unknown field `dues`" in refused(run_here(*command, "--fresh"))
    assert files(reports) == before


@pytest.mark.usefixtures("kept_jails")
def test_who_handed_nothing_in_stays_when_one_student_is_graded_and_goes_with_the_folder(tmp_path):
    course, klass, reports = write_course(tmp_path / "course"), tmp_path / "class", tmp_path / "reports"
    write_files(course, {"policy.toml": 'missing = "zero"\n' + POLICY})
    hand_in(klass, "ann", RIGHT)
    (klass / "dan").mkdir()

    def listed(path: Path, *more: str) -> list[str]:
        assert run_here("grade", path, *more, "--output", reports, "--course", course).returncode == 0
        return [each["student"] for each in json.loads((reports / NAME).read_bytes())["students"]]

    assert listed(klass) == ["ann", "dan"]
    assert listed(klass / "ann", "--student", "ann") == ["ann", "dan"]
    assert run_here("apply", reports, "--course", course).returncode == 0
    assert listed(klass / "ann", "--student", "ann") == ["ann", "dan"]
    (klass / "dan").rmdir()
    assert listed(klass) == ["ann"]
