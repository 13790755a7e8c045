"""Makes mutants of a solution: the same text with one small thing wrong, as a slip of the hand would have it.

Only what is in a solution region is changed. libcst does the reading and writing, so a mutant is the author's text
but for the one place.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from grader.course.handed_out.stub import BEGIN, END

OPERATORS: dict[type[cst.CSTNode], Callable[[], cst.BaseBinaryOp]] = {
    cst.Add: cst.Subtract,
    cst.Subtract: cst.Add,
    cst.Multiply: cst.Divide,
    cst.Divide: cst.Multiply,
    cst.FloorDivide: cst.Multiply,
    cst.Modulo: cst.FloorDivide,
    cst.Power: cst.Multiply,
    cst.MatrixMultiply: cst.Multiply,
}
COMPARISONS: dict[type[cst.CSTNode], Callable[[], cst.BaseCompOp]] = {
    cst.Equal: cst.NotEqual,
    cst.NotEqual: cst.Equal,
    cst.LessThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.LessThan,
    cst.GreaterThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.GreaterThan,
    cst.Is: cst.IsNot,
    cst.IsNot: cst.Is,
    cst.In: cst.NotIn,
    cst.NotIn: cst.In,
}
NAMES = {"True": "False", "False": "True"}
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
    wrapper = MetadataWrapper(cst.parse_module(text))
    positions = wrapper.resolve(PositionProvider)
    inside = region_lines(text)
    mutants: dict[str, Mutant] = {}
    for node in every(wrapper.module):
        place = positions.get(node)
        if place is None or place.start.line not in inside:
            continue
        for other in changes(node):
            changed = wrapper.module.deep_replace(node, other)
            code = changed.code if isinstance(changed, cst.Module) else text  # is put together at each reading
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


def every(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield a node and all below it, but for what an exception says: its words are the author's own."""
    yield node
    if not isinstance(node, cst.Raise):
        for child in node.children:
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


def changes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what a slip could make of a node."""
    match node:
        case cst.BinaryOperation() if type(node.operator) in OPERATORS:
            yield node.with_changes(operator=OPERATORS[type(node.operator)]())
        case cst.ComparisonTarget() if type(node.operator) in COMPARISONS:
            yield node.with_changes(operator=COMPARISONS[type(node.operator)]())
        case cst.UnaryOperation():
            yield bracketed(node.expression)
        case cst.BooleanOperation():
            yield node.with_changes(operator=cst.Or() if isinstance(node.operator, cst.And) else cst.And())
        case cst.Integer():
            yield node.with_changes(value=str(node.evaluated_value + 1))
        case cst.Float():
            yield node.with_changes(value=repr(node.evaluated_value * 2 or 1.0))
        case cst.SimpleString() if node.evaluated_value == "-inf":
            yield node.with_changes(value='"inf"')
        case cst.Name() if node.value in NAMES:
            yield node.with_changes(value=NAMES[node.value])
        case cst.Call():
            yield from call_changes(node)
        case cst.If():
            yield node.with_changes(test=cst.UnaryOperation(cst.Not(), bracketed(node.test)))
        case cst.Tuple() if len(node.elements) > 1:
            first, second, *rest = node.elements
            swapped = (first.with_changes(value=second.value), second.with_changes(value=first.value), *rest)
            yield node.with_changes(elements=swapped)
        case cst.SimpleStatementLine():
            yield from dropped(node)


def call_changes(call: cst.Call) -> Iterator[cst.CSTNode]:
    """Yield a call with a keyword less, its first two arguments swapped, another function, or no call at all."""
    named = [place for place, argument in enumerate(call.args) if argument.keyword is not None]
    for place in named:
        word = call.args[place].keyword
        if word is not None and word.value == "device":
            continue  # on a CPU that changes nothing
        yield call.with_changes(args=without_comma([*call.args[:place], *call.args[place + 1 :]]))
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    plain = [place for place, argument in enumerate(call.args) if argument.keyword is None and not argument.star]
    if len(plain) >= 2 and not (isinstance(name, cst.Name) and name.value in SYMMETRIC):
        first, second = call.args[0], call.args[1]
        swapped = [first.with_changes(value=second.value), second.with_changes(value=first.value), *call.args[2:]]
        yield call.with_changes(args=swapped)
    if isinstance(name, cst.Name) and name.value in CALLS:
        yield call.with_deep_changes(name, value=CALLS[name.value])
    if isinstance(call.func, cst.Attribute) and not is_module(call.func.value):
        yield bracketed(call.func.value)
    elif plain and not isinstance(call.args[0].value, cst.SimpleString):
        yield bracketed(call.args[0].value)


def is_module(node: cst.BaseExpression) -> bool:
    """Return whether an expression is a library's name, as `torch` in `torch.exp(x)`, or `super()`."""
    if isinstance(node, cst.Call):
        return isinstance(node.func, cst.Name) and node.func.value == "super"
    return isinstance(node, cst.Name) and node.value in ("torch", "nn", "F", "math", "self")


def dropped(statement: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    """Yield nothing in the place of a statement; a `return` stays, since without it nothing is answered at all."""
    only = statement.body[0]
    if isinstance(only, cst.Assign | cst.AugAssign | cst.Expr | cst.Raise) and len(statement.body) == 1:
        yield statement.with_changes(body=[cst.Pass()])


def bracketed(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return an expression in brackets, unless it is bound tightly already."""
    if isinstance(node, cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.Integer | cst.Float) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def without_comma(arguments: list[cst.Arg]) -> list[cst.Arg]:
    """Return arguments of which the last has no comma behind it."""
    return [*arguments[:-1], arguments[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)] if arguments else []
