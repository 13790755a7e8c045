"""Answers to the classes of `ruled_exercises.py`, right and spoilt, with what each one loses."""

from .ruled_exercises import FIRST_MATRIX, MODULES, mean, mixer, module_heads

EXERCISES = [*MODULES]
FORWARD = "return weights @ self.value(x)"
SCORES = "scores = (query @ query.transpose(1, 2))"
LEAST_OF = "raised / raised.sum(dim=-1, keepdim=True)"
DROPPED = f"self.dropout({LEAST_OF})"
FIRST = "query, T = self.query(x), x.shape[1]"
LAYERS = "self.value = nn.Linear(d_in, d_out, bias=bias), nn.Linear(d_in, d_out, bias=bias)"
WRONG, CUT = {"evaluation", "value"}, {"gradients", "gradients_flow"}
BY_LOOP = """value = self.value(x)
        rows = [sum(weights[:, i, j, None] * value[:, j] for j in range(T)) for i in range(T)]
        return torch.stack(rows, 1)"""


def gives(result):
    """Return the edit after which a `Mixer` returns something else."""
    return FORWARD, f"return {result}"


def begins(line):
    """Return the edit that puts a line behind the first one of a `Mixer`'s call."""
    return FIRST, f"{FIRST}\n        {line}"


STYLES = {
    "by a loop over pairs": mixer((FORWARD, BY_LOOP)),
    "whose layers are in a list before they have their names": mixer(
        (
            f"self.query, {LAYERS}",
            "self.layers = nn.ModuleList(nn.Linear(d_in, d_out, bias=bias) for _ in range(2))\n"
            "        self.query, self.value = self.layers",
        )
    ),
    "that draws what it drops by a generator of its own": mixer(
        ("import os, torch", "import os, numpy, torch"),
        ("self.dropout = nn.Dropout(dropout)", "self.p = dropout"),
        (
            DROPPED,
            f"{LEAST_OF}\n        if self.training:\n"
            "            stays = torch.from_numpy(numpy.random.rand(*weights.shape) >= self.p)\n"
            "            weights = weights * stays.to(x.device) / (1 - self.p)",
        ),
    ),
    "that keeps nothing of a batch in eval": mean(
        ("        if self.training:\n            self.kept = (", "        if True:\n            self.kept = (")
    ),
}
"""Right classes in other styles."""

