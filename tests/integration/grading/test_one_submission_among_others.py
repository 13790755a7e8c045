"""Whatever one submission causes costs it a check at most; everybody else's reports, and the class's, are written."""

import csv
import json

import pytest

from grader.grading import GradeOptions, run
from grader.suite.runner import forking

from ...support.classes.class_runs import RIGHT
from ...support.courses import HIDDEN_SHARES, HIDDEN_SHIFT, hand_in, write_course
from ...support.workers.pretended_engine import RIGHT_SHIFT as SHIFT

pytestmark = pytest.mark.usefixtures("kept_jails")

LINE = "        self.beta = nn.Parameter(torch.zeros(d))\n"


def graded(folder, suite, answers, **options):
    """Grade a class with another suite for `Shift` or `shares`, whichever it is for."""
    name = "Shift" if 'exercise("Shift")' in suite else "shares"
    root = write_course(folder / "course", {f"tests/hidden/01_tiny/test_{name}.py": suite})
    for student, text in answers.items():
        hand_in(folder / "class", student, text)
    return run(GradeOptions([folder / "class"], folder / "out", root, **options))


def checks_of(folder, student):
    """Return the checks of a student's report by id."""
    report = json.loads((folder / "out" / student / "01_tiny.json").read_text())
    return {check["id"]: check for exercise in report["exercises"] for check in exercise["checks"]}


def lost(folder, student):
    return [id for id, check in checks_of(folder, student).items() if check["status"] != "passed"]


FAULTS = {
    "an input of a type that no request can carry": (
        "{name: value if value.ndim == 1 else {1, 2} for name, value in module.parameters().items()}",
        "        self.more = nn.Parameter(torch.zeros(2, 2))\n",
        "a value of type set cannot be sent to student code",
    ),
    "a fixture that there is not": (
        "module.parameters() if len(module.parameters()) == 1 else request.getfixturevalue('nothing')",
        "        self.more = nn.Parameter(torch.zeros(2, 2))\n",
        "asks for 'nothing', which is not a fixture",
    ),
}


@pytest.mark.parametrize(("load", "more", "reason"), FAULTS.values(), ids=FAULTS)
def test_an_error_of_the_course_that_one_submission_meets_costs_it_that_check(tmp_path, load, more, reason):
    check = (
        "\n\n@Shift.check('value', weight=1, ko='읽은 값을 다시 넣는다.')\n"
        "def test_loads_what_it_has(student, request):\n"
        '    """What it holds can be loaded."""\n'
        f"    module = student.Shift(3)\n    module.load({load})\n"
    )
    answers = {"ann": SHIFT, "ben": SHIFT.replace(LINE, LINE + more), "cho": SHIFT + "# cho\n"}
    answers = {student: RIGHT + text for student, text in answers.items()}
    done = graded(tmp_path, "import torch\n" + HIDDEN_SHIFT + check, answers)
    assert done.code == 0
    scores = {row.student: row.score for row in done.rows}
    assert scores["ann"] == scores["cho"] > scores["ben"] > 0
    assert lost(tmp_path, "ben") == ["Shift.loads_what_it_has"]
    (note,) = [note for note in done.summary.notes if "ben" in note]
    assert "Shift.loads_what_it_has" in note and reason in note
    lines = csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines())
    assert {line["student"] for line in lines} >= set(scores)
    assert (tmp_path / "out" / "run.json").exists()


def test_an_answer_that_grows_as_it_is_compared_costs_that_check(tmp_path):
    """As many numbers along each of its dimensions, where one is asked for, take 14 GB for an answer with two."""
    careless = (
        "\n\n@shares.check('value', weight=1, ko='비율이다.')\n"
        "def test_far_from_two(student):\n"
        '    """No share is near two."""\n'
        "    assert torch.zeros([60_000] * student.shares(torch.ones(60_000)).dim()).sum() == 0\n"
    )
    column = RIGHT.replace("return x / x.sum()", "x = x / x.sum(); return x if len(x) < 100 else x[:, None]")
    suite = "import torch\n" + HIDDEN_SHARES + careless
    done = graded(tmp_path, suite, {"ann": RIGHT + SHIFT, "ben": column + SHIFT})
    assert [row.problem for row in done.rows] == [None, None]
    assert lost(tmp_path, "ben") == ["shares.far_from_two"]
    sentence = checks_of(tmp_path, "ben")["shares.far_from_two"]["detail"]["found"]
    assert "not enough memory to compare your answer" in sentence


COMPARING = '''


@Shift.check("value", weight=1, ko="끝까지 비교한다.")
def test_is_compared(student):
    """It is compared to the end."""
    much = len(student.Shift(3).parameters()) > 1
    while much:
        try:
            torch.ones(100).sum()
        except Exception:
            pass


@Shift.check("value", weight=1, ko="읽을 수 있다.")
def test_is_there(student):
    """It is there."""
    assert student.Shift(3).parameters()
'''


def test_a_check_that_compares_an_answer_for_ever_is_stopped_and_costs_its_exercise_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(forking, "JUDGING_S", 1.0)
    more = "        self.more = nn.Parameter(torch.zeros(2, 2))\n"
    answers = {"ann": RIGHT + SHIFT.replace(LINE, LINE + more), "ben": RIGHT + SHIFT}
    done = graded(tmp_path, "import torch\n" + HIDDEN_SHIFT + COMPARING, answers, jobs=1)
    assert [row.problem for row in done.rows] == [None, None]
    assert lost(tmp_path, "ben") == []
    assert lost(tmp_path, "ann") == ["Shift.is_compared", "Shift.is_there"]
    assert {checks_of(tmp_path, "ann")[id]["status"] for id in lost(tmp_path, "ann")} == {"crash"}
