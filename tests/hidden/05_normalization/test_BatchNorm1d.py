"""Hidden checks of `BatchNorm1d`: what the module remembers of its batches, and what eval makes of that.

A wrong momentum, a variance divided by the wrong number or statistics that move in eval show only after several
batches, so whole histories are compared, with batches of different sizes and features of different means.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core import compare
from grader.suite.core.gradients import uneven

batch_norm_module = exercise("BatchNorm1d")

NAME = "BatchNorm1d"
STATISTICS = ("running_mean", "running_var")


def batch(draw, samples, features, *, size=8.0, dtype=torch.float32):
    """Return features whose numbers lie evenly spread in random order but for a little, each with a mean of its own.

    Numbers that lie together by chance would bring eps into checks that do not ask for it, and rounding as well; for
    the same reason the numbers are large unless a check asks for another size.
    """
    order = draw.uniform(samples, features, dtype=torch.float64).argsort(dim=0)
    steps = torch.linspace(-1.5, 1.5, samples, dtype=torch.float64)[order]
    steps = steps + draw.normal(samples, features, dtype=torch.float64) / 6 + draw.normal(features, dtype=torch.float64)
    return (steps * size).to(dtype)


def history(draw, features, *modes):
    """Return a step in each of the modes, with batches of several sizes."""
    return [(mode, batch(draw, 5 + number % 3, features)) for number, mode in enumerate(modes)]


batch_norm_module.contract(
    init="C",
    further={"eps": 0.1, "momentum": 0.3},
    x="N C",
    result="N C",
    draws={"x": batch},
)


@batch_norm_module.check("document", ko="새 층에 노트의 두 샘플을 넣으면 노트에 찍힌 값이 나옵니다.")
def test_matches_the_note(student, golden):
    """A new layer makes of the note's two samples what the note prints."""
    answer = student.BatchNorm1d(3)(golden("N2 normalization input").float32)
    checks.matches_figure(answer, golden("N2 In[27]"))


@batch_norm_module.check(
    "parameters",
    needs="test_the_gate",
    ko="새 층의 weight는 1, bias는 0이고, running_mean은 0, running_var는 1입니다.",
)
def test_starts_as_asked(student, golden):
    """A new layer has a weight of ones and a bias of zeros, as the note prints, and running statistics of 0 and 1."""
    layer = student.BatchNorm1d(3)
    for name in ("weight", "bias"):
        checks.matches_figure(checks.remembered(layer, name), golden(f"N2 In[BatchNorm parameters] {name}"))
    checks.close(checks.remembered(layer, "running_mean"), torch.zeros(3))
    checks.close(checks.remembered(layer, "running_var"), torch.ones(3))


@batch_norm_module.check("value", ko="학습 중 배치마다 running_mean이 배치의 평균 쪽으로 움직입니다.")
def test_running_mean(student, reference, draw):
    """Every batch in training moves the running mean towards its own mean by the default momentum."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.history_matches(handle, module, history(draw, 4, *["train"] * 4), "running_mean")


@batch_norm_module.check("value", ko="학습 중 배치마다 running_var가 배치의 불편분산 쪽으로 움직입니다.")
def test_running_var(student, reference, draw):
    """Every batch in training moves the running variance towards its own unbiased variance by the default momentum."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.history_matches(handle, module, history(draw, 4, *["train"] * 4), "running_var")
    handle, module = checks.twin(student, reference, draw, NAME, 3)
    checks.history_matches(handle, module, [("train", batch(draw, 2, 3))], "running_var")


@batch_norm_module.check("value", ko="momentum으로 준 값이 새 배치의 몫이 되고, 층마다 자기 momentum을 씁니다.")
def test_other_momentum(student, reference, draw):
    """Another momentum is the share of the new batch in both running statistics, and every layer keeps its own."""
    layers = [checks.twin(student, reference, draw, NAME, 4, momentum=momentum) for momentum in (0.0, 1.0, 0.75, 0.3)]
    for handle, module in layers:
        checks.history_matches(handle, module, history(draw, 4, *["train"] * 3), *STATISTICS)


