"""Hidden checks of `context_vector`: the sum of weight times token."""

import torch

from grader.suite import checks, exercise

context_vector = exercise("context_vector")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@context_vector.check("document", weight=1, ko="노트의 가중치와 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's weights and tokens give the context vector that the note prints."""
    inputs = golden("N0 inputs").float32
    weights = torch.softmax(inputs @ inputs[1], dim=0)
    checks.matches_figure(student.context_vector(weights, inputs), golden("N0 In[10]"))


@context_vector.check(
    "value", weight=3, ko="임의의 가중치와 토큰에서 가중합이 나옵니다. 가중치의 합은 1이 아니어도 됩니다."
)
def test_any_weights(student, reference, draw):
    """Random weights of both signs that do not sum to 1 give the sum of weight times token."""
    cases = [
        checks.given(size * draw.normal(tokens), size * draw.normal(tokens, features))
        for tokens, features, size in ((5, 5, 2.0), (3, 24, 0.1), (3, 24, 0.1), (7, 3, 2.0))
    ]
    checks.matches_reference_on_each(student, reference, "context_vector", cases)


@context_vector.check("value", weight=1, ko="합이 1인 가중치에서도 가중합이 나옵니다.")
def test_weights_that_sum_to_one(student, reference, draw):
    """Positive weights that sum to 1 give the mixture of the tokens."""
    checks.matches_reference(student, reference, "context_vector", draw.weights(6), draw.normal(6, 24) / 10)


@context_vector.check(
    "shape",
    weight=1,
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


@context_vector.check(
    "dtype",
    weight=1,
    needs=("test_any_weights",),
    ko="결과의 dtype은 입력의 dtype과 같고, bfloat16도 같습니다. float64 입력은 float64로 계산합니다.",
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the inputs, float32, float64 or bfloat16; float64 is computed in float64."""
    cases = [checks.given(draw.weights(5, dtype=dtype), draw.normal(5, 3, dtype=dtype) / 2) for dtype in DTYPES]
    large, signs = 1e3 * draw.normal(3, 4, dtype=torch.float64), torch.tensor([1.0, 1, 1, -1, -1, -1]).double()
    cases.append(checks.given(signs, torch.cat([large, large + draw.normal(3, 4, dtype=torch.float64)])))
    checks.have_dtypes(
        checks.matches_reference_on_each(student, reference, "context_vector", cases), (*DTYPES, torch.float64)
    )


@context_vector.check(
    "gradient", weight=2, needs=("test_any_weights",), ko="가중치와 토큰으로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the weights and to the tokens."""
    checks.gradient_matches(student, reference, "context_vector", draw.normal(5), draw.normal(5, 3))


@context_vector.check("purity", weight=1, needs=("test_any_weights",), ko="호출한 뒤에도 가중치와 토큰은 그대로입니다.")
def test_inputs_unchanged(student, reference, draw):
    """The weights and the tokens are the same after the call; other numbers in them are computed anew."""
    given, other = ((draw.weights(5), draw.normal(5, 3)) for _ in range(2))
    checks.computed_anew(student, reference, "context_vector", *given, before=other, unchanged=True)
