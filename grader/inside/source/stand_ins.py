"""Empty stand-ins for what a right answer may import but does not need.

A student's file often plots, shows a progress bar, annotates shapes or calls the notebook's own `check`. None of that
exists in a worker, and none of it may cost a point: a module of the lists below that is not installed is replaced by
one whose every attribute can be called, entered, indexed, iterated and unpacked, and does nothing. As a decorator it
leaves a function as it is.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import opcode
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType, FunctionType, ModuleType
from typing import Any

OFFERED = ("torch", "numpy", "einops")
"""What student code may import; a course allows more by its `extra_packages`."""
STAND_INS = frozenset(
    {
        "IPython", "altair", "beartype", "bertviz", "bokeh", "google.colab", "ipywidgets", "jaxtyping", "matplotlib",
        "mpl_toolkits", "nbgrader", "nptyping", "plotly", "rich", "seaborn", "torchinfo", "torchsummary", "torchtyping",
        "torchviz", "tqdm", "typeguard",
    }
)  # fmt: skip


UNPACK_SEQUENCE, UNPACK_EX = opcode.opmap["UNPACK_SEQUENCE"], opcode.opmap["UNPACK_EX"]


def items_asked_for(frame: FrameType | None) -> int:
    """Return how many items a frame is about to unpack: 2 in `a, b = ...`, 1 in `a, *rest = ...`, else 0.

    How often a plot's result has to be iterated is known to nobody but the line that unpacks it.
    """
    if frame is None or frame.f_lasti < 0:
        return 0
    code, at = frame.f_code.co_code, frame.f_lasti
    count = code[at + 1]
    extended = code[at - 1] if at >= 2 and code[at - 2] == opcode.EXTENDED_ARG else 0
    if code[at] == UNPACK_SEQUENCE:
        return count + (extended << 8)
    return count + extended if code[at] == UNPACK_EX else 0


class Inert:
    """Takes whatever is done to it and does nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return args[0] if len(args) == 1 and isinstance(args[0], FunctionType | type) else self

    def __class_getitem__(cls, key: Any) -> "Inert":
        return INERT

    def __instancecheck__(self, instance: Any) -> bool:
        return True

    def __getattr__(self, name: str) -> "Inert":
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter((self,) * items_asked_for(sys._getframe(1)))

    def __len__(self) -> int:
        return 0

    def __contains__(self, item: Any) -> bool:
        return False

    def __format__(self, spec: str) -> str:
        return repr(self)

    def __bool__(self) -> bool:
        return True

    def __float__(self) -> float:
        return 0.0

    def __int__(self) -> int:
        return 0

    def _do_nothing(self, *others: Any) -> None:
        return None

    def _return_self(self, *others: Any) -> "Inert":
        return self

    __setattr__ = __setitem__ = __delitem__ = __exit__ = _do_nothing
    __getitem__ = __enter__ = _return_self
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _return_self
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __or__ = __and__ = __abs__ = _return_self

    def __repr__(self) -> str:
        return "<a stand-in that does nothing>"


INERT = Inert()


def subplots(*args: Any, **kwargs: Any) -> tuple[Inert, Inert]:
    """Stand in for matplotlib's function of this name, whose two results are nearly always unpacked."""
    return INERT, INERT


class ProgressBar:
    """Stands in for the progress bars of tqdm and rich: passes an iterable through."""

    def __init__(self, iterable: Any = None, *args: Any, **kwargs: Any) -> None:
        self.iterable = iterable if iterable is not None else range(int(kwargs.get("total") or 0))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *details: Any) -> None:
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return INERT

    @staticmethod
    def write(text: str, *args: Any, **kwargs: Any) -> None:
        """Print a line, as tqdm does."""
        print(text)


class Progress(Inert):
    """Stands in for rich's display of several bars, whose `track` passes an iterable through."""

    track = staticmethod(ProgressBar)


def count_up(*args: Any, **kwargs: Any) -> ProgressBar:
    """Stand in for tqdm.trange."""
    return ProgressBar(range(*(arg for arg in args if isinstance(arg, int))))


def enumerated(iterable: Iterable[Any], start: int = 0, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Stand in for tqdm.contrib.tenumerate."""
    return enumerate(iterable, start)


def zipped(*iterables: Iterable[Any], **kwargs: Any) -> Iterator[Any]:
    """Stand in for tqdm.contrib.tzip."""
    return zip(*iterables)  # noqa: B905 - as tqdm does


def mapped(function: Callable[..., Any], *iterables: Iterable[Any], **kwargs: Any) -> list[Any]:
    """Stand in for tqdm.contrib.tmap and the maps of tqdm.contrib.concurrent."""
    return list(map(function, *iterables))


def combined(*iterables: Iterable[Any], **kwargs: Any) -> Iterator[Any]:
    """Stand in for tqdm.contrib.itertools.product."""
    return itertools.product(*iterables)


PASSED_THROUGH: dict[str, dict[str, Any]] = {
    "tqdm": {
        "tqdm": ProgressBar, "tqdm_notebook": ProgressBar, "trange": count_up, "tnrange": count_up,
        "tenumerate": enumerated, "tzip": zipped, "tmap": mapped, "thread_map": mapped, "process_map": mapped,
        "product": combined,
    },
    "rich": {"track": ProgressBar, "Progress": Progress},
}  # fmt: skip
"""What gives back what it is given, by package: a loop that is right runs over it."""


class StandIn(ModuleType):
    """A module of which every attribute is inert, but for the few that have to be something."""

    def __getattr__(self, name: str) -> Any:
        if name == "__version__":
            return "0"
        if name.startswith("__"):
            raise AttributeError(name)
        passed_through = PASSED_THROUGH.get(self.__name__.split(".")[0], {})
        if name in passed_through:
            return passed_through[name]
        if name == "subplots":
            return subplots
        return type(name, (Inert,), {}) if name[:1].isupper() else INERT


class StandInFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins, after every real finder has found nothing.

    Attributes:
        used: What it stood in for.
        refused: Modules that it does not stand in for, since the student's code asks whether they are there.
    """

    def __init__(self) -> None:
        self.used: list[str] = []
        self.refused: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        top = fullname.split(".")[0]
        if any(fullname == name or fullname.startswith(f"{name}.") for name in self.refused):
            return None
        if top in STAND_INS or fullname in STAND_INS or fullname.startswith("google.colab."):
            if top in sys.modules and not isinstance(sys.modules[top], StandIn) and top != "google":
                return None
            return importlib.util.spec_from_loader(fullname, self, is_package=True)
        if fullname == "google":
            return importlib.util.spec_from_loader(fullname, self, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Remember that the stand-in was needed; there is nothing to run."""
        if module.__name__ != "google" and module.__name__.split(".")[0] not in {
            name.split(".")[0] for name in self.used
        }:
            self.used.append(module.__name__)


def check(*names: Any, **options: Any) -> None:
    """Stand in for the check that a student's notebook calls; the real checks are run from outside."""


check.hint = check  # type: ignore[attr-defined]  # a hint that a cell asks for says nothing here either


def install() -> StandInFinder:
    """Register the module `grader` and the finder of stand-ins; returns the finder."""
    shim = ModuleType("grader", "Stands in for the course's package while student code runs.")
    shim.check = check  # type: ignore[attr-defined]  # a module made by hand
    sys.modules["grader"] = shim
    finder = StandInFinder()
    sys.meta_path.append(finder)
    return finder
