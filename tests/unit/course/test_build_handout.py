"""A README is the handout with the table of exercises, which comes from the source alone."""

import pytest

from grader.course.handed_out.readme import exercise_table
from grader.errors import CourseError
from grader.release.build import build

from ...support.courses import HANDOUT, small_course

HANDOUT_FILE = "solutions/01_tiny/handout.md"


def test_table_lists_every_exercise_with_its_points_and_the_total(tmp_path):
    exercises = small_course(tmp_path).assignments["01_tiny"].exercises
    assert exercise_table(exercises, "en").split("\n") == [
        "| Name | What you write | Points | Difficulty | Minutes | Source |",
        "| --- | --- | ---: | --- | ---: | --- |",
        "| `shares` | Shares of a whole | 2 | ★☆☆☆☆ | 5 | N0 In[7] |",
        "| `Shift` | Shift \\| by a parameter | 3.5 | ★★☆☆☆ | 10 | N2 In[24] |",
        "| **Total** |  | **5.5** |  | **15** |  |",
    ]


def test_korean_table_has_korean_heads_and_titles(tmp_path):
    table = exercise_table(small_course(tmp_path).assignments["01_tiny"].exercises, "ko")
    assert "| 이름 | 할 일 | 점수 |" in table
    assert "| `Shift` | 매개변수만큼 옮기기 | 3.5 |" in table
    assert "Total" not in table


def test_readme_is_the_handout_with_title_and_table_in_place(tmp_path):
    course = small_course(tmp_path)
    build(course)
    assignment = course.assignments["01_tiny"]
    table = exercise_table(assignment.exercises, "en")
    text = (tmp_path / "assignments/01_tiny/README.md").read_text(encoding="utf-8")
    expected = HANDOUT.replace("{{ title }}", "Tiny steps").replace("{{ exercises }}", table)
    assert text.split("\n", 1)[1] == expected


@pytest.mark.parametrize("formula", ["{% raw %}", "$\\hat{y}}$"])
def test_formulas_stay_as_they_are(tmp_path, formula):
    build(small_course(tmp_path, {HANDOUT_FILE: HANDOUT + formula + "\n"}))
    assert formula in (tmp_path / "assignments/01_tiny/README.md").read_text(encoding="utf-8")


def test_broken_handout_is_refused_with_the_reason(tmp_path, refuses):
    texts = [
        "# T\n\nno table\n",
        "{{ exercises }}\n{{ exercise }}\n",
        "{{ exercises }}\n\n$\\frac{{a}}{{b}}$\n{{ +* }}\n",
        "{{ exercises }}\n{{ points() }}\n",
        None,
    ]
    for number, text in enumerate(texts):
        with refuses(CourseError):
            build(small_course(tmp_path / str(number), {HANDOUT_FILE: text}))
