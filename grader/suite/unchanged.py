"""Tells whether grading a submission left anything behind in the course's own modules.

A process may grade one submission after another only if each of them finds what the first one found. So whatever the
modules of a suite, a solution or a list of mistakes can reach is noted once: which objects each container holds, and
the version of each tensor. A thing whose inside cannot be seen (a generator, an open file) counts as changed from the
start. A course that keeps something between its checks costs time that way, and never a grade.
"""

import collections
import enum
import functools
import gc
import operator
import os
import re
import sys
import sysconfig
import types
from collections.abc import Iterable
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import torch

FIXED = (
    *(bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented), range, slice, re.Pattern),
    *(date, time, timedelta, Decimal, Fraction, PurePath, enum.Enum, types.CodeType, types.GenericAlias),
    *(types.UnionType, types.MethodDescriptorType, types.WrapperDescriptorType, types.GetSetDescriptorType),
    *(types.MemberDescriptorType, types.ClassMethodDescriptorType),
    *(torch.dtype, torch.device, torch.layout, torch.memory_format, torch.Size, np.dtype, np.generic, np.ufunc),
)
"""Types whose objects never change."""

SEEN_THROUGH = (
    *(
        dict,
        collections.OrderedDict,
        list,
        tuple,
        set,
        frozenset,
        collections.deque,
        types.ModuleType,
        types.FunctionType,
        types.CellType,
    ),
    *(types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, types.MappingProxyType, functools.partial),
    *(functools._lru_cache_wrapper, staticmethod, classmethod, property, type),
)
"""Types whose objects are nothing but what the garbage collector finds in them."""

MADE_AT_RUN_TIME = 1 << 9  # Py_TPFLAGS_HEAPTYPE; every class that is written in Python has it
PYTHONS_OWN = frozenset({"__builtins__", "__loader__", "__spec__", "__warningregistry__"})  # in a module's names
BORDER = (object(),)  # between two things whose contents stand in one row, so that nothing moves over unseen
parts_of = operator.attrgetter("__code__", "__defaults__", "__kwdefaults__", "__closure__", "__dict__")


class Unchanged:
    """What the course's modules hold now, to be held against what they hold later.

    Args:
        roots: Where to begin: modules, functions, lists.

    Attributes:
        opaque: The type of a thing whose inside cannot be seen; None where there is none.
    """

    def __init__(self, roots: Iterable[Any]) -> None:
        self.opaque: type | None = None
        self._containers: list[Any] = []
        self._dictionaries: list[dict[Any, Any]] = []
        self._functions: list[types.FunctionType] = []
        self._tensors: list[tuple[torch.Tensor, int, torch.Tensor | None]] = []
        seen: dict[int, Any] = {}
        waiting = list(roots)
        while waiting and self.opaque is None:
            thing = waiting.pop()
            if id(thing) not in seen and not is_fixed(thing):
                seen[id(thing)] = thing
                waiting += self._note(thing)
        self._before = self._held()

    def holds(self) -> bool:
        """Tell whether everything is as it was."""
        return (
            self.opaque is None
            and same(self._held(), self._before)
            and all(tensor._version == version and tensor.grad is grad for tensor, version, grad in self._tensors)
        )

    def _held(self) -> list[Any]:
        """Return all that is held now, in one row: it is gone through after every submission."""
        held = gc.get_referents(*self._containers)
        for each in self._dictionaries:
            held += entries(each)
            held.append(BORDER)
        for function in self._functions:
            held += parts_of(function)
        return held

    def _note(self, thing: Any) -> list[Any]:
        """Note what a thing holds and return it."""
        if isinstance(thing, torch.Tensor):
            self._tensors.append((thing, thing._version, thing.grad))
            return [thing.grad]
        if not all(map(is_seen_through, type(thing).__mro__)):
            self.opaque = type(thing)
            return []
        if isinstance(thing, types.FunctionType):
            self._functions.append(thing)
            return [*parts_of(thing), thing.__globals__]
        held: list[Any] = []
        if isinstance(thing, dict):
            self._dictionaries.append(thing)
            held += entries(thing)
        if type(thing) not in (dict, collections.OrderedDict):
            self._containers += [thing, BORDER]
            held += gc.get_referents(thing)
        return held


def entries(held: dict[Any, Any]) -> list[Any]:
    """Return a dictionary's keys and values, in an order that stays while it does; of a module's not Python's own."""
    if is_namespace(held):
        return [each for name, value in held.items() if name not in PYTHONS_OWN for each in (name, value)]
    return [*dict.keys(held), *dict.values(held)]


def is_seen_through(kind: type) -> bool:
    """Tell whether objects of a class, as far as it makes them, are nothing but what the collector finds in them."""
    if kind is object or kind in SEEN_THROUGH:
        return True
    module = sys.modules.get(kind.__module__)  # a suite's own need not be listed there
    in_python = module is None or str(getattr(module, "__file__", None)).endswith(".py")
    return in_python and bool(kind.__flags__ & MADE_AT_RUN_TIME)


def same(now: list[Any], before: list[Any]) -> bool:
    """Tell whether two lists hold the very same objects."""
    return len(now) == len(before) and all(map(operator.is_, now, before))


def is_fixed(thing: Any) -> bool:
    """Tell whether a thing never changes, or is none of the course's."""
    if isinstance(thing, FIXED) or type(thing) is object:
        return True
    if isinstance(thing, types.ModuleType):
        return not is_own(vars(thing))
    if isinstance(thing, types.FunctionType):
        return not is_own(thing.__globals__)
    if isinstance(thing, type):
        return not is_own(namespace(thing))
    if isinstance(thing, dict) and is_namespace(thing):
        return not is_own(thing)
    return type(thing).__module__.partition(".")[0] in ("grader", "typing", "pluggy")


def is_namespace(names: dict[Any, Any]) -> bool:
    """Tell whether a dictionary holds the names of a module."""
    return "__spec__" in names and "__name__" in names


def namespace(kind: type) -> dict[str, Any]:
    """Return the names of the module that a class was written in."""
    module = sys.modules.get(kind.__module__)
    return {} if module is None else vars(module)


def is_own(names: dict[str, Any]) -> bool:
    """Tell whether a module's names are those of a module of the course: neither installed nor this kit's."""
    spec, file = names.get("__spec__"), names.get("__file__")
    if file is None:
        return getattr(spec, "origin", None) not in ("built-in", "frozen")
    return not str(file).startswith(not_the_courses())


@functools.cache
def not_the_courses() -> tuple[str, ...]:
    """Return where the modules that are none of the course's lie: this kit, Python and what is installed with it."""
    installed = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return tuple(f"{folder}{os.sep}" for folder in (Path(__file__).resolve().parents[1], *installed))
