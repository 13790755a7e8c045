"""Hidden checks of `positional_encoding`: short tables against the solution, long ones against the formula in float64.

In float32 the angle of position 5000 is off by 2e-4 before its sine is taken, whichever way it is computed; so long
tables are compared as numbers are that come from large ones.
"""

import torch

from grader.suite import checks, exercise

positional_encoding = exercise("positional_encoding")
positional_encoding.contract(
    seq_len="=T",
    d_model="=2*pairs",
    result="T 2*pairs",
    without={"sizes": "long tables are as exact as float32 allows, which has a check of its own"},
)


def formula(seq_len, d_model):
    """Return the table in float64."""
    positions, i = torch.arange(seq_len, dtype=torch.float64), torch.arange(d_model // 2, dtype=torch.float64)
    angles = positions[:, None] / 10000.0 ** (2 * i / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


@positional_encoding.check("value", weight=2, ko="긴 표와 특징이 많은 표도 수식과 같습니다.")
def test_long_tables(student):
    """Long tables, and tables of many features, are those of the formula as far as float32 goes."""
    for seq_len, d_model in ((40, 512), (600, 8), (12000, 2)):
        answer = student.positional_encoding(seq_len, d_model)
        checks.close(answer, formula(seq_len, d_model), kind="extreme", dtype="float32")


@positional_encoding.check("dtype", ko="표의 dtype은 float32입니다.")
def test_is_float32(student):
    """The table is float32."""
    for seq_len, d_model in ((4, 6), (1, 2)):
        checks.has_dtype(student.positional_encoding(seq_len, d_model), torch.float32)


@positional_encoding.check("property", ko="표는 상수이며 그래디언트를 요구하지 않습니다.")
def test_is_a_constant(student):
    """The table requires no gradient."""
    checks.is_true(
        not student.positional_encoding.observe(6, 8).facts[0].requires_grad,
        "The table requires a gradient; it is a constant and has nothing to learn.",
        "표가 그래디언트를 요구합니다. 표는 상수이고 학습할 것이 없습니다.",
    )


@positional_encoding.check("value", ko="앞서 무엇을 불렀든, 더 길게 불러도 표가 맞습니다.")
def test_later_calls(student, reference):
    """A later call gives the table again, also a longer one, whatever was asked before."""
    sizes = (9, 4), (6, 8), (3, 14), (110, 14)  # called together, so that no other check's call comes in between
    checks.matches(student.positional_encoding, reference.positional_encoding, *[checks.given(*size) for size in sizes])


@positional_encoding.check("errors", ko="d_model이 홀수이면 ValueError가 납니다.")
def test_odd_features(student):
    """An odd number of features raises ValueError."""
    sizes = checks.given(4, 5), checks.given(1, 1), checks.given(7, 9)
    checks.raises(student.positional_encoding, "ValueError", *sizes)
