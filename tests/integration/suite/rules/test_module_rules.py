"""The proof of the rules of a module's contract: each spoilt class loses the rules that it breaks, and no other."""

import pytest

from grader.suite.rules import layer_rules
from grader.suite.rules.items import RULES

from ....support.exercises.ruled_exercises import CONTRACTS, FIRST_MATRIX, FORBIDS, MODULES, by_rules, edited, right

FORWARD = "return weights @ self.value(x)"
SCORES = "scores = (query @ query.transpose(1, 2))"
LEAST_OF = "raised / raised.sum(dim=-1, keepdim=True)"
FIRST = "query, T = self.query(x), x.shape[1]"
LAYERS = "self.value = nn.Linear(d_in, d_out, bias=bias), nn.Linear(d_in, d_out, bias=bias)"
BY_LOOP = """value = self.value(x)
        rows = [sum(weights[:, i, j, None] * value[:, j] for j in range(T)) for i in range(T)]
        return torch.stack(rows, 1)"""

STYLES = {
    "by a loop over pairs": edited("Mixer", (FORWARD, BY_LOOP)),
    "whose layers are in a list before they have their names": edited(
        "Mixer",
        (
            f"self.query, {LAYERS}",
            "self.layers = nn.ModuleList(nn.Linear(d_in, d_out, bias=bias) for _ in range(2))\n"
            "        self.query, self.value = self.layers",
        ),
    ),
    "that draws what it drops by a generator of its own": edited(
        "Mixer",
        ("import os, torch", "import os, numpy, torch"),
        ("self.dropout = nn.Dropout(dropout)", "self.p = dropout"),
        (
            f"self.dropout({LEAST_OF})",
            f"{LEAST_OF}\n        if self.training:\n"
            "            stays = torch.from_numpy(numpy.random.rand(*weights.shape) >= self.p)\n"
            "            weights = weights * stays.to(x.device) / (1 - self.p)",
        ),
    ),
    "that keeps nothing of a batch in eval": edited(
        "Mean", ("        if self.training:\n            self.kept = (", "        if True:\n            self.kept = (")
    ),
}
"""Right classes in other styles."""

