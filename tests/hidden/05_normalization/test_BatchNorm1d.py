"""Hidden checks of `BatchNorm1d`: what the module remembers of its batches, and what eval makes of that.

A wrong momentum, a variance divided by the wrong number or statistics that move in eval show only after several
batches, so whole histories are compared, with batches of different sizes and features of different means.
"""

import torch

from grader.suite import checks, exercise

from .samples import batch
from .steps import compare, random_steps

STATISTICS = ("running_mean", "running_var")

batch_norm_module = exercise("BatchNorm1d")
batch_norm_module.contract(
    init="C",
    further={"eps": 0.1, "momentum": 0.3},
    x="N C",
    result="N C",
    draws={"x": batch},
)


@batch_norm_module.check("document", ko="새 층에 노트의 두 샘플을 넣으면 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """A new layer gives the output that the note prints for its two samples."""
    answer = student.BatchNorm1d.built(3)(golden("N2 normalization input").float32)
    checks.matches_figure(answer, golden("N2 In[27]"))


@batch_norm_module.check("parameters", ko="새 층의 weight는 1, bias는 0이고, running_mean은 0, running_var는 1입니다.")
def test_starts_as_asked(student, golden):
    """A new layer has a weight of ones and a bias of zeros, as the note prints, and running statistics of 0 and 1."""
    layer = student.BatchNorm1d.built(3)
    kept = checks.remembered(layer, "weight", "bias", *STATISTICS)
    for name in ("weight", "bias"):
        checks.matches_figure(kept[name], golden(f"N2 In[BatchNorm parameters] {name}"))
    checks.close(kept["running_mean"], torch.zeros(3))
    checks.close(kept["running_var"], torch.ones(3))


@batch_norm_module.check("value", weight=2, ko="학습 중 배치마다 이동 통계가 배치의 평균과 불편분산 쪽으로 움직입니다.")
def test_running_statistics(twin, draw):
    """Every batch in training moves the running statistics towards its mean and unbiased variance, by the momentum."""
    for samples in ((5, 6, 7, 5), (2,)):
        submitted, solution = twin(4)
        steps = [("train", batch(draw, count, 4)) for count in samples]
        compare(submitted, solution, steps, *STATISTICS, outputs=False)


@batch_norm_module.check(
    "value",
    weight=6,
    ko="momentum은 새 배치의 몫이 되고, eps는 분산에 더한 뒤 제곱근을 구합니다. 층마다 자기 값을 씁니다.",
)
def test_other_options(twin, draw):
    """Other values of momentum and eps, 0 included, are used in training and in eval; each layer keeps its own."""
    others = (({"momentum": 0.0, "eps": 0.0}, 1e-2), ({"momentum": 1.0}, 1.0), ({"momentum": 0.75, "eps": 2.0}, 1.0))
    layers = [(twin(4, **options), spread) for options, spread in others]
    for pair, spread in layers:
        steps = [(mode, batch(draw, 6, 4, spread=spread)) for mode in ("train", "train", "eval")]
        compare(*pair, steps, *STATISTICS)


@batch_norm_module.check("value", ko="eval에서는 배치가 아니라 이동 통계로 정규화합니다. 샘플이 하나여도 됩니다.")
def test_eval_uses_running_statistics(twin, draw):
    """In eval the running statistics are used, not the batch's, for one sample and for as many as features, too."""
    for features, trained in ((4, 3), (5, 1)):
        submitted, solution = twin(features)
        steps = random_steps(draw, features, *["train"] * trained, "eval")
        steps += [("eval", batch(draw, samples, features)) for samples in (1, features)]
        compare(submitted, solution, steps)


@batch_norm_module.check(
    "property", ko="eval 뒤에 다시 학습하면 이동 통계가 이어서 움직입니다. torch.no_grad() 안에서도 같습니다."
)
def test_moves_on_after_eval(twin, draw):
    """Back in training after calls in eval, the running statistics are updated again, under torch.no_grad() too."""
    modes = ("train", "eval", "eval", "train", "eval", "train")
    submitted, solution = twin(4)
    compare(submitted, solution, random_steps(draw, 4, *modes), *STATISTICS, outputs=False)
    submitted.to(dtype=torch.float64)
    x = batch(draw, 6, 4, dtype=torch.float64)
    checks.close(submitted.observe(x, no_grad=True).value, solution(x).detach(), dtype="float32")
    for name, value in checks.remembered(submitted, *STATISTICS).items():
        checks.close(value, solution.get_buffer(name), dtype="float32")


@batch_norm_module.check(
    "value", ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작거나 0인 특징에서도 맞아야 합니다."
)
def test_features_of_small_variance(twin, draw):
    """Without `eps`, features of very small or no variance are normalized with the default, 1e-5."""
    submitted, solution = twin(4, momentum=1.0)
    steps = [("train", batch(draw, 6, 4, spread=spread)) for spread in (1e-3, 3e-3)]
    compare(submitted, solution, [*steps, ("eval", batch(draw, 6, 4, spread=3e-3))])
    submitted, solution = twin(4)
    constant = torch.tensor([[0.0, -2.5, 3.0, 1.0]]).expand(4, 4)
    checks.matches(submitted, solution, constant, kind="extreme")


@batch_norm_module.check("stability", ko="값이 크고 서로 가까운 특징도 올바르게 정규화하고 기억합니다.")
def test_large_close_features(twin, draw):
    """Features with a small spread around 1000, or around 1000 and -1000, are normalized, and their variance kept."""
    submitted, solution = twin(8)
    centres = (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4))
    steps = [("train", batch(draw, 6, 8, spread=1.0) + centre) for centre in centres]
    compare(submitted, solution, steps, "running_var", kind="extreme")


@batch_norm_module.check(
    "parameters",
    weight=2,
    ko="학습한 뒤에도 running_mean과 running_var는 층의 dtype인 버퍼이고 계산 그래프가 붙어 있지 않습니다.",
)
def test_buffers(student, draw):
    """After training running_mean and running_var are buffers of the layer's dtype, detached from the graph."""
    submitted = student.BatchNorm1d.built(6)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        x = batch(draw, 5, 6, dtype=dtype)
        if dtype != torch.float32:  # which a new layer has by itself
            submitted.to(dtype=dtype)
        submitted.observe(x, cotangent=torch.ones_like(x))  # runs backward, too, so x requires grad
        facts, wanted = submitted.facts(), str(dtype).removeprefix("torch.")
        for name in STATISTICS:
            fact = facts.get(name)
            checks.is_true(
                fact is not None and (fact.kind, fact.shape, fact.dtype) == ("buffer", (6,), wanted),
                f"{name} has to be a buffer of shape (6,) in {wanted}, after training too; it is {fact}.",
                f"{name}: 학습한 뒤에도 모양이 (6,)인 {wanted} 버퍼여야 하는데 지금은 {fact}입니다.",
            )
            checks.is_true(
                not fact.requires_grad,
                f"After training {name} requires a gradient: it was updated with a graph behind it.",
                f"학습한 뒤 {name} 버퍼가 그래디언트를 요구합니다. 계산 그래프가 붙은 채로 갱신되었습니다.",
            )
