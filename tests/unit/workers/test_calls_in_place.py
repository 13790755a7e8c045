"""An answer that works in place on tensors of its own has the gradient that it would have out of place."""

from types import SimpleNamespace

import pytest
import torch

from grader.suite import checks
from grader.suite.core.failures import CheckFailed
from grader.workers.process.failures import StudentFailure

from ...support.exercises.small_suites import verdict_left_by
from ...support.workers.open_workers import failure_of, open_student

X = torch.tensor([[1.0, 2.0, 4.0], [0.5, -1.0, 3.0]])
WEIGHER = torch.tensor([[1.0, -2.0, 3.0], [0.3, 0.7, -0.2]])
HEAD = "import torch\nfrom torch import nn\nimport torch.utils.checkpoint\n"
REFERENCE = SimpleNamespace(f=lambda x: torch.softmax(x, -1))


def gradient_of(student):
    """Ask for the gradient of softmax; a check that would be left out of the count is a failure here."""
    try:
        checks.gradients_match(student.f, REFERENCE.f, X)
    except pytest.skip.Exception as skip:
        pytest.fail(f"The check was left out: {skip}")


def function(body):
    return HEAD + "def f(x):\n    " + body.replace("; ", "\n    ") + "\n"


@pytest.mark.parametrize(
    "body",
    [
        "e = x.exp(); e /= e.sum(-1, keepdim=True); return e",
        "s = x.clone(); s.sub_(s.amax(-1, keepdim=True)); s.exp_(); return s.div_(s.sum(-1, keepdim=True))",
        "e = x.exp(); squares = e * e; e /= e.sum(-1, keepdim=True); squares.zero_(); return e",
        "return torch.func.grad(lambda z: z.exp().sum(-1).log().sum())(x)",
        "two = torch.func.grad(lambda u: torch.func.grad(lambda z: (z + z * z).sum())(u).sum())(x); "
        "e = x.exp() * two; e /= e.sum(-1, keepdim=True); return e",
    ],
)
def test_softmax_in_place_or_by_the_derivatives_of_torch_func_has_the_gradient_of_softmax(body):
    gradient_of(open_student(function(body)))


def test_tensors_of_a_loop_that_are_gone_again_are_not_mixed_up():
    body = "for _ in range(40):\n        y = x.exp(); y += 1; y *= y; x = y.log() / 3; del y\n    return x"
    seen = open_student(function(body.replace("; ", "\n        "))).f.observe(X, cotangent=WEIGHER)
    x = X.clone().requires_grad_()
    y = x
    for _ in range(40):
        y = ((y.exp() + 1) ** 2).log() / 3
    (expected,) = torch.autograd.grad((y * WEIGHER).sum(), x)
    assert torch.allclose(seen.input_gradients[0], expected)


MODULE = """
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)
        self.drop = nn.Dropout(0.5)
    def forward(self, x):
        y = self.inner(x).sigmoid()
        y *= self.inner.weight[0]
        y = self.drop(y)
        y += 1
        return y * y
"""


def test_module_with_parameters_and_dropout_has_the_gradients_of_the_same_out_of_place():
    layer = open_student(HEAD + MODULE).Layer()
    plain = open_student(HEAD + MODULE.replace("y *= ", "y = y * ").replace("y += 1", "y = y + 1")).Layer()
    plain.load(layer.parameters())
    mine, other = (module.observe(X, cotangent=WEIGHER, seed=5) for module in (layer, plain))
    assert torch.equal(mine.value, other.value)
    assert torch.equal(mine.input_gradients[0], other.input_gradients[0])
    for name in ("inner.weight", "inner.bias"):
        assert torch.equal(mine.parameter_gradients[name], other.parameter_gradients[name])


