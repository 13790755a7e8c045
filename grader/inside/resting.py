"""Tells which parts of a text cannot run when an exercise is called: methods that nothing calls, branches on False.

A student may compare an answer with the library's on the side, in a method of its own or behind `if DEBUG:`. Only what
is plain is left out: a method whose name is nowhere handed on, in a class without unknown bases, in a text that looks
up no name that cannot be read.
"""

import ast
import functools
from collections.abc import Iterator

from .names import Names, Scope, text_of

LOOKUPS = {"getattr": 1, "attrgetter": 0, "methodcaller": 0, "getattr_static": 1}
"""By name of a function: the position of its argument that is the name of an attribute."""
OPAQUE = frozenset(
    ("vars", "eval", "exec", "__dict__", "__getattribute__", "__builtins__", "__match_args__", "__code__",
     "__globals__", "f_globals", "f_locals", "f_builtins", "getmembers", "getmembers_static", "classify_class_attrs",
     "allmethods", "get_field", "resolve_name", "locate", "get_type_hints", "get_objects", "get_referrers",
     "get_referents")
)  # fmt: skip
"""Names of what may give an attribute that the text does not name."""
REBINDERS = frozenset({"globals", "locals", "setattr", "__setattr__", "modules", "import_module", "__import__"})
"""Names of what may put something under a name of the text without a statement that says so."""
CHANGERS = frozenset(
    {
        *("setattr", "__setattr__", "__setitem__", "setitem", "append", "appendleft", "extend", "insert"),
        *("update", "setdefault", "__iadd__", "__ior__", "iadd", "ior", "heappush"),
        *("register_buffer", "register_module", "register_parameter", "add_module", "register_forward_hook"),
    }
)
"""Names of what changes an object that others may hold, also where what it returns is used; of tensors none is one."""
BASES = frozenset({"object", "torch.nn.Module", "torch.nn.modules.module.Module", "torch.autograd.Function"})
DECORATORS = frozenset({"staticmethod", "classmethod", "property"})
MODES = frozenset({"torch.no_grad", "torch.inference_mode", "torch.enable_grad"})
DEEPEST = 20
Method = ast.FunctionDef | ast.AsyncFunctionDef


@functools.cache
def called_by_bases() -> frozenset[str]:
    """Return the names of methods that torch itself may call."""
    import torch

    return frozenset({*dir(torch.nn.Module), *dir(torch.autograd.Function)})


def handed_on(node: ast.AST, names: Names) -> None:
    """Note what a node of a text says of attributes: which are handed on without being called, and by unknown names.

    Args:
        node: Any node; its children are noted by themselves.
        names: Takes it.
    """
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute(attr=attr)):
            names.aliases.append((name, attr))
        case ast.Constant(value=str(text)) if text.isidentifier():
            names.referred.add(text)
            names.opaque = names.opaque or text in OPAQUE or text in LOOKUPS or text in REBINDERS
        case ast.Name(id=name) if name in REBINDERS:
            names.rebinds = True
        case ast.Attribute(attr=attr) if attr in REBINDERS:
            names.rebinds = True
        case ast.Name(id=name) if name in OPAQUE:
            names.opaque = True
        case ast.Attribute(attr=attr) if attr in OPAQUE - {"eval"}:
            names.opaque = True
        case ast.Call(func=ast.Attribute(attr="eval"), args=[_, *_]):  # that of a module takes nothing
            names.opaque = True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in LOOKUPS:
            key = text_of(args[LOOKUPS[name]]) if len(args) > LOOKUPS[name] else None
            if key is None:
                names.opaque = True
            else:
                names.referred.update(key.split("."))
        case ast.MatchClass(kwd_attrs=attrs):
            names.referred.update(attrs)
        case ast.ImportFrom(names=found) if any(each.name in LOOKUPS and each.asname for each in found):
            names.opaque = True
        case ast.ImportFrom(names=[ast.alias(name="*")]):
            names.rebinds = True
    for name in bound_by(node):
        names.stored[name] += 1
    aliased = isinstance(node, ast.Assign) and [type(target) for target in node.targets] == [ast.Name]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Name | ast.Attribute) or (isinstance(node, ast.Call) and child is node.func):
            continue
        name = child.id if isinstance(child, ast.Name) else child.attr
        names.opaque = names.opaque or name in LOOKUPS or name in OPAQUE
        if isinstance(child, ast.Attribute) and not aliased:
            names.referred.add(name)


