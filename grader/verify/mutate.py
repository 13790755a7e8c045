"""Makes mutants of a solution: the same text with one small thing wrong, as a slip of the hand would have it.

Only what is in a solution region is changed, and a mutant is the author's text but for the one place.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise, zip_longest
from typing import Any

from grader.course.handed_out.stub import BEGIN, END

SIGNS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"),
    ast.Pow: ("**", "*"),
    ast.MatMult: ("@", "*"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
CALLS = {
    "triu": "tril",
    "tril": "triu",
    "sin": "cos",
    "cos": "sin",
    "sum": "mean",
    "mean": "sum",
    "amax": "amin",
    "max": "min",
    "exp": "expm1",
    "sqrt": "square",
    "zeros": "ones",
    "ones": "zeros",
    "rand": "randn",
    "randn": "rand",
    "tanh": "relu",
    "relu": "tanh",
    "transpose": "reshape",
}
SYMMETRIC = ("transpose", "swapaxes")  # their arguments may change places
LIBRARIES = ("torch", "nn", "F", "math", "self", "super()")
"""What has functions and methods rather than being handed on, as `torch` in `torch.exp(x)`."""
TIGHT = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.Tuple | ast.GeneratorExp
"""Expressions that need no brackets anywhere."""
BEFORE_SIGN = re.compile(rb"(?:[\s)\\]|#.*)*")
"""What may stand between an operand and the operator behind it."""
Edit = tuple[int, int, bytes]
"""What is put in the place of the bytes from here to there."""


@dataclass(frozen=True)
class Mutant:
    """A definition with one thing changed.

    Attributes:
        line: The first changed line, as the author wrote it.
    """

    line: str
    mutated: str
    text: str


def mutants_of(text: str) -> list[Mutant]:
    """Return the mutants of one definition."""
    source, inside = Source(text), region_lines(text)
    mutants: dict[str, Mutant] = {}
    for node in every(ast.parse(text)):
        for first, last, new in source.changes(node) if getattr(node, "lineno", 0) in inside else ():
            code = (source.data[:first] + new + source.data[last:]).decode()
            if code not in (text, *mutants):
                mutants[code] = Mutant(*first_difference(text, code), code)
    return list(mutants.values())


def region_lines(text: str) -> set[int]:
    """Return the numbers of the lines between the markers of solution regions."""
    inside, numbers = False, set()
    for number, line in enumerate(text.split("\n"), start=1):
        mark = line.strip()
        if mark in (BEGIN, END):
            inside = mark == BEGIN
        elif inside:
            numbers.add(number)
    return numbers


def every(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and all below it, but for what an exception says: its words are the author's own."""
    yield node
    below: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.Raise | ast.JoinedStr):
        below = ()
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        below = [node.value, *node.slice.elts]  # between these brackets nobody wrote a tuple
    for child in below:
        yield from every(child)


def first_difference(before: str, after: str) -> tuple[str, str]:
    """Return the first line in which two texts differ, of each."""
    for old, new in zip_longest(before.split("\n"), after.split("\n"), fillvalue=""):
        if old != new:
            return bare(old), bare(new)
    return "", ""


def bare(line: str) -> str:
    """Return a line without its indentation and the comment behind it."""
    return line.partition("  #")[0].strip()


class Source:
    """A text in bytes, by which Python counts columns, and where its lines begin."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self._lines = [0, *accumulate(len(line) + 1 for line in self.data.split(b"\n"))]

    def span(self, node: Any) -> tuple[int, int]:
        """Return where a node begins and ends, without the brackets around it."""
        return self._lines[node.lineno - 1] + node.col_offset, self._lines[node.end_lineno - 1] + node.end_col_offset

    def words(self, node: ast.AST) -> bytes:
        """Return a node as the author wrote it."""
        first, last = self.span(node)
        return self.data[first:last]

    def bracketed(self, node: ast.AST) -> bytes:
        """Return an expression in brackets, unless it is bound tightly already."""
        return self.words(node) if isinstance(node, TIGHT) else b"(" + self.words(node) + b")"

    def changes(self, node: ast.AST) -> Iterator[Edit]:
        """Yield what a slip could make of a node."""
        match node:
            case ast.BinOp() if type(node.op) in SIGNS:
                yield self.other_sign(node.op, node.left, node.right)
            case ast.Compare():
                for sign, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
                    yield self.other_sign(sign, left, right)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield self.other_sign(node.op, left, right)
            case ast.UnaryOp():
                yield *self.span(node), self.bracketed(node.operand)
            case ast.Constant(value=bool() | int() | float() | "-inf" as value):
                yield *self.span(node), other_constant(value).encode()
            case ast.Call():
                yield from self.changed_calls(node)
            case ast.If():
                yield *self.span(node.test), b"not " + self.bracketed(node.test)
            case ast.Tuple(elts=[first, second, *_]):
                yield self.swapped(first, second)
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Raise():  # without a `return` nothing is answered
                yield *self.span(node), b"pass"

    def changed_calls(self, call: ast.Call) -> Iterator[Edit]:
        """Yield a call with a keyword less, its first two arguments swapped, another function, or no call at all."""
        given = sorted([*call.args, *call.keywords], key=self.span)
        for argument in given:
            if isinstance(argument, ast.keyword) and argument.arg not in (None, "device"):  # on a CPU nothing changes
                others = b", ".join(self.words(other) for other in given if other is not argument)
                yield self.span(given[0])[0], self.span(given[-1])[1], others
        plain = [argument for argument in call.args if not isinstance(argument, ast.Starred)]
        name = call.func.attr if isinstance(call.func, ast.Attribute) else self.words(call.func).decode()
        if len(plain) >= 2 and name not in SYMMETRIC:
            yield self.swapped(*call.args[:2])
        if name in CALLS:
            last = self.span(call.func)[1]
            yield last - len(name), last, CALLS[name].encode()
        if isinstance(call.func, ast.Attribute) and self.words(call.func.value).decode() not in LIBRARIES:
            yield *self.span(call), self.bracketed(call.func.value)
        elif plain and not (isinstance(plain[0], ast.Constant) and isinstance(plain[0].value, str)):
            yield *self.span(call), self.bracketed(call.args[0])

    def other_sign(self, sign: ast.AST, left: ast.AST, right: ast.AST) -> Edit:
        """Return another operator between two operands."""
        (_, first), (last, _) = self.span(left), self.span(right)
        before, after = SIGNS[type(sign)]
        begin = last - len(BEFORE_SIGN.sub(b"", self.data[first:last], count=1))
        return begin, begin + len(before), after.encode()

    def swapped(self, left: ast.AST, right: ast.AST) -> Edit:
        """Return two neighbours, each in the place of the other."""
        (first, end), (begin, last) = self.span(left), self.span(right)
        return first, last, self.words(right) + self.data[end:begin] + self.words(left)


def other_constant(value: bool | float | str) -> str:
    """Return another number, the other truth value, or the infinity of the other sign."""
    if isinstance(value, str):
        return '"inf"'
    if isinstance(value, bool):
        return str(not value)
    return str(value + 1) if isinstance(value, int) else repr(value * 2 or 1.0)
