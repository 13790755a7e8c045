"""Hidden checks of `context_vector`: the sum of weight times token."""

import torch

from grader.suite import checks, exercise

context_vector = exercise("context_vector")
context_vector.contract(weights="T", inputs="T d", result="d")


@context_vector.check("document", ko="노트의 가중치와 토큰에서 노트에 찍힌 문맥 벡터가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's weights and tokens give the context vector that the note prints."""
    inputs = golden("N0 inputs").float32
    weights = torch.softmax(inputs @ inputs[1], dim=0)
    checks.matches_figure(student.context_vector(weights, inputs), golden("N0 In[10]"))
