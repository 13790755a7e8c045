"""A forbidden operation is not there during the call: whatever reaches it is heard, and nothing else is."""

import pytest
import torch

from grader.inside.forbidden.groups import GROUPS
from grader.workers.calls.student import Student
from grader.workers.process.failures import StudentFailure

from ...support.workers.open_workers import _opened, failure_of, open_session, open_student

HEAD = "import torch, base64, threading, _thread, time\nfrom torch import nn\nimport torch.nn.functional as F\n"
X = torch.randn(2, 4, 4)


@pytest.fixture(scope="module")
def of_one_line():
    """Watch a call of a function by its one line; one worker has them all."""
    lines = [*SOFTMAX, *NORMS, *(body for _, body in OTHERS + ALLOWED)]
    text = "".join(f"def f{number}(x): return {line}\n" for number, line in enumerate(lines))
    session = open_session(HEAD + text)
    _opened.remove(session)

    def ask(group, line):
        session.begin_check()
        return said_of(getattr(Student(session), f"f{lines.index(line)}"), group)

    yield ask
    session.close()


def said_of(function, group):
    """Return what is said of a watched call, None if nothing is."""
    try:
        function.observe(X, forbids=[group])
    except StudentFailure as failure:
        assert failure.status == "forbidden", failure.sentence
        return failure.sentence
    return None


def calls_seen(group, source):
    """Watch a call of the text's `f`."""
    return said_of(open_student(HEAD + source).f, group)


