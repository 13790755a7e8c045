"""Hidden checks of `attention_scores`: the dot products of all pairs, without a loop over the tokens."""

import torch

from grader.suite import checks, exercise

attention_scores = exercise("attention_scores")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)

# Operations that make, move, convert or add numbers. Dot products need one more, whichever it is: an answer that runs
# nothing else has taken its products in plain Python, where no operation is counted.
NO_PRODUCTS = {
    "aten._local_scalar_dense", "aten._to_copy", "aten._unsafe_view", "aten.add", "aten.alias", "aten.cat",
    "aten.clone", "aten.copy_", "aten.detach", "aten.empty", "aten.empty_like", "aten.fill_", "aten.full",
    "aten.lift_fresh", "aten.new_empty", "aten.new_zeros", "aten.permute", "aten.select", "aten.slice", "aten.squeeze",
    "aten.stack", "aten.sum", "aten.t", "aten.transpose", "aten.unbind", "aten.unsqueeze", "aten.view", "aten.zeros",
    "aten.zeros_like",
}  # fmt: skip


@attention_scores.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "attention_scores", draw.normal(5, 3), draw=draw)


@attention_scores.check(
    "shape", weight=4, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(*size)) for size in ((5, 3), (1, 4), (4, 1), (1, 1))]
    for answer, case in zip(checks.answers(student.attention_scores, cases), cases, strict=True):
        checks.has_shape(answer, (len(case.args[0]),) * 2)


@attention_scores.check(
    "dtype",
    weight=4,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(5, 3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.attention_scores, cases), DTYPES)


@attention_scores.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "attention_scores", draw.normal(5, 3))


@attention_scores.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "attention_scores", draw.normal(5, 3))


@attention_scores.check("document", weight=5, ko="노트의 토큰에서 노트에 찍힌 점수 행렬이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the matrix of scores that the note prints, by loops and by one product."""

    scores = student.attention_scores(golden("N0 inputs").float32)
    for place in ("N0 In[11]", "N0 In[12]"):
        checks.matches_figure(scores, golden(place))


@attention_scores.check("value", weight=13, ko="임의의 토큰에서 모든 쌍의 내적이 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens give the dot products of all pairs, also a second time with the same sizes."""
    sizes = ((5, 5, 1.0), (12, 4, 0.1), (12, 4, 0.1), (4, 7, 1.0))
    cases = [checks.given(size * draw.normal(tokens, features)) for tokens, features, size in sizes]
    checks.matches_reference_on_each(student, reference, "attention_scores", cases)


@attention_scores.check(
    "shape",
    weight=5,
    needs=("test_random_tokens",),
    ko="토큰이나 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (T, T)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token or feature, and far more of them than in the note, give the right tensor of shape (T, T)."""
    sizes = ((1, 1025 + draw.large()), (300 + draw.large(), 1))
    cases = [checks.given(draw.normal(tokens, features) / features**0.5) for tokens, features in sizes]
    checks.matches_reference_on_each(student, reference, "attention_scores", cases)


@attention_scores.check(
    "property",
    weight=15,
    needs=("test_random_tokens",),
    ko="토큰을 파이썬 반복문으로 돌지 않습니다. 곱은 텐서로 계산하고, 토큰이 늘어도 연산 수는 같습니다.",
)
def test_no_loop_over_tokens(student, reference, draw):
    """No Python loop runs over the tokens: tensors are multiplied, and more tokens take no more operations."""
    few, many = (5, 5, 1.0), (12, 4, 0.1)
    small, large = (size * draw.normal(tokens, features) for tokens, features, size in (few, many))

    seen = checks.cost_does_not_grow(student, reference, "attention_scores", (small,), (large,))
    checks.is_true(
        bool(seen.operations.keys() - NO_PRODUCTS),
        "No tensor operation multiplies anything: the scores are made outside of torch, by Python or NumPy.",
        "곱하는 텐서 연산이 하나도 없습니다. 점수를 torch 밖에서 파이썬이나 NumPy 숫자로 만들었습니다.",
    )


@attention_scores.check("dtype", weight=3, needs=("test_random_tokens",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large = 1e3 * draw.normal(3, 2, dtype=torch.float64)
    across = torch.stack([-large[:, 1], large[:, 0]], dim=1) + draw.normal(3, 2, dtype=torch.float64)
    checks.matches_reference(
        student, reference, "attention_scores", torch.cat([large, across])
    )  # nearly at right angles


@attention_scores.check(
    "gradient", weight=8, needs=("test_random_tokens",), ko="쿼리 역할과 키 역할 양쪽에서 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens, through both of their roles."""
    checks.gradient_matches(student, reference, "attention_scores", draw.normal(5, 3))


@attention_scores.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "attention_scores", draw.normal(5, 3))


@attention_scores.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    tokens, other = draw.normal(5, 3), draw.normal(5, 3)
    checks.computed_anew(student, reference, "attention_scores", tokens, before=(other,))


@attention_scores.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "attention_scores", draw.normal(5, 3))
