"""Hidden checks of `SelfAttention_v2`: the note's figures, the numbers that its layers draw, and large scores."""

import torch

from grader.suite import checks, exercise

from .far_scores import far_from_zero

self_attention_v2 = exercise("SelfAttention_v2")
self_attention_v2.contract(
    init="d_in d_out",
    further={"qkv_bias": True},
    x="... T d_in",
    result="... T d_out",
)


def of_the_note(reference):
    """Return the weights of the layers that the note draws, by name."""
    torch.default_generator.manual_seed(123)
    return {name: value.detach() for name, value in reference.module.SelfAttention_v2(3, 2).named_parameters()}


@self_attention_v2.check("parameters", ko="시드를 정하면 편향까지 세 nn.Linear가 순서대로 뽑는 값이 들어 있습니다.")
def test_drawn_as_linear_layers(student, draw):
    """After a seed, a module with biases holds what three layers with biases draw one after the other."""
    seed = int(draw.integers(0, 2**31, 1))
    parameters = student.SelfAttention_v2.built(5, 3, qkv_bias=True, seed=seed).parameters()
    torch.default_generator.manual_seed(seed)
    layers = {name: torch.nn.Linear(5, 3) for name in ("W_query", "W_key", "W_value")}
    for name, layer in layers.items():
        checks.close(parameters[f"{name}.weight"], layer.weight.detach())
        checks.close(parameters[f"{name}.bias"], layer.bias.detach())


@self_attention_v2.check("document", ko="노트가 뽑은 행렬을 이름으로 넣으면 노트에 찍힌 출력이 나옵니다.")
def test_output_of_the_note(twin, reference, golden):
    """With the weights that the note draws loaded by name, the output that the note prints comes out."""
    submitted, _ = twin(3, 2, values=of_the_note(reference))
    checks.matches_figure(submitted(golden("N0 inputs").float32), golden("N0 In[26]"))


@self_attention_v2.check("document", ko="그 모듈이 쓰는 어텐션 가중치는 노트에 찍힌 것과 같습니다.")
def test_weights_of_the_note(twin, reference, golden):
    """The attention weights that this module uses are those that the note prints."""
    inputs, weights = golden("N0 inputs").float32, of_the_note(reference)
    # Each token carries a mark of its own, which only the values see: two of six marks in every run come through.
    submitted, _ = twin(9, 2)
    columns = []
    for start in (0, 2, 4):
        marks = torch.cat([torch.zeros(2, 3), torch.eye(6)[start : start + 2]], dim=1)
        queries, keys = (
            torch.cat([weights[f"W_{name}.weight"], torch.zeros(2, 6)], dim=1) for name in ("query", "key")
        )
        submitted.load({"W_query.weight": queries, "W_key.weight": keys, "W_value.weight": marks})
        columns.append(checks.has_shape(submitted(torch.cat([inputs, torch.eye(6)], dim=1)), (6, 2)))
    checks.matches_figure(torch.cat(columns, dim=1), golden("N0 In[27]"))


@self_attention_v2.check("stability", ko="점수가 수백이고 행마다 크게 달라도 유한하고 올바른 결과가 나옵니다.")
def test_scores_in_the_hundreds(twin, draw):
    """Scores in the hundreds, far apart from row to row, give finite and right results."""
    query, key, tokens = far_from_zero(draw)
    checks.matches(*twin(5, 3, values={"W_query.weight": query.T, "W_key.weight": key.T}), tokens, kind="extreme")


@self_attention_v2.check("parameters", weight=40, ko="모듈마다 매개변수를 새로 뽑습니다.")
def test_every_module_draws_anew(student):
    """Two modules made one after the other hold different numbers: the class sets no seed."""
    first, second = (student.SelfAttention_v2.built(5, 3).parameters() for _ in range(2))
    checks.is_true(
        not any(torch.equal(first[name], second[name]) for name in first if name.startswith("W_")),
        "Two modules hold the same numbers: a seed is set in the class, or nothing is drawn.",
        "두 모듈의 값이 같습니다. 클래스 안에서 시드를 고정했거나 값을 뽑지 않았습니다.",
        for_students=True,
    )
