"""Answers to the functions of `ruled_exercises.py`, right and spoilt, with what each one loses."""

from .ruled_exercises import BY_NUMBER, CONTRACTS, MODULES, attend, blend, choose, heads, mix, residual

EXERCISES = [exercise for exercise in CONTRACTS if exercise not in MODULES]
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
HEADS = """
raised = torch.exp(torch.einsum("bhqd,bhkd->bhqk", tokens, tokens))
return torch.einsum("bhqk,bhkd->bhqd", raised / raised.sum(-1, keepdim=True), tokens)
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
    "by einsum": mix("return torch.einsum('...t,...td->...d', torch.softmax(scores, -1), tokens)"),
    "by a loop over the tokens": mix(LOOP),
    "in float64 on the way": mix("return mixed(scores.double(), tokens.double()).to(tokens.dtype)"),
    "of copies": mix("return mixed(scores.clone(), tokens.clone())"),
    "not contiguous": blend("return blended(query, key, value).T.contiguous().T"),
    "a list of results": heads("return [*parted(tokens, count)]"),
}
"""Right answers in other styles."""

SPOILT = {
    # values
    "of the negative scores": (mix("return mixed(-scores, tokens)"), WRONG),
    "wrong in the second result": (heads(f"{TWO}return first, 2 * second"), WRONG),
    "one result of two": (heads("return parted(tokens, count)[0]"), OTHER_SHAPE),
    "wrong for four heads": (heads(f"{TWO}return (first, second) if count != 4 else (2 * first, second)"), {"value"}),
    "wrong with leading dimensions": (
        mix("return mixed(scores, tokens) * (1 if scores.dim() == 1 else 2)"),
        {"leading_dimensions", "any_layout"},
    ),
    "that loses a leading dimension of 1": (
        mix("y = mixed(scores, tokens)\nreturn y.squeeze(0) if scores.dim() > 1 else y"),
        {"leading_dimensions", "shape"},
    ),
    "that loses the axis of a single item": (
        mix("y = mixed(scores, tokens)\nreturn y.squeeze(0) if scores.dim() == 2 else y"),
        {"leading_dimensions"},
    ),
    # shapes
    "with a dimension kept": (mix("return mixed(scores, tokens).unsqueeze(-2)"), OTHER_SHAPE),
    "squeezed of every 1": (mix("return mixed(scores, tokens).squeeze()"), {"shape", "leading_dimensions", "sizes"}),
    "without leading dimensions": (
        mix("return torch.softmax(scores, 0) @ tokens"),
        {"shape", "leading_dimensions", "any_layout"},
    ),
    "for one leading dimension only": (attend(BATCHES), NO_PLAIN_FORM),
    "for two leading dimensions only": (attend(HEADS), NO_PLAIN_FORM),
    # sizes
    "wrong for a single token": (mix(f"if scores.shape[-1] == 1: return 2 * tokens[..., 0, :]\n{MIXED}"), {"sizes"}),
    "for few tokens only": (mix(f"assert scores.shape[-1] < 65\n{MIXED}"), {"sizes"}),
    "for few features only": (mix(f"assert tokens.shape[-1] < 65\n{MIXED}"), {"sizes"}),
    # dtypes
    "in float32 whatever is given": (mix("return mixed(scores, tokens).float()"), IN_FLOAT32),
    "in float32 in the second result": (heads(f"{TWO}return first, second.float()"), IN_FLOAT32),
    "in float32 for bfloat16": (
        mix(f"if scores.dtype == torch.bfloat16: return mixed(scores, tokens).float()\n{MIXED}"),
        {"dtype"},
    ),
    "in float64 whatever is given": (mix("return mixed(scores, tokens).double()"), {"dtype"}),
    "by way of float32": (mix("return mixed(scores.float(), tokens.float()).to(tokens.dtype)"), {"float64"}),
    "by way of float32 in the second result": (
        heads(f"{TWO}return first, parted(tokens.float(), count)[1].to(tokens.dtype)"),
        {"float64"},
    ),
    # what is given
    "written in place": (
        mix(f"scores -= scores.amax(-1, keepdim=True)\n{MIXED}"),
        {"inputs_unchanged", "any_layout", "another_device", *CUT},
    ),
    "written in place behind the gradients' back": (
        mix(f"scores.data.sub_(scores.data.amax(-1, keepdim=True))\n{MIXED}"),
        {"inputs_unchanged", "any_layout"},
    ),
    "that asks for gradients of its input": (mix(f"tokens.requires_grad_()\n{MIXED}"), {"inputs_unchanged"}),
    # gradients
    "detached": (mix("return mixed(scores, tokens).detach()"), CUT),
    "cut off from one input": (mix("return mixed(scores.detach(), tokens)"), CUT),
    "detached in the second result": (heads(f"{TWO}return first, second.detach()"), {"gradients_flow", "gradients"}),
    "with twice the gradient": (
        mix("return 2 * mixed(scores, tokens) - mixed(scores, tokens).detach()"),
        {"gradients"},
    ),
    "by way of NumPy": (
        mix("return torch.from_numpy(mixed(scores, tokens).detach().numpy())"),
        {"dtype", "another_device", *CUT},
    ),
    # layouts, second calls, devices
    "with one view for all items": (
        attend("return attended(tokens.view(-1, *tokens.shape[-2:])).view(tokens.shape)"),
        {"any_layout"},
    ),
    "on the CPU with leading dimensions": (
        attend("return attended(tokens) + (torch.zeros(1, 1, 1, dtype=tokens.dtype) if tokens.dim() > 2 else 0)"),
        {"another_device"},
    ),
    "detached with leading dimensions": (
        attend("return attended(tokens if tokens.dim() == 2 else tokens.detach())"),
        {"gradients"},
    ),
    "with a view of an input": (mix("return mixed(scores, tokens.view(-1).view(tokens.shape))"), {"any_layout"}),
    "wrong for what has gaps": (
        mix(f"if min(tokens.stride()) == 2: return tokens[..., 0, :] * 2\n{MIXED}"),
        {"any_layout"},
    ),
    "wrong for what is expanded": (
        mix(f"if 0 in tokens.stride(): return tokens[..., 0, :] * 2\n{MIXED}"),
        {"any_layout"},
    ),
    "kept for the objects that are given": (mix(MIXED, CACHED), {"computed_anew"}),
    "kept for the numbers of these objects": (mix("return known(scores, tokens)", BY_NUMBER), {"computed_anew"}),
    "added to zeros on the CPU": (
        mix("return torch.zeros(tokens.shape[-1], dtype=tokens.dtype) + mixed(scores, tokens)"),
        {"another_device"},
    ),
    "on the CPU in the second result": (
        heads(f"{TWO}return first, second + torch.zeros(second.shape, dtype=second.dtype)"),
        {"another_device"},
    ),
    # forbidden calls
    "by a library": (attend(f"return {SOFTMAX}"), {"written_by_hand"}),
    "by a library for leading dimensions": (
        attend(f"return attended(tokens) if tokens.dim() == 2 else {SOFTMAX}"),
        {"written_by_hand"},
    ),
    "by a library for a single token": (
        attend(f"return attended(tokens) if tokens.shape[-2] > 1 else {SOFTMAX}"),
        {"written_by_hand"},
    ),
    "by a library for float64": (
        attend(f"return {SOFTMAX} if tokens.dtype == torch.float64 else attended(tokens)"),
        {"written_by_hand"},
    ),
    "by a library and wrong": (attend(f"return 2 * {SOFTMAX}"), {"written_by_hand", *WRONG}),
    "wrong while it is watched": (
        attend(f"return tokens if {WATCHED} else attended(tokens)"),
        {"uses_inputs"},
    ),
    "that ends its process while it is watched": (
        attend(f"if {WATCHED}: os._exit(1)\nreturn attended(tokens)"),
        {"uses_inputs"},
    ),
    "by a library where it is not watched": (
        attend(f"if {WATCHED}: raise PermissionError\nreturn {SOFTMAX}"),
        {"uses_inputs"},
    ),
    # options
    "that ignores its options": (choose("return mixed(scores, tokens)"), {"options", "gradients"}),
    "that ignores its mask": (choose("return scale * mixed(scores, tokens)"), {"options", "gradients"}),
    "in float64 with a mask": (
        choose("y = chosen(scores, tokens, mask, scale)\nreturn y if mask is None else y.double()"),
        {"options"},
    ),
    "with half the gradient with a mask": (
        choose(f"if mask is None: {CHOSEN}\ny = chosen(scores, tokens, mask, scale)\nreturn (y + y.detach()) / 2"),
        {"gradients"},
    ),
    "that moves its mask to the CPU": (
        choose("return chosen(scores, tokens, None if mask is None else mask.cpu(), scale)"),
        {"another_device"},
    ),
    "that hides in place": (
        choose(
            "if mask is not None: scores.data.masked_fill_(mask == 0, -torch.inf)\nreturn scale * mixed(scores, tokens)"
        ),
        {"inputs_unchanged"},
    ),
    # layers
    "with the layers exchanged": (
        residual("return added(x, norm, inner)"),
        {"value", "leading_dimensions", "layers_called_once"},
    ),
    "with a layer norm of its own": (
        residual("return x + inner(torch.nn.functional.layer_norm(x, x.shape[-1:], norm.weight, norm.bias))"),
        {"layers_called_once"},
    ),
    "that calls a layer twice": (residual("norm(x)\nreturn added(x, inner, norm)"), {"layers_called_once"}),
    "that puts a layer into eval": (
        residual("norm.eval()\nreturn added(x, inner, norm)"),
        {"layers_called_once", "inputs_unchanged"},
    ),
    "that clears the gradients of a layer": (
        residual("inner.zero_grad()\nreturn added(x, inner, norm)"),
        {"inputs_unchanged"},
    ),
    "that asks a layer's parameters for no gradient": (
        residual("y = added(x, inner, norm)\ninner.requires_grad_(False)\nreturn y"),
        {"inputs_unchanged", *CUT},
    ),
    "that changes the parameters of a layer afterwards": (
        residual("y = added(x, inner, norm).clone()\nfor p in inner.parameters(): p.data.mul_(2)\nreturn y"),
        {"inputs_unchanged", "computed_anew"},
    ),
    "that adds into what a layer gives": (residual("y = inner(norm(x))\ny += x\nreturn y"), {"inputs_unchanged"}),
    "that detaches the parameters of a layer": (
        residual("y = added(x, inner, norm)\nreturn y + inner(norm(x)).detach() - inner(norm(x))"),
        {"layers_called_once", *CUT},
    ),
    # one row is looked at, which is another one in every draw
    "of the token with the largest score": (
        mix(
            "best = scores.argmax(-1)[..., None, None].expand(*scores.shape[:-1], 1, tokens.shape[-1])\n"
            "return scores.amax(-1, keepdim=True) * tokens.gather(-2, best).squeeze(-2)"
        ),
        {"value", "leading_dimensions"},
    ),
    # of three inputs one may be ignored
    "of three inputs without the query": (
        blend("return blended(torch.ones_like(query), key, value)"),
        {"gradients_flow", "value"},
    ),
}
"""Answers that the gate lets pass, with the rules that they lose."""

TRIVIAL = {
    "constant": (mix("return torch.ones_like(mixed(scores, tokens))"), "All numbers of your answer are"),
    "the same uneven numbers": (
        mix("return torch.arange(tokens.shape[-1]) + torch.zeros_like(tokens[..., 0, :])"),
        "Your answer stays the same when `scores` changes",
    ),
    "random": (mix("return torch.randn_like(tokens[..., 0, :])"), "The same call gives a different result"),
    "an input": (attend("return tokens"), "Your answer is `tokens` itself"),
    "a copy of an input": (attend("return tokens.clone()"), "Your answer is `tokens` itself"),
    "NaN everywhere": (mix("return torch.full_like(tokens[..., 0, :], torch.nan)"), "NaN"),
    "what the memory held": (attend("return torch.empty_like(tokens)"), "NaN"),
    "without the scores": (mix("return tokens[..., -1, :]"), "stays the same when `scores` changes"),
    "without the tokens": (
        mix("return scores[..., :1] * torch.arange(1, 1 + tokens.shape[-1])"),
        "stays the same when `tokens` changes",
    ),
    "entry by entry": (attend("return tokens * tokens"), "some numbers of `tokens` should change more numbers"),
    "row by row": (
        attend("raised = torch.exp(tokens)\nreturn raised / raised.sum(-1, keepdim=True)"),
        "some rows of `tokens` should change more rows",
    ),
    "equal parts": (attend("return tokens.mean(-2, keepdim=True).expand(tokens.shape)"), "in fixed parts"),
    "equal parts of three inputs": (blend("return value.mean(0).expand(len(query), -1)"), "in fixed parts"),
    "without two of three inputs": (
        blend("return value[:1] * torch.arange(1, 1 + len(query)).unsqueeze(1)"),
        "stays the same when `query`",
    ),
    "None": (mix("return None"), "None"),
    "complex": (mix("return mixed(scores, tokens) + 0j"), "complex"),
    "an exception": (mix("raise ValueError('no')"), "ValueError"),
    "not written": (mix("raise NotImplementedError"), ""),
    "the end of its process": (mix("os._exit(1)"), ""),
}
"""Answers that depend on what is given in no way that counts, with what the gate says."""


def ending(told):
    """Return an answer to `mix` that ends its process where something is told of the call."""
    return mix(f"global last\nif {told}: os._exit(1)\nlast = scores\n{MIXED}", "last = None")


ENDS = {
    "bfloat16": (ending("scores.dtype == torch.bfloat16"), {"dtype"}),
    "a single token": (ending("scores.shape[-1] == 1"), {"sizes"}),
    "a second call of one object": (ending("scores is last"), {"computed_anew"}),
    "another device": (ending("scores.device.type != 'cpu'"), {"another_device"}),
    "float64": (ending("scores.dtype == torch.float64"), {"shape", "dtype", "leading_dimensions", "float64"}),
}
"""Answers that end their process in a kind of call, and the rules that read it."""
HANGS = mix(f"while scores.dtype == torch.float64: pass\n{MIXED}", cpu_s=0.5)
LIBRARY = (
    "by a library", "by a library for leading dimensions", "by a library for a single token",
    "by a library for float64", "by a library and wrong",
)  # fmt: skip
