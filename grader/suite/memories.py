"""Gives known mistakes back what they remembered before a submission.

Nearly every list of mistakes has one that gives its first answer again and again, and all of a list are run on a wrong
answer. So each wrong submission would leave something behind, and end the process that graded it. What lies in
closures, defaults, attributes and the plain containers that their file names is put back. Anything else that changed is
not: `unchanged.py` sees it, and the process is not used again.
"""

import contextlib
import types
from collections.abc import Iterable
from typing import Any

from grader.suite.unchanged import same

PLAIN = (dict, list, set)
PYTHONS_OWN = frozenset({"__dict__", "__weakref__"})  # among the attributes of a class


class Memories:
    """What known mistakes remember now.

    Args:
        mistakes: Functions, classes and other objects.
        module: The name of the module that they were written in; functions and classes of others are passed over.
    """

    def __init__(self, mistakes: Iterable[Any], module: str) -> None:
        self._containers: list[tuple[Any, list[Any]]] = []
        self._classes: list[tuple[type, dict[str, Any]]] = []
        waiting = list(mistakes)
        seen: dict[int, Any] = {}
        while waiting:
            thing = waiting.pop()
            if id(thing) in seen:
                continue
            seen[id(thing)] = thing
            if type(thing) in PLAIN:
                self._containers.append((thing, contents(thing)))
                waiting += contents(thing)
            elif isinstance(thing, staticmethod | classmethod):
                waiting.append(thing.__func__)
            elif module not in (getattr(thing, "__module__", None), type(thing).__module__):
                continue
            elif isinstance(thing, types.FunctionType):
                waiting += [cell.cell_contents for cell in thing.__closure__ or () if not is_empty(cell)]
                waiting += [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values(), thing.__dict__]
                if id(thing.__globals__) not in seen:
                    seen[id(thing.__globals__)] = thing.__globals__
                    waiting += [value for name, value in thing.__globals__.items() if not name.startswith("__")]
            elif isinstance(thing, type):
                self._classes.append((thing, attributes(thing)))
                waiting += [*thing.__bases__, *attributes(thing).values()]
            else:
                waiting += [type(thing), getattr(thing, "__dict__", None)]

    def put_back(self) -> None:
        """Give every container and every class back what it held."""
        for container, before in self._containers:
            if not same(contents(container), before):
                refill(container, before)
        for kind, attributes_before in self._classes:
            now = attributes(kind)
            with contextlib.suppress(AttributeError, TypeError):  # one may refuse; that is seen later
                for name in now.keys() - attributes_before.keys():
                    delattr(kind, name)
                for name, value in attributes_before.items():
                    if name not in now or now[name] is not value:
                        setattr(kind, name, value)


def attributes(kind: type) -> dict[str, Any]:
    """Return what a class itself holds by name, its bases aside."""
    return {name: value for name, value in vars(kind).items() if name not in PYTHONS_OWN}


def is_empty(cell: types.CellType) -> bool:
    """Tell whether nothing was bound yet to the name that a cell stands for."""
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True


def contents(container: Any) -> list[Any]:
    """Return what a plain dictionary, list or set holds; of a dictionary each key with its value behind it."""
    return [each for pair in container.items() for each in pair] if isinstance(container, dict) else list(container)


def refill(container: Any, before: list[Any]) -> None:
    """Give a plain dictionary, list or set what `contents` said of it."""
    container.clear()
    if isinstance(container, dict):
        container.update(zip(before[::2], before[1::2], strict=True))
    elif isinstance(container, list):
        container.extend(before)
    else:
        container.update(before)
