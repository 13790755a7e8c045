"""Hidden checks of `apply_causal_mask`: minus infinity in the future, every other score as it was, in a new tensor.

No gradient is asked for at the places that are hidden: styles that are all right differ there.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.gradients import require_gradients, uneven

apply_causal_mask = exercise("apply_causal_mask")

NAME = "apply_causal_mask"


@apply_causal_mask.check("property", weight=4, ko="결과의 차원과 원소의 수가 맞고, 점수가 바뀌면 결과도 바뀝니다.")
def test_the_gate(student, reference, draw):
    """The result has as many dimensions and entries as the scores, and other scores give another result."""
    checks.uses_every_input(student, reference, NAME, 3 * draw.normal(5, 5), draw=draw)


@apply_causal_mask.check("document", weight=3, ko="두 노트의 점수에서 노트에 찍힌 가려진 점수가 나옵니다.")
def test_scores_of_the_notes(student, golden, draw):
    """The scores of both notes give the masked scores that the notes print."""
    figure = golden("N0 In[32]")
    future = 0.2 * draw.normal(6, 6)  # the note prints the scores after the masking only
    checks.matches_figure(student.apply_causal_mask(torch.where(figure.value.isinf(), future, figure.float32)), figure)
    checks.matches_figure(student.apply_causal_mask(golden("N2 In[54]").float32), golden("N2 In[62]"))


@apply_causal_mask.check("value", weight=10, ko="임의의 점수에서 미래 자리만 -inf가 되고 나머지는 그대로입니다.")
def test_random_scores(student, reference, draw):
    """Of random scores the future ones become minus infinity, and the others stay what they are."""
    cases = [checks.given(3 * draw.normal(tokens, tokens)) for tokens in (5, 5, 2, 8)]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@apply_causal_mask.check("value", weight=6, ko="앞에 차원이 몇 개 더 있어도 항목마다 미래를 가립니다.")
def test_leading_dimensions(student, reference, draw):
    """With one, two, three or four dimensions in front, the future is hidden in every item."""
    shapes = ((2, 4, 4), (4, 4, 4), (2, 3, 5, 5), (3, 1, 4, 4), (2, 3, 2, 4, 4), (2, 1, 3, 2, 4, 4))
    cases = [checks.given(3 * draw.normal(*shape)) for shape in shapes]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@apply_causal_mask.check(
    "value", weight=5, needs=("test_random_scores",), ko="점수가 0이어도 보이는 자리는 0으로 남습니다."
)
def test_scores_of_zero(student, reference, draw):
    """A visible score of zero stays zero, and a hidden one is hidden like any other."""
    scores = draw.normal(4, 4) * draw.mask(4, 4)
    scores[2, 0] = scores[3, 3] = scores[0, 3] = 0
    cases = [checks.given(zeros) for zeros in (scores, torch.zeros(3, 3))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@apply_causal_mask.check(
    "property", weight=4, needs=("test_the_gate",), ko="자신과 앞의 토큰에 대한 점수는 그대로 남습니다."
)
def test_the_past_stays(student, draw):
    """The scores of a token itself and of those before it stay what they are."""
    scores = 3 * draw.normal(2, 6, 6)
    checks.close(checks.has_shape(student.apply_causal_mask(scores), (2, 6, 6)).tril(), scores.double().tril())


@apply_causal_mask.check(
    "property", weight=4, needs=("test_the_gate",), ko="뒤의 토큰에 대한 점수는 모두 음의 무한대입니다."
)
def test_the_future_is_hidden(student, draw):
    """The scores of all later tokens are minus infinity."""
    masked = checks.has_shape(student.apply_causal_mask(3 * draw.normal(2, 6, 6)), (2, 6, 6))
    future = torch.ones(6, 6, dtype=torch.bool).triu(diagonal=1).expand(2, 6, 6)
    checks.is_true(
        bool((masked[future] == float("-inf")).all()),
        "A score of a later token is not minus infinity.",
        "뒤의 토큰에 대한 점수 가운데 음의 무한대가 아닌 것이 있습니다.",
    )


@apply_causal_mask.check("shape", weight=4, needs=("test_the_gate",), ko="토큰이 하나여도 모양이 그대로입니다.")
def test_single_token(student, draw):
    """A single token's score keeps its shape."""
    for shape in ((1, 1), (3, 1, 1)):
        checks.has_shape(student.apply_causal_mask(draw.normal(*shape)), shape)


