"""Points by hand stand in the table of a run, also for whoever handed nothing in."""

from decimal import Decimal

from grader.grading import GradeOptions, run

from ...support.courses import hand_in, write_course
from ...support.workers.pretended_engine import RIGHT, pretended


def test_whoever_handed_nothing_in_and_has_points_by_hand_has_a_row(tmp_path):
    course, folder = write_course(tmp_path / "course", {"tests/golden/N0.json": "[]"}), tmp_path / "class"
    hand_in(folder, "ann", RIGHT)
    (folder / "roster.csv").write_text("name,login\nAnn,ann\nZoe,zoe\nYan,yan\n", encoding="utf-8")
    rows = "student,assignment,points\nzoe,01_tiny,1.5\n"
    (folder / "overrides.csv").write_text(rows, encoding="utf-8")
    graded = run(GradeOptions([folder], tmp_path / "reports", course), judge=pretended)
    assert {row.student: row.score for row in graded.rows if row.student == "zoe"} == {"zoe": Decimal("1.5")}
    assert graded.students == ["ann", "zoe"]
