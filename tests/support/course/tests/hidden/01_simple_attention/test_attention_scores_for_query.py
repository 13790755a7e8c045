"""Hidden checks of `attention_scores_for_query`: the honest exercise of most attacks."""

from grader.suite import checks, exercise

attention_scores_for_query = exercise("attention_scores_for_query")


@attention_scores_for_query.check("value", weight=5, ko="토큰마다 내적 하나가 나옵니다.")
def test_random_tokens(student, reference, draw):
    """Random tokens and a random query give one dot product a token, also a second time with the same sizes."""
    cases = [checks.given(draw.normal(tokens, 3), draw.normal(3)) for tokens in (5, 5)]
    checks.matches(student.attention_scores_for_query, reference.attention_scores_for_query, *cases)


@attention_scores_for_query.check("purity", weight=3, needs=("test_random_tokens",), ko="입력을 바꾸지 않습니다.")
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.inputs_unchanged(student.attention_scores_for_query, draw.normal(5, 3), draw.normal(3))


@attention_scores_for_query.check("gradient", weight=1, needs=("test_random_tokens",), ko="그래디언트가 맞습니다.")
def test_gradients(student, reference, draw):
    """The right gradients flow to the tokens and to the query."""
    asked, solution = student.attention_scores_for_query, reference.attention_scores_for_query
    checks.gradients_match(asked, solution, draw.normal(5, 3), draw.normal(3))
