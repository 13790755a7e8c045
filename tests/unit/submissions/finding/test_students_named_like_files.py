"""A student may be called like a file that a run writes: the report is in a folder beside it, and nothing is lost."""

import csv
import json

from grader.export.grades import read_grades
from grader.results.write import OWN_NAMES, folder_of, student_of

from ....support.class_runs import RIGHT, WRONG, course, grade  # noqa: F401  # a fixture
from ....support.command_line import run_here
from ....support.courses import hand_in

NAMES = [*OWN_NAMES, "Run.JSON", "run.json (student)", "for-students (student) (student)", "reports", "ann"]


def test_every_name_has_a_folder_of_its_own():
    folders = [folder_of(name) for name in NAMES]
    assert len({folder.casefold() for folder in folders}) == len(NAMES) - 1  # Run.JSON is run.json on some disks
    assert [student_of(folder) for folder in folders] == NAMES
    assert not {folder.casefold() for folder in folders} & set(OWN_NAMES)
    assert folder_of("ann") == "ann"


def test_students_who_are_called_like_files_of_the_run_get_reports_and_grades(course, tmp_path):  # noqa: F811
    klass = tmp_path / "class"
    for name in (*OWN_NAMES, "run.json (student)", "ann"):
        hand_in(klass, name, f"{WRONG if name == 'grades.csv' else RIGHT}# {name}\n")
    graded = grade(klass, course)
    everybody = {*OWN_NAMES, "run.json (student)", "ann"}
    assert (graded.code, {row.student for row in graded.rows}) == (0, everybody)
    out = tmp_path / "out"
    table = (out / "grades.csv").read_text(encoding="utf-8-sig").splitlines()
    assert {row["student"] for row in csv.DictReader(table)} >= everybody
    report = json.loads((out / "run.json (student)/01_tiny.json").read_bytes())
    assert report["student"] == "run.json"
    assert (out / "for-students/for-students (student)/01_tiny.json").is_file()
    assert grade(klass, course).summary.kept == len(everybody)
    scores = {each.student: each.score for each in read_grades(out).all}
    assert scores.keys() == everybody
    assert scores["grades.csv"] < scores["journal.jsonl"]
    assert run_here("diff", out, out).returncode == 0
