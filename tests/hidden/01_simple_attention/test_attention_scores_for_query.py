"""Hidden checks of `attention_scores_for_query`: one dot product a token."""

import torch

from grader.suite import checks, exercise

attention_scores_for_query = exercise("attention_scores_for_query")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@attention_scores_for_query.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(
        student, reference, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3), draw=draw
    )


@attention_scores_for_query.check(
    "shape", weight=5, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(*size), draw.normal(size[1])) for size in ((5, 3), (1, 4), (4, 1), (1, 1))]
    for answer, case in zip(checks.answers(student.attention_scores_for_query, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape[:1])


@attention_scores_for_query.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(5, 3, dtype=dtype), draw.normal(3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.attention_scores_for_query, cases), DTYPES)


@attention_scores_for_query.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3))


@attention_scores_for_query.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3))


@attention_scores_for_query.check(
    "document", weight=8, ko="노트의 두 번째 토큰과 마지막 토큰을 쿼리로 하면 노트에 찍힌 점수가 나옵니다."
)
def test_matches_the_note(student, golden):
    """The note's second token and its last one as the query give the scores that the note prints for them."""
    inputs = golden("N0 inputs").float32
    checks.matches_figure(student.attention_scores_for_query(inputs, inputs[1]), golden("N0 In[5]"))
    checks.close(student.attention_scores_for_query(inputs, inputs[-1]), golden("N0 In[11]").value[-1])


@attention_scores_for_query.check("value", weight=18, ko="임의의 토큰과 쿼리에 대해 토큰마다 내적 하나가 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and a random query give one dot product a token, also a second time with the same sizes."""
    cases = [
        checks.given(size * draw.normal(tokens, features), size * draw.normal(features))
        for tokens, features, size in ((5, 5, 1.0), (24, 3, 0.1), (24, 3, 0.1), (4, 7, 1.0))
    ]
    checks.matches_reference_on_each(student, reference, "attention_scores_for_query", cases)


@attention_scores_for_query.check(
    "shape",
    weight=6,
    needs=("test_random_tokens",),
    ko="토큰이나 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (T,)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token or feature, and far more of them than in the note, give the right tensor of shape (T,)."""
    many = 1025 + draw.large()
    cases = [
        checks.given(draw.normal(tokens, features) / features**0.5, draw.normal(features))
        for tokens, features in ((1, many), (many, 1))
    ]
    checks.matches_reference_on_each(student, reference, "attention_scores_for_query", cases)


@attention_scores_for_query.check(
    "dtype", weight=4, needs=("test_random_tokens",), ko="float64 입력은 float64로 계산합니다."
)
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large, signs = 1e3 * draw.normal(5, 3, dtype=torch.float64), torch.tensor([1.0, 1, 1, -1, -1, -1]).double()
    tokens = torch.cat([large, large + draw.normal(5, 3, dtype=torch.float64)], dim=1)
    checks.matches_reference(student, reference, "attention_scores_for_query", tokens, signs)


@attention_scores_for_query.check(
    "gradient", weight=8, needs=("test_random_tokens",), ko="토큰과 쿼리로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens and to the query."""
    checks.gradient_matches(student, reference, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3))


@attention_scores_for_query.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3))


@attention_scores_for_query.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    given, other = ((draw.normal(5, 3), draw.normal(3)) for _ in range(2))
    checks.computed_anew(student, reference, "attention_scores_for_query", *given, before=other)


@attention_scores_for_query.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "attention_scores_for_query", draw.normal(5, 3), draw.normal(3))
