"""Hidden checks of `softmax_naive`: exponentials over their sum, written out."""

import torch

from grader.suite import checks, exercise

softmax_naive = exercise("softmax_naive")

DTYPES = (torch.float32, torch.float64)


@softmax_naive.check("document", weight=1, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32

    weights = student.softmax_naive(inputs @ inputs[1])
    checks.matches_figure(weights, golden("N0 In[8]"))
    checks.matches_figure(weights.sum(), golden("N0 In[8] sum"))


@softmax_naive.check(
    "value", weight=3, ko="임의의 점수에서, 같은 길이의 다른 점수에서도, 지수 함수를 그 합으로 나눈 값이 나옵니다."
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
    weight=1,
    needs=("test_random_scores",),
    ko="점수가 하나뿐이면 모양이 (1,)인 텐서 1이고, 노트보다 훨씬 많아도 가중치가 맞습니다.",
)
def test_few_and_many(student, reference, draw):
    """A single score gives a tensor (1,) that holds 1; far more scores than in the note give the right weights."""
    cases = [checks.given(draw.normal(size)) for size in (1, draw.large())]
    checks.matches_reference_on_each(student, reference, "softmax_naive", cases)


@softmax_naive.check("dtype", weight=1, needs=("test_random_scores",), ko="결과의 dtype은 입력의 dtype과 같습니다.")
def test_keeps_the_dtype(student, reference, draw):
    """The result has the dtype of the scores, float32 or float64."""
    cases = [checks.given(draw.normal(5, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.matches_reference_on_each(student, reference, "softmax_naive", cases), DTYPES)


@softmax_naive.check(
    "gradient", weight=1, needs=("test_random_scores",), ko="분모의 합까지 포함해 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores, also through the sum."""
    checks.gradient_matches(student, reference, "softmax_naive", draw.normal(6))


@softmax_naive.check("purity", weight=1, needs=("test_random_scores",), ko="호출한 뒤에도 입력 점수는 그대로입니다.")
def test_input_unchanged(student, reference, draw):
    """The scores are the same after the call; other numbers in them are computed anew."""
    scores, other = draw.normal(5), draw.normal(5)
    checks.computed_anew(student, reference, "softmax_naive", scores, before=(other,), unchanged=True)


@softmax_naive.check(
    "policy", needs=("test_random_scores",), ko="라이브러리의 softmax 계열 함수를 쓰지 않고 직접 계산합니다."
)
def test_written_by_hand(student, reference, draw):
    """The weights are computed without a softmax, log_softmax, softmin or logsumexp of a library."""
    scores = 2 * draw.normal(draw.choice((4, 5, 40)))
    checks.no_forbidden_call(student, reference, "softmax_naive", scores)
