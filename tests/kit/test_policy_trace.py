"""The record of a run shows a forbidden call through nearly every alias, and calls of the student's own are none."""

import pytest
import torch

from grader.inside.forbidden import GROUPS
from grader.workers.failures import StudentFailure
from grader.workers.policy import forbidden_in_trace

from .open_workers import close_sessions, failure_of, open_student


@pytest.fixture(autouse=True)
def sessions_are_closed():
    yield
    close_sessions()


def verdict(group, body, x=None):
    student = open_student(
        f"import torch, base64\nfrom torch import nn\nimport torch.nn.functional as F\ndef f(x):\n    {body}\n"
    )
    seen = student.f.observe(torch.randn(2, 4, 4) if x is None else x, trace=True)
    return forbidden_in_trace([group], seen.calls, seen.operations)


@pytest.mark.parametrize(
    ("group", "body"),
    [
        ("softmax", "return torch.softmax(x, -1)"),
        ("softmax", "return getattr(torch, 'soft' + 'max')(x, -1)"),
        ("softmax", "return torch.ops.aten._softmax(x, -1, False)"),
        ("softmax", "return eval(base64.b64decode(b'dG9yY2guc29mdG1heCh4LCAtMSk='))"),
        ("softmax", "return torch._C._VariableFunctions.softmax(x, -1)"),
        ("softmax", "return torch.special.log_softmax(x, -1)"),
        ("softmax", "return torch.logsumexp(x, -1)"),
        ("softmax", "return nn.Softmin(-1)(x)"),
        ("softmax", "return F.cross_entropy(x, torch.zeros(2, 4).long())"),
        ("attention", "return F.scaled_dot_product_attention(x, x, x)"),
        ("attention", "return nn.MultiheadAttention(4, 2, batch_first=True)(x, x, x)[0]"),
        ("attention", "return nn.MultiheadAttention(4, 2, batch_first=True).eval()(x, x, x)[0]"),
        ("attention", "return torch._C._nn.scaled_dot_product_attention(x, x, x)"),
        ("layer_norm", "return nn.LayerNorm(4)(x)"),
        ("layer_norm", "return torch.native_layer_norm(x, (4,), None, None, 1e-5)[0]"),
        ("layer_norm", "return F.group_norm(x, 2)"),
        ("layer_norm", "return F.rms_norm(x, (4,))"),
        ("batch_norm", "return nn.BatchNorm1d(4)(x)"),
        ("batch_norm", "return F.instance_norm(x)"),
        ("batch_norm", "return torch.native_batch_norm(x, None, None, None, None, True, 0.1, 1e-5)[0]"),
    ],
)
def test_forbidden_call_shows_in_the_record(group, body):
    sentence = verdict(group, body)
    assert sentence is not None and sentence.endswith("write that yourself.")


@pytest.mark.parametrize(
    ("group", "body"),
    [
        ("softmax", "e = (x - x.amax(-1, keepdim=True)).exp(); return e / e.sum(-1, keepdim=True)"),
        ("softmax", "return torch.sigmoid(x) + F.softplus(x)"),
        ("attention", "return torch.softmax(x @ x.transpose(-1, -2), -1) @ x"),
        ("attention", "return torch.einsum('bij,bjk->bik', x, x)"),
        ("layer_norm", "return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)"),
        ("layer_norm", "return nn.BatchNorm1d(4)(x)"),
        ("batch_norm", "return nn.LayerNorm(4)(x)"),
    ],
)
def test_allowed_work_shows_nothing(group, body):
    assert verdict(group, body) is None