SOFTMAX = [
    "torch.softmax(x, -1)",
    "eval(base64.b64decode(b'dG9yY2guc29mdG1heCh4LCAtMSk='))",
    "torch.ops.aten._softmax(x, -1, False)",
    "torch._C._VariableFunctions.softmax(x, -1)",
    "torch.softmax(x, -1, out=torch.empty_like(x))",
    "torch.logcumsumexp(x, -1, out=torch.empty_like(x))",
    "torch.ops.aten._masked_softmax.out(x, x > 9, -1, None, out=torch.empty_like(x))",
    "torch.ops.aten._sparse_softmax.out(x.to_sparse(), -1, False, out=x.to_sparse())",
    "torch.inference_mode()(lambda: x.softmax(-1))()",
    "(x - torch.logsumexp(x, -1, keepdim=True)).exp()",
    "torch.ops.aten._safe_softmax(x, -1)",
    "torch._masked_softmax(x[0], torch.zeros(4, 4).bool(), 1, 2)",
    "nn.AdaptiveLogSoftmaxWithLoss(4, 6, [2]).log_prob(x[0])",
    "torch.jit.script(nn.Softmax(-1))(x)",
    "torch.jit.CompilationUnit('def g(x):\\n    return torch.softmax(x, -1)\\n').g(x)",
    "torch.softmax(torch.nested.nested_tensor([x[0], x[1]]), -1)",
    "F.scaled_dot_product_attention(torch.eye(4)[None], x, x)",
    "torch.vmap(lambda row: row.softmax(-1))(x)",
    "torch.sparse.softmax(x.to_sparse(), -1)",
    "torch.softmax(x.to_mkldnn(), -1).to_dense()",
    "torch._refs.softmax(x, -1)",
    "torch._decomp.decomposition_table[torch.ops.aten._softmax.default](x, -1, False)",
    "torch.distributions.SoftmaxTransform()(x)",
    "torch.distributions.transform_to(torch.distributions.constraints.simplex)(x)",
    "torch.ao.nn.quantizable.MultiheadAttention(4, 2)._forward_impl(x, x, x)[0]",
    "F.linear_cross_entropy(x[0], torch.eye(4), torch.arange(4), options=nn.LinearCrossEntropyOptions())",
    "__import__('torch.distributed.tensor.parallel.loss', fromlist='_')._log_softmax(x, -1, False, None, 0)",
    "[g(x) for g in [torch.utils._python_dispatch._disable_current_modes()(lambda z: z.softmax(-1))]]",
]
EMPTY = "out0=torch.empty(0), out1=torch.empty(0), out2=torch.empty(0)"
OTHERS = [
    ("layer_norm", f"torch.ops.aten.native_layer_norm.out(x, [4], None, None, 1e-5, {EMPTY})"),
    ("layer_norm", f"torch.ops.aten.native_group_norm.out(x, None, None, 2, 4, 4, 1, 1e-5, {EMPTY})"),
    ("attention", "F.scaled_dot_product_attention(x, x, x)"),
    ("attention", "nn.MultiheadAttention(4, 2, batch_first=True)(x, x, x)[0]"),
    ("attention", "nn.MultiheadAttention(4, 2, batch_first=True).eval()(x, x, x)[0]"),
    ("attention", "torch._C._nn.scaled_dot_product_attention(x, x, x)"),
    ("attention", "__import__('torch._inductor.fx_passes.fuse_attention', fromlist='_')._sfdp_pattern_1(x, x, x, 2.0)"),
    ("attention", "torch._scaled_dot_product_attention_math(x, x, x)[0]"),
    ("attention", "__import__('torch.nn.attention.flex_attention').nn.attention.flex_attention.flex_attention"
                  "(x[None], x[None], x[None])"),
    ("causal_mask", "nn.Transformer.generate_square_subsequent_mask(4)"),
    ("causal_mask", "nn.modules.transformer._generate_square_subsequent_mask(4)"),
    ("causal_mask", "__import__('torch.nn.attention.bias').nn.attention.bias.causal_lower_right(4, 4)"),
    ("causal_mask", "(lambda b: b.CausalBias(b.CausalVariant.UPPER_LEFT, 4, 4)._materialize())"
                    "(__import__('torch.nn.attention.bias', fromlist='_'))"),
    ("transformer_layer", "nn.TransformerEncoderLayer(4, 2)(x)"),
    ("transformer_layer", "nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2), 1)(x, x)"),
]  # fmt: skip
NORMS = [
    "nn.LayerNorm(4)(x)", "torch.native_layer_norm(x, (4,), None, None, 1e-5)[0]", "F.group_norm(x, 2)",
    "F.rms_norm(x, (4,))", "nn.BatchNorm1d(4)(x)", "nn.BatchNorm1d(4).eval()(x)", "F.instance_norm(x)",
    "F.local_response_norm(x, 3)", "nn.CrossMapLRN2d(3)(x[..., None])",
    "torch.ops.aten.native_batch_norm_backward(x, x, None, x[0, 0], x[0, 0], None, None, False, 1e-5, [True] * 3)",
    "nn.utils.fusion.fuse_linear_bn_weights(x[0], None, x[0, 0], x[0, 0], 1e-5, x[0, 0], x[0, 0])",
    "torch.jit.script(nn.LayerNorm(4))(x)",
    "torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)[0]",
    "torch._batch_norm_impl_index(x, None, None, None, None, True, 0.1, 1e-5, False)[0]",
    "torch._native_batch_norm_legit(x, None, None, True, 0.1, 1e-5)[0]",
    "torch._refs.native_layer_norm(x, (4,), None, None, 1e-5)[0]",
    "torch._refs._normalize(x, (-1,), 1e-5)[0]",
    "torch.ops.prim.MKLDNNLayerNorm(x.to_mkldnn(), [4], *[torch.ones(4).to_mkldnn()] * 2, 1e-5, False)",
    "(lambda nested: F.layer_norm(nested, (nested.shape[1], 1)))(torch.nested.nested_tensor_from_jagged("
    "x.reshape(-1, 1), torch.arange(0, 33, 4), min_seqlen=4, max_seqlen=4))",
    "torch._decomp.decompositions.native_batch_norm_helper(x, None, None, None, None, True, 0.1, 1e-5, False)[0]",
]  # fmt: skip


HEARD = [
    *(("softmax", body) for body in SOFTMAX),
    *OTHERS,
    *((group, body) for group in ("layer_norm", "batch_norm") for body in NORMS),
]


def test_what_is_forbidden_is_heard_by_any_road(of_one_line):
    told = {(group, body): of_one_line(group, body) for group, body in HEARD}
    assert {at: sentence for at, sentence in told.items() if not str(sentence).endswith("write that yourself.")} == {}


KEPT = {
    "layer": "g = nn.Softmax(-1)\ndef f(x): return g(x)",
    "frozen": "with torch.no_grad():\n    g = torch.jit.freeze(torch.jit.trace(nn.Softmax(-1).eval(), torch.ones(2)))\n"
    "def f(x): return g(x)",
    "installed by another": "def h(): globals()['f'] = lambda x: x.softmax(-1)\nh()",
    "hook": "class M(nn.Module):\n    def forward(self, x): return x\n"
    "f = M()\nf.register_forward_hook(lambda m, a, out: out.softmax(-1))",
    "dead thread": "def f(x):\n    out = []\n"
    "    _thread.start_new_thread(lambda: out.append(x.exp()) if out.append(0) else x.softmax(-1), ())\n"
    "    time.sleep(0.2)\n    return x",
}
CAUGHT = {
    "by hand then": "def f(x):\n    try:\n        return x.softmax(-1)\n    except Exception:\n"
    "        return x.exp() / x.exp().sum(-1, keepdim=True)",
    "in another thread": "def f(x):\n    thread = threading.Thread(target=lambda: x.softmax(-1))\n"
    "    threading.excepthook = lambda _: None\n    thread.start()\n    thread.join()\n    return x",
    "and another exception": "def f(x):\n    try:\n        x.softmax(-1)\n    finally:\n        raise SystemExit",
}
SERVANT = """
import queue
asked, given = queue.Queue(), queue.Queue()
def serve():
    while True:
        x = asked.get()
        try:
            given.put(getattr(x, 'soft' + 'max')(-1))
        except Exception:
            given.put(x)
threading.Thread(target=serve, daemon=True).start()
def f(x):
    asked.put(x)
    return given.get()
"""


