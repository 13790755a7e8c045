"""Hidden checks of `all_context_vectors`: scores, weights and mixture in one function."""

import torch

from grader.suite import checks, exercise

all_context_vectors = exercise("all_context_vectors")

DTYPES = (torch.float32, torch.float64)

SIZES = ((5, 5, 1.0), (12, 4, 0.3), (12, 4, 0.3), (4, 7, 1.0))  # tokens, features, size of the numbers


@all_context_vectors.check("document", weight=1, ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the context vectors that the note prints."""
    answer = student.all_context_vectors(golden("N0 inputs").float32)
    checks.matches_figure(answer, golden("N0 In[15]"))


@all_context_vectors.check("value", weight=4, ko="임의의 토큰에서 세 단계를 거친 문맥 벡터가 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens give the context vectors of all three steps together."""
    cases = [checks.given(size * draw.normal(tokens, features)) for tokens, features, size in SIZES]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "shape",
    weight=1,
    needs=("test_random_tokens",),
    ko="토큰이 하나이거나 특징이 하나여도 결과는 모양이 (T, d)인 텐서입니다.",
)
def test_smallest_sizes(student, reference, draw):
    """A single token and a single feature still give a tensor of shape (T, d)."""
    cases = [checks.given(draw.normal(tokens, features)) for tokens, features in ((1, 4), (3, 1))]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "value",
    weight=1,
    needs=("test_random_tokens",),
    ko="토큰이나 특징이 노트보다 훨씬 많아도 맞습니다.",
    guard="sizes that are written into an answer",
)
def test_large_sizes(student, reference, draw):
    """Far more tokens or features than in the note are treated rightly."""
    cases = [checks.given(draw.normal(*shape) / 10) for shape in ((draw.large(), 3), (4, draw.large()))]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "dtype", weight=1, needs=("test_random_tokens",), ko="결과의 dtype은 입력의 dtype과 같습니다."
)
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the inputs, float32 or float64."""
    cases = [checks.given(draw.normal(5, 3, dtype=dtype)) for dtype in DTYPES]
    answers = checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)
    for answer, dtype in zip(answers, DTYPES, strict=True):
        checks.has_dtype(answer, dtype)


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


@all_context_vectors.check(
    "property",
    weight=1,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, "all_context_vectors", draw.normal(5, 3), before=(draw.normal(5, 3),))


@all_context_vectors.check("purity", weight=1, needs=("test_random_tokens",), ko="호출한 뒤에도 토큰은 그대로입니다.")
def test_input_unchanged(student, draw):
    """The tokens are the same after the call."""
    checks.input_unchanged(student, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check(
    "policy", weight=7, needs=("test_random_tokens",), ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다."
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    tokens, features, size = draw.choice(SIZES)
    checks.no_forbidden_call(student, reference, "all_context_vectors", size * draw.normal(tokens, features))
