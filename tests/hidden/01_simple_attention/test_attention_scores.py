"""Hidden checks of `attention_scores`: the dot products of all pairs, without a loop over the tokens."""

from grader.suite import checks, exercise

attention_scores = exercise("attention_scores")
attention_scores.contract(inputs="T d", result="T T")

# Operations that make, move, convert or add numbers. Dot products need one more, whichever it is: an answer that runs
# nothing else has taken its products in plain Python, where no operation is counted.
NO_PRODUCTS = {
    "aten._local_scalar_dense", "aten._to_copy", "aten._unsafe_view", "aten.add", "aten.alias", "aten.cat",
    "aten.clone", "aten.copy_", "aten.detach", "aten.empty", "aten.empty_like", "aten.fill_", "aten.full",
    "aten.lift_fresh", "aten.new_empty", "aten.new_zeros", "aten.permute", "aten.select", "aten.slice", "aten.squeeze",
    "aten.stack", "aten.sum", "aten.t", "aten.transpose", "aten.unbind", "aten.unsqueeze", "aten.view", "aten.zeros",
    "aten.zeros_like",
}  # fmt: skip


@attention_scores.check("document", ko="노트의 토큰에서 노트에 찍힌 점수 행렬이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the matrix of scores that the note prints, by loops and by one product."""
    scores = student.attention_scores(golden("N0 inputs").float32)
    for place in ("N0 In[11]", "N0 In[12]"):
        checks.matches_figure(scores, golden(place))


@attention_scores.check(
    "property",
    row="point",
    needs="test_value",
    ko="토큰을 파이썬 반복문으로 돌지 않습니다. 곱은 텐서로 계산하고, 토큰이 늘어도 연산 수는 같습니다.",
)
def test_no_loop_over_tokens(student, draw):
    """No Python loop runs over the tokens: tensors are multiplied, and more tokens take no more operations."""
    more = 12 + int(draw.integers(0, 9, 1))
    small, large = draw.normal(5, 5), 0.3 * draw.normal(more, 4)  # a loop over the features is fine
    few, many = (student.attention_scores.observe(inputs, trace=True).operations for inputs in (small, large))
    checks.is_true(
        sum(many.values()) <= sum(few.values()) + 4,
        "There are more tensor operations when there are more tokens: a Python loop runs over them.",
        "토큰이 늘자 텐서 연산의 수도 늘었습니다. 토큰을 파이썬 반복문으로 돌고 있습니다.",
        for_students=True,
    )
    checks.is_true(
        bool(few.keys() - NO_PRODUCTS),
        "No tensor operation multiplies anything: the scores are made outside of torch, by Python or NumPy.",
        "곱하는 텐서 연산이 하나도 없습니다. 점수를 torch 밖에서 파이썬이나 NumPy 숫자로 만들었습니다.",
    )