def test_checkpoint_and_backward_of_the_students_own_work_in_place():
    student = open_student(
        HEAD + "class Exp(torch.autograd.Function):\n"
        "    @staticmethod\n    def forward(ctx, x):\n"
        "        y = x.exp(); ctx.save_for_backward(y); return y\n"
        "    @staticmethod\n    def backward(ctx, g):\n        return g * ctx.saved_tensors[0]\n"
        "def own(x):\n    y = Exp.apply(x)\n    y += 1\n    return y\n"
        "def inner(x):\n    y = x.exp()\n    return y.div(2)\n"
        "def again(x):\n    y = torch.utils.checkpoint.checkpoint(inner, x, use_reentrant=False)\n    y *= 2\n"
        "    y *= y\n    return y\n"
    )
    assert torch.allclose(student.own.observe(X, cotangent=WEIGHER).input_gradients[0], WEIGHER * X.exp())
    expected = WEIGHER * 2 * (2 * X).exp()
    assert torch.allclose(student.again.observe(X, cotangent=WEIGHER).input_gradients[0], expected)


def test_copies_are_made_for_the_call_whose_gradient_is_asked_for_and_no_other():
    student = open_student(
        "import torch\ndef f(x):\n    if x[0, 0] < 0: raise ValueError\n    return x * kept()\n"
        "def kept(): return int(torch._C._autograd._top_saved_tensors_default_hooks(False) is not None)\n"
    )
    assert torch.equal(student.f.observe(X, cotangent=WEIGHER).value, X) and student.kept() == 0
    assert failure_of(student.f.observe, -X, cotangent=WEIGHER).exception_type == "ValueError"
    assert student.kept() == 0 and torch.equal(student.f(X), 0 * X)


def test_input_that_is_changed_in_place_is_an_error_of_its_own():
    student = open_student("def f(x):\n    x -= x.max()\n    e = x.exp()\n    return e / e.sum(-1, keepdim=True)\n")
    failure = failure_of(gradient_of, student)
    assert "leaf Variable that requires grad" in failure.text
    with pytest.raises(CheckFailed, match="was changed by the call"):
        checks.inputs_unchanged(student.f, X)


def test_input_that_requires_a_gradient_after_the_call_was_changed_too():
    student = open_student(
        "def f(x): return x.requires_grad_() * 2\n"
        "def g(x, w=None, names=()): return x * w.requires_grad_().detach()\n"
        "def h(x): return x.clone().requires_grad_() * 2\n"
    )
    with pytest.raises(CheckFailed, match="The input requires a gradient after the call"):
        checks.inputs_unchanged(student.f, X)
    with pytest.raises(CheckFailed, match="`w` requires a gradient after the call"):
        checks.inputs_unchanged(student.g, X, w=X + 1, names=[])
    checks.inputs_unchanged(student.h, X)


WORDS = [
    "one of the variables needed for gradient computation has been modified by an inplace operation",
    "The gradient could not be computed: a tensor was overwritten in place after it was needed",
]
DETACHED = "    y = torch.softmax(x.detach(), -1)\n    return torch.from_numpy(y.numpy())\n"


def test_no_words_of_a_student_take_a_check_out_of_the_count(subtests):
    for words in WORDS:
        for code in [
            "def f(x):\n    if x.requires_grad: raise RuntimeError({words!r})\n" + DETACHED,
            "class Way(torch.autograd.Function):\n"
            "    @staticmethod\n    def forward(ctx, x): return torch.softmax(x, -1)\n"
            "    @staticmethod\n    def backward(ctx, g): raise RuntimeError({words!r})\n"
            "def f(x): return Way.apply(x)\n",
            "import pytest\ndef f(x):\n    if x.requires_grad: pytest.skip({words!r})\n" + DETACHED,
            "def f(x):\n    if x.requires_grad: raise type('Skipped', (BaseException,), {{}})({words!r})\n" + DETACHED,
        ]:
            with subtests.test(words=words, code=code):
                student = open_student(HEAD + code.format(words=words))
                assert torch.allclose(student.f(X), torch.softmax(X, -1))
                with pytest.raises(StudentFailure) as caught:
                    gradient_of(student)
                verdict = verdict_left_by(caught.value)
                assert (verdict.status, verdict.excused) == ("error", False)
