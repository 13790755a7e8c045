"""The proof of the rules of a contract: each spoilt answer loses the rules that it breaks, and no other."""

import pytest

from grader.suite.rules import layer_rules, module_rules
from grader.suite.rules.items import RULES

from ....support.exercises.ruled_exercises import BY_NUMBER, CONTRACTS, FORBIDS, MODULES, answer, by_rules, right

FUNCTIONS = [exercise for exercise in CONTRACTS if exercise not in MODULES]
OF_MODULES, OF_LAYERS = ({name for name in RULES if name in vars(rules)} for rules in (module_rules, layer_rules))
OF_OPTIONS = {"options", "gradients_with_options"}
CHOSEN = "return chosen(scores, tokens, mask, scale)"
MIXED = "return mixed(scores, tokens)"
WRONG = {"value", "leading_dimensions"}
CUT = {"gradients_flow", "gradients"}
OTHER_SHAPE = {"shape", *WRONG}
IN_FLOAT32 = {"dtype", "float64", "leading_dimensions"}
NO_PLAIN_FORM = {"dtype", "gradients_flow", "another_device", *OTHER_SHAPE}
CACHED = "@functools.cache"
WATCHED = "'grader' in torch._C._dispatch_dump('aten::_softmax')"
"""Whether operations are blocked, which an answer can find out."""
SOFTMAX = "torch.softmax(tokens @ tokens.transpose(-2, -1), -1) @ tokens"
BATCHES = """
scores = torch.bmm(tokens, tokens.transpose(1, 2))
raised = torch.exp(scores - scores.amax(-1, keepdim=True))
return torch.bmm(raised / raised.sum(-1, keepdim=True), tokens)
"""
LOOP = """
weights = torch.softmax(scores, -1)
total = torch.zeros_like(tokens[..., 0, :])
for number in range(tokens.shape[-2]):
    total = total + weights[..., number, None] * tokens[..., number, :]
return total
"""
TWO = "first, second = parted(tokens, count)\n"

STYLES = {
    "by einsum": answer("mix", "return torch.einsum('...t,...td->...d', torch.softmax(scores, -1), tokens)"),
    "by a loop over the tokens": answer("mix", LOOP),
    "in float64 on the way": answer("mix", "return mixed(scores.double(), tokens.double()).to(tokens.dtype)"),
    "of copies": answer("mix", "return mixed(scores.clone(), tokens.clone())"),
    "not contiguous": answer("blend", "return blended(query, key, value).T.contiguous().T"),
    "a list of results": answer("heads", "return [*parted(tokens, count)]"),
}
"""Right answers in other styles."""

