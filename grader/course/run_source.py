"""Runs a course's own files, the solution and its variants, as modules on the trusted side.

Nothing that a student touched is run here.
"""

import ast
import linecache
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.course.content.percent_format import parse, split_cells
from grader.errors import CourseError
from grader.faults import ended, fault, read_text

from .layout import Assignment


def load_solution(assignment: Assignment) -> ModuleType:
    """Run an assignment's solution and return it as a module, on the trusted side only.

    The check cells and imports from `grader` are left out, since they would start the visible checks of the very
    file that is the answer.
    """
    text = read_text(assignment.source)
    checks = [
        range(cell.first_line, cell.last_line + 1)
        for cell in split_cells(text, assignment.source)
        if cell.metadata.get("nbgrader", {}).get("grade")
    ]
    tree = parse(text, assignment.source)
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.ImportFrom) and node.module == "grader" and not node.level)
        and not any(node.lineno in lines for lines in checks)
    ]
    return run_tree(tree, text, f"grader_solution_{assignment.id}", assignment.source, {"check": lambda *_: None})


def run_tree(tree: ast.Module, text: str, name: str, path: Path, given: Mapping[str, Any]) -> ModuleType:
    """Run the syntax tree of a course file as the module `name`, with the names `given` already bound."""
    module = ModuleType(name)
    module.__file__ = str(path)
    vars(module).update(given)
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    sys.modules[name] = module
    try:
        exec(compile(tree, str(path), "exec"), vars(module))
    except Exception as problem:  # the author's code raises what it likes
        del sys.modules[name]
        frames = traceback.walk_tb(problem.__traceback__)
        line = next((line for frame, line in reversed([*frames]) if frame.f_code.co_filename == str(path)), None)
        if isinstance(problem, CourseError):
            raise fault(path, line, problem.problem, problem.hint) from problem
        reason = ended(f"the file does not run: {type(problem).__name__}: {problem}")
        raise fault(path, line, reason) from problem
    return module
