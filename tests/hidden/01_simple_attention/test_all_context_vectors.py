"""Hidden checks of `all_context_vectors`: scores, weights and mixture in one function."""

import torch

from grader.suite import checks, exercise

all_context_vectors = exercise("all_context_vectors")

DTYPES = (torch.float32, torch.float64)

SIZES = ((5, 5, 1.0), (12, 4, 0.3), (12, 4, 0.3), (4, 7, 1.0))  # tokens, features, size of the numbers


@all_context_vectors.check("document", weight=1, ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the context vectors that the note prints."""
    checks.matches_figure(student.all_context_vectors(golden("N0 inputs").float32), golden("N0 In[15]"))


@all_context_vectors.check("value", weight=4, ko="임의의 토큰에서 세 단계를 거친 문맥 벡터가 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens give the context vectors of all three steps together."""
    cases = [checks.given(size * draw.normal(tokens, features)) for tokens, features, size in SIZES]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "shape",
    weight=1,
    needs=("test_random_tokens",),
    ko="토큰이나 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (T, d)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token or feature, and far more of them than in the note, give the right tensor of shape (T, d)."""
    sizes = ((1, draw.large()), (draw.large(), 1))
    cases = [checks.given(draw.normal(tokens, features) / features**0.5) for tokens, features in sizes]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "dtype", weight=1, needs=("test_random_tokens",), ko="결과의 dtype은 입력의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the inputs, float32 or float64."""
    cases = [checks.given(draw.normal(5, 3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.matches_reference_on_each(student, reference, "all_context_vectors", cases), DTYPES)


@all_context_vectors.check(
    "dtype", weight=1, needs=("test_random_tokens",), ko="bfloat16 입력에서는 bfloat16 결과가 나옵니다."
)
def test_bfloat16(student, reference, draw):
    """Inputs in bfloat16 give a result in bfloat16."""
    inputs = draw.normal(5, 3, dtype=torch.bfloat16) / 2
    checks.has_dtype(checks.matches_reference(student, reference, "all_context_vectors", inputs), torch.bfloat16)


@all_context_vectors.check(
    "gradient", weight=1, needs=("test_random_tokens",), ko="점수와 값 양쪽을 거쳐 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens, through the weights as well as through the mixture."""
    checks.gradient_matches(student, reference, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check("purity", weight=1, needs=("test_random_tokens",), ko="호출한 뒤에도 토큰은 그대로입니다.")
def test_input_unchanged(student, reference, draw):
    """The tokens are the same after the call; other numbers in them are computed anew."""
    tokens, other = draw.normal(5, 3), draw.normal(5, 3)
    checks.computed_anew(student, reference, "all_context_vectors", tokens, before=(other,), unchanged=True)


@all_context_vectors.check(
    "policy", needs=("test_random_tokens",), ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다."
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    tokens, features, size = draw.choice(SIZES)
    checks.no_forbidden_call(student, reference, "all_context_vectors", size * draw.normal(tokens, features))
