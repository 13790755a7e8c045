"""Packages that student code imports: what grading offers, what it stands in for, and what a missing one costs."""

import re
from pathlib import Path

import pytest
import torch

from grader.inside.protocol.messages import Cell
from grader.inside.source.stand_ins import OFFERED, STAND_INS
from grader.jail import libraries
from grader.student_check.packages import not_in_grading

from ...support.workers.open_workers import failure_of, open_session, open_student

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


X = torch.ones(3)


def test_a_missing_package_that_stands_in_annotations_alone_costs_nothing(subtests):
    for source in [
        "from no_such import Float\ndef f(x: Float[torch.Tensor, 'b t'], n: int = 2) -> 'Float':\n    return x * n",
        "from no_such import Float\nBatch = Float[torch.Tensor, 'b']\nTWO = abs(-2)\ndef f(x: Batch): return x * TWO",
        "from no_such import Float\nclass Of:\n    y: Float\n    def call(self, x: Float): return x * 2\nf = Of().call",
        "try:\n    from no_such import Float\nexcept ImportError:\n    pass\ndef f(x: Float): return x * 2",
        "from jaxtyping import Float, jaxtyped\nfrom beartype import beartype as typechecker\n"
        "Batch = Float[torch.Tensor, 'b'] | None\n@jaxtyped(typechecker=typechecker)\ndef f(x: Batch) -> Batch:\n"
        "    assert isinstance(x, Float[torch.Tensor, 'b'])\n    return x * 2",
    ]:
        for notebook in [False, True]:
            with subtests.test(source=source, notebook=notebook):
                text = f"import torch\n{source}\n"
                student = open_student([text] if notebook else text)
                assert torch.equal(student.f(X), X * 2)


def test_a_missing_package_costs_only_what_really_uses_it():
    student = open_student(
        "from no_such import helper\ndef f(x):\n    return x * 2\ndef g(x):\n    return helper(x)\n"
        "@helper\ndef h(x):\n    return x\nafter = abs(-3)\n"
    )
    assert torch.equal(student.f(X), X * 2)
    assert failure_of(student.g, X).exception_type == "NameError"
    assert failure_of(student.h, X).status != "passed"
    assert open_session("from no_such import a\nb = a(1)\nc = abs(-3)\n").analyse([]).stubs == frozenset()


def test_a_definition_with_an_unknown_name_beside_annotations_is_still_a_problem():
    session = open_session("def f(x=unknown):\n    return x\n")
    session.ready()
    assert [problem.type_name for problem in session.record.problems] == ["NameError"]


def test_einops_is_offered_in_grading():
    assert "einops" in libraries.find()
    student = open_student("from einops import rearrange, einsum\ndef f(x):\n    return rearrange(x, 'a -> 1 a')\n")
    assert student.f(X).shape == (1, 3)