LISTENED_TO = 0 if torch.version.cuda is None else None
"""The count of an operation that only torch's profiler named; in a GPU build the profiler stays off and names none."""
THREAD = "import threading, _thread, time\nfrom concurrent.futures import ThreadPoolExecutor\n"
HIDDEN = {
    "pool": "return ThreadPoolExecutor(1).submit(getattr(x, 'soft' + 'max'), -1).result()",
    "raw thread": "out = []\n    _thread.start_new_thread(lambda: out.append(getattr(x, 'soft' + 'max')(-1)), ())\n"
    "    while not out: time.sleep(0.001)\n    return out[0]",
    "modes left": "from torch.utils._python_dispatch import _disable_current_modes\n"
    "    with torch._C.DisableTorchFunction(), _disable_current_modes():\n        return x.softmax(-1)",
    "thread of the load": "asked.put(x)\n    return given.get()",
}
SERVANT = """
import queue
asked, given = queue.Queue(), queue.Queue()
def serve():
    while True:
        given.put(getattr(asked.get(), 'soft' + 'max')(-1))
threading.Thread(target=serve, daemon=True).start()
"""


@pytest.mark.skipif(LISTENED_TO is None, reason="torch's profiler stays off in builds for GPUs")
@pytest.mark.parametrize("name", HIDDEN)
def test_forbidden_call_in_another_thread_or_past_the_modes_shows(name):
    student = open_student(f"import torch\n{THREAD}{SERVANT}def f(x):\n    {HIDDEN[name]}\n")
    x = torch.randn(2, 4)
    for _ in range(2):
        seen = student.f.observe(x, cotangent=torch.randn(2, 4), trace=True)
        assert forbidden_in_trace(["softmax"], seen.calls, seen.operations) == (
            "aten._softmax was called while it ran; this exercise asks you to write that yourself."
        )
        assert torch.allclose(seen.value, torch.softmax(x, -1)) and seen.input_gradients[0] is not None


def test_record_of_a_raising_call_leaves_nothing_on():
    student = open_student("import torch\ndef f(x):\n    if x.sum() < 0: raise ValueError\n    return x.softmax(-1)\n")
    with pytest.raises(StudentFailure, match="ValueError"):
        student.f.observe(-torch.ones(2), trace=True)
    assert "aten._softmax" in student.f.observe(torch.ones(2), trace=True).operations
    assert student.f.observe(torch.ones(2)).operations == {}


CHEAP = "    for _ in range({calls}): x = x * 1.001\n"


@pytest.mark.skipif(LISTENED_TO is None, reason="torch's profiler stays off in builds for GPUs")
def test_forbidden_call_in_a_thread_shows_after_thousands_of_cheap_ones():
    student = open_student(f"{THREAD}def f(x):\n{CHEAP.format(calls=2100)}    {HIDDEN['pool']}\n")
    seen = student.f.observe(torch.ones(2), trace=True)
    assert seen.operations.get("aten.softmax") == LISTENED_TO and seen.unheard == ""


def test_very_long_computation_is_right_and_the_teacher_reads_that_its_rest_was_not_listened_to():
    student = open_student(f"def f(x):\n    y = x.softmax(-1)\n{CHEAP.format(calls=6_100)}    return y + x\n")
    for _ in range(2):
        seen = student.f.observe(torch.ones(2), trace=True)
    assert seen.operations["aten.mul"] == 6_100 and seen.operations.get("aten.softmax") == LISTENED_TO
    told = ["Runs so long that its last operations were recorded in its own thread only: f."]
    assert (seen.unheard, student._session.notes()) == (("", []) if LISTENED_TO is None else ("rest", told))


