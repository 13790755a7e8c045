"""Reads off the byte code of a caller what becomes of the value that it waits for.

A check that runs ahead of its turn has no answer yet. Whether anybody could look at one is seen here: a value that is
dropped by the very next instruction is seen by nobody, and one that is only put on the stack for another call, whose
own value is dropped, is seen by that call alone.
"""

import dis
import functools
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FrameType
from typing import NamedTuple

Pops = Callable[[int], int]

HAVE_ARGUMENT = frozenset(getattr(dis, "hasarg", range(dis.HAVE_ARGUMENT, 256)))  # named since Python 3.12
CACHE = 0  # what Python keeps for itself behind an instruction
NOTHING = frozenset({"EXTENDED_ARG", "KW_NAMES", "NOP", "PRECALL"})
"""What leaves the stack as it is, or only belongs to the instruction after it."""
LOADS = frozenset({
    "LOAD_CONST", "LOAD_DEREF", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_FAST_LOAD_FAST", "LOAD_GLOBAL", "LOAD_NAME",
    "PUSH_NULL",
})  # fmt: skip
"""What only pushes."""
POPS: Mapping[str, Pops] = {
    "BINARY_OP": lambda _: 2,
    "BINARY_SUBSCR": lambda _: 2,
    "BUILD_LIST": lambda count: count,
    "BUILD_TUPLE": lambda count: count,
    "COMPARE_OP": lambda _: 2,
    "LIST_EXTEND": lambda below: below + 1,
    "LOAD_ATTR": lambda _: 1,
    "LOAD_METHOD": lambda _: 1,
    "UNARY_NEGATIVE": lambda _: 1,
}
"""How many values an instruction takes from the stack, by its argument."""
CALLS: Mapping[str, int] = {"CALL": 0, "CALL_KW": 1}
"""How many values lie on the stack above the arguments."""
UNDER_ARGUMENTS = 2  # what is called, and the object of a method or nothing


def is_dropped(frame: FrameType) -> bool:
    """Tell whether a frame has no use for the value that it is waiting for."""
    return _next_is_pop(frame.f_code, frame.f_lasti)


def goes_into(frame: FrameType) -> int | None:
    """Return where a frame makes the call that alone gets the value which it is waiting for, and drops what that gives.

    Args:
        frame: A caller.

    Returns:
        The place of the instruction in its byte code, as `place_of` tells it; None where the value goes any other way.
    """
    return _consumer(frame.f_code, frame.f_lasti)


def place_of(frame: FrameType) -> int:
    """Return the place of the call that a frame is in."""
    return _begin(frame.f_code, frame.f_lasti)


def is_guarded(frame: FrameType) -> bool:
    """Tell whether a frame is within a `with`, a `try` or a loop that has a say in how a call in it ends."""
    return _has_handler(frame.f_code, frame.f_lasti)


class Instruction(NamedTuple):
    """One instruction of a byte code: where it begins, its number and name, and its argument, if it takes one."""

    offset: int
    opcode: int
    opname: str
    arg: int | None


@functools.cache
def instructions(code: CodeType) -> list[Instruction]:
    """Return the instructions of a byte code, without all that `dis` looks up to describe each."""
    found, argument, raw = [], 0, code.co_code
    for offset in range(0, len(raw), 2):
        opcode = raw[offset]
        argument |= raw[offset + 1]
        if opcode != CACHE:
            found.append(Instruction(offset, opcode, dis.opname[opcode], argument if opcode in HAVE_ARGUMENT else None))
        argument = argument << 8 if opcode == dis.EXTENDED_ARG else 0
    return found


def _following(code: CodeType, offset: int) -> Iterator[Instruction]:
    return (each for each in instructions(code) if each.offset > offset and each.opname not in NOTHING)


@functools.cache
def _begin(code: CodeType, offset: int) -> int:
    """Return where an instruction begins; an offset may lie among what Python keeps for itself behind it."""
    return max(each.offset for each in instructions(code) if each.offset <= offset)


@functools.cache
def _has_handler(code: CodeType, offset: int) -> bool:
    entries = dis.Bytecode(code).exception_entries  # type: ignore[attr-defined]  # since Python 3.11
    return any(each.start <= offset < each.end for each in entries)


@functools.cache
def _next_is_pop(code: CodeType, offset: int) -> bool:
    following = next(_following(code, offset), None)
    return following is not None and following.opname == "POP_TOP"


@functools.cache
def _consumer(code: CodeType, offset: int) -> int | None:
    above = 0  # how many values lie on the stack above the one that is followed
    for each in _following(code, offset):
        argument = each.arg or 0
        if each.opname in CALLS:
            taken = argument + CALLS[each.opname]
            if above >= taken + UNDER_ARGUMENTS:
                above -= taken + UNDER_ARGUMENTS - 1
                continue
            is_argument = CALLS[each.opname] <= above < taken
            return each.offset if is_argument and _next_is_pop(code, each.offset) else None
        if each.opname not in LOADS and (each.opname not in POPS or POPS[each.opname](argument) > above):
            return None
        above += dis.stack_effect(each.opcode, each.arg)
    return None