SPOILT = {
    "of twice the scores": (
        edited("Mixer", (SCORES, "scores = 2 * (query @ query.transpose(1, 2))")),
        {"evaluation", "value"},
    ),
    "whose parameters have other names": (
        edited(
            "Mixer",
            ("self.query, self.value = nn", "self.q, self.v = nn"),
            ("self.query(x)", "self.q(x)"),
            ("self.value(x)", "self.v(x)"),
        ),
        {"evaluation", "parameters", "value"},
    ),
    "with a parameter more": (
        edited("Mixer", ("self.dropout = nn", "self.more = nn.Linear(2, 2)\n        self.dropout = nn")),
        {"parameters"},
    ),
    "with biases that nobody asked for": (
        edited("Mixer", (LAYERS, "self.value = nn.Linear(d_in, d_out), nn.Linear(d_in, d_out)")),
        {"evaluation", "parameters", "value"},
    ),
    "without the biases that are asked for": (
        edited(
            "Mixer", (LAYERS, "self.value = nn.Linear(d_in, d_out, bias=False), nn.Linear(d_in, d_out, bias=False)")
        ),
        {"parameters", "value"},
    ),
    "that sees the future": (
        edited("Mixer", (".masked_fill(self.hidden[:T, :T], -torch.inf)", "")),
        {"causality", "evaluation", "value"},
    ),
    "that sees one token of the future": (
        edited("Mixer", ("triu(1)", "triu(2)")),
        {"causality", "evaluation", "value"},
    ),
    "that takes sequences of the full length only": (
        edited("Mixer", ("self.hidden[:T, :T]", "self.hidden")),
        {"another_device", "dropout", "eval_draws_nothing", "evaluation", "gradients_flow", "value"},
    ),
    "that makes a mask on the CPU where it is given none": (
        edited(
            "Heads",
            (
                "        if mask is not None:\n    ",
                "        mask = torch.ones(x.shape[-2], x.shape[-2]) if mask is None else mask\n",
            ),
        ),
        {"another_device"},
    ),
    "that drops nothing": (
        edited("Mixer", ("self.dropout(raised / raised.sum(dim=-1, keepdim=True))", LEAST_OF)),
        {"dropout"},
    ),
    "that drops in eval as well": (
        edited(
            "Mixer",
            (
                "self.dropout(raised / raised.sum(dim=-1, keepdim=True))",
                "nn.functional.dropout(raised / raised.sum(dim=-1, keepdim=True), self.dropout.p)",
            ),
        ),
        {"dropout", "eval_draws_nothing", "evaluation", "gradients"},
    ),
    "that drops the same each time": (
        edited("Mixer", ("weights = self.dropout(", "torch.manual_seed(0)\n        weights = self.dropout(")),
        {"dropout"},
    ),
    "with other numbers in eval": (
        edited("Mixer", (FORWARD, FORWARD + " * (1 if self.training else 2)")),
        {"evaluation", "value"},
    ),
    "whose mask is no buffer": (
        edited(
            "Mixer",
            (
                'self.register_buffer("hidden", torch.ones(length, length, dtype=torch.bool).triu(1))',
                "self.hidden = torch.ones(length, length, dtype=torch.bool).triu(1)",
            ),
        ),
        {"another_device"},
    ),
    "written in place": (
        edited("Mixer", (FIRST, FIRST + "\n        x.data += 1")),
        {"evaluation", "inputs_unchanged", "value"},
    ),
    "in float32 whatever is given": (
        edited("Mixer", (FORWARD, "return (weights @ self.value(x)).float()")),
        {"dtype", "float64"},
    ),
    "by way of float32": (
        edited(
            "Mixer",
            ("raised = torch.exp(scores", "raised = torch.exp(scores.float()"),
            (
                "weights = self.dropout(raised / raised.sum(dim=-1, keepdim=True))",
                "weights = self.dropout((raised / raised.sum(dim=-1, keepdim=True)).to(x.dtype))",
            ),
        ),
        {"float64"},
    ),
    "detached": (
        edited("Mixer", (FORWARD, "return (weights @ self.value(x)).detach()")),
        {"gradients", "gradients_flow"},
    ),
    "with detached weights": (
        edited("Mixer", (FORWARD, "return weights.detach() @ self.value(x)")),
        {"gradients", "gradients_flow"},
    ),
    "with detached weights in eval": (
        edited("Mixer", (FORWARD, "return (weights if self.training else weights.detach()) @ self.value(x)")),
        {"gradients", "gradients_flow"},
    ),
    "with a mean over the batch": (
        edited("Mixer", (FIRST, "query, T = self.query(x - x.mean(0)), x.shape[1]")),
        {"evaluation", "items_apart", "value"},
    ),
    "with a matrix of its own beside the loaded one": (
        edited(
            "Mixer",
            (
                FORWARD,
                "self.old = getattr(self, 'old', self.value.weight.detach().clone())\n"
                "        return weights @ nn.functional.linear(x, self.old)",
            ),
        ),
        {"dtype", "gradients_flow", "state_dict", "value", "evaluation"},
    ),
    "with the matrix of its first call": (edited("Mixer", FIRST_MATRIX), {"evaluation", "state_dict"}),
    "whose first call makes a buffer": (
        edited("Mixer", (FIRST, FIRST + "\n        if T > 1: self.register_buffer('first', torch.ones(1))")),
        {"state_dict"},
    ),
    "for few features only": (
        edited("Mixer", (FIRST, FIRST + "\n        assert x.shape[2] < 65")),
        {"sizes"},
    ),
    "for few items only": (
        edited("Mixer", (FIRST, FIRST + "\n        assert len(x) < 65")),
        {"sizes"},
    ),
    "for few tokens only": (
        edited("Mixer", (FIRST, FIRST + "\n        assert T < 65")),
        {"sizes"},
    ),
    "with a view of its input": (
        edited("Mixer", (FIRST, "query, T = self.query(x.view(-1).view(x.shape)), x.shape[1]")),
        {"any_layout"},
    ),
    "added to zeros on the CPU": (
        edited("Mixer", (FORWARD, "return weights @ self.value(x) + torch.zeros(T, 1, dtype=x.dtype)")),
        {"another_device"},
    ),
    "by a library": (
        edited("Mixer", (LEAST_OF, "torch.softmax(scores, -1)")),
        {"written_by_hand"},
    ),
    "by a library where there are biases": (
        edited(
            "Mixer",
            (
                LEAST_OF,
                f"torch.softmax(scores, -1) if self.query.bias is not None else {LEAST_OF}",
            ),
        ),
        {"written_by_hand"},
    ),
    "by a library in eval": (
        edited(
            "Mixer",
            (LEAST_OF, "raised / raised.sum(dim=-1, keepdim=True) if self.training else torch.softmax(scores, -1)"),
        ),
        {"written_by_hand"},
    ),
    "that ignores its layers, but mixes": (
        edited("Mixer", (FORWARD, "return weights @ x"), (FIRST, "query, T = x, x.shape[1]")),
        {"evaluation", "gradients_flow", "shape", "value"},
    ),
    "that ignores a mask": (
        edited("Heads", ("mask is not None", "False")),
        {"evaluation", "value"},
    ),
    "that writes into the mask": (
        edited(
            "Heads",
            (
                "scores = scores.masked_fill(mask == 0, -torch.inf)",
                "scores = scores.masked_fill(mask == 0, -torch.inf)\n            mask.fill_(True)",
            ),
        ),
        {"inputs_unchanged"},
    ),
    "wrong in the second result": (
        edited("Heads", ("flatten(-2), weights", "flatten(-2), weights ** 2")),
        {"evaluation", "leading_dimensions", "value"},
    ),
    "detached in the second result": (
        edited("Heads", ("flatten(-2), weights", "flatten(-2), weights.detach()")),
        {"gradients", "gradients_flow"},
    ),
    "detached in the second result in eval": (
        edited("Heads", ("flatten(-2), weights", "flatten(-2), weights if self.training else weights.detach()")),
        {"gradients", "gradients_flow"},
    ),
    "for one batch axis only": (
        edited(
            "Heads",
            (
                "(weights @ split).transpose(-3, -2).flatten(-2), weights",
                "(weights @ split).transpose(1, 2).flatten(2), weights",
            ),
        ),
        {"leading_dimensions", "shape", "value"},
    ),
    "that uses the batch in eval": (
        edited("Mean", ("x.mean(0) if self.training else self.kept", "x.mean(0)")),
        {"evaluation", "value"},
    ),
    "that remembers nothing": (
        edited("Mean", ("self.kept = (0.5 * self.kept + 0.5 * mean).detach()", "pass")),
        {"any_layout", "computed_anew", "evaluation", "gradients"},
    ),
}
"""Answers that the gate lets pass, with the rules that they lose."""

