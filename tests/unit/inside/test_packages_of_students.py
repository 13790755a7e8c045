"""Packages that student code imports: what grading offers, what it stands in for, and what a missing one costs."""

import re
from pathlib import Path

import pytest

from grader.inside.protocol.messages import Cell
from grader.inside.source.stand_ins import OFFERED, STAND_INS
from grader.student_check.packages import not_in_grading

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("import torch.nn as nn, numpy, einops, math, sympy\nfrom grader import check\nfrom __future__ import x", []),
        ("import matplotlib.pyplot as plt\nfrom tqdm.auto import tqdm\nfrom google.colab import drive", []),
        ("from jaxtyping import Float\nfrom . import helpers", []),
        ("import pandas as pd\nfrom mine import f\ndef g():\n    import triton.language", ["mine", "pandas", "triton"]),
        ("def broken(:\n\nimport pandas", ["pandas"]),
        ("def broken(", []),
    ],
)
def test_check_knows_what_is_not_there_in_grading(tmp_path, source, missing):
    assert not_in_grading([Cell(1, source)], False, tmp_path / "a.py") == missing


def test_packages_that_the_course_allows_are_there(tmp_path):
    source = "%matplotlib inline\nimport pytest_jsonreport, scipy, pandas"
    place = tmp_path / "assignments" / "01_tiny" / "tiny.ipynb"
    place.parent.mkdir(parents=True)
    (tmp_path / "course.toml").write_text('extra_packages = ["SciPy", "pytest-json-report"]\n')
    assert not_in_grading([Cell(1, source)], True, place) == ["pandas"]
    (tmp_path / "course.toml").write_text("extra_packages = 3\n")
    assert "scipy" in not_in_grading([Cell(1, source)], True, place)


@pytest.mark.parametrize("guide", ["student-guide.md", "student-guide.ko.md"])
def test_the_guides_name_what_is_there(guide):
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    assert all(re.search(rf"`{name}`", text) for name in OFFERED)
    assert "`jaxtyping`" in text and "jaxtyping" in STAND_INS
