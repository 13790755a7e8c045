"""The gate: an answer with a plain mistake passes it, one that does not use what it is given does not."""

import pytest
import torch

from grader.suite import checks
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed

from ....support.exercises.small_solutions import ATTENTION, HEAD, SIZES, WEIGHTS, solution
from ....support.workers.open_workers import open_student

CAUSAL = (
    WEIGHTS
    + """
def causal(x):
    return torch.softmax((x @ x.transpose(-2, -1)).masked_fill(hidden(x.shape[-2]), -math.inf), -1) @ x
"""
)


def answering(name, text, body):
    """Return a student whose function has this body in the place of the solution's."""
    head, _, _ = text.partition(f"def {name}(")
    signature = text[len(head) :].partition("\n")[0]
    return open_student(HEAD + head + signature + "\n    " + body.replace("; ", "\n    ") + "\n")


def asked(name, text, body, seed=1, *, student=None, **options):
    """Ask a function with this body, or a student's, on what is drawn from a seed."""
    student, draw = student or answering(name, text, body), Draw(seed)
    inputs = [draw.normal(*shape) for shape in SIZES[name]]
    return checks.uses_every_input(student, solution(text), name, *inputs, draw=draw, **options)


def test_function_with_a_plain_mistake_passes(subtests):
    for body in [
        "return weights(q, k) @ v",
        "return (q @ k.transpose(-2, -1)).softmax(-1) @ v",
        "return (q @ k.transpose(-2, -1) / q.shape[-1]).softmax(-2) @ v",
        "return weights(q * 5, k) @ v",
        "return q @ k.transpose(-2, -1) @ v",
        "return (weights(q, k) @ v).transpose(-2, -1)",
        "return (weights(q, k) @ v).double().detach()",
        "q.mul_(2); return weights(q, k) @ v",
        "y = weights(q, k) @ v; y[:, 0] = math.nan; return y",
        "y = weights(q, k) @ v; y[:, 0] = -1e9; return y",
        "return 3 * (weights(q, k) @ v) + 1",
        "return weights(q, q) @ torch.cat([v, v], 1)[:, :3]",
        "return weights(k, k)[:, :3] @ v",
        "return weights(q, k) @ k.repeat(1, 1, 2)[..., :6]",
    ]:
        with subtests.test(body=body):
            student = answering("attention", ATTENTION, body)
            for seed in range(3):
                asked("attention", ATTENTION, body, seed, student=student)


def test_function_that_does_not_use_its_inputs_fails(subtests):
    for body, words in [
        ("return torch.zeros(2, 3, 6)", "All numbers of your answer are the same"),
        ("return torch.ones(q.shape[:2] + v.shape[2:])", "All numbers of your answer are the same"),
        ("return torch.arange(36.0).view(2, 3, 6)", "stays the same when `q` changes"),
        ("return q", "has the shape"),
        ("return q[0]", "another number of dimensions than asked for: 2, not 3"),
        ("return torch.randn(2, 3, 6)", "The same call gives another result the second time"),
        ("return v.mean(1, keepdim=True).expand(2, 3, 6)", "stays the same when `q` changes"),
        ("return torch.full((2, 3, 6), math.nan)", "The result holds NaN"),
        ("return None", "A torch.Tensor is asked for"),
        ("return weights(q, k) @ v, v", "A torch.Tensor is asked for"),
    ]:
        with subtests.test(body=body, words=words):
            with pytest.raises(CheckFailed, match=words) as caught:
                asked("attention", ATTENTION, body)
            assert caught.value.advice[0] and caught.value.advice[1]


MIXED = WEIGHTS + "def mixed(x, wq, wk, wv):\n    return weights(x @ wq, x @ wk).tril() @ (x @ wv)\n"


def test_more_inputs_may_be_ignored_where_the_tokens_are_no_fixed_mixture(subtests):
    for body, fixed in [
        ("return weights(x @ wk, x @ wk) @ (x @ wk)", False),
        ("q = x @ wq; return q @ q.transpose(-2, -1) @ q", False),
        ("return weights(x, x) @ (x @ wv)", False),
        ("return (x @ wv).mean(-2, keepdim=True).expand_as(x)", True),
        ("return (x @ wk).cumsum(-2) / torch.arange(1.0, 5).unsqueeze(1) + 1", True),
        ("return torch.softmax(torch.arange(16.0).view(4, 4), -1) @ (x @ wv)", True),
    ]:
        with subtests.test(body=body, fixed=fixed):
            student = answering("mixed", MIXED, body)
            for seed in range(3):
                if fixed:
                    with pytest.raises(CheckFailed, match=r"stays the same when `w[qk]` changes"):
                        asked("mixed", MIXED, body, seed, student=student)
                else:
                    asked("mixed", MIXED, body, seed, student=student)


def test_what_is_needed_may_not_be_ignored():
    asked("attention", ATTENTION, "return weights(k, k)[:, :3] @ v")
    with pytest.raises(CheckFailed, match="stays the same when `q` changes"):
        asked("attention", ATTENTION, "return weights(k, k)[:, :3] @ v", needed=("q", "v"))


def test_results_in_another_order_pass():
    pair = "def pair(q, k, v):\n    w = weights(q, k)\n    return {}\n"
    draw, right = Draw(4), solution(WEIGHTS + pair.format("w @ v, w"))
    inputs = [draw.normal(*shape) for shape in SIZES["attention"]]
    swapped, cut = (open_student(HEAD + WEIGHTS + pair.format(body)) for body in ("w, w @ v", "w, w"))
    checks.uses_every_input(swapped, right, "pair", *inputs, draw=draw)
    with pytest.raises(CheckFailed, match="has the shape"):
        checks.uses_every_input(cut, right, "pair", *inputs, draw=draw)


