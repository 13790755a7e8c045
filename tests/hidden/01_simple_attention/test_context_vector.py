"""Hidden checks of `context_vector`: the sum of weight times token."""

import torch

from grader.suite import checks, exercise

context_vector = exercise("context_vector")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@context_vector.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "context_vector", draw.normal(5), draw.normal(5, 3), draw=draw)


@context_vector.check(
    "shape", weight=5, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(size[0]), draw.normal(*size)) for size in ((5, 3), (1, 4), (4, 1), (1, 1))]
    for answer, case in zip(checks.answers(student.context_vector, cases), cases, strict=True):
        checks.has_shape(answer, case.args[1].shape[1:])


@context_vector.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.weights(5, dtype=dtype), draw.normal(5, 3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.context_vector, cases), DTYPES)


@context_vector.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "context_vector", draw.normal(5), draw.normal(5, 3))


@context_vector.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "context_vector", draw.weights(5), draw.normal(5, 3))


@context_vector.check("document", weight=6, ko="노트의 가중치와 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's weights and tokens give the context vector that the note prints."""
    inputs = golden("N0 inputs").float32
    weights = torch.softmax(inputs @ inputs[1], dim=0)
    checks.matches_figure(student.context_vector(weights, inputs), golden("N0 In[10]"))


@context_vector.check(
    "value", weight=16, ko="임의의 가중치와 토큰에서 가중합이 나옵니다. 가중치의 합은 1이 아니어도 됩니다."
)
def test_any_weights(student, reference, draw):
    """Random weights of both signs that do not sum to 1 give the sum of weight times token."""
    cases = [
        checks.given(size * draw.normal(tokens), size * draw.normal(tokens, features))
        for tokens, features, size in ((5, 5, 2.0), (3, 24, 0.1), (3, 24, 0.1), (7, 3, 2.0))
    ]
    checks.matches_reference_on_each(student, reference, "context_vector", cases)


@context_vector.check("value", weight=5, ko="합이 1인 가중치에서도 가중합이 나옵니다.")
def test_weights_that_sum_to_one(student, reference, draw):
    """Positive weights that sum to 1 give the mixture of the tokens."""
    checks.matches_reference(student, reference, "context_vector", draw.weights(6), draw.normal(6, 24) / 10)


@context_vector.check(
    "shape",
    weight=5,
    needs=("test_any_weights",),
    ko="토큰이나 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (d,)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token or feature, and far more of them than in the note, give the right tensor of shape (d,)."""
    many = 1025 + draw.large()
    cases = [
        checks.given(draw.normal(tokens) / tokens**0.5, draw.normal(tokens, features))
        for tokens, features in ((1, many), (many, 1))
    ]
    checks.matches_reference_on_each(student, reference, "context_vector", cases)


@context_vector.check("dtype", weight=4, needs=("test_any_weights",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large, signs = 1e3 * draw.normal(3, 4, dtype=torch.float64), torch.tensor([1.0, 1, 1, -1, -1, -1]).double()
    tokens = torch.cat([large, large + draw.normal(3, 4, dtype=torch.float64)])
    checks.matches_reference(student, reference, "context_vector", signs, tokens)


@context_vector.check(
    "gradient", weight=8, needs=("test_any_weights",), ko="가중치와 토큰으로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the weights and to the tokens."""
    checks.gradient_matches(student, reference, "context_vector", draw.normal(5), draw.normal(5, 3))


@context_vector.check(
    "value",
    weight=2,
    needs=("test_any_weights",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "context_vector", draw.normal(5), draw.normal(5, 3))


@context_vector.check(
    "property",
    weight=2,
    needs=("test_any_weights",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    given, other = ((draw.weights(5), draw.normal(5, 3)) for _ in range(2))
    checks.computed_anew(student, reference, "context_vector", *given, before=other)


@context_vector.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "context_vector", draw.normal(5), draw.normal(5, 3))