SPOILT = {
    # values
    "of the negative scores": (answer("mix", "return mixed(-scores, tokens)"), WRONG),
    "along the wrong axis": (answer("attend", "return attended(tokens.mT).mT"), WRONG),
    "divided by a root": (answer("blend", "return blended(query / query.shape[-1] ** 0.5, key, value)"), {"value"}),
    "wrong in the second result": (answer("heads", f"{TWO}return first, 2 * second"), WRONG),
    "wrong for four heads": (
        answer("heads", f"{TWO}return (first, second) if count != 4 else (2 * first, second)"),
        {"value"},
    ),
    "wrong with leading dimensions": (
        answer("mix", "return mixed(scores, tokens) * (1 if scores.dim() == 1 else 2)"),
        {"gradients", "leading_dimensions", "any_layout"},
    ),
    "that loses a leading dimension of 1": (
        answer("mix", "y = mixed(scores, tokens)\nreturn y.squeeze(0) if scores.dim() > 1 else y"),
        {"leading_dimensions"},
    ),
    # shapes
    "with a dimension kept": (answer("mix", "return mixed(scores, tokens).unsqueeze(-2)"), OTHER_SHAPE),
    "squeezed of every 1": (
        answer("mix", "return mixed(scores, tokens).squeeze()"),
        {"shape", "leading_dimensions", "sizes"},
    ),
    "squeezed where all is 1": (
        answer("mix", f"if tokens.numel() == 1: return mixed(scores, tokens).squeeze()\n{MIXED}"),
        {"shape", "sizes"},
    ),
    "with a dimension more in the second result": (
        answer("heads", f"{TWO}return first, second.unsqueeze(-1)"),
        {"shape", *WRONG},
    ),
    "without leading dimensions": (
        answer("mix", "return torch.softmax(scores, 0) @ tokens"),
        {"gradients", "shape", "leading_dimensions", "any_layout"},
    ),
    "for one leading dimension only": (answer("attend", BATCHES), NO_PLAIN_FORM),
    # sizes
    "wrong for a single token": (
        answer("mix", f"if scores.shape[-1] == 1: return 2 * tokens[..., 0, :]\n{MIXED}"),
        {"sizes"},
    ),
    "for few tokens only": (answer("mix", f"assert scores.shape[-1] < 65\n{MIXED}"), {"sizes"}),
    "for few features only": (answer("mix", f"assert tokens.shape[-1] < 65\n{MIXED}"), {"sizes"}),
    "for few heads only": (answer("heads", "assert count < 65\nreturn parted(tokens, count)"), {"sizes"}),
    # dtypes
    "in float32 whatever is given": (answer("mix", "return mixed(scores, tokens).float()"), IN_FLOAT32),
    "in float32 in the second result": (answer("heads", f"{TWO}return first, second.float()"), IN_FLOAT32),
    "in float32 for bfloat16": (
        answer("mix", f"if scores.dtype == torch.bfloat16: return mixed(scores, tokens).float()\n{MIXED}"),
        {"dtype"},
    ),
    "in float32 for float64": (
        answer("mix", f"if scores.dtype == torch.float64: return mixed(scores, tokens).float()\n{MIXED}"),
        IN_FLOAT32,
    ),
    "in float64 whatever is given": (answer("mix", "return mixed(scores, tokens).double()"), {"dtype"}),
    "by way of float32": (answer("mix", "return mixed(scores.float(), tokens.float()).to(tokens.dtype)"), {"float64"}),
    "by way of float32 in the second result": (
        answer("heads", f"{TWO}return first, parted(tokens.float(), count)[1].to(tokens.dtype)"),
        {"float64"},
    ),
    # what is given
    "written in place": (
        answer("mix", f"scores -= scores.amax(-1, keepdim=True)\n{MIXED}"),
        {"inputs_unchanged", "any_layout", "another_device", *CUT},
    ),
    "written in place behind the gradients' back": (
        answer("mix", f"scores.data.sub_(scores.data.amax(-1, keepdim=True))\n{MIXED}"),
        {"inputs_unchanged", "any_layout"},
    ),
    "that asks for gradients of its input": (answer("mix", f"tokens.requires_grad_()\n{MIXED}"), {"inputs_unchanged"}),
    # gradients
    "detached": (answer("mix", "return mixed(scores, tokens).detach()"), CUT),
    "cut off from one input": (answer("mix", "return mixed(scores.detach(), tokens)"), CUT),
    "detached in the first result": (answer("heads", f"{TWO}return first.detach(), second"), CUT),
    "detached in the second result": (
        answer("heads", f"{TWO}return first, second.detach()"),
        {"gradients_flow", "gradients"},
    ),
    "with twice the gradient": (
        answer("mix", "return 2 * mixed(scores, tokens) - mixed(scores, tokens).detach()"),
        {"gradients"},
    ),
    "by way of NumPy": (
        answer("mix", "return torch.from_numpy(mixed(scores, tokens).detach().numpy())"),
        {"dtype", "another_device", *CUT},
    ),
    # layouts, second calls, devices
    "with a view of an input": (
        answer("mix", "return mixed(scores, tokens.view(-1).view(tokens.shape))"),
        {"any_layout"},
    ),
    "with a view of the scores": (
        answer("mix", "return mixed(scores.view(-1).view(scores.shape), tokens)"),
        {"any_layout"},
    ),
    "wrong for what has gaps": (
        answer("mix", f"if tokens.stride(-1) == 2: return tokens[..., 0, :] * 2\n{MIXED}"),
        {"any_layout"},
    ),
    "wrong for what is expanded": (
        answer("mix", f"if 0 in tokens.stride(): return tokens[..., 0, :] * 2\n{MIXED}"),
        {"any_layout"},
    ),
    "kept for the objects that are given": (answer("mix", MIXED, CACHED), {"computed_anew"}),
    "kept for the numbers of these objects": (
        answer("mix", "return known(scores, tokens)", BY_NUMBER),
        {"computed_anew"},
    ),
    "added to zeros on the CPU": (
        answer("mix", "return torch.zeros(tokens.shape[-1], dtype=tokens.dtype) + mixed(scores, tokens)"),
        {"another_device"},
    ),
    "on the CPU in the second result": (
        answer("heads", f"{TWO}return first, second + torch.zeros(second.shape, dtype=second.dtype)"),
        {"another_device"},
    ),
    # forbidden calls
    "by a library": (answer("attend", f"return {SOFTMAX}"), {"written_by_hand"}),
    "by a library for leading dimensions": (
        answer("attend", f"return attended(tokens) if tokens.dim() == 2 else {SOFTMAX}"),
        {"written_by_hand"},
    ),
    "by a library and wrong": (answer("attend", f"return 2 * {SOFTMAX}"), {"written_by_hand", *WRONG}),
    "wrong while it is watched": (
        answer("attend", f"return tokens if {WATCHED} else attended(tokens)"),
        {"written_by_hand"},
    ),
    "that ends its process while it is watched": (
        answer("attend", f"if {WATCHED}: os._exit(1)\nreturn attended(tokens)"),
        {"written_by_hand"},
    ),
    # options
    "that ignores its options": (answer("choose", "return mixed(scores, tokens)"), {"options"}),
    "that ignores its mask": (answer("choose", "return scale * mixed(scores, tokens)"), {"options"}),
    "in float64 with a mask": (
        answer("choose", "y = chosen(scores, tokens, mask, scale)\nreturn y if mask is None else y.double()"),
        {"options"},
    ),
    "with half the gradient with a mask": (
        answer(
            "choose", f"if mask is None: {CHOSEN}\ny = chosen(scores, tokens, mask, scale)\nreturn (y + y.detach()) / 2"
        ),
        {"gradients_with_options"},
    ),
    "that moves its mask to the CPU": (
        answer("choose", "return chosen(scores, tokens, None if mask is None else mask.cpu(), scale)"),
        {"another_device"},
    ),
    "that hides in place": (
        answer(
            "choose",
            "if mask is not None: scores.data.masked_fill_(mask == 0, -torch.inf)\n"
            "return scale * mixed(scores, tokens)",
        ),
        {"inputs_unchanged"},
    ),
    # layers
    "with the layers exchanged": (
        answer("residual", "return added(x, norm, inner)"),
        {"value", "leading_dimensions", "other_layers", "layers_called_once"},
    ),
    "with a layer norm of its own": (
        answer("residual", "return x + inner(torch.nn.functional.layer_norm(x, x.shape[-1:], norm.weight, norm.bias))"),
        {"other_layers", "layers_called_once"},
    ),
    "that calls a layer twice": (answer("residual", "norm(x)\nreturn added(x, inner, norm)"), {"layers_called_once"}),
    "that puts a layer into eval": (
        answer("residual", "norm.eval()\nreturn added(x, inner, norm)"),
        {"layers_called_once", "layers_unchanged"},
    ),
    "that clears the gradients of a layer": (
        answer("residual", "inner.zero_grad()\nreturn added(x, inner, norm)"),
        {"layers_unchanged"},
    ),
    "that asks a layer's parameters for no gradient": (
        answer("residual", "y = added(x, inner, norm)\ninner.requires_grad_(False)\nreturn y"),
        {"layers_unchanged", *CUT},
    ),
    "that changes the parameters of a layer afterwards": (
        answer("residual", "y = added(x, inner, norm).clone()\nfor p in inner.parameters(): p.data.mul_(2)\nreturn y"),
        {"layers_unchanged", "computed_anew"},
    ),
    "wrong with a layer without parameters": (
        answer("residual", "return added(x, inner, norm) * (1 if [*norm.parameters()] else 2)"),
        {"other_layers"},
    ),
    "that adds into what a layer gives": (
        answer("residual", "y = inner(norm(x))\ny += x\nreturn y"),
        {"layers_unchanged"},
    ),
    "that computes no gradient in eval": (
        answer("residual", "with torch.set_grad_enabled(inner.training):\n    return added(x, inner, norm)"),
        {"gradients"},
    ),
    "that detaches the parameters of a layer": (
        answer("residual", "y = added(x, inner, norm)\nreturn y + inner(norm(x)).detach() - inner(norm(x))"),
        {"layers_called_once", *CUT},
    ),
    # one row is looked at, which is another one in every draw
    "of the token with the largest score": (
        answer(
            "mix",
            "best = scores.argmax(-1)[..., None, None].expand(*scores.shape[:-1], 1, tokens.shape[-1])\n"
            "return scores.amax(-1, keepdim=True) * tokens.gather(-2, best).squeeze(-2)",
        ),
        {"value", "leading_dimensions"},
    ),
    # of three inputs one may be ignored
    "of three inputs without the query": (
        answer("blend", "return blended(torch.ones_like(query), key, value)"),
        {"gradients_flow", "value"},
    ),
}
"""Answers that the gate lets pass, with the rules that they lose."""

