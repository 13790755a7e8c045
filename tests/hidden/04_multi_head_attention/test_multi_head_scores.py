"""Hidden checks of `multi_head_scores`: every head for itself, nothing scaled, any number of leading dimensions."""

from grader.suite import checks, exercise

multi_head_scores = exercise("multi_head_scores")
multi_head_scores.contract(queries="... H T d", keys="... H T d", result="... H T T")


def pair(draw, *sizes):
    """Return random queries and keys of one size."""
    return draw.normal(*sizes), draw.normal(*sizes)


@multi_head_scores.check("document", ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_the_note(student, golden):
    """The note's queries and keys give the scores that the note prints, for both heads and for one alone."""
    queries, keys = (golden(f"N2 In[39] {name}h transposed").float32 for name in "QK")
    cases = checks.given(queries, keys), checks.given(queries[1:], keys[1:])
    both, second = student.multi_head_scores.answers(cases)
    checks.matches_figure(both, golden("N2 In[einsum]"))
    checks.has_shape(second, (1, 3, 3))
    checks.matches_figure(second[0], golden("N2 In[50] scores"))


@multi_head_scores.check("property", needs=("test_the_gate",), ko="쿼리와 키를 맞바꾸면 점수의 행과 열이 맞바뀝니다.")
def test_queries_and_keys_are_alike(student, draw):
    """With queries and keys exchanged, the rows of the scores become their columns."""
    queries, keys = pair(draw, 2, 3, 5, 7)
    cases = checks.given(queries, keys), checks.given(keys, queries)
    scores, exchanged = student.multi_head_scores.answers(cases)
    checks.close(exchanged, checks.has_shape(scores, (2, 3, 5, 5)).mT.double())


@multi_head_scores.check("property", needs=("test_the_gate",), ko="헤드는 서로 영향을 주지 않습니다.")
def test_heads_for_themselves(student, draw):
    """A head gives the same scores alone as among others."""
    queries, keys = pair(draw, 2, 3, 5, 7)
    cases = checks.given(queries, keys), checks.given(queries[:, 1:2], keys[:, 1:2])
    scores, alone = student.multi_head_scores.answers(cases)
    checks.close(alone, checks.has_shape(scores, (2, 3, 5, 5))[:, 1:2].double())
