"""What suites ask of an exercise that is handed layers: a residual block takes its sublayer and its norm as arguments.

The layers are torch's own. Each is built twice with the same random parameters, in the student's process to be handed
over and here in float64, so that the solution can be called with the same.
"""

import copy
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import nn

from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.diagnosis.by_answer import copies, diagnose, diagnosing_exceptions
from grader.tolerances import Kind
from grader.workers.calls.callees import Callee
from grader.workers.calls.student import ModuleHandle, Student

from .module_checks import load, random_values


class Layer(NamedTuple):
    """One of torch's layers, on both sides.

    Attributes:
        handle: That in the student's process, to hand to student code.
        twin: Its float64 twin here, with the same parameters.
    """

    handle: ModuleHandle
    twin: nn.Module


def torch_layer(student: Student, draw: Draw, name: str, *init: Any, **options: Any) -> Layer:
    """Build one of torch's layers on both sides with the same random parameters.

    Args:
        name: The layer's name in torch.nn.

    Returns:
        The layer, float32 on the student's side, in training mode.
    """
    layer = Layer(student.torch_nn(name, *init, **options), getattr(nn, name)(*init, **options).double())
    values = random_values(layer.twin, draw)
    load(layer.twin, values)
    if values:
        layer.handle.load(values)
    return layer


def layers_match(
    asked: Callee, solution: Callable[..., Any], x: torch.Tensor, *layers: Layer, kind: Kind = "module"
) -> Any:
    """Ask that the student's function gives with an input and layers what the solution gives.

    Args:
        asked: `student.NAME`.
        solution: `reference.NAME`.
        x: The input, which stands before the layers.
        *layers: Passed by position to both; layers with running statistics move on on both sides.

    Raises:
        CheckFailed: They differ; the diagnosis names the known mistake that gives the student's answer.
    """
    before = [copy.deepcopy(twin) if any(True for _ in twin.buffers()) else twin for _, twin in layers]

    def run_mistake(mistake: Any) -> Any:
        with torch.no_grad():
            return mistake.make(copies(x), *(copy.deepcopy(layer).to(x.dtype) for layer in before))

    with diagnosing_exceptions(run_mistake, asked.name):
        answer = asked(x, *(layer.handle for layer in layers))
    with torch.no_grad():
        expected = solution(x, *(layer.twin for layer in layers))
    dtype = compare.lowest_precision(x)
    try:
        compare.require_all_close(answer, expected, kind, dtype, device())
    except CheckFailed as failure:
        failure.diagnosis = diagnose(answer, expected, dtype, run_mistake, asked.name)
        raise
    return answer


def layers_run_once(
    asked: Callee,
    solution: Callable[..., Any],
    x: torch.Tensor,
    counting: Sequence[Layer],
    modeless: Sequence[Layer],
    *,
    training: bool,
) -> None:
    """Ask that the student's function calls each layer once, in the mode in which it comes, and leaves it in that.

    Args:
        x: The input, which stands before the layers.
        counting: Layers with running statistics, which show how often they were called and in which mode.
        modeless: Layers that do the same in both modes, which a function might put into another one unseen.
        training: The mode.
    """
    for layer in (*counting, *modeless):
        layer.twin.train(training)
        layer.handle.train() if training else layer.handle.eval()
    asked(x, *(layer.handle for layer in modeless))
    if any(layer.handle.is_training() is not training for layer in modeless):
        raise CheckFailed.for_students(
            "A layer was left in another mode than it came in.",
            "층의 모드(train 또는 eval)가 호출 뒤에 달라졌습니다.",
        )
    layers_match(asked, solution, x, *counting)
    for handle, twin in counting:
        if not torch.equal(handle.buffers()["num_batches_tracked"], twin.get_buffer("num_batches_tracked")):
            raise CheckFailed.for_students(
                "A layer was not called exactly once.",
                "층을 정확히 한 번 부르지 않았습니다.",
            )


def layers_left_alone(call: Callable[[], Any], draw: Draw, *layers: Layer) -> None:
    """Ask that a call leaves the parameters of layers, what their `.grad` holds, and that autograd follows them."""
    held = [handle.gradients(random_values(twin, draw)) for handle, twin in layers]
    call()
    for (handle, twin), before in zip(layers, held, strict=True):
        after, gradients, facts = handle.parameters(), handle.gradients(), handle.facts()
        for name, value in twin.named_parameters():
            compare.require_all_close(after[name], value, "value", compare.lowest_precision(after[name]), device())
            if name not in gradients or not torch.equal(gradients[name], before[name]):
                raise CheckFailed.for_students(
                    "`.grad` of a layer's parameters was changed by the call; leave it to the caller.",
                    "호출 뒤에 층 매개변수의 `.grad`가 달라졌습니다. 호출한 쪽에 맡기세요.",
                )
            if not facts[name].requires_grad:
                raise CheckFailed.for_students(
                    "A layer's parameters require no gradient any more after the call.",
                    "호출 뒤에 층의 매개변수가 더는 그래디언트를 요구하지 않습니다.",
                )
