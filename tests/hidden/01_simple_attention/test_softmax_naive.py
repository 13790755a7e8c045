"""Hidden checks of `softmax_naive`: exponentials over their sum, written out."""

import torch

from grader.suite import checks, exercise

softmax_naive = exercise("softmax_naive")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)


@softmax_naive.check(
    "property",
    weight=5,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "softmax_naive", draw.normal(5), draw=draw)


@softmax_naive.check(
    "shape", weight=5, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(size)) for size in (5, 1)]
    for answer, case in zip(checks.answers(student.softmax_naive, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape)


@softmax_naive.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(5, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.softmax_naive, cases), DTYPES)


@softmax_naive.check("property", weight=5, needs=("test_the_gate",), ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    scores = torch.cat([2 * draw.normal(6), torch.tensor([-9.0, 9.5])])  # whatever is drawn, of both signs
    checks.rows_sum_to_one(student.softmax_naive(scores))


@softmax_naive.check("gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "softmax_naive", draw.normal(6))


@softmax_naive.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.input_unchanged(student, "softmax_naive", draw.normal(5))


@softmax_naive.check("document", weight=6, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32

    weights = student.softmax_naive(inputs @ inputs[1])
    checks.matches_figure(weights, golden("N0 In[8]"))
    checks.matches_figure(weights.sum(), golden("N0 In[8] sum"))


@softmax_naive.check(
    "value", weight=20, ko="임의의 점수에서, 같은 길이의 다른 점수에서도, 지수 함수를 그 합으로 나눈 값이 나옵니다."
)
def test_random_scores(student, reference, draw):
    """Random scores of both signs give exponentials over their sum, also a second time with the same length."""
    moderate = torch.tensor([-12.0, 8.0, 10.0, 0.5])
    low = -3.0  # a small sum, so that what is added to it shows
    cases = [checks.given(scores) for scores in (2 * draw.normal(5), moderate + draw.normal(4), low + draw.normal(6))]
    for place in (11, 24):
        scores = 0.3 * draw.normal(40)
        scores[place] += 3.3  # where one weight stands out, a base that is only nearly e shows most
        cases.append(checks.given(scores))
    checks.matches_reference_on_each(student, reference, "softmax_naive", cases)


@softmax_naive.check(
    "shape",
    weight=5,
    needs=("test_random_scores",),
    ko="점수가 하나뿐이면 모양이 (1,)인 텐서 1이고, 노트보다 훨씬 많아도 가중치가 맞습니다.",
)
def test_few_and_many(student, reference, draw):
    """A single score gives a tensor (1,) that holds 1; far more scores than in the note give the right weights."""
    cases = [checks.given(draw.normal(size)) for size in (1, 241 + draw.large())]
    checks.matches_reference_on_each(student, reference, "softmax_naive", cases)


@softmax_naive.check("dtype", weight=4, needs=("test_random_scores",), ko="float64 입력은 float64로 계산합니다.")
def test_float64_stays_float64(student, reference, draw):
    """What is given in float64 is computed in float64."""
    scores = 100 + draw.normal(5, dtype=torch.float64)  # too much for the exponential in float32
    checks.matches_reference(student, reference, "softmax_naive", scores)


@softmax_naive.check(
    "gradient", weight=8, needs=("test_random_scores",), ko="분모의 합까지 포함해 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores, also through the sum."""
    checks.gradient_matches(student, reference, "softmax_naive", draw.normal(6))


@softmax_naive.check(
    "value",
    weight=2,
    needs=("test_random_scores",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
    guard="`view` on an input that is not contiguous",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "softmax_naive", draw.normal(6))


@softmax_naive.check(
    "property",
    weight=2,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    scores, other = draw.normal(5), draw.normal(5)
    checks.computed_anew(student, reference, "softmax_naive", scores, before=(other,))


@softmax_naive.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "softmax_naive", draw.normal(6))


@softmax_naive.check(
    "policy", needs=("test_random_scores",), ko="라이브러리의 softmax 계열 함수를 쓰지 않고 직접 계산합니다."
)
def test_written_by_hand(student, reference, draw):
    """The weights are computed without a softmax, log_softmax, softmin or logsumexp of a library."""
    scores = 2 * draw.normal(draw.choice((4, 5, 40)))
    checks.no_forbidden_call(student, reference, "softmax_naive", scores)
