"""Hidden checks of `normalize_scores`: each score over the sum of all, sign included."""

import torch

from grader.suite import checks, exercise

normalize_scores = exercise("normalize_scores")


def mixed_scores(draw, length, total=2.5, dtype=torch.float32):
    """Return scores of alternating signs (more than one given) whose sum is `total`, well away from 0."""
    scores = draw.uniform(length, dtype=dtype) + 0.5
    scores[1::2] *= -1
    scores[0] += total - scores.sum()
    return scores


normalize_scores.contract(scores="T", result="T", draws={"scores": mixed_scores})


@normalize_scores.check("document", ko="노트의 점수에서 노트에 찍힌 가중치와 그 합이 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32
    weights = student.normalize_scores(inputs @ inputs[1])
    checks.matches_figure(weights, golden("N0 In[7]"))
    checks.matches_figure(weights.sum(), golden("N0 In[7] sum"))


@normalize_scores.check("stability", ko="합이 음수여도, 0에 가까워도 부호까지 포함한 그 합으로 나눕니다.")
def test_negative_sum(student, reference, draw):
    """A negative sum divides too, its sign included, and so does one near 0."""
    sums = ((4, -3.0, torch.float32), (24, -20.0, torch.float32), (5, -0.01, torch.float32), (5, -0.001, torch.float64))
    cases = [checks.given(mixed_scores(draw, length, total, dtype)) for length, total, dtype in sums]
    cases += [checks.given(1e-9 * mixed_scores(draw, 5, total)) for total in (2.5, -2.5)]  # no sum to guard against
    checks.matches(student.normalize_scores, reference.normalize_scores, *cases)
