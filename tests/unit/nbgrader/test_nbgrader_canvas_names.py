"""The pattern that `grader nbgrader init` writes for a download of Canvas."""

import re
from types import SimpleNamespace

import pytest

from grader.nbgrader.course import TEMPLATE


@pytest.mark.parametrize(
    ("name", "student", "file"),
    [
        ("ada_123_456_simple_attention-1", "123", "simple_attention"),
        ("ada_124_457_simple_attention", "124", "simple_attention"),
        ("김민준_LATE_12_34_simple_attention", "12", "simple_attention"),
        ("smith-jones_12_34_seq2seq_attention-12", "12", "seq2seq_attention"),
        ("van_der_berg_12_34_simple_attention (1)", "12", "simple_attention (1)"),
        ("anon_4fKx9_456_simple_attention", "anon_4fKx9", "simple_attention"),
        ("LATE_anon_12345_457_simple_attention", "anon_12345", "simple_attention"),
        ("ada_1_2_hw/inner/simple_attention", "1", "simple_attention"),
        ("ada_123_456_simple_attention-1.py", "123", "simple_attention"),
        ("ada_1_2_hw/inner/simple_attention.py", "1", "hw/inner/simple_attention"),
    ],
)
def test_the_pattern_for_canvas_tells_every_student_apart(name, student, file):
    """Of two students of one name nbgrader's collecting stops, so a student is called by the number."""
    text = TEMPLATE.read_text(encoding="utf-8").format(course='"/course"')
    lines = text[text.index("# c.FileNameCollectorPlugin") :].splitlines()
    settings = SimpleNamespace(FileNameCollectorPlugin=SimpleNamespace())
    exec("\n".join(line.removeprefix("# ") for line in lines), {"c": settings})
    path = f"/c/downloaded/01/extracted/{name}" + ("" if name.endswith(".py") else ".ipynb")
    match = re.match(settings.FileNameCollectorPlugin.named_regexp, path)
    assert match is not None
    assert (match["student_id"], match["file_id"]) == (student, file)
