"""Hidden checks of `attention_weights`, in which softmax is allowed."""

from grader.suite import checks, exercise

attention_weights = exercise("attention_weights")


@attention_weights.check("value", weight=6, ko="행마다 소프트맥스가 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores give the softmax of each row, also with a dimension in front."""
    cases = [checks.given(2 * draw.normal(*shape)) for shape in ((4, 4), (2, 3, 3))]
    checks.matches(student.attention_weights, reference.attention_weights, *cases)


@attention_weights.check("purity", weight=3, needs=("test_random_scores",), ko="입력을 바꾸지 않습니다.")
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    checks.inputs_unchanged(student.attention_weights, draw.normal(5, 5))
