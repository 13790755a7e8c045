"""Checks of `multi_head_scores`: every head for itself, nothing scaled, any number of leading dimensions.

Some sizes have T = head_dim, where a forgotten transpose gives a wrong number instead of an error.
"""

import torch

from grader.suite import checks, exercise

multi_head_scores = exercise("multi_head_scores")


@multi_head_scores.check("document", weight=1, ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나온다.")
def test_scores_of_the_note(student, golden):
    """The note's queries and keys give the scores that the note prints, for both heads and for one alone."""
    queries, keys = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QK")
    checks.matches_figure(student.multi_head_scores(queries, keys), golden("N2 In[einsum]"))
    second = student.multi_head_scores(queries[1:], keys[1:])
    checks.has_shape(second, (1, 3, 3))
    checks.matches_figure(second[0], golden("N2 In[50] scores"))


@multi_head_scores.check("value", weight=3, ko="임의의 쿼리와 키에서 헤드마다 모든 쌍의 내적이 나온다.")
def test_random_heads(student, reference, draw):
    """Random queries and keys with a batch axis give every pair's dot product, head by head."""
    cases = [
        checks.given(draw.normal(*sizes), draw.normal(*sizes))
        for sizes in ((2, 3, 5, 7), (2, 3, 5, 7), (3, 3, 5, 7), (3, 2, 4, 4), (2, 4, 4, 4), (1, 1, 1, 1), (2, 3, 1, 6))
    ]
    checks.matches_reference_on_each(student, reference, "multi_head_scores", cases)


@multi_head_scores.check("value", weight=2, ko="앞쪽 차원이 없거나 둘이어도 된다.")
def test_leading_dimensions(student, reference, draw):
    """No leading dimension and two of them work as well as one."""
    cases = [checks.given(draw.normal(*sizes), draw.normal(*sizes)) for sizes in ((3, 5, 7), (2, 4, 3, 5, 7))]
    checks.matches_reference_on_each(student, reference, "multi_head_scores", cases)


@multi_head_scores.check(
    "value",
    weight=1,
    needs=("test_random_heads",),
    ko="항목, 헤드, 토큰, 특징이 작은 예보다 훨씬 많아도 된다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more items, heads, tokens or features than in small examples are treated rightly."""
    for axis in range(4):
        sizes = [1, 2, 3, 4]
        sizes[axis] = draw.large()
        checks.matches_reference(student, reference, "multi_head_scores", draw.normal(*sizes), draw.normal(*sizes))


@multi_head_scores.check("dtype", weight=1, needs=("test_random_heads",), ko="결과의 dtype은 입력의 dtype과 같다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the input: float32 and float64."""
    for dtype in (torch.float32, torch.float64):
        queries, keys = draw.normal(2, 3, 5, 7, dtype=dtype), draw.normal(2, 3, 5, 7, dtype=dtype)
        checks.has_dtype(student.multi_head_scores(queries, keys), dtype)
        checks.matches_reference(student, reference, "multi_head_scores", queries, keys)


@multi_head_scores.check(
    "gradient", weight=1, needs=("test_random_heads",), ko="기울기가 쿼리와 키까지 올바르게 흐른다."
)
def test_gradient_reaches_both(student, reference, draw):
    """The gradients of the queries and of the keys are right."""
    checks.gradient_matches(student, reference, "multi_head_scores", draw.normal(2, 3, 5, 7), draw.normal(2, 3, 5, 7))


@multi_head_scores.check(
    "property", weight=1, needs=("test_random_heads",), ko="같은 텐서에 다른 값이 들어 있으면 새로 계산한다."
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(
        student,
        reference,
        "multi_head_scores",
        draw.normal(2, 3, 5, 7),
        draw.normal(2, 3, 5, 7),
        before=(
            draw.normal(2, 3, 5, 7),
            draw.normal(2, 3, 5, 7),
        ),
    )


@multi_head_scores.check("purity", weight=1, needs=("test_random_heads",), ko="입력은 바뀌지 않는다.")
def test_input_unchanged(student, draw):
    """The queries and keys hold the same numbers after the call."""
    checks.input_unchanged(student, "multi_head_scores", draw.normal(2, 3, 5, 7), draw.normal(2, 3, 5, 7))