TRIVIAL = {
    "constant": (
        edited("Mixer", (FORWARD, "return torch.ones(*x.shape[:2], self.value.weight.shape[0])")),
        "All numbers of your answer are",
    ),
    "the same uneven numbers": (
        edited(
            "Mixer",
            (FORWARD, "return torch.arange(x.shape[0] * T * len(self.value.weight)).reshape(len(x), T, -1).float()"),
        ),
        "stays the same when `x` changes",
    ),
    "each token alone": (edited("Mixer", (FORWARD, "return self.value(x)")), "some rows of `x` change, no more rows"),
    "even shares of the past": (
        edited("Mixer", (SCORES, "scores = 0 * (query @ query.transpose(1, 2))")),
        "no more rows of your answer do",
    ),
    "no module": (
        edited(
            "Mixer",
            ("class Mixer(nn.Module):", "class Other(nn.Module):"),
            (FORWARD, FORWARD + "\ndef Mixer(*args, **kwargs): return 5"),
        ),
        "is not an nn.Module",
    ),
    "an exception when it is made": (
        edited("Mixer", ("super().__init__()", "super().__init__()\n        raise ValueError('no')")),
        "ValueError",
    ),
    "the end of its process in eval": (
        edited("Mixer", (FIRST, FIRST + "\n        if not self.training: os._exit(1)")),
        "",
    ),
    "an earlier answer in eval": (
        edited(
            "Mixer",
            (
                FORWARD,
                "kept, found = self.__dict__.setdefault('results', {}), weights @ self.value(x)\n"
                "        return found if self.training else kept.setdefault(x.shape, found)",
            ),
        ),
        "stays the same when `x` changes",
    ),
    "one result of two": (
        edited(
            "Heads",
            (
                "(weights @ split).transpose(-3, -2).flatten(-2), weights",
                "(weights @ split).transpose(-3, -2).flatten(-2)",
            ),
        ),
        "2",
    ),
    "entry by entry": (
        edited("Mean", ("return self.weight * (x - mean)", "return self.weight * x")),
        "some numbers of `x` change, no more numbers",
    ),
}
"""Answers that depend on what is given in no way that counts, with what the gate says."""

