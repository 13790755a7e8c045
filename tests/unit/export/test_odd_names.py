"""No name that a student can give a file ends the run."""

import json

import pytest

from ...support.classes.class_runs import RIGHT, grade


@pytest.mark.parametrize(
    "names", [["\udcff.py"], ["\udcff.py", "\udcfe.ipynb"], ["\udcff.pdf"], ["a\nb.py"], ["\x1b[2J.py"]]
)
def test_a_run_over_odd_names_writes_every_report(tmp_path, klass, course, names):
    folder = klass / "zoe" / "01_tiny"
    folder.mkdir(parents=True)
    for name in names:
        (folder / name).write_text(RIGHT)
    grade(klass, course)
    grade(klass, course)
    grades = json.loads((tmp_path / "out" / "grades.json").read_text(encoding="utf-8"))["grades"]
    assert {each["student"] for each in grades} == {"ann", "ben", "cho", "zoe"}