def test_what_was_made_before_or_is_caught_is_heard(subtests):
    for source in [*KEPT.values(), *CAUGHT.values(), SERVANT]:
        with subtests.test(source=source):
            assert calls_seen("softmax", source) is not None


def test_library_function_that_was_imported_before_is_heard():
    source = "from torch.nn.functional import multi_head_attention_forward as g\nm = nn.MultiheadAttention(4, 2)\n"
    weights = "m.in_proj_weight, m.in_proj_bias, None, None, False, 0, m.out_proj.weight, m.out_proj.bias"
    told = calls_seen("attention", f"{source}def f(x): return g(x, x, x, 4, 2, {weights})\n")
    assert told.startswith("torch.nn.functional.multi_head_attention")


BY_HAND = "x.exp() / x.exp().sum(-1, keepdim=True)"
RIGHT = {
    "plain": f"def f(x): return {BY_HAND}",
    "branch that never runs": "DEBUG = False\ndef f(x):\n    if DEBUG:\n        return x.softmax(-1)\n"
    f"    return {BY_HAND}",
    "comparison outside": f"def f(x): return {BY_HAND}\nx = torch.ones(2)\nassert torch.allclose(f(x), x.softmax(0))",
    "own method of the name": f"class H:\n    def softmax(self, x): return {BY_HAND}\ndef f(x): return H().softmax(x)",
    "derived from the library's": f"class f_(nn.Softmax):\n    def forward(self, x): return {BY_HAND}\nf = f_(-1)",
    "scripted": f"@torch.jit.script\ndef f(x): return {BY_HAND}",
    "vmap": f"def f(x): return torch.vmap(lambda x: {BY_HAND})(x)",
    "in numpy": "import numpy as np\ndef f(x):\n    e = np.exp(x.numpy())\n"
    "    return torch.from_numpy(e / e.sum(-1, keepdims=True))",
    "profiled": f"def f(x):\n    with torch.profiler.profile():\n        return {BY_HAND}",
    "many steps": f"def f(x):\n    for _ in range(7000): x = x * 1.0\n    return {BY_HAND}",
}
ALLOWED = [
    ("softmax", "torch.sigmoid(x) + F.softplus(x)"),
    ("attention", "torch.softmax(x @ x.transpose(-1, -2), -1) @ x"),
    ("attention", "torch.einsum('bij,bjk->bik', x, x)"),
    ("causal_mask", "torch.ones(4, 4).tril()"),
    ("layer_norm", "(x - x.mean(-1, keepdim=True)) / torch.var_mean(x, -1, keepdim=True)[0].sqrt()"),
    ("batch_norm", "F.normalize(x)"),
    ("transformer_layer", "nn.LayerNorm(4)(x)"),
]


def test_right_answer_by_hand_is_not_accused(subtests):
    for source in RIGHT.values():
        with subtests.test(source=source):
            x = torch.randn(2, 4)
            seen = open_student(HEAD + source).f.observe(x, forbids=["softmax", "layer_norm", "causal_mask"])
            assert torch.allclose(seen.value, x.softmax(-1))


def test_allowed_work_is_not_heard(subtests, of_one_line):
    for group, body in ALLOWED:
        with subtests.test(group=group, body=body):
            assert of_one_line(group, body) is None


def test_the_line_that_called_is_told():
    student = open_student("import torch\n\ndef f(x):\n    y = x + 1\n    return y.softmax(-1)  # here\n")
    failure = failure_of(student.f.observe, torch.ones(2), forbids=["softmax"])
    assert (failure.line, failure.line_text) == (5, "return y.softmax(-1)  # here")
    told = "torch's softmax was called while f ran; this exercise asks you to write that yourself."
    assert failure.sentence == told


