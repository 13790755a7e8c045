"""Hidden checks of `multi_head_scores`: the note's queries and keys, for both heads and for one alone."""

from grader.suite import checks, exercise

multi_head_scores = exercise("multi_head_scores")
multi_head_scores.contract(queries="... H T d", keys="... H T d", result="... H T T")


@multi_head_scores.check("document", ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_the_note(student, golden):
    """The note's queries and keys give the scores that the note prints, for both heads and for one alone."""
    queries, keys = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QK")
    cases = checks.given(queries, keys), checks.given(queries[1:], keys[1:])
    both, second = student.multi_head_scores.answers(cases)
    checks.matches_figure(both, golden("N2 In[einsum]"))
    checks.has_shape(second, (1, 3, 3))
    checks.matches_figure(second[0], golden("N2 In[50] scores"))
