"""Hidden checks of `LayerNorm`: the note's figures, eps, and rows whose numbers lie close together."""

import torch

from grader.suite import checks, exercise

from .samples import rows

layer_norm_module = exercise("LayerNorm")
layer_norm_module.contract(
    init="d",
    further={"eps": 0.1},
    x="... d",
    result="... d",
    draws={"x": rows},
    without={"gradients_flow": "the gradients themselves are asked for, in constant rows too"},
)


@layer_norm_module.check("document", ko="새 층에 노트의 두 샘플을 넣으면 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """A new layer makes of the note's two samples what the note prints."""
    answer = student.LayerNorm.built(3)(golden("N2 normalization input").float32)
    checks.matches_figure(answer, golden("N2 In[16]"))


@layer_norm_module.check("parameters", ko="새 층의 weight는 모두 1이고 bias는 모두 0입니다.")
def test_starts_as_the_note_prints(student, golden):
    """The weight of a new layer is all ones and its bias all zeros, as the note prints them."""
    layer = student.LayerNorm.built(3)
    for name, value in checks.remembered(layer, "weight", "bias").items():
        checks.matches_figure(value, golden(f"N2 In[LayerNorm parameters] {name}"))


@layer_norm_module.check(
    "value", weight=6, ko="eps로 준 값을 분산에 더한 뒤 제곱근을 구하고, 층마다 자기 eps를 씁니다."
)
def test_other_eps(twin, draw):
    """Another eps, which may be 0, is added to the variance, under the root, and every layer keeps its own."""
    ways = ((0.0, 1e-2), (0.1, 1.0), (2.0, 1.0))
    layers = [(twin(7, eps=eps), spread) for eps, spread in ways]
    for (submitted, solution), spread in layers:
        checks.matches(submitted, solution, rows(draw, 4, 7, spread=spread))
    submitted.eval()
    checks.matches(submitted, solution, rows(draw, 4, 7, spread=spread))


@layer_norm_module.check("value", ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작거나 0인 행에서도 맞아야 합니다.")
def test_rows_of_small_variance(twin, draw):
    """Without `eps`, rows of very small or no variance come out as with the default of the signature."""
    submitted, solution = twin(8)
    cases = [checks.given(rows(draw, 4, 8, spread=spread)) for spread in (3e-3, 1e-3)]
    checks.matches(submitted, solution, *cases, kind="value")
    checks.matches(submitted, solution, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 8), kind="extreme")


@layer_norm_module.check("stability", ko="값이 크고 서로 가까운 행도 올바르게 정규화합니다.")
def test_large_close_rows(twin, draw):
    """Rows whose numbers are large and close together are normalized rightly, also beside rows at the other end."""
    submitted, solution = twin(6)
    centres = (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4).unsqueeze(1))
    cases = [checks.given(rows(draw, 8, 6, spread=1.0) + centre) for centre in centres]
    checks.matches(submitted, solution, *cases, kind="extreme")


@layer_norm_module.check("gradient", ko="값이 모두 같은 행에서도 올바른 그래디언트가 흐르고 유한합니다.")
def test_gradients_in_constant_rows(twin):
    """In rows of equal numbers the right gradients flow to x, weight and bias, and they are finite."""
    submitted, solution = twin(5)
    checks.gradients_match(submitted, solution, torch.tensor([[0.0], [1.0], [-2.5]]).expand(3, 5))