def test_operations_are_back_after_a_call_and_after_one_that_raises():
    student = open_student("import torch\ndef f(x):\n    if x.sum() < 0: raise ValueError\n    return x.softmax(-1)\n")
    assert failure_of(student.f.observe, -torch.ones(2), forbids=["softmax"]).sentence.startswith("f raised ValueError")
    assert torch.equal(student.f(torch.ones(2)), torch.full((2,), 0.5))
    assert failure_of(student.f.observe, torch.ones(2), forbids=["softmax"]).status == "forbidden"
    assert torch.equal(student.f(torch.ones(2)), torch.full((2,), 0.5))


OWN_KERNEL = """
import torch
library = torch.library.Library("aten", "IMPL")
def own(x, dim, half): return x.exp() / x.exp().sum(dim, keepdim=True)
def f(x):
    library.impl("_softmax", own, "CPU", allow_override=True)
    return x.softmax(-1)
"""
PUT_BACK = """
import gc, torch
def f(x):
    for each in gc.get_objects():
        if type(each).__name__ == "Blocked":
            for library in each._libraries.values():
                library.reset()
    return x.softmax(-1)
"""


def test_kernel_that_computes_by_hand_may_stand_before_one_that_raises():
    seen = open_student(OWN_KERNEL).f.observe(torch.ones(2), forbids=["softmax"])
    assert seen.value.tolist() == [0.5, 0.5]


def test_operations_that_were_put_back_are_forbidden_and_no_later_call_is_accused():
    student = open_student(f"{PUT_BACK}def honest(x): return 2 * x\ndef later(x): return x.softmax(-1)\n")
    failure = failure_of(student.f.observe, torch.ones(2), forbids=["softmax"])
    assert failure.status == "forbidden" and failure.sentence.startswith("While f ran, your code put operations back")
    assert student.honest.observe(torch.ones(2), forbids=["softmax"]).value.tolist() == [2.0, 2.0]
    assert failure_of(student.later.observe, torch.ones(2), forbids=["softmax"]).status == "forbidden"


@pytest.mark.parametrize(
    "way",
    [
        "kernel = torch.library.get_kernel('aten::_softmax', 'CPU')",
        "torch.jit.enable_onednn_fusion(True); assert torch.jit.onednn_fusion_enabled()",
        "torch._C._jit_to_static_module(torch.jit.freeze(torch.jit.trace(nn.Softmax(-1).eval(), torch.ones(2)))._c)",
        "torch._C._te.SimpleIREvaluator",
        "torch._C._jit_set_te_must_use_llvm_cpu(False)",
        "torch._C.parse_ir('graph():\\n  return ()')",
        "torch._C._create_function_from_graph('f', torch._C.Graph())",
        "torch._C._jit_interpret_graph(torch._C.Graph(), ())",
        "torch._C._fuse_to_static_module(torch._C.Graph(), 1)",
        "torch._C.Graph().create('prim::oneDNNFusionGroup', [], 1)",
    ],
)
def test_ways_past_the_dispatcher_are_closed(way):
    student = open_student(f"{HEAD}def f(x):\n    {way}\n    return x\n")
    assert failure_of(student.f, torch.ones(2)).exception_type in (
        "AttributeError",
        "AssertionError",
    )  # it is not there


def test_call_is_counted_in_operations():
    student = open_student("def f(x):\n    for _ in range(x.shape[0]): y = x.exp() + 1\n    return y\n")
    seen = student.f.observe(torch.ones(3), trace=True, forbids=["softmax"])
    assert seen.operations == {"aten.exp": 3, "aten.add": 3}
    assert student.f.observe(torch.ones(3)).operations == {}


def test_every_group_of_this_torch_has_something_to_take_away(subtests):
    for group in GROUPS:
        with subtests.test(group=group):
            from grader.inside.forbidden import blocking

            blocking.scan_loaded_modules()
            known = blocking.kernels()[group].keys() | {function.__name__ for function in blocking._functions[group]}
            missing = GROUPS[group].operations - {name.partition(".")[0].removeprefix("aten::") for name in known}
            devices = ("cudnn", "miopen", "efficient", "flash", "mps", "triton", "stats", "elemt", "forward")
            assert known and not [name for name in missing if not any(word in name for word in devices)]


def test_nothing_of_it_needs_a_thread():
    """Where no thread can be made, as in a container with few processes, right answers are graded like any other."""
    source = "import os, torch\ndef f(x): return torch.tensor(len(os.listdir('/proc/self/task')))\n"
    assert open_student(source).f.observe(torch.ones(2), forbids=["softmax"], trace=True).value == 1
