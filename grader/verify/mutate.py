"""Makes mutants of a solution: the same code with one small thing wrong, as a slip of the hand would have it.

Only what is in a solution region is changed. A mutant is written anew by Python, so its comments are gone.
"""

import ast
from collections.abc import Iterable, Iterator
from copy import copy
from itertools import zip_longest
from typing import Any

from grader.course.handed_out.stub import BEGIN, END


def both_ways(pairs: dict[Any, Any]) -> dict[Any, Any]:
    return pairs | {second: first for first, second in pairs.items()}


TWINS: dict[type[ast.AST], type[ast.AST]] = {ast.Add: ast.Sub, ast.Mult: ast.Div, ast.Eq: ast.NotEq, ast.Lt: ast.LtE}
TWINS |= {ast.Gt: ast.GtE, ast.Is: ast.IsNot, ast.In: ast.NotIn, ast.And: ast.Or}
SIGNS = both_ways(TWINS) | {ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.MatMult: ast.Mult}
CALLS = both_ways({"triu": "tril", "sin": "cos", "sum": "mean", "zeros": "ones", "rand": "randn", "tanh": "relu"})
CALLS |= {"amax": "amin", "max": "min", "exp": "expm1", "sqrt": "square", "transpose": "reshape"}
SYMMETRIC = ("transpose", "swapaxes")  # their arguments may change places
LIBRARIES = ("torch", "nn", "F", "math", "self", "super()")
"""What has functions and methods rather than being handed on, as `torch` in `torch.exp(x)`."""


def mutants_of(text: str) -> dict[str, tuple[str, str]]:
    """Return the texts of all mutants of a definition, each with the first changed line before and after."""
    tree, inside = ast.parse(text), region_lines(text)
    plain = ast.unparse(tree)
    mutants: dict[str, tuple[str, str]] = {}
    for node in list(every(tree)):
        for other in changes(node) if getattr(node, "lineno", 0) in inside else ():
            code = ast.unparse(Put(node, other).visit(tree))
            Put(other, node).visit(tree)
            if code not in (plain, *mutants):
                mutants[code] = first_difference(plain, code)
    return mutants


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


class Put(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        self.generic_visit(node)
        return node


def first_difference(before: str, after: str) -> tuple[str, str]:
    """Return the first line in which two texts differ, of each; they do differ."""
    pairs = zip_longest(before.split("\n"), after.split("\n"), fillvalue="")
    return next((old.strip(), new.strip()) for old, new in pairs if old != new)


def but(node: Any, **fields: Any) -> Any:
    """Return a copy of a node with other fields."""
    other = copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def swapped(items: list[Any]) -> list[Any]:
    return [items[1], items[0], *items[2:]]


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a slip could make of a node."""
    match node:
        case ast.BinOp(op=sign) | ast.BoolOp(op=sign) if type(sign) in SIGNS:
            yield but(node, op=SIGNS[type(sign)]())
        case ast.Compare(ops=signs):
            for place, operator in enumerate(signs):
                yield but(node, ops=[*signs[:place], SIGNS[type(operator)](), *signs[place + 1 :]])
        case ast.UnaryOp(operand=operand):
            yield operand
        case ast.Constant(value=bool() | int() | float() | "-inf" as value):
            yield ast.Constant(other_constant(value))
        case ast.Call():
            yield from changed_calls(node)
        case ast.If(test=test):
            yield but(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Tuple(elts=[_, _, *_] as items):
            yield but(node, elts=swapped(items))
        case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Raise():  # without a `return` nothing is answered
            yield ast.Pass()


def changed_calls(call: ast.Call) -> Iterator[ast.AST]:
    """Yield a call with a keyword less, its first two arguments swapped, another function, or no call at all."""
    function, args = call.func, call.args
    for keyword in call.keywords:
        if keyword.arg not in (None, "device"):  # on a CPU nothing changes
            yield but(call, keywords=[other for other in call.keywords if other is not keyword])
    plain = [argument for argument in args if not isinstance(argument, ast.Starred)]
    method = isinstance(function, ast.Attribute)
    name = function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
    if len(plain) >= 2 and name not in SYMMETRIC:
        yield but(call, args=swapped(args))
    if name in CALLS:
        other = CALLS[name]
        yield but(call, func=but(function, attr=other) if method else ast.Name(other))
    if isinstance(function, ast.Attribute) and ast.unparse(function.value) not in LIBRARIES:
        yield function.value
    elif plain and not (isinstance(plain[0], ast.Constant) and isinstance(plain[0].value, str)):
        yield args[0]


def other_constant(value: bool | float | str) -> bool | float | str:
    """Return another number, the other truth value, or the infinity of the other sign."""
    if isinstance(value, str):
        return "inf"
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 2 or 1.0
