"""The zygote's rehearsal: it runs what workers run, leaves nothing behind and answers no exercise."""

import ast
import builtins
import json
import linecache
import subprocess
import sys

import pytest
import torch

from grader.course.layout import find_course
from grader.inside import opcount, rehearsal, repertoire
from grader.inside.answers import Found, Loaded, Raised, Returned
from grader.inside.rows import DictNode, HandleNode

from .grading_runs import ROOT


def test_everything_that_a_worker_does_is_gone_through():
    *others, wrong, missing = rehearsal.run()
    sources, calls = others[: 2 * rehearsal.ROUNDS], others[2 * rehearsal.ROUNDS :]
    assert [type(answer) for answer in sources] == [Found, Loaded] * rehearsal.ROUNDS
    assert all(answer.problems == [] for answer in sources[1::2])
    assert {type(answer) for answer in calls} == {Returned}
    assert isinstance(calls[0].nodes[calls[0].value], HandleNode)
    for part in ("operations", "gradients", "parameter_gradients", "inputs_after"):
        assert any(getattr(answer, part) for answer in calls), part
    assert any(isinstance(answer.nodes[answer.value], DictNode) for answer in calls)
    assert isinstance(wrong, Raised)
    assert wrong.type_name == "ValueError"
    assert isinstance(missing, Raised)
    assert missing.kind == "missing"


def test_the_process_is_left_as_it_was():
    def state():
        streams = sys.stdin, sys.stdout, sys.stderr, sys.__stdin__, sys.__stdout__, sys.__stderr__
        return dict(sys.modules), list(sys.meta_path), dict(vars(builtins)), streams, dict(linecache.cache)

    before = state()
    rehearsal.run()
    assert state() == before


def test_what_went_wrong_in_it_leaves_the_process_as_it_was_too(monkeypatch):
    before = dict(sys.modules), sys.stdout
    monkeypatch.setattr(rehearsal, "read_answer", lambda header, nonce: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        rehearsal.run()
    assert (dict(sys.modules), sys.stdout) == before


def test_a_process_with_one_thread_has_one_afterwards_and_no_descriptor_more():
    """The profiler's first start brings a thread; the zygote could not fork any more."""
    text = """
import json, os, torch
torch.set_num_threads(1)
from grader.inside import preload, rehearsal, repertoire
preload.run(everything=False)
def state():
    return len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))
before = state()
rehearsal.run()
repertoire.run()
print(json.dumps([before, state()]))
"""
    if not sys.platform.startswith("linux"):
        pytest.skip("threads and descriptors are counted in /proc, which this system does not have")
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", text], cwd=ROOT, env=one, capture_output=True, check=True
    )
    before, after = json.loads(run.stdout)
    assert before == after
    assert before[0] == 1


def test_its_text_answers_no_exercise_of_the_course():
    defined = {node.name for node in ast.parse(rehearsal.TEXT).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    exercises = {each.id for assignment in find_course(ROOT).assignments.values() for each in assignment.exercises}
    assert defined
    assert not defined & exercises
    assert not [word for word in ("softmax", "attention", "norm", "mask") if word in rehearsal.TEXT.lower()]


@pytest.mark.parametrize("dtype", repertoire.PRECISIONS, ids=str)
def test_no_operation_of_the_repertoire_fails(dtype):
    table = repertoire.table_of(dtype)
    for operation in repertoire.operations(table):
        repertoire.go_through(operation, table)


def test_the_operations_of_the_repertoire_are_run_recorded_and_in_both_float_dtypes(monkeypatch):
    kept, dtypes = [], set()

    class Kept(opcount.Operations):
        def __exit__(self, *details):
            super().__exit__(*details)
            kept.append(self)

    def noted(result, *rest, **more):
        dtypes.add(result.dtype)
        return usual(result, *rest, **more)

    usual = torch.Tensor.sum
    monkeypatch.setattr(repertoire, "Operations", Kept)
    monkeypatch.setattr(torch.Tensor, "sum", noted)
    repertoire.run()
    seen = set().union(*(each.counts for each in kept))
    wanted = "_softmax mm bmm mv dot exp div masked_fill tril native_layer_norm embedding".split()  # noqa: SIM905
    assert not [name for name in wanted if f"aten.{name}" not in seen]
    assert {torch.float32, torch.float64} <= dtypes
