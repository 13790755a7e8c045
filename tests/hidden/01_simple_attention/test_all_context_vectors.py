"""Hidden checks of `all_context_vectors`: scores, weights and mixture in one function."""

import torch

from grader.suite import checks, exercise

all_context_vectors = exercise("all_context_vectors")
all_context_vectors.contract(inputs="T d", result="T d")


def raised(tokens, height):
    """Return tokens with one feature more that all share, which raises all scores alike, by the square of `height`."""
    return torch.cat([tokens, torch.full_like(tokens[:, :1], height)], dim=1)


@all_context_vectors.check("document", ko="노트의 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's tokens give the context vectors that the note prints."""
    checks.matches_figure(student.all_context_vectors(golden("N0 inputs").float32), golden("N0 In[15]"))


@all_context_vectors.check(
    "stability", needs="test_value", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다."
)
def test_scores_in_the_hundreds(student, reference, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    rows = [raised(draw.normal(3, 2), height) for height in (30.0, -30.0, 5.0)]
    cases = [checks.given(torch.cat(rows)), checks.given(torch.cat([rows[0], draw.normal(3, 3)]))]
    checks.matches(student.all_context_vectors, reference.all_context_vectors, *cases, kind="extreme")