END = "torch.autograd._disable_profiler()"
RESTART = (
    "torch.autograd._prepare_profiler(config, {torch.autograd.ProfilerActivity.CPU}); "
    "torch.autograd._enable_profiler(config, {torch.autograd.ProfilerActivity.CPU})"
)
IN_THE_WAY = {
    "stopped": f"{END}; return hidden(x)",
    "stopped and started": f"{END}; y = hidden(x); {RESTART}; return y",
    "another one": "with torch.profiler.profile(): return hidden(x)",
    "turned off": "torch._C._autograd._enable_record_function(False); return hidden(x)",
    "turned off and on": "switch(False); y = silent(x); switch(True); return y",
    "turned off in a thread": "return ThreadPoolExecutor(1, '', switch, [False]).submit(silent, x).result()",
    "past the modes": "return past(x)",
}
BESIDE = """
import torch
from concurrent.futures import ThreadPoolExecutor
from torch.utils._python_dispatch import _disable_current_modes
config = torch.autograd.ProfilerConfig(
    torch.autograd.ProfilerState.KINETO, False, False, False, False, False,
    torch._C._profiler._ExperimentalConfig(profile_all_threads=True), "")
def hidden(x): return ThreadPoolExecutor(1).submit(getattr(x, 'soft' + 'max'), -1).result()
def past(x):
    torch.autograd._disable_profiler()
    return silent(x)
def silent(x):
    with torch._C.DisableTorchFunction(), _disable_current_modes(): return x.softmax(-1)
switch = torch._C._autograd._enable_record_function
"""
FUSED = """
torch.jit.enable_onednn_fusion(True)
class M(torch.nn.Module):
    def forward(self, x): return x.softmax(-1) * 2
with torch.no_grad():
    fused = torch.jit.freeze(torch.jit.trace(M().eval(), torch.ones(2)))
    for _ in range(2): fused(torch.ones(2))
"""


@pytest.mark.skipif(LISTENED_TO is None, reason="torch's profiler stays off in builds for GPUs")
@pytest.mark.parametrize("body", IN_THE_WAY.values(), ids=IN_THE_WAY)
def test_record_that_was_interfered_with_is_forbidden_and_no_value(body):
    student = open_student(f"{BESIDE}def f(x): {body}\n" if "with" not in body else f"{BESIDE}def f(x):\n    {body}\n")
    failure = failure_of(student.f.observe, torch.ones(2), trace=True)
    assert failure.status == "forbidden" and failure.sentence.startswith("What f runs could not be recorded")
    assert torch.equal(student.f(torch.ones(2)), torch.full((2,), 0.5))


@pytest.mark.skipif(LISTENED_TO is None, reason="torch's profiler stays off in builds for GPUs")
def test_compiled_part_that_runs_as_one_piece_hides_nothing():
    student = open_student(f"import torch\n{FUSED}def f(x): return fused(x)\n")
    try:
        seen = student.f.observe(torch.ones(2), trace=True)
    except StudentFailure as failure:
        assert failure.status == "forbidden" and "oneDNN" in failure.sentence
    else:  # this machine's oneDNN took no part of it
        assert "aten._softmax" in seen.operations


@pytest.mark.skipif(LISTENED_TO is None, reason="torch's profiler stays off in builds for GPUs")
def test_profiler_that_is_replaced_or_was_left_on_changes_nothing():
    student = open_student(
        f"{BESIDE}left = torch.profiler.profile()\nleft.start()\n"
        "for name in ('_prepare_profiler', '_enable_profiler', '_disable_profiler'):\n"
        "    setattr(torch.autograd, name, lambda *args: None)\n"
        "def f(x): return hidden(x)\n"
    )
    for _ in range(2):
        assert student.f.observe(torch.ones(2), trace=True).operations.get("aten.softmax") == LISTENED_TO


def test_counts_are_those_of_the_calls_own_thread():
    seen = open_student("def f(x): return x.softmax(-1) + 1\n").f.observe(torch.ones(2), trace=True)
    assert sum(seen.operations.values()) == 2 and seen.operations.get("aten.softmax") == LISTENED_TO


def test_every_group_has_names():
    assert all(group.names for group in GROUPS.values())


def test_first_part_of_a_name_must_be_a_library():
    assert forbidden_in_trace(["softmax"], {"simple_attention.softmax"}, {}) is None
    assert forbidden_in_trace(["softmax"], set(), {"aten._softmax": 1}).startswith("aten._softmax was called")