def test_one_of_several_results_may_see_each_token_alone():
    pool = "def pool(x):\n    w = x.sum(-1){}\n    return {}, w\n"
    mixed = "(w.unsqueeze(-2) @ x).squeeze(-2)"
    draw, right = Draw(4), solution(pool.format(".softmax(-1)", mixed))
    without_softmax, unmixed = (open_student(HEAD + pool.format("", context)) for context in (mixed, "x[:, 0]"))
    checks.uses_every_input(without_softmax, right, "pool", draw.normal(2, 4, 3), draw=draw)
    with pytest.raises(CheckFailed, match="only one number of output 1 does"):
        checks.uses_every_input(unmixed, right, "pool", draw.normal(2, 4, 3), draw=draw)


def test_one_verdict_whatever_is_drawn_on_rounding_and_on_the_heaviest_token(subtests):
    for seed in range(8):
        with subtests.test(seed=seed):
            read = "def read(h, x):\n    w = (x @ h.unsqueeze(-1)).squeeze(-1).softmax(-1)\n    return {}, w\n"
            mixed, rounded = "(w.unsqueeze(-2) @ x).squeeze(-2)", "h + h * w.sum(-1, keepdim=True)"
            heaviest = "x[torch.arange(len(x)), w.argmax(-1)]"
            right = solution(read.format(mixed))
            draw = Draw(seed)
            inputs = draw.normal(2, 3), draw.normal(2, 6, 3)
            checks.uses_every_input(open_student(HEAD + read.format(heaviest)), right, "read", *inputs, draw=draw)
            with pytest.raises(CheckFailed, match="utput 1 stays the same when `x` changes"):
                checks.uses_every_input(open_student(HEAD + read.format(rounded)), right, "read", *inputs, draw=draw)


def test_mask_of_any_kind_passes(subtests):
    for diagonal in ["hidden(x.shape[-2])", "hidden(x.shape[-2]).T", "torch.ones(4, 4).triu(2).bool()",
                 "torch.ones(4, 4).triu(0).bool()", "torch.zeros(4, 4).bool()", "~hidden(x.shape[-2])"]:  # fmt: skip
        with subtests.test(diagonal=diagonal):
            body = f"s = (x @ x.transpose(-2, -1)).masked_fill({diagonal}, -math.inf); return s.softmax(-1) @ x"
            student = answering("causal", CAUSAL, body)
            for seed in range(3):
                asked("causal", CAUSAL, body, seed, student=student)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return x", "Your answer is `x` itself"),
        ("return x.clone().double()", "Your answer is `x` itself"),
        ("return x + 1", "only one number of your answer does"),
        ("return x @ torch.ones(3, 3) + x", "only one row of your answer does"),
    ],
)
def test_token_that_looks_at_no_other_fails(body, words):
    with pytest.raises(CheckFailed, match=words):
        asked("causal", CAUSAL, body)


def test_masks_numbers_and_seeds():
    text = "def f(x, keep, p=0.5):\n    return x * keep / (1 - p) + torch.rand(())\n"
    x, keep = torch.arange(1.0, 7.0).view(2, 3), torch.tensor([[True, False, True], [True, True, False]])
    calm = solution(text.replace(" + torch.rand(())", ""))

    def ask(code, **options):
        return checks.uses_every_input(open_student(HEAD + code), calm, "f", x, keep, draw=Draw(3), p=0.5, **options)

    ask(text, seed=4)
    ask(text.replace("* keep", "* ~keep"), seed=4, other={"p": 0.25})
    with pytest.raises(CheckFailed, match="The same call gives another result"):
        ask(text)
    with pytest.raises(CheckFailed, match="stays the same when `keep` changes"):
        ask(text.replace("* keep", ""), seed=4)
    no_p = text.replace("/ (1 - p)", "")
    ask(no_p, seed=4)
    ask(no_p, seed=4, other={"p": 0.25})  # one of three
    with pytest.raises(CheckFailed, match="stays the same when `p` changes"):
        ask(no_p, seed=4, other={"p": 0.25}, needed=("p",))


def test_whole_numbers_that_decide_the_shape():
    tril = solution("def mask(t):\n    return torch.ones(t, t).tril()\n")
    good, flat, fixed = (
        open_student(HEAD + f"def mask(t):\n    return {body}\n")
        for body in ("torch.ones(t, t).triu()", "torch.ones(t, t)", "torch.ones(4, 4).tril()")
    )
    checks.uses_every_input(good, tril, "mask", 4, draw=Draw(1), other={"t": 6})
    for student, words in ((flat, "All numbers"), (fixed, "has the shape")):
        with pytest.raises(CheckFailed, match=words):
            checks.uses_every_input(student, tril, "mask", 4, draw=Draw(1), other={"t": 6})


def test_layers_are_handed_over_and_exchanged():
    text = "def pre(x, sublayer, norm):\n    return x + sublayer(norm(x))\n"
    draw, reference = Draw(2), solution(text)

    def ask(code):
        student = open_student(HEAD + code)
        sublayer, norm, other = (checks.torch_layer(student, draw, *kind) for kind in
                                 (("Linear", 4, 4), ("LayerNorm", 4), ("LayerNorm", 4)))  # fmt: skip
        inputs = draw.normal(3, 4), sublayer, norm
        checks.uses_every_input(student, reference, "pre", *inputs, draw=draw, other={"norm": other})

    ask(text.replace("norm(x)", "x + norm(x)"))
    with pytest.raises(CheckFailed, match="stays the same when `norm` changes"):
        ask(text.replace("norm(x)", "x"))