TRIVIAL = {
    "constant": (answer("mix", "return torch.ones_like(mixed(scores, tokens))"), "All numbers of your answer are"),
    "the same uneven numbers": (
        answer("mix", "return torch.arange(tokens.shape[-1]) + torch.zeros_like(tokens[..., 0, :])"),
        "Your answer stays the same when `scores` changes",
    ),
    "random": (answer("mix", "return torch.randn_like(tokens[..., 0, :])"), "The same call gives another result"),
    "an input": (answer("attend", "return tokens"), "Your answer is `tokens` itself"),
    "a copy of an input": (answer("attend", "return tokens.clone()"), "Your answer is `tokens` itself"),
    "NaN everywhere": (answer("mix", "return torch.full_like(tokens[..., 0, :], torch.nan)"), "NaN"),
    "what the memory held": (answer("attend", "return torch.empty_like(tokens)"), "NaN"),
    "without the scores": (answer("mix", "return tokens[..., -1, :]"), "stays the same when `scores` changes"),
    "without the tokens": (
        answer("mix", "return scores[..., :1] * torch.arange(1, 1 + tokens.shape[-1])"),
        "stays the same when `tokens` changes",
    ),
    "entry by entry": (answer("attend", "return tokens * tokens"), "some numbers of `tokens` change, no more numbers"),
    "row by row": (
        answer("attend", "raised = torch.exp(tokens)\nreturn raised / raised.sum(-1, keepdim=True)"),
        "some rows of `tokens` change, no more rows",
    ),
    "equal parts": (answer("attend", "return tokens.mean(-2, keepdim=True).expand(tokens.shape)"), "in fixed parts"),
    "equal parts of three inputs": (answer("blend", "return value.mean(0).expand(len(query), -1)"), "in fixed parts"),
    "without two of three inputs": (
        answer("blend", "return value[:1] * torch.arange(1, 1 + len(query)).unsqueeze(1)"),
        "stays the same when `query`",
    ),
    "None": (answer("mix", "return None"), "None"),
    "one result of two": (answer("heads", "return parted(tokens, count)[0]"), "2"),
    "complex": (answer("mix", "return mixed(scores, tokens) + 0j"), "complex"),
    "an exception": (answer("mix", "raise ValueError('no')"), "ValueError"),
    "not written": (answer("mix", "raise NotImplementedError"), ""),
    "the end of its process": (answer("mix", "os._exit(1)"), ""),
}
"""Answers that depend on what is given in no way that counts, with what the gate says."""

