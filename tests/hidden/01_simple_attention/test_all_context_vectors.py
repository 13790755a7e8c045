"""Hidden checks of `all_context_vectors`: scores, weights and mixture in one function."""

import torch

from grader.suite import checks, exercise

all_context_vectors = exercise("all_context_vectors")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def raised(tokens, height):
    """Return tokens with one feature more that all share, which raises all scores alike, by the square of `height`."""
    return torch.cat([tokens, torch.full_like(tokens[:, :1], height)], dim=1)


SIZES = ((5, 5, 1.0), (12, 4, 0.3), (12, 4, 0.3), (4, 7, 1.0))  # tokens, features, size of the numbers


@all_context_vectors.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    answer = checks.uses_every_input(student, reference, "all_context_vectors", draw.normal(5, 3), draw=draw)
    checks.is_true(
        answer.dim() == 2 and not torch.equal(answer, answer[:1].expand_as(answer)),
        "Every token has the same context: its own scores play no part.",
        "모든 토큰의 문맥이 같습니다. 토큰마다 다른 점수를 쓰지 않았습니다.",
        for_students=True,
    )


@all_context_vectors.check(
    "shape", weight=5, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(*size)) for size in ((5, 3), (1, 4), (4, 1), (1, 1))]
    for answer, case in zip(checks.answers(student.all_context_vectors, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape)


@all_context_vectors.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(5, 3, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.all_context_vectors, cases), DTYPES)


@all_context_vectors.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check("document", weight=3, ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the context vectors that the note prints."""
    checks.matches_figure(student.all_context_vectors(golden("N0 inputs").float32), golden("N0 In[15]"))


@all_context_vectors.check("value", weight=10, ko="임의의 토큰에서 세 단계를 거친 문맥 벡터가 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens give the context vectors of all three steps together."""
    cases = [checks.given(size * draw.normal(tokens, features)) for tokens, features, size in SIZES]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "shape",
    weight=5,
    needs=("test_random_tokens",),
    ko="토큰이나 특징이 하나뿐이어도, 노트보다 훨씬 많아도 결과는 모양이 (T, d)인 올바른 텐서입니다.",
)
def test_few_and_many(student, reference, draw):
    """A single token or feature, and far more of them than in the note, give the right tensor of shape (T, d)."""
    sizes = ((1, 1025 + draw.large()), (300 + draw.large(), 1))
    cases = [checks.given(draw.normal(tokens, features) / features**0.5) for tokens, features in sizes]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases)


@all_context_vectors.check(
    "stability",
    weight=15,
    needs=("test_random_tokens",),
    ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.",
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    rows = [raised(draw.normal(3, 2), 15.0), raised(draw.normal(3, 2), -15.0)]
    cases = [checks.given(torch.cat(rows)), checks.given(torch.cat([rows[0], draw.normal(3, 3)]))]
    checks.matches_reference_on_each(student, reference, "all_context_vectors", cases, kind="extreme")


@all_context_vectors.check("dtype", weight=3, needs=("test_random_tokens",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    tokens = raised(draw.normal(5, 3, dtype=torch.float64), 24.0)
    checks.matches_reference(student, reference, "all_context_vectors", tokens)


@all_context_vectors.check(
    "gradient", weight=8, needs=("test_random_tokens",), ko="점수와 값 양쪽을 거쳐 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens, through the weights as well as through the mixture."""
    checks.gradient_matches(student, reference, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check(
    "value",
    weight=2,
    needs=("test_random_tokens",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check(
    "property",
    weight=2,
    needs=("test_random_tokens",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    tokens, other = draw.normal(5, 3), draw.normal(5, 3)
    checks.computed_anew(student, reference, "all_context_vectors", tokens, before=(other,))


@all_context_vectors.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "all_context_vectors", draw.normal(5, 3))


@all_context_vectors.check(
    "policy", needs=("test_random_tokens",), ko="라이브러리의 어텐션 함수나 모듈을 쓰지 않고 직접 계산합니다."
)
def test_written_by_hand(student, reference, draw):
    """The result is computed without an attention function or module of a library."""
    tokens, features, size = draw.choice(SIZES)
    checks.no_forbidden_call(student, reference, "all_context_vectors", size * draw.normal(tokens, features))
