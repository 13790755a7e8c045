"""The gate of modules: inputs and parameters are used; and gradients arrive, whatever they are."""

import pytest

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.library.gradient_checks import require_flow
from grader.suite.library.modules.free_names import twins_by_shape

from ....support.exercises.small_solutions import ATTENTION, HEAD, LAYER, SIZES, WEIGHTS, solution
from ....support.workers.open_workers import open_student

NORM = """
class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(n)), nn.Parameter(torch.zeros(n))
        self.register_buffer("running_mean", torch.zeros(n))
    def forward(self, x):
        mean = self.running_mean
        if self.training:
            mean = x.mean(0)
            self.running_mean += 0.1 * (mean - self.running_mean)
        return self.weight * (x - mean) + self.bias
"""


def module_asked(name, text, code, *inputs, mode="eval", **options):
    reference, draw = solution(text), Draw(5)
    init = (3, 7) if name == "Layer" else (3,)
    handle, module = checks.twin(open_student(HEAD + code), reference, draw, name, *init)
    if mode == "eval":
        handle.eval()
        module.eval()
    answer = checks.module_uses_every_input(handle, module, *inputs, draw=draw, **options)
    return handle, module, answer


X = Draw(9).normal(2, 4, 3)


def test_module_changes_with_inputs_and_parameters(subtests):
    for old, new, words in [
        ("", "", None),
        ("weights(self.q(x), self.k(x))", "weights(self.k(x), self.q(x))", None),
        ("return w @", "return w.transpose(-2, -1) @", None),
        ("self.k(x))", "self.q(x))", None),
        ("self.v(x)", "self.k(x)", None),  # a weight and a bias of one layer
        ("weights(self.q(x), self.k(x))", "weights(self.v(x), self.v(x))", None),  # one layer in all roles
        (
            "return w @ self.v(x)",
            "w = weights(x, x); return w @ x.repeat(1, 1, 3)[..., :7]",
            "when the parameter `q.weight`",
        ),
        ("weights(self.q(x), self.k(x))", "weights(x * 0, x * 0)", "All numbers"),
        ("weights(self.q(x), self.k(x))", "torch.full((2, 4, 4), 0.25)", "All numbers of your answer"),
        (", w\n", ", torch.eye(4).expand(2, 4, 4)\n", "Output 2 stays the same when `x` changes"),
        (", w\n", "\n", "A tuple of 2 tensors"),
    ]:
        with subtests.test(old=old, new=new, words=words):
            if words is None:
                handle, module, answer = module_asked("Layer", LAYER, LAYER.replace(old, new), X)
                assert answer[0].shape == (2, 4, 7)
                if not new:
                    checks.module_matches(handle, module, X)  # both have the same new parameters
            else:
                with pytest.raises(CheckFailed, match=words):
                    module_asked("Layer", LAYER, LAYER.replace(old, new), X)


def test_parameters_that_are_not_asked_for_may_be_idle():
    module_asked("Layer", LAYER, LAYER.replace("self.k(x))", "self.q(x))"), X, parameters=("v.weight",))


def test_module_that_remembers_is_asked_from_the_same_state_each_time():
    x = Draw(4).normal(6, 3)
    from_running = NORM.replace("mean = x.mean(0)\n", "mean = x.mean(0)\n            y = x - self.running_mean\n")
    from_running = from_running.replace("(x - mean) + self.bias", "((x - mean) * 0.5 + y) + self.bias")
    for code in (NORM, from_running, NORM.replace('self.register_buffer("running_mean", ', "self.running_mean = (")):
        module_asked("Norm", NORM, code, x, mode="train")
    with pytest.raises(CheckFailed, match="when the parameter `bias` changes"):
        module_asked("Norm", NORM, NORM.replace(" + self.bias", ""), x, mode="train", needed=("x", "bias"))


def test_module_whose_parameters_have_other_names():
    net = "class Net(nn.Sequential):\n    def __init__(self, d):\n        super().__init__("
    reference = solution(net + "nn.Linear(d, 5), nn.Tanh(), nn.Linear(5, d))\n")
    student = open_student(HEAD + net + "nn.Identity(), nn.Linear(d, 5), nn.Tanh(), nn.Linear(5, d))\n")
    renamed, module = next(twins_by_shape(student, reference, Draw(1), "Net", 3))
    checks.module_uses_every_input(renamed, module, X, draw=Draw(2))
    checks.module_gradients_flow(renamed, module, X)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return 7 * torch.softmax(q @ k.transpose(-2, -1), -1) @ v", None),
        ("return weights(q, k.detach()) @ v", "No gradient reaches k:"),
        ("return weights(q + 0 * q.detach(), k) @ v * 0", "No gradient reaches q, k, v:"),
        ("return weights(q, k) @ v.sqrt()", "The gradient of q, k, v holds NaN"),
    ],
)
def test_gradients_arrive_whatever_they_are(body, words):
    reference, draw = solution(ATTENTION), Draw(3)
    student = open_student(HEAD + WEIGHTS + f"def attention(q, k, v):\n    {body}\n")
    inputs = tuple(draw.normal(*shape) for shape in SIZES["attention"])
    if words is None:
        require_flow(student.attention, reference.module.attention, {}, inputs, {}, 0)
    else:
        with pytest.raises(CheckFailed, match=words):
            require_flow(student.attention, reference.module.attention, {}, inputs, {}, 0)


def test_gradients_of_a_module_and_of_keywords():
    def ask(code, **options):
        handle, module = checks.twin(open_student(HEAD + code), solution(LAYER), Draw(6), "Layer", 3, 7)
        return checks.module_gradients_flow(handle, module, **options)

    ask(LAYER.replace("math.sqrt(q.shape[-1])", "1"), x=X)
    with pytest.raises(CheckFailed, match=r"No gradient reaches the parameters v\.weight, v\.bias:"):
        ask(LAYER.replace("self.v(x)", "self.v(x).detach()"), x=X)
    with pytest.raises(CheckFailed, match=r"No gradient reaches x, q\.weight"):
        ask(LAYER.replace("w @ self.v(x), w", "w.detach() @ self.v(x), w.detach()"), x=X, output=1)
