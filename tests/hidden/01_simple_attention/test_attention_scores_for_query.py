"""Hidden checks of `attention_scores_for_query`: one dot product a token."""

from grader.suite import checks, exercise

attention_scores_for_query = exercise("attention_scores_for_query")
attention_scores_for_query.contract(inputs="T d", query="d", result="T")


@attention_scores_for_query.check(
    "document", ko="노트의 두 번째 토큰과 마지막 토큰을 쿼리로 하면 노트에 찍힌 점수가 나옵니다."
)
def test_matches_the_note(student, golden):
    """The note's second token and its last one as the query give the scores that the note prints for them."""
    inputs = golden("N0 inputs").float32
    checks.matches_figure(student.attention_scores_for_query(inputs, inputs[1]), golden("N0 In[5]"))
    checks.close(student.attention_scores_for_query(inputs, inputs[-1]), golden("N0 In[11]").value[-1])