@batch_norm_module.check("value", ko="eval에서는 배치가 아니라 이동 통계로 정규화합니다. 샘플이 하나여도 됩니다.")
def test_eval_uses_running_statistics(student, reference, draw):
    """In eval the running statistics are used and not the batch's, for a single sample too."""
    for features, seen in ((4, 3), (5, 1)):
        handle, module = checks.twin(student, reference, draw, NAME, features)
        steps = history(draw, features, *["train"] * seen, "eval")
        steps += [("eval", batch(draw, samples, features)) for samples in (1, features)]
        checks.history_matches(handle, module, steps)


@batch_norm_module.check("property", needs="test_the_gate", ko="eval에서는 이동 통계가 움직이지 않습니다.")
def test_eval_moves_nothing(student, draw):
    """In eval the running statistics stay as they were after training."""
    handle = student.BatchNorm1d(4)
    handle(batch(draw, 5, 4))
    kept = {name: checks.remembered(handle, name) for name in STATISTICS}
    handle.eval()
    for samples in (5, 1):
        handle(batch(draw, samples, 4))
    for name, value in kept.items():
        checks.close(checks.remembered(handle, name), value)


@batch_norm_module.check(
    "property",
    ko="eval 뒤에 다시 학습하면 이동 통계가 이어서 움직입니다. torch.no_grad() 안에서도 같습니다.",
)
def test_moves_on_after_eval(student, reference, draw):
    """Back in training after a time in eval, the running statistics move on, under torch.no_grad() too."""
    modes = ("train", "eval", "eval", "train", "eval", "train")
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    checks.history_matches(handle, module, history(draw, 4, *modes), *STATISTICS)
    x = batch(draw, 6, 4)
    checks.close(handle.observe(x, no_grad=True).value, module(x.double()).detach())
    for name in STATISTICS:
        checks.close(checks.remembered(handle, name), module.get_buffer(name))


@batch_norm_module.check(
    "value", ko="eps로 준 값을 학습과 eval 모두에서 분산에 더한 뒤 제곱근을 구하고, 층마다 자기 eps를 씁니다."
)
def test_other_eps(student, reference, draw):
    """Another eps, which may be 0, is added to the variance in training and in eval, and every layer keeps its own."""
    ways = ((0.0, 1e-2), (0.1, 1.0), (2.0, 1.0))
    layers = [(checks.twin(student, reference, draw, NAME, 4, eps=eps), size) for eps, size in ways]
    for (handle, module), size in layers:
        steps = [(mode, batch(draw, 6, 4, size=size)) for mode in ("train", "train", "eval")]
        checks.history_matches(handle, module, steps)


@batch_norm_module.check(
    "value", ko="eps를 주지 않으면 1e-5를 씁니다. 분산이 아주 작거나 0인 특징에서도 맞아야 합니다."
)
def test_features_of_small_variance(student, reference, draw):
    """Without `eps`, features of very small or no variance come out as with the default of the signature."""
    handle, module = checks.twin(student, reference, draw, NAME, 4, momentum=1.0)
    steps = [("train", batch(draw, 6, 4, size=size)) for size in (1e-3, 3e-3)]
    checks.history_matches(handle, module, [*steps, ("eval", batch(draw, 6, 4, size=3e-3))])
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    still = torch.tensor([[0.0, -2.5, 3.0, 1.0]]).expand(4, 4)
    checks.matches(handle, module, still, kind="extreme")


@batch_norm_module.check(
    "stability",
    ko="값이 크고 서로 가까운 특징도 올바르게 정규화하고 기억합니다.",
)
def test_large_close_features(student, reference, draw):
    """Features whose numbers are large and close together, at one end or at both, are normalized and remembered."""
    for buffers in ((), ("running_var",)):
        handle, module = checks.twin(student, reference, draw, NAME, 8)
        centres = (1000.0, torch.tensor([1000.0, -1000.0]).repeat(4))
        steps = [("train", batch(draw, 6, 8, size=1.0) + centre) for centre in centres]
        checks.history_matches(handle, module, steps, *buffers, kind="extreme")