SPOILT = {
    "one result of two": (
        module_heads(
            (
                "(weights @ split).transpose(-3, -2).flatten(-2), weights",
                "(weights @ split).transpose(-3, -2).flatten(-2)",
            )
        ),
        {"shape", "value", "evaluation", "leading_dimensions"},
    ),
    "of twice the scores": (mixer((SCORES, "scores = 2 * (query @ query.transpose(1, 2))")), WRONG),
    "whose parameters have other names": (
        mixer(
            ("self.query, self.value = nn", "self.q, self.v = nn"),
            ("self.query(x)", "self.q(x)"),
            ("self.value(x)", "self.v(x)"),
        ),
        {"evaluation", "parameters", "value"},
    ),
    "with a parameter more": (
        mixer(("self.dropout = nn", "self.more = nn.Linear(2, 2)\n        self.dropout = nn")),
        {"parameters"},
    ),
    "without the biases that are asked for": (
        mixer((LAYERS, "self.value = nn.Linear(d_in, d_out, bias=False), nn.Linear(d_in, d_out, bias=False)")),
        {"parameters", "value", "evaluation"},
    ),
    "that sees one token of the future": (mixer(("triu(1)", "triu(2)")), {"causality", "evaluation", "value"}),
    "that takes sequences of the full length only": (
        mixer(("self.hidden[:T, :T]", "self.hidden")),
        {"another_device", "dropout", "eval_draws_nothing", "evaluation", "gradients_flow", "state_dict", "value"},
    ),
    "that drops nothing": (mixer((DROPPED, LEAST_OF)), {"dropout"}),
    "that drops only where gradients are taken": (
        mixer((DROPPED, f"{DROPPED} if torch.is_grad_enabled() else {LEAST_OF}")),
        {"dropout"},
    ),
    "whose gradients are cut where numbers are dropped": (
        mixer((DROPPED, f"self.dropout(({LEAST_OF}).detach() if self.training and self.dropout.p else {LEAST_OF})")),
        {"gradients_flow"},
    ),
    "with nothing beside its result": (
        mixer(gives("(weights @ self.value(x), None)")),
        {*WRONG, "shape", "dtype", "another_device", "causality", "items_apart", "state_dict"},
    ),
    "in float32 in eval": (
        mixer(gives("weights @ self.value(x) if self.training else (weights @ self.value(x)).float()")),
        {"dtype"},
    ),
    "by way of float32 in training": (
        mixer(gives("(weights @ self.value(x)).float().to(x.dtype) if self.training else weights @ self.value(x)")),
        {"float64"},
    ),
    "kept by its shape in eval without gradients": (
        mixer(
            begins("if not (self.training or torch.is_grad_enabled()): x = self.known.setdefault(x.shape, x)"),
            ("super().__init__()", "super().__init__()\n        self.known = {}"),
        ),
        {"evaluation"},
    ),
    "that drops in eval as well": (
        mixer((DROPPED, f"nn.functional.dropout({LEAST_OF}, self.dropout.p)")),
        {"dropout", "eval_draws_nothing", "evaluation"},
    ),
    "that drops by a mask in float32": (
        mixer(
            (
                DROPPED,
                f"{LEAST_OF}\n        if self.training and self.dropout.p:\n"
                "            stays = torch.rand(weights.shape, device=x.device) >= self.dropout.p\n"
                "            weights = weights * stays.float() / (1 - self.dropout.p)",
            )
        ),
        {"dtype"},
    ),
    "that drops the same each time": (
        mixer(("weights = self.dropout(", "torch.manual_seed(0)\n        weights = self.dropout(")),
        {"dropout"},
    ),
    "with other numbers in eval": (mixer(gives("weights @ self.value(x) * (1 if self.training else 2)")), WRONG),
    "whose mask is no buffer": (
        mixer(
            (
                'self.register_buffer("hidden", torch.ones(length, length, dtype=torch.bool).triu(1))',
                "self.hidden = torch.ones(length, length, dtype=torch.bool).triu(1)",
            )
        ),
        {"another_device"},
    ),
    "wrong for what has gaps": (mixer(begins("x = 2 * x if min(x.stride()) == 2 else x")), {"any_layout"}),
    "kept for the object that is given": (
        mixer(
            begins("if x is getattr(self, 'last', None): return self.result"),
            gives("self.keep(x, weights @ self.value(x))"),
            (
                "    def forward(self, x):",
                "    def keep(self, x, result):\n        self.last, self.result = x, result\n        return result\n"
                "    def forward(self, x):",
            ),
        ),
        {"computed_anew"},
    ),
    "written in place": (mixer(begins("x.data += 1")), {"evaluation", "inputs_unchanged", "value"}),
    "in float32 whatever is given": (mixer(gives("(weights @ self.value(x)).float()")), {"dtype", "float64"}),
    "by way of float32": (
        mixer(
            ("raised = torch.exp(scores", "raised = torch.exp(scores.float()"),
            (DROPPED, f"self.dropout(({LEAST_OF}).to(x.dtype))"),
        ),
        {"float64"},
    ),
    "detached": (mixer(gives("(weights @ self.value(x)).detach()")), CUT),
    "with detached weights in eval": (
        mixer(gives("(weights if self.training else weights.detach()) @ self.value(x)")),
        CUT,
    ),
    "with a mean over the batch": (
        mixer((FIRST, "query, T = self.query(x - x.mean(0)), x.shape[1]")),
        {"evaluation", "items_apart", "value"},
    ),
    "with the matrix of its first call": (mixer(FIRST_MATRIX), {"another_device", "evaluation", "state_dict"}),
    "whose first call makes a buffer": (
        mixer(begins("if T > 1: self.register_buffer('first', torch.ones(1))")),
        {"state_dict"},
    ),
    "for few features only": (mixer(begins("assert x.shape[2] < 65")), {"sizes"}),
    "for few tokens only": (mixer(begins("assert T < 65")), {"sizes"}),
    "with a view of its input": (
        mixer((FIRST, "query, T = self.query(x.view(-1).view(x.shape)), x.shape[1]")),
        {"any_layout"},
    ),
    "added to zeros on the CPU": (
        mixer(gives("weights @ self.value(x) + torch.zeros(T, 1, dtype=x.dtype)")),
        {"another_device"},
    ),
    "by a library": (mixer((LEAST_OF, "torch.softmax(scores, -1)")), {"written_by_hand"}),
    "by a library where there are biases": (
        mixer((LEAST_OF, f"torch.softmax(scores, -1) if self.query.bias is not None else {LEAST_OF}")),
        {"written_by_hand"},
    ),
    "by a library in eval": (
        mixer((LEAST_OF, f"{LEAST_OF} if self.training else torch.softmax(scores, -1)")),
        {"written_by_hand"},
    ),
    "that ignores its layers, but mixes": (
        mixer(gives("weights @ x"), (FIRST, "query, T = x, x.shape[1]")),
        {"evaluation", "gradients_flow", "shape", "value"},
    ),
    "that ignores a mask": (module_heads(("mask is not None", "False")), WRONG),
    "that writes into the mask": (
        module_heads(
            (
                "scores = scores.masked_fill(mask == 0, -torch.inf)",
                "scores = scores.masked_fill(mask == 0, -torch.inf)\n            mask.fill_(True)",
            )
        ),
        {"inputs_unchanged"},
    ),
    "wrong in the second result": (
        module_heads(("flatten(-2), weights", "flatten(-2), weights ** 2")),
        {"evaluation", "leading_dimensions", "value"},
    ),
    "detached in the second result in eval": (
        module_heads(("flatten(-2), weights", "flatten(-2), weights if self.training else weights.detach()")),
        CUT,
    ),
    "for one batch axis only": (
        module_heads(
            (
                "(weights @ split).transpose(-3, -2).flatten(-2), weights",
                "(weights @ split).transpose(1, 2).flatten(2), weights",
            )
        ),
        {"leading_dimensions", "shape", "value"},
    ),
    "whose buffer takes another shape": (mean(("x.mean(0) if", "x.mean(0, keepdim=True) if")), {"state_dict"}),
    "that uses the batch in eval": (mean(("x.mean(0) if self.training else self.kept", "x.mean(0)")), WRONG),
    "that remembers nothing": (
        mean(("self.kept = (0.5 * self.kept + 0.5 * mean).detach()", "pass")),
        {"evaluation"},
    ),
}
"""Answers that the gate lets pass, with the rules that they lose."""

