"""Hidden checks of `apply_causal_mask`: minus infinity in the future, every other score as it was, in a new tensor."""

import torch

from grader.suite import checks, exercise

apply_causal_mask = exercise("apply_causal_mask")
apply_causal_mask.contract(
    scores="... T T", result="... T T", without={"gradients": "at hidden places styles that are all right differ"}
)


@apply_causal_mask.check("document", ko="두 노트의 점수에서 노트에 찍힌 가려진 점수가 나옵니다.")
def test_scores_of_the_notes(student, golden, draw):
    """The scores of both notes give the masked scores that the notes print."""
    figure = golden("N0 In[32]")
    future = 0.2 * draw.normal(6, 6)  # the note prints the scores after the masking only
    checks.matches_figure(student.apply_causal_mask(torch.where(figure.value.isinf(), future, figure.float32)), figure)
    checks.matches_figure(student.apply_causal_mask(golden("N2 In[54]").float32), golden("N2 In[62]"))


@apply_causal_mask.check("value", needs=("test_value",), ko="점수가 0이어도 보이는 자리는 0으로 남습니다.")
def test_scores_of_zero(student, reference, draw):
    """A visible score of zero stays zero, and a hidden one is hidden like any other."""
    scores = draw.normal(4, 4) * draw.mask(4, 4)
    scores[2, 0] = scores[3, 3] = scores[0, 3] = 0
    cases = [checks.given(zeros) for zeros in (scores, torch.zeros(3, 3))]
    checks.matches(student.apply_causal_mask, reference.apply_causal_mask, *cases)


@apply_causal_mask.check("property", ko="자신과 앞의 토큰에 대한 점수는 그대로 남습니다.")
def test_the_past_stays(student, draw):
    """The scores of a token itself and of those before it stay what they are."""
    for size in (3, 300):  # beyond an exponential, too
        scores = size * draw.normal(2, 6, 6)
        checks.close(checks.has_shape(student.apply_causal_mask(scores), (2, 6, 6)).tril(), scores.double().tril())


@apply_causal_mask.check("property", ko="뒤의 토큰에 대한 점수는 모두 음의 무한대입니다.")
def test_the_future_is_hidden(student, draw):
    """The scores of all later tokens are minus infinity."""
    masked = checks.has_shape(student.apply_causal_mask(3 * draw.normal(2, 6, 6)), (2, 6, 6))
    future = torch.ones(6, 6, dtype=torch.bool).triu(diagonal=1).expand(2, 6, 6)
    checks.is_true(
        bool((masked[future] == float("-inf")).all()),
        "A score of a later token is not minus infinity.",
        "뒤의 토큰에 대한 점수 가운데 음의 무한대가 아닌 것이 있습니다.",
    )


@apply_causal_mask.check("gradient", needs=("test_value",), ko="보이는 점수로 올바른 그래디언트가 흐릅니다.")
def test_gradients_of_what_is_visible(student, draw):
    """The right gradients flow to the scores that are visible."""
    scores, weigher = draw.normal(2, 5, 5), draw.normal(2, 5, 5).tril()
    (gradient,) = student.apply_causal_mask.observe(scores, cotangent=weigher).input_gradients
    checks.is_true(
        gradient is not None,
        "No gradient reaches the scores.",
        "점수에 그래디언트가 전달되지 않습니다.",
        for_students=True,
    )
    checks.close(gradient.tril(), weigher.double())


@apply_causal_mask.check("purity", ko="호출한 뒤에도 점수는 그대로이고, 결과는 새 텐서입니다.")
def test_a_new_tensor(student, draw):
    """The scores are the same after the call, and the result is a new tensor, also where nothing is to be hidden."""
    for tokens in (5, 1):
        seen = checks.inputs_unchanged(student.apply_causal_mask, draw.normal(tokens, tokens))
        checks.is_true(
            not seen.facts[0].shares_input,
            "The result shares its memory with the scores; return a tensor of its own.",
            "결과가 입력 점수와 메모리를 함께 씁니다. 새 텐서를 반환하세요.",
        )
