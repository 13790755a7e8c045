"""The task of every exercise exists in Korean too: below the table of the Korean handout and folded in the notebook."""

import json

import pytest

from grader.errors import CourseError
from grader.release.build import build

from ...support.courses import small_course

TASKS = "# 과제\n\n## `shares`\n\n모든 값을 합으로 나눕니다.\n\n## `Shift`\n\n배운 값을 더합니다.\n"
FILE = "solutions/01_tiny/tasks.ko.md"


def test_the_korean_handout_has_each_task_below_the_table(tmp_path):
    build(small_course(tmp_path, {FILE: TASKS}))
    text = (tmp_path / "assignments/01_tiny/README.ko.md").read_text(encoding="utf-8")
    assert "### `shares`: 전체에서의 비율\n\n모든 값을 합으로 나눕니다.\n" in text
    assert text.index("| **합계**") < text.index("모든 값을") < text.index("배운 값을")
    assert "나눕니다" not in (tmp_path / "assignments/01_tiny/README.md").read_text(encoding="utf-8")


def test_the_notebook_has_it_folded_above_the_exercise(tmp_path):
    build(small_course(tmp_path, {FILE: TASKS}))
    cells = json.loads((tmp_path / "assignments/01_tiny/tiny.ipynb").read_text(encoding="utf-8"))["cells"]
    ids = [cell["id"] for cell in cells]
    assert ids.index("shares-ko") + 1 == ids.index("shares") and ids.index("Shift-ko") + 1 == ids.index("Shift")
    text = "".join(cells[ids.index("shares-ko")]["source"])
    assert text == "<details><summary>한국어: <code>shares</code></summary>\n\n모든 값을 합으로 나눕니다.\n\n</details>"


@pytest.mark.parametrize(
    "text",
    [
        TASKS.replace("`Shift`", "`Shfit`"),
        TASKS.partition("## `Shift`")[0],
        TASKS.replace("배운 값을 더합니다.", ""),
    ],
    ids=["misspelt", "missing", "empty"],
)
def test_a_task_that_is_missing_or_misnamed_is_said_with_the_file(tmp_path, text, refuses):
    course = small_course(tmp_path)
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    with refuses(CourseError):
        build(course)
