"""Hidden checks of `project_qkv`: three matrices, three results in their order, whatever stands in front."""

import torch

from grader.suite import checks, exercise

project_qkv = exercise("project_qkv")
project_qkv.contract(
    x="... T d_in", W_query="d_in d_out", W_key="d_in d_out", W_value="d_in d_out", result=("... T d_out",) * 3
)


@project_qkv.check("document", ko="노트의 토큰에서 노트에 찍힌 쿼리와, 키와 값의 모양이 나옵니다.")
def test_second_token_of_the_note(student, golden):
    """The note's tokens, with matrices drawn as it draws them, give its query and the sizes of keys and values."""
    generator = torch.Generator().manual_seed(123)
    matrices = [torch.rand(3, 2, generator=generator) for _ in range(3)]
    keys, values = (tuple(golden(f"N0 In[19] {name}").value.int().tolist()) for name in ("keys", "values"))
    results = student.project_qkv(golden("N0 inputs").float32, *matrices)
    queries, _, _ = checks.has_shape(results, keys, keys, values)
    checks.matches_figure(queries[1], golden("N0 In[18]"))


@project_qkv.check("document", ko="노트의 정수 예제에서 노트에 찍힌 쿼리, 키, 값이 나옵니다.")
def test_whole_numbers_of_the_note(student, golden):
    """The note's whole numbers give the queries, keys and values that it prints."""
    matrices = (golden(f"N2 w_{name}").float32 for name in ("query", "key", "value"))
    figures = (golden(f"N2 In[projections] {name}") for name in ("queries", "keys", "values"))
    checks.matches_figure(student.project_qkv(golden("N2 x").float32, *matrices), *figures)
