"""Enters what the statements of a text bind: imports, definitions, assignments, and those inside of blocks."""

import ast

from .names import Binding, Layer, Names, Scope, imported


def bind(names: Names, statement: ast.stmt, cell: int) -> None:
    """Enter what a top-level statement binds; a block is entered statement by statement, never as a whole."""
    match statement:
        case ast.Import() | ast.ImportFrom():
            for name, library in imported(statement):
                if name == "*":
                    names.stars.append(library.removesuffix(".*"))
                else:
                    names.bindings[name] = Binding(statement, cell, library)
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            names.bindings[statement.name] = Binding(statement, cell)
        case ast.Assign(targets=targets, value=value):
            dotted = Scope(names).meaning(value)
            for target in targets:
                pairs: list[tuple[ast.expr, str | None]] = [(target, dotted)]
                if isinstance(target, ast.Tuple | ast.List):
                    values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
                    meanings = [Scope(names).meaning(part) for part in values]
                    fitting = meanings if len(meanings) == len(target.elts) else [None] * len(target.elts)
                    pairs = list(zip(target.elts, fitting, strict=True))
                for place, meaning in pairs:
                    if isinstance(place, ast.Name):
                        names.bindings[place.id] = Binding(statement, cell, meaning)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            names.bindings[name] = Binding(statement, cell, Scope(names).meaning(value))
        case _:
            bind_branches(names, branches_of(statement), cell)
            for inner in getattr(statement, "finalbody", []):
                bind(names, inner, cell)


def branches_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the blocks inside a statement of which one is run and not the others."""
    match statement:
        case ast.If(body=body, orelse=orelse):
            branches = [body]
            while len(orelse) == 1 and isinstance(orelse[0], ast.If):
                branches.append(orelse[0].body)
                orelse = orelse[0].orelse
            return [*branches, orelse]
        case ast.Try(body=body, handlers=handlers, orelse=orelse):
            return [[*body, *orelse], *(handler.body for handler in handlers)]
        case ast.TryStar(body=body, handlers=handlers, orelse=orelse):
            return [[*body, *orelse], *(handler.body for handler in handlers)]
        case ast.Match(cases=cases):
            return [case.body for case in cases]
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return [body]
        case ast.For() | ast.AsyncFor() | ast.While():
            return [[*statement.body, *statement.orelse]]
    return []


def bind_branches(names: Names, branches: list[list[ast.stmt]], cell: int) -> None:
    """Enter what each branch binds; a name that several of them bind could be any of those things."""
    if len(branches) == 1:
        for item in branches[0]:
            bind(names, item, cell)
        return
    before = names.bindings
    found: dict[str, list[Binding]] = {}
    for branch in branches:
        names.bindings = own = Layer(before)
        for item in branch:
            bind(names, item, cell)
        for name, binding in own.items():
            found.setdefault(name, []).append(binding)
    names.bindings = before
    for name, bindings in found.items():
        every = [one for binding in bindings for one in (*binding.others, binding)]
        last = every.pop()
        before[name] = Binding(last.node, last.cell, last.dotted, tuple(every))