@apply_causal_mask.check(
    "value",
    weight=3,
    needs=("test_random_scores",),
    ko="전치하거나 잘라내거나 늘린 뷰를 주어도 결과가 맞습니다.",
)
def test_views(student, reference, draw):
    """Tensors that are views of others (transposed, sliced, expanded) are treated like any others."""
    checks.any_layout(student, reference, NAME, 3 * draw.normal(2, 5, 5))


@apply_causal_mask.check(
    "value", weight=3, needs=("test_random_scores",), ko="토큰이나 항목이 작은 예보다 훨씬 많아도 맞습니다."
)
def test_large_sizes(student, reference, draw):
    """Far more tokens or items than in small examples are treated rightly."""
    tokens, items = 300 + draw.large(), 1000 + draw.large()
    cases = [checks.given(3 * draw.normal(*shape)) for shape in ((tokens, tokens), (items, 3, 3))]
    checks.matches_reference_on_each(student, reference, NAME, cases)


@apply_causal_mask.check("dtype", weight=5, needs=("test_the_gate",), ko="결과의 dtype은 점수의 dtype과 같습니다.")
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the scores: float32, float64, bfloat16 and float16."""
    dtypes = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
    checks.keeps_dtypes(student, NAME, [checks.given(draw.normal(5, 5, dtype=dtype)) for dtype in dtypes])


@apply_causal_mask.check(
    "dtype", weight=2, needs=("test_random_scores",), ko="float64 점수는 float64의 정밀도로 남습니다."
)
def test_float64_is_exact(student, reference, draw):
    """Scores in float64 keep all their digits."""
    checks.matches_reference(student, reference, NAME, 3 * draw.normal(9, 9, dtype=torch.float64), kind="exact")


@apply_causal_mask.check("gradient", weight=10, needs=("test_the_gate",), ko="그래디언트가 점수까지 흐릅니다.")
def test_gradients_flow(student, reference, draw):
    """Gradients reach the scores."""
    checks.gradients_flow(student, reference, NAME, draw.normal(2, 5, 5))


@apply_causal_mask.check(
    "gradient", weight=5, needs=("test_random_scores",), ko="보이는 점수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, draw):
    """The right gradients flow to the scores that are visible."""
    scores = draw.normal(2, 5, 5)
    expected = uneven(scores.shape).tril()
    seen = student.apply_causal_mask.observe(scores, cotangent=expected.float())
    (gradient,) = seen.input_gradients
    require_gradients([None if gradient is None else gradient.tril()], [expected], "float32")


@apply_causal_mask.check(
    "property",
    weight=4,
    needs=("test_random_scores",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, NAME, draw.normal(5, 5), before=(draw.normal(5, 5),))


@apply_causal_mask.check(
    "purity",
    weight=15,
    needs=("test_the_gate",),
    ko="호출한 뒤에도 점수는 그대로이고, 결과는 새 텐서입니다.",
)
def test_input_unchanged(student, draw):
    """The scores are the same after the call, and the result is a new tensor, also where nothing is to be hidden."""
    for tokens in (5, 1):
        seen = checks.input_unchanged(student, NAME, draw.normal(tokens, tokens))
        checks.is_true(
            not seen.facts[0].shares_input,
            "The result shares its memory with the scores; return a tensor of its own.",
            "결과가 입력 점수와 메모리를 함께 씁니다. 새 텐서를 반환하세요.",
        )


@apply_causal_mask.check(
    "policy", needs=("test_random_scores",), ko="라이브러리의 마스크 함수를 쓰지 않고 직접 가립니다."
)
def test_written_by_hand(student, reference, draw):
    """The scores are masked without the library's function for causal masks."""
    tokens = draw.choice((5, 2, 8))
    checks.no_forbidden_call(student, reference, NAME, 3 * draw.normal(tokens, tokens))
