"""Hidden checks of `dot_product_scores`: every query with every key, other numbers of both, nothing scaled."""

import torch

from grader.suite import checks, exercise

dot_product_scores = exercise("dot_product_scores")
dot_product_scores.contract(queries="... Tq d", keys="... Tk d", result="... Tq Tk")


@dot_product_scores.check("document", ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_the_notes(student, golden):
    """The notes' queries and keys give the scores that the notes print, for one query, one pair and all pairs."""
    generator = torch.Generator().manual_seed(123)
    inputs = golden("N0 inputs").float32
    queries, keys = (inputs @ torch.rand(3, 2, generator=generator) for _ in range(2))
    scores = checks.has_shape(student.dot_product_scores(queries[1:2], keys), (1, 6))
    checks.matches_figure(scores[0], golden("N0 In[21]"))
    score = checks.has_shape(student.dot_product_scores(queries[1:2], keys[1:2]), (1, 1))
    checks.matches_figure(score[0, 0], golden("N0 In[20]"))
    queries, keys = (golden(f"N2 In[projections] {name}").float32 for name in ("queries", "keys"))
    checks.matches_figure(student.dot_product_scores(queries, keys), golden("N2 In[4]"))
