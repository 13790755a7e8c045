"""What a check does with an answer is read off its byte code, and an answer that is not there is never looked at."""

import contextlib
import dis
import inspect
import sys
from types import SimpleNamespace

import pytest
import torch

from grader.suite.judging import judged
from grader.workers.flow import goes_into, instructions, is_dropped, place_of
from grader.workers.prefetch import FirstCalls, Unanswered

LOOKING = {
    "attribute": lambda x: x.shape,
    "kind": lambda x: isinstance(x, torch.Tensor),
    "truth": bool,
    "sum": lambda x: 1 + x,
    "product": lambda x: x @ x,
    "comparison": lambda x: x == 2,
    "negative": lambda x: -x,
    "number": float,
    "items": list,
    "item": lambda x: x[0],
    "length": len,
    "text": str,
    "call": lambda x: x(),
    "torch": lambda x: torch.allclose(x, torch.ones(3)),
    "torch in a list": lambda x: torch.stack([torch.ones(3), x]),
    "torch by keyword": lambda x: torch.add(torch.ones(3), other=x),
}


MANY = "def check(x):\n" + "".join(f"    x = [x, {number}.5, 'name{number}', x.y{number}]\n" for number in range(300))


@pytest.mark.parametrize(
    "function", [inspect.getmodule, inspect.signature, pytest.main, contextlib.ExitStack.close, MANY]
)
def test_byte_code_is_read_as_python_itself_reads_it(function):
    code = function.__code__ if callable(function) else compile(function, "check", "exec").co_consts[0]
    theirs = [(each.offset, each.opcode, each.opname, each.arg) for each in dis.get_instructions(code)]
    assert [(each.offset, each.opcode, each.opname, each.arg) for each in instructions(code)] == theirs


@pytest.mark.parametrize("look", LOOKING)
def test_looking_at_an_answer_that_is_not_there_ends_the_check(look):
    stop = FirstCalls([])
    with pytest.raises(FirstCalls) as seen:
        LOOKING[look](Unanswered(stop, lambda: None, sys._getframe(), 0))
    assert seen.value is stop


FRAMES = {
    "dropped": ("ask()", True),
    "dropped with a keyword": ("ask(more=1)", True),
    "dropped by a method": ("self.ask(1, [n for n in (1, 2)])", True),
    "named": ("answer = ask()", False),
    "returned": ("return ask()", False),
    "unpacked": ("a, b = ask()", False),
    "asked for its type": ("type(ask())", False),
    "compared": ("ask() is None", False),
    "one of a list": ("[ask() for _ in range(2)]", False),
    "in a condition": ("if ask(): pass", False),
    "named on the way": ("(answer := ask())", False),
    "yielded": ("yield ask()", False),
    "entered": ("with ask(): pass", False),
}


@pytest.mark.parametrize("frame", FRAMES)
def test_only_a_call_whose_result_is_dropped_at_once_is_let_go_of(frame):
    line, expected = FRAMES[frame]
    seen = []

    class Entered:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def __iter__(self):
            return iter((1, 2))

    def ask(*_, **__):
        seen.append(is_dropped(sys._getframe(1)))
        return Entered()

    space = {"ask": ask, "self": SimpleNamespace(ask=ask)}
    exec(f"def check():\n    {line}\n    return 2\n", space)
    for _ in range(20):  # Python makes code faster that has run a few times
        done = space["check"]()
        _ = list(done) if inspect.isgenerator(done) else done
    assert set(seen) == {expected}


def test_an_answer_that_is_there_is_judged_at_once():
    assert judged(lambda: 2, lambda given: given + 1) == 3


INTO = {
    "an argument": ("take(ask())", True),
    "an argument of a method": ("self.take(ask())", True),
    "a later argument": ("take(1, ask(), 2)", True),
    "before other calls": ("take(ask(), self.of(1).other, len([2, 3]), -more)", True),
    "before numbers": ("take(ask(), 2 * more, more[0], more == 1, (more, 1))", True),
    "beside lists": ("take([1, 2, 3], ask(), [4, 5, 6, 7])", True),
    "a keyword": ("take(1, by=2, answer=ask())", True),
    "two answers": ("take(ask(), ask())", True),
    "asked with keywords": ("take(ask(more=1), more=2)", True),
    "dropped": ("ask()", False),
    "named": ("answer = ask(); take(answer)", False),
    "named on the way": ("take(answer := ask())", False),
    "what it gives is named": ("kept = take(ask())", False),
    "what it gives is returned": ("return take(ask())", False),
    "what it gives is looked at": ("assert take(ask()) is None", False),
    "an attribute": ("take(ask().shape)", False),
    "an item": ("take(ask()[0])", False),
    "a sum": ("take(1 + ask())", False),
    "in a list": ("take([ask()])", False),
    "in a list that is made longer": ("take([ask(), *(1, 2)])", False),
    "in a tuple": ("take((ask(), 1))", False),
    "called": ("ask()(1)", False),
    "a method": ("ask().take(1)", False),
    "within a call": ("take(len(ask()))", False),
    "before a condition": ("take(ask(), 1 if more else 2)", False),
    "unpacked": ("take(*ask())", False),
}


@pytest.mark.parametrize("frame", INTO)
def test_an_answer_is_followed_into_the_one_call_that_gets_it(frame):
    line, expected = INTO[frame]
    places, takers = [], []

    class Anything:
        shape = other = 1
        of = take = lambda self, *_, **__: self

        def __add__(self, _):
            return self

        __radd__ = __mul__ = __rmul__ = __getitem__ = __call__ = __add__

        def __neg__(self):
            return self

        def __len__(self):
            return 1

        def __iter__(self):
            return iter((1, 2))

    def ask(**_):
        places.append(goes_into(sys._getframe(1)))
        return Anything()

    def take(*_, **__):
        takers.append(place_of(sys._getframe(1)))

    space = {"ask": ask, "take": take, "self": SimpleNamespace(take=take, of=Anything().of), "more": Anything()}
    exec(f"def check():\n    {line}\n    return 2\n", space)
    for _ in range(20):  # Python makes code faster that has run a few times
        with contextlib.suppress(AssertionError):
            space["check"]()
    assert {place is not None for place in places} == {expected}
    assert not expected or set(places) == set(takers)