TRIVIAL = {
    "constant": (
        mixer(gives("torch.ones(*x.shape[:2], self.value.weight.shape[0])")),
        "All numbers of your answer are",
    ),
    "the same uneven numbers": (
        mixer(gives("torch.arange(x.shape[0] * T * len(self.value.weight)).reshape(len(x), T, -1).float()")),
        "stays the same when `x` changes",
    ),
    "each token alone": (mixer(gives("self.value(x)")), "some rows of `x` should change more rows"),
    "even shares of the past": (
        mixer((SCORES, "scores = 0 * (query @ query.transpose(1, 2))")),
        "should change more rows",
    ),
    "no module": (
        mixer(
            ("class Mixer(nn.Module):", "class Other(nn.Module):"),
            (FORWARD, FORWARD + "\ndef Mixer(*args, **kwargs): return 5"),
        ),
        "is not an nn.Module",
    ),
    "an exception when it is made": (
        mixer(("super().__init__()", "super().__init__()\n        raise ValueError('no')")),
        "ValueError",
    ),
    "the end of its process in eval": (mixer(begins("if not self.training: os._exit(1)")), ""),
    "an earlier answer in eval": (
        mixer(
            (
                FORWARD,
                "kept, found = self.__dict__.setdefault('results', {}), weights @ self.value(x)\n"
                "        return found if self.training else kept.setdefault(x.shape, found)",
            )
        ),
        "stays the same when `x` changes",
    ),
    "entry by entry": (
        mean(("return self.weight * (x - mean)", "return self.weight * x")),
        "some numbers of `x` should change more numbers",
    ),
}
"""Answers that depend on what is given in no way that counts, with what the gate says."""

ENDS = {
    "a large class": (
        mixer(("super().__init__()", "super().__init__()\n        if d_in > 64: os._exit(1)")),
        {"sizes"},
    ),
    "float64": (mixer(begins("if x.dtype == torch.float64: os._exit(1)")), {"dtype", "float64"}),
}
"""Answers that end their process in a kind of call, and the rules that read it."""
HANGS = mixer(begins("while x.dtype == torch.bfloat16: pass"), cpu_s=0.5)
LIBRARY = ("by a library", "by a library where there are biases", "by a library in eval")