@batch_norm_module.check(
    "parameters",
    needs="test_the_gate",
    ko="running_mean과 running_var는 버퍼이고, 학습한 뒤에도 버퍼로 남아 `.to()`를 따릅니다.",
)
def test_buffers(student, draw):
    """running_mean and running_var are buffers of shape (num_features,), and follow `.to()` after training too."""
    handle = student.BatchNorm1d(6)
    handle(batch(draw, 5, 6))
    handle.to(dtype=torch.float64)
    facts = handle.facts()
    for name in STATISTICS:
        found = facts.get(name)
        checks.is_true(
            found is not None and (found.kind, found.shape, found.dtype) == ("buffer", (6,), "float64"),
            f"{name} has to be a buffer of shape (6,) that is float64 after `.to(torch.float64)`; it is {found}.",
            f"{name}: 모양이 (6,)이고 `.to(torch.float64)` 뒤에 float64인 버퍼여야 하는데 지금은 {found}입니다.",
        )


@batch_norm_module.check(
    "parameters",
    needs="test_buffers",
    ko="학습한 뒤에도 이동 통계는 층과 같은 dtype이고 계산 그래프가 붙어 있지 않습니다.",
)
def test_statistics_carry_no_graph(student, draw):
    """After training the running statistics have the layer's dtype and require no gradient."""
    handle = student.BatchNorm1d(6)
    for dtype in (torch.float32, torch.float64):
        handle.to(dtype=dtype)
        x = batch(draw, 5, 6, dtype=dtype)
        handle.observe(x, cotangent=uneven(x.shape).to(dtype))
        facts = handle.facts()
        for name in STATISTICS:
            checks.is_true(
                facts[name].dtype == compare.dtype_name(dtype),
                f"After training {name} is {facts[name].dtype}, but the layer is {compare.dtype_name(dtype)}.",
                f"학습한 뒤 {name}의 dtype이 {facts[name].dtype}인데 층은 {compare.dtype_name(dtype)}입니다.",
            )
            checks.is_true(
                not facts[name].requires_grad,
                f"After training {name} requires a gradient: it was updated with a graph behind it.",
                f"학습한 뒤 {name} 버퍼가 그래디언트를 요구합니다. 계산 그래프가 붙은 채로 갱신되었습니다.",
            )


@batch_norm_module.check(
    "parameters",
    ko="state_dict에 이동 통계도 들어 있어, 불러온 다른 층은 eval에서 곧바로 같은 결과를 냅니다.",
)
def test_state_dict_round_trip(student, reference, draw):
    """state_dict holds the running statistics, so a second layer that loads it gives the same in eval."""
    first, module = checks.twin(student, reference, draw, NAME, 4)
    second = student.BatchNorm1d(4)
    checks.history_matches(first, module, history(draw, 4, "train", "train"))
    second(batch(draw, 5, 4))
    saved = first.state_dict()
    missing = sorted({"weight", "bias", *STATISTICS} - set(saved))
    checks.is_true(not missing, f"state_dict lacks {missing}.", f"state_dict에 없는 것이 있습니다: {missing}.")
    second.load_state_dict(saved)
    module.eval()
    for handle in (first, second):
        handle.eval()
        checks.matches(handle, module, batch(draw, 5, 4))


@batch_norm_module.check(
    "gradient",
    ko="x, weight, bias로 올바른 그래디언트가 흐르고, 학습 중에는 배치의 평균과 분산을 거치는 것도 포함됩니다.",
)
def test_gradients_in_training(student, reference, draw):
    """In training the right gradients flow to x, weight and bias, also through the batch's mean and variance."""
    handle, module = checks.twin(student, reference, draw, NAME, 4)
    for samples in (5, 6):
        checks.gradients_match(handle, module, batch(draw, samples, 4, size=3.0))
    checks.gradients_match(handle, module, torch.tensor([0.0, 1.0, -2.5, 3.0]).expand(5, 4))
