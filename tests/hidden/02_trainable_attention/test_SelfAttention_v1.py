"""Hidden checks of `SelfAttention_v1`: the note's figure, and large scores."""

import torch

from grader.suite import checks, exercise

from .far_scores import far_from_zero

self_attention_v1 = exercise("SelfAttention_v1")
self_attention_v1.contract(
    init="d_in d_out",
    x="... T d_in",
    result="... T d_out",
)


@self_attention_v1.check("document", ko="노트가 뽑은 행렬을 이름으로 넣으면 노트에 찍힌 출력이 나옵니다.")
def test_output_of_the_note(twin, golden):
    """With the note's random matrices loaded by name, the output is the one that the note prints."""
    generator = torch.Generator().manual_seed(123)
    values = {name: torch.rand(3, 2, generator=generator) for name in ("W_query", "W_key", "W_value")}
    submitted, _ = twin(3, 2, values=values)
    checks.matches_figure(submitted(golden("N0 inputs").float32), golden("N0 In[24]"))


@self_attention_v1.check("stability", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.")
def test_scores_in_the_hundreds(twin, draw):
    """Scores in the hundreds, very different from row to row, give finite and correct results."""
    query, key, tokens = far_from_zero(draw)
    checks.matches(*twin(5, 3, values={"W_query": query, "W_key": key}), tokens, kind="extreme")


@self_attention_v1.check("parameters", weight=40, ko="모듈마다 매개변수를 새로 뽑습니다.")
def test_every_module_draws_anew(student):
    """Two modules made one after the other have different parameters: the class sets no seed."""
    first, second = (student.SelfAttention_v1.built(5, 3).parameters() for _ in range(2))
    checks.is_true(
        not any(torch.equal(first[name], second[name]) for name in first if name.startswith("W_")),
        "Two modules hold the same numbers: a seed is set in the class, or nothing is drawn.",
        "두 모듈의 값이 같습니다. 클래스 안에서 시드를 고정했거나 값을 뽑지 않았습니다.",
        for_students=True,
    )
