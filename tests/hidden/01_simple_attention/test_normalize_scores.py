"""Hidden checks of `normalize_scores`: each score over the sum, whatever the signs."""

import torch

from grader.suite import checks, exercise

normalize_scores = exercise("normalize_scores")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


def mixed_scores(draw, length, total, dtype=torch.float32):
    """Return scores of alternating signs (more than one given) whose sum is `total`, well away from 0."""
    scores = draw.uniform(length, dtype=dtype) + 0.5
    scores[1::2] *= -1
    scores[0] += total - scores.sum()
    return scores


@normalize_scores.check(
    "property",
    weight=4,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "normalize_scores", mixed_scores(draw, 5, 2.0), draw=draw)


@normalize_scores.check(
    "shape",
    weight=5,
    needs=("test_the_gate",),
    ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다.",
    guard="a result of another shape, such as a row (1, T)",
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(mixed_scores(draw, *size)) for size in ((5, 2.0), (1, -1.7))]
    for answer, case in zip(checks.answers(student.normalize_scores, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape)


@normalize_scores.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(mixed_scores(draw, 5, 2.0, dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.normalize_scores, cases), DTYPES)


@normalize_scores.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "normalize_scores", mixed_scores(draw, 6, 2.0))


@normalize_scores.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "normalize_scores", mixed_scores(draw, 5, 2.0))


@normalize_scores.check("document", weight=6, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32

    weights = student.normalize_scores(inputs @ inputs[1])
    checks.matches_figure(weights, golden("N0 In[7]"))
    checks.matches_figure(weights.sum(), golden("N0 In[7] sum"))


@normalize_scores.check("value", weight=16, ko="부호가 섞인 임의의 점수를 그 합으로 나눈 값이 나옵니다.")
def test_scores_of_both_signs(student, reference, draw):
    """Random scores of both signs are divided by their sum, also a second time with the same length."""
    cases = [checks.given(mixed_scores(draw, length, total)) for length, total in ((6, 2.5), (40, 25.0), (40, 25.0))]
    checks.matches_reference_on_each(student, reference, "normalize_scores", cases)


@normalize_scores.check("value", weight=10, ko="합이 음수일 때에도 부호를 포함해 그 합으로 나눕니다.")
def test_negative_sum(student, reference, draw):
    """A negative sum divides too, its sign included."""
    cases = [checks.given(mixed_scores(draw, length, total)) for length, total in ((4, -3.0), (24, -20.0))]
    checks.matches_reference_on_each(student, reference, "normalize_scores", cases)


@normalize_scores.check(
    "shape",
    weight=5,
    needs=("test_scores_of_both_signs",),
    ko="점수가 하나뿐이면 모양이 (1,)인 텐서 1이고, 노트보다 훨씬 많아도 그 합으로 나눕니다.",
)
def test_few_and_many(student, reference, draw):
    """A single score gives a tensor (1,) that holds 1; far more scores than in the note are divided by their sum."""
    cases = [checks.given(mixed_scores(draw, *size)) for size in ((1, -1.7), (1025 + draw.large(), 45.0))]
    checks.matches_reference_on_each(student, reference, "normalize_scores", cases)


@normalize_scores.check(
    "dtype", weight=4, needs=("test_scores_of_both_signs",), ko="float64 입력은 float64로 계산합니다."
)
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    large, parts = 1e6 * draw.normal(9, dtype=torch.float64), draw.uniform(9, dtype=torch.float64) + 0.5
    scores = torch.cat([large, parts - large])  # digits that are lost on the way show in the sum
    checks.matches_reference(student, reference, "normalize_scores", scores)


@normalize_scores.check(
    "gradient", weight=8, needs=("test_scores_of_both_signs",), ko="분모의 합까지 포함해 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores, also through the sum."""
    checks.gradient_matches(student, reference, "normalize_scores", mixed_scores(draw, 6, 2.0))


@normalize_scores.check(
    "value",
    weight=2,
    needs=("test_scores_of_both_signs",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
    guard="`view` on an input that is not contiguous",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "normalize_scores", mixed_scores(draw, 6, 2.5))


@normalize_scores.check(
    "property",
    weight=2,
    needs=("test_scores_of_both_signs",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    scores, other = mixed_scores(draw, 5, 2.0), mixed_scores(draw, 5, -3.0)
    checks.computed_anew(student, reference, "normalize_scores", scores, before=(other,))


@normalize_scores.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "normalize_scores", mixed_scores(draw, 6, 2.5))