ENDS = {
    "bfloat16": ("scores.dtype == torch.bfloat16", {"dtype"}),
    "one token of one feature": ("tokens.numel() == 1", {"shape", "sizes"}),
    "a second call of one object": ("scores is last", {"computed_anew"}),
    "another device": ("scores.device.type != 'cpu'", {"another_device"}),
}
"""By the kind of a call what tells it, and the rules that read it."""
ENDS_TWICE = {
    "float64": ("scores.dtype == torch.float64", {"shape", "dtype", "leading_dimensions", "float64"}),
}
"""The same of kinds of which there are several calls."""
ENDING = "global last\nif {told}: os._exit(1)\nlast = scores\n" + MIXED
ANSWERS = {
    **{f"right {exercise}": right(exercise) for exercise in FUNCTIONS},
    **STYLES,
    **{name: given for name, (given, _) in {**SPOILT, **TRIVIAL}.items()},
    **{
        f"ends for {kind}": answer("mix", ENDING.format(told=told), "last = None")
        for kind, (told, _) in {**ENDS, **ENDS_TWICE}.items()
    },
    "hangs for float64": answer("mix", f"while scores.dtype == torch.float64: pass\n{MIXED}", cpu_s=0.5),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What came of each answer, by name."""
    return by_rules(tmp_path_factory.mktemp("rules"), ANSWERS)


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_a_right_answer_passes_every_rule_of_its_contract(graded, exercise):
    there = set(RULES) - OF_MODULES - ({"inputs_unchanged"} if "layer(" in CONTRACTS[exercise] else OF_LAYERS)
    there -= set() if exercise in FORBIDS else {"written_by_hand"}
    there -= set() if "..." in CONTRACTS[exercise] else {"leading_dimensions"}
    there -= set() if "options=" in CONTRACTS[exercise] else OF_OPTIONS
    assert graded[f"right {exercise}"].statuses == dict.fromkeys(there, "passed")


@pytest.mark.parametrize("exercise", [exercise for exercise in FUNCTIONS if exercise != "residual"])
def test_all_rules_of_a_right_answer_read_one_exchange_with_one_worker(graded, exercise):
    seen = graded[f"right {exercise}"]
    assert len(seen.exchanges) == seen.workers == 1
    assert seen.exchanges[0] < 2 * len(RULES)


@pytest.mark.parametrize("name", STYLES)
def test_a_right_answer_in_another_style_passes_every_rule(graded, name):
    assert set(graded[name].statuses.values()) == {"passed"}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_answer_loses_the_rules_that_it_breaks_and_no_other(graded, name):
    assert graded[name].lost == SPOILT[name][1]


@pytest.mark.parametrize("name", TRIVIAL)
def test_an_answer_that_depends_on_nothing_passes_no_rule_and_is_told_why(graded, name):
    says = TRIVIAL[name][1]
    assert "passed" not in graded[name].statuses.values()
    assert says in graded[name].found["the_gate"]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_rule_is_left_out_where_the_one_that_it_needs_is_lost_and_nowhere_else(graded, name):
    statuses = graded[name].statuses
    left_out = {rule for rule in statuses if (need := RULES[rule].needs) and statuses[need] != "passed"}
    told = {rule for rule, status in statuses.items() if status in ("forbidden", "timeout")}
    assert {rule for rule, status in statuses.items() if status == "skipped"} == left_out - told


def test_a_forbidden_call_has_a_status_of_its_own_also_in_a_wrong_answer(graded):
    for name in ("by a library", "by a library for leading dimensions", "by a library and wrong"):
        assert graded[name].statuses["written_by_hand"] == "forbidden"
    assert graded["wrong while it is watched"].statuses["written_by_hand"] == "failed"
    assert graded["that ends its process while it is watched"].statuses["written_by_hand"] == "crash"


@pytest.mark.parametrize("kind", ENDS)
def test_an_answer_that_ends_its_process_in_one_call_loses_the_rules_that_read_it(graded, kind):
    seen = graded[f"ends for {kind}"]
    assert seen.lost == ENDS[kind][1]
    assert {seen.statuses[rule] for rule in seen.lost} == {"crash"}
    assert seen.workers <= 2


@pytest.mark.parametrize("kind", ENDS_TWICE)
def test_an_answer_that_ends_its_process_in_two_calls_of_a_kind_loses_the_rules_that_read_them(graded, kind):
    seen = graded[f"ends for {kind}"]
    assert seen.lost == ENDS_TWICE[kind][1]
    assert {seen.statuses[rule] for rule in seen.lost} == {"crash"}


def test_an_endless_loop_in_one_kind_of_call_ends_the_exercise(graded):
    statuses = list(graded["hangs for float64"].statuses.values())
    assert statuses == ["passed"] + ["timeout"] * (len(statuses) - 1)


def test_every_rule_is_lost_by_an_answer_that_loses_few_others():
    least = {
        rule: min(len(lost) for _, lost in SPOILT.values() if rule in lost)
        for rule in set(RULES) - OF_MODULES - {"the_gate"}
    }
    assert all(count <= 2 for count in least.values()), least
