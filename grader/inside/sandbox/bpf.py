"""Assembles classic BPF programs for seccomp: a search tree over system-call numbers with small tests at its leaves.

The kernel runs the program on every call of a student's code whose answer depends on its arguments, so the tree is
balanced. The standard library has no assembler; this one supports only what a filter needs.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOAD, JUMP, EQUAL, AT_LEAST, ANY_BIT, MASK, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x54, 0x06
ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
ERRNO = 0x00050000
NUMBER_OFFSET, ARCH_OFFSET, ARGUMENT_OFFSET = 0, 4, 16
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
X32_BIT = 0x40000000
OWN_PID = -1
"""Placeholder for the pid of the process that installs the program; `Program.for_process` fills it in."""


def refuse(number: int) -> int:
    """Return the verdict that makes a call fail with an errno."""
    return ERRNO | number


@dataclass(frozen=True)
class OneOf:
    """The low half of an argument is one of these numbers (the kernel reads an `int` there)."""

    argument: int
    values: tuple[int, ...]


@dataclass(frozen=True)
class Zero:
    """All 64 bits of an argument are zero: a null pointer."""

    argument: int


@dataclass(frozen=True)
class Bits:
    """In the low half of an argument, every bit of `needed` is set and none of `barred`."""

    argument: int
    barred: int
    needed: int = 0


@dataclass(frozen=True)
class Outside:
    """The low half of an argument, cut to the bits of `mask`, is not `group`."""

    argument: int
    mask: int
    group: int


Test = OneOf | Zero | Bits | Outside


@dataclass(frozen=True)
class Rule:
    """What happens to one system call.

    Attributes:
        ways: The call is allowed when all tests of one way hold; one empty way allows it always.
        otherwise: The verdict when no way holds.
        pretended: The call returns 0 and is not made when all of these tests hold.
    """

    ways: tuple[tuple[Test, ...], ...]
    otherwise: int
    pretended: tuple[Test, ...] = ()


@dataclass(frozen=True)
class Program:
    """Assembled instructions of eight bytes each, and the offsets where the process's own pid belongs."""

    code: bytes
    pid_offsets: tuple[int, ...]

    def for_process(self, pid: int) -> bytes:
        """Return the instructions with the pid of the process that will install them."""
        code = bytearray(self.code)
        for offset in self.pid_offsets:
            code[offset : offset + 4] = pid.to_bytes(4, "little")
        return bytes(code)


Line = tuple[int, int, int, int]


def _fail_unless(test: Test) -> list[tuple[int, int, int]]:
    """Return lines (code, constant, sense); sense 1 fails if true, -1 if false, 2 passes if true, 0 does not jump."""
    low = ARGUMENT_OFFSET + 8 * test.argument
    if isinstance(test, Zero):
        return [(LOAD, low, 0), (EQUAL, 0, -1), (LOAD, low + 4, 0), (EQUAL, 0, -1)]
    if isinstance(test, OneOf):
        inner = [(EQUAL, value, 2) for value in test.values[:-1]]
        return [(LOAD, low, 0), *inner, (EQUAL, test.values[-1], -1)]
    if isinstance(test, Outside):
        return [(LOAD, low, 0), (MASK, test.mask, 0), (EQUAL, test.group, 1)]
    lines = [(LOAD, low, 0), (ANY_BIT, test.barred, 1)] if test.barred else [(LOAD, low, 0)]
    if test.needed:
        lines += [(MASK, test.needed, 0), (EQUAL, test.needed, -1)]
    return lines


def _way(tests: Sequence[Test], verdict: int) -> list[Line]:
    """Return the code that returns a verdict when all tests hold, and otherwise continues behind its end."""
    lines: list[tuple[int, int, int]] = []
    ends: list[int] = []
    for test in tests:
        lines += _fail_unless(test)
        ends += [len(lines)] * (len(lines) - len(ends))
    finish = len(lines) + 1
    code: list[Line] = []
    for place, (operation, constant, sense) in enumerate(lines):
        leave, passed = finish - place - 1, ends[place] - place - 1
        jump = {0: (0, 0), 1: (leave, 0), -1: (0, leave), 2: (passed, 0)}[sense]
        code.append((operation, *jump, constant))
    return [*code, (RETURN, 0, 0, verdict)]


def _leaf(rule: Rule | None, default: int) -> list[Line]:
    if rule is None:
        return [(RETURN, 0, 0, default)]
    code = _way(rule.pretended, ERRNO) if rule.pretended else []
    if () in rule.ways:
        return [*code, (RETURN, 0, 0, ALLOW)]
    code += [line for way in rule.ways for line in _way(way, ALLOW)]
    return [*code, (RETURN, 0, 0, rule.otherwise)]


def _tree(ranges: list[tuple[int, list[Line]]]) -> list[Line]:
    """Return a balanced search among ranges, each given by its first number."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    left, right = _tree(ranges[:middle]), _tree(ranges[middle:])
    return [(AT_LEAST, 0, 1, ranges[middle][0]), (JUMP, 0, 0, len(left)), *left, *right]


def assemble(arch: str, rules: Mapping[int, Rule], default: int) -> Program:
    """Build the filter of one architecture.

    Args:
        arch: `x86_64` or `aarch64`; a call made by another convention ends the process.
        rules: What happens to each system-call number.
        default: The verdict for every other number.

    Returns:
        The program, with `OWN_PID` not yet filled in.
    """
    ranges: list[tuple[int, list[Line]]] = [(0, _leaf(rules.get(0), default))]
    for number in sorted({item for known in rules for item in (known, known + 1)} - {0}):
        leaf = _leaf(rules.get(number), default)
        if leaf != ranges[-1][1]:
            ranges.append((number, leaf))
    code: list[Line] = [
        (LOAD, 0, 0, ARCH_OFFSET),
        (EQUAL, 1, 0, AUDIT_ARCH[arch]),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD, 0, 0, NUMBER_OFFSET),
        (AT_LEAST, 0, 1, X32_BIT),
        (RETURN, 0, 0, KILL_PROCESS),
        *_tree(ranges),
    ]
    offsets = tuple(8 * place + 4 for place, line in enumerate(code) if line[0] == EQUAL and line[3] == OWN_PID)
    packed = b"".join(struct.pack("<HBBI", code, yes, no, constant & 0xFFFFFFFF) for code, yes, no, constant in code)
    return Program(packed, offsets)
