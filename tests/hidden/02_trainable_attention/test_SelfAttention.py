"""Hidden checks of `SelfAttention`: two results, the note's figures, and large scores."""

import torch

from grader.suite import checks, exercise

from .far_scores import far_from_zero

self_attention_module = exercise("SelfAttention")
self_attention_module.contract(
    init="d_in attention_dim",
    x="... T d_in",
    result=("... T attention_dim", "... T T"),
    items=(1,),
)


@self_attention_module.check("property", ko="둘째 결과의 가중치는 음수가 아니고 행마다 합이 1입니다.")
def test_rows_sum_to_one(student, draw):
    """In the second result no weight is negative, and every row sums to 1."""
    _, weights = checks.has_shape(student.SelfAttention.built(5, 3)(draw.normal(2, 4, 5)), (2, 4, 3), (2, 4, 4))
    checks.rows_sum_to_one(weights)


@self_attention_module.check("document", ko="노트의 크기에서 노트의 모양이 나오고, 가중치는 행마다 합이 1입니다.")
def test_shapes_of_the_note(twin, golden, draw):
    """The note's sizes give the note's shapes, and every row of the weights sums to 1."""
    output, weights = (
        tuple(golden(f"N4 attention {name} shape").value.int().tolist()) for name in ("output", "weights")
    )
    submitted, solution = twin(20, output[-1])
    results = checks.matches(submitted, solution, draw.normal(*output[:-1], 20) / 3)
    checks.rows_sum_to_one(checks.has_shape(results, output, weights)[1])


@self_attention_module.check("document", ko="노트의 정수 예제를 넣으면 노트에 찍힌 출력과 가중치가 나옵니다.")
def test_whole_numbers_of_the_note(twin, golden):
    """With the note's whole numbers loaded by name, the output and the weights that the note prints come out."""
    values = {f"{name[0]}.bias": torch.zeros(3) for name in ("query", "key", "value")}
    values |= {f"{name[0]}.weight": golden(f"N2 w_{name}").float32.T for name in ("query", "key", "value")}
    submitted, _ = twin(4, 3, values=values)
    checks.matches_figure(submitted(golden("N2 x").float32), golden("N2 In[15]"), golden("N2 In[14]"))


@self_attention_module.check("stability", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.")
def test_scores_in_the_hundreds(twin, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    query, key, tokens = far_from_zero(draw)
    checks.matches(*twin(5, 3, values={"q.weight": query.T, "k.weight": key.T}), tokens, kind="extreme")