def bound_by(node: ast.AST) -> list[str]:
    """Return the names that a node gives another meaning, or may; as attributes, too, since a module has those."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return [name]
        case ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.Global(names=found):
            return found
    return []


def may_rest(owner: ast.ClassDef, part: ast.AST, scope: Scope) -> bool:
    """Tell whether a part of a class is a method that runs only where its name is called.

    Args:
        owner: The class.
        part: One of its parts.
        scope: What names mean around the class.
    """
    if not isinstance(part, Method) or scope.names.opaque or part.name in scope.names.referred:
        return False
    if part.name in called_by_bases() or (part.name.startswith("__") and part.name.endswith("__")):
        return False
    if any(leaves_something(each) for each in ast.walk(part)):
        return False
    return all(is_plain(each, scope) for each in part.decorator_list) and is_known(owner, scope)


def leaves_something(node: ast.AST) -> bool:
    """Tell whether a statement of a method may change what others hold, so that one call on the side has an effect."""
    match node:
        case ast.Global() | ast.Nonlocal():
            return True
        case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
            return True
        case ast.Expr(value=ast.Call(func=func)):
            return not (isinstance(func, ast.Name) and func.id == "print")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in CHANGERS
    return False


def is_plain(decorator: ast.expr, scope: Scope) -> bool:
    """Tell whether a decorator hands what it is given on to nobody."""
    if isinstance(decorator, ast.Name) and decorator.id in DECORATORS:
        return decorator.id not in scope.names.bindings and decorator.id not in scope.local
    return scope.dotted(decorator.func if isinstance(decorator, ast.Call) else decorator) in MODES


def is_known(owner: ast.ClassDef, scope: Scope, depth: int = 0) -> bool:
    """Tell whether nothing but a class's own text and known bases calls its methods."""
    if owner.keywords or owner.decorator_list or depth > DEEPEST:
        return False
    for base in owner.bases:
        if scope.dotted(base) in BASES or (isinstance(base, ast.Name) and base.id == "object"):
            continue
        bound = scope.names.bindings.get(base.id) if isinstance(base, ast.Name) else None
        if bound is None or bound.others or not isinstance(bound.node, ast.ClassDef):
            return False
        if not is_known(bound.node, scope, depth + 1):
            return False
    return True


def live(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Yield the parts of a branch that may run, or nothing for any other node.

    Args:
        node: A node of the text.
        scope: What names mean there.
    """
    if isinstance(node, ast.If):
        truth = plain_truth(node.test, scope)
        yield node.test
        yield from node.body if truth is not False else ()
        yield from node.orelse if truth is not True else ()


def plain_truth(test: ast.expr, scope: Scope) -> bool | None:
    """Return whether a condition holds, where it is a constant or a name that only ever means one; else None."""
    match test:
        case ast.Constant(value=value):
            return bool(value)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            truth = plain_truth(operand, scope)
            return None if truth is None else not truth
        case ast.Name(id=name) if name not in scope.local and name not in scope.names.added:
            bound = scope.names.bindings.get(name)
            if bound is None or bound.others or scope.names.stored[name] != 1:
                return None
            if scope.names.opaque or scope.names.rebinds:
                return None
            given = bound.node.value if isinstance(bound.node, ast.Assign | ast.AnnAssign) else None
            return bool(given.value) if isinstance(given, ast.Constant) else None
    return None