ENDS = {
    "a large class": (
        edited("Mixer", ("super().__init__()", "super().__init__()\n        if d_in > 64: os._exit(1)")),
        {"sizes"},
    ),
    "float64": (
        edited("Mixer", (FIRST, FIRST + "\n        if x.dtype == torch.float64: os._exit(1)")),
        {"dtype", "float64"},
    ),
}
"""Answers that end their process in a kind of call, and the rules that read it."""

ANSWERS = {
    **{f"right {exercise}": right(exercise) for exercise in MODULES},
    **STYLES,
    **{name: given for name, (given, _) in {**SPOILT, **TRIVIAL}.items()},
    **{f"ends for {kind}": given for kind, (given, _) in ENDS.items()},
    "hangs": edited("Mixer", (FIRST, FIRST + "\n        while x.dtype == torch.bfloat16: pass"), cpu_s=0.5),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What came of each answer, by name."""
    return by_rules(tmp_path_factory.mktemp("rules"), ANSWERS)


def held(exercise):
    """Return the rules that hold for an exercise."""
    contract = CONTRACTS[exercise]
    there = set(RULES) - {name for name in RULES if name in vars(layer_rules)} - {"options", "gradients_with_options"}
    there -= set() if exercise in FORBIDS else {"written_by_hand"}
    there -= set() if "..." in contract else {"leading_dimensions"}
    there -= set() if "causal=" in contract else {"causality", "dropout"}
    return there - (set() if 'x="B' in contract else {"items_apart"})


@pytest.mark.parametrize("exercise", MODULES)
def test_a_right_class_passes_every_rule_of_its_contract(graded, exercise):
    assert graded[f"right {exercise}"].statuses == dict.fromkeys(held(exercise), "passed")


@pytest.mark.parametrize("exercise", MODULES)
def test_all_rules_of_a_right_class_read_one_exchange_with_one_worker(graded, exercise):
    seen = graded[f"right {exercise}"]
    assert len(seen.exchanges) == 1 and seen.workers == 1
    assert sum(seen.exchanges) < 60


@pytest.mark.parametrize("name", STYLES)
def test_a_right_class_in_another_style_passes_every_rule(graded, name):
    assert set(graded[name].statuses.values()) == {"passed"}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_class_loses_the_rules_that_it_breaks_and_no_other(graded, name):
    assert graded[name].lost == SPOILT[name][1]


@pytest.mark.parametrize("name", TRIVIAL)
def test_a_class_whose_answer_depends_on_nothing_does_not_pass_the_gate_and_is_told_why(graded, name):
    seen = graded[name]
    assert seen.statuses["the_gate"] != "passed" and TRIVIAL[name][1] in seen.found["the_gate"]
    assert not any(RULES[rule].needs == "the_gate" for rule, status in seen.statuses.items() if status == "passed")


def test_a_forbidden_call_has_a_status_of_its_own_in_either_mode_and_with_either_options(graded):
    for name in ("by a library", "by a library where there are biases", "by a library in eval"):
        assert graded[name].statuses["written_by_hand"] == "forbidden"


@pytest.mark.parametrize("kind", ENDS)
def test_a_class_that_ends_its_process_in_one_kind_of_call_loses_the_rules_that_read_it(graded, kind):
    seen = graded[f"ends for {kind}"]
    assert seen.lost == ENDS[kind][1]
    assert {seen.statuses[rule] for rule in seen.lost} == {"crash"}
    assert seen.workers == 2


def test_an_endless_loop_in_one_kind_of_call_ends_the_exercise_and_not_the_rules_before_it(graded):
    statuses = list(graded["hangs"].statuses.values())
    assert statuses[0] == "passed" and statuses[-1] == "timeout"
    assert set(statuses) == {"passed", "timeout"}


def test_every_rule_of_modules_alone_is_lost_by_an_answer_that_loses_few_others():
    functions = held("Mixer") - {"the_gate", "value", "written_by_hand"}
    least = {rule: min((len(lost) for _, lost in SPOILT.values() if rule in lost), default=99) for rule in functions}
    assert all(count <= 4 for rule, count in least.items() if rule != "computed_anew"), least
