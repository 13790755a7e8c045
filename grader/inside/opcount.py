"""Records which torch functions and which ATen operations a call runs.

A function mode sees what was called by name, a dispatch mode what was computed underneath; together they see a
forbidden operation through nearly every alias, and count work in operations instead of seconds. Both belong to one
thread and can be left, so torch's profiler listens as well: it hears of every operation of the process. Only the names
of forbidden ones are taken from it, with a count of 0, since the counts are those of the call's own thread.

It hears a mark of the kit's own at the beginning and one at the end. Where one of them is missing, the call's code
stopped the profiler, started another one or kept it from starting, and the record is told to be incomplete. So it is
where torch's switch for what the profiler hears was used, which may be on again by the second mark, and where oneDNN
ran a part of a compiled function, of which nobody hears the operations.
"""

import contextlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from .answers import Unheard
from .forbidden import GROUPS

MOST_CALLS = 1000
HEARD_AT_ONCE = 2000  # calls; the profiler keeps the five or so operations of each until they are looked through
MOST_HEARD = 6000  # calls; hearing of one takes twice as long as counting it, and the clock of the check goes on
FORBIDDEN = frozenset(f"aten::{name}" for group in GROUPS.values() for name in group.operations)
LONGEST_CALL = 200
_autograd: Any = torch.autograd
_prepare, _enable, _disable = _autograd._prepare_profiler, _autograd._enable_profiler, _autograd._disable_profiler
_enter_mark = torch._C._autograd._record_function_with_args_enter
_leave_mark = torch._C._autograd._record_function_with_args_exit
_CPU = {_autograd.ProfilerActivity.CPU}
AVAILABLE = torch.version.cuda is None and torch.version.hip is None and _autograd.kineto_available()
"""Whether the profiler can be had; a build for GPUs would start the driver's own with it, so it stays off there."""
_EVERYWHERE = torch._C._profiler._ExperimentalConfig(profile_all_threads=True)
_CONFIG = _autograd.ProfilerConfig(_autograd.ProfilerState.KINETO, False, False, False, False, False, _EVERYWHERE, "")
BEGUN, ENDED = "grader: begun", "grader: ended"
UNKNOWN_INSIDE = "LlgaPartition"  # what oneDNN runs as one piece
_switch = _autograd._enable_record_function
_switched: list[bool] = []


def switch(enable: bool) -> None:
    """Switch what the profiler hears of the own thread on or off, and have that noted."""
    _switched.append(enable)
    _switch(enable)


_autograd._enable_record_function = torch._C._autograd._enable_record_function = switch

resolve_name(torch.softmax)  # builds torch's table of names now, in the process that all workers are forked from


class Functions(TorchFunctionMode):
    """Collects the dotted names of torch functions.

    Args:
        listener: Emptied every so many calls, and stopped after so many that it would slow a long computation down.
    """

    def __init__(self, listener: "Listener") -> None:
        super().__init__()
        self.names: set[str] = set()
        self._listener = listener
        self._count = 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if len(self.names) < MOST_CALLS:
            self.names.add(dotted(func))
        self._count += 1
        if self._count % HEARD_AT_ONCE == 0:
            self._listener.look_through(self._count < MOST_HEARD)
        return func(*args, **(kwargs or {}))


class Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    """Counts ATen operations by name, without their overloads."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from wrapping the method below for its compiler, which imports 800 modules at first use."""
        return False

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch has no types here
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func.overloadpacket)[:LONGEST_CALL]
        if name in self.counts or len(self.counts) < MOST_CALLS:
            self.counts[name] += 1
        return func(*args, **(kwargs or {}))


class Listener:
    """Hears of forbidden operations in every thread of the process, whatever modes are on.

    Attributes:
        names: The forbidden ones among what was heard.
        unheard: What was not heard: the `rest` of a long computation, or `lost` where student code was in the way.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.unheard: Unheard = ""
        self._listens = False

    def start(self) -> None:
        """Begin to listen, if a profiler can be had here. One that student code left on is replaced."""
        if not AVAILABLE:
            return
        try:
            _prepare(_CONFIG, _CPU)
            _enable(_CONFIG, _CPU)
            mark(BEGUN)
            self._listens = True
        except Exception:  # whatever keeps it from starting is of the student's making, for it starts elsewhere
            self.unheard = "lost"

    def stop(self) -> None:
        """Stop listening and keep the names of what was heard."""
        if _switched:  # whoever does that means to run something unheard, also where nobody listens
            self.unheard = "lost"
        if not self._listens:
            return
        self._listens = False
        try:
            mark(ENDED)
            heard = {event.name() for event in _disable().events()}
        except Exception:  # no mark was heard then, so the record is lost, which is said below
            heard = set()
        self.names |= {name.replace("::", ".") for name in heard & FORBIDDEN}
        if not {BEGUN, ENDED} <= heard or any(name.startswith(UNKNOWN_INSIDE) for name in heard):
            self.unheard = "lost"

    def look_through(self, go_on: bool) -> None:
        """Look through what was heard so far, so that it need not be kept, and listen on if asked to."""
        if not self._listens:
            return
        self.stop()
        if go_on:
            self.start()
        elif not self.unheard:
            self.unheard = "rest"


@contextlib.contextmanager
def deaf() -> Iterator[None]:
    """Record without the profiler meanwhile, whose first start brings a thread into the process."""
    global AVAILABLE
    before, AVAILABLE = AVAILABLE, False
    try:
        yield
    finally:
        AVAILABLE = before


def mark(name: str) -> None:
    """Have the profiler hear a name."""
    _leave_mark(_enter_mark(name))


class Recorder:
    """All records of one call."""

    def __init__(self) -> None:
        self.listener = Listener()
        self.functions, self.operations = Functions(self.listener), Operations()

    def counts(self) -> dict[str, int]:
        """Return how often each operation was run; 0 for a forbidden one that only the listener heard of."""
        return {**dict.fromkeys(sorted(self.listener.names), 0), **self.operations.counts}

    @property
    def unheard(self) -> Unheard:
        """What the listener did not hear of the call."""
        return self.listener.unheard

    def __enter__(self) -> "Recorder":
        self.listener.start()
        self.functions.__enter__()  # type: ignore[no-untyped-call]  # torch has no types here
        self.operations.__enter__()  # type: ignore[no-untyped-call]  # torch has no types here
        return self

    def __exit__(self, *details: Any) -> None:
        self.operations.__exit__(*details)  # type: ignore[no-untyped-call]  # torch has no types here
        self.functions.__exit__(*details)  # type: ignore[no-untyped-call]  # torch has no types here
        self.listener.stop()


def dotted(func: Any) -> str:
    """Return the public name of a torch function, `torch.nn.functional.softmax`."""
    name = resolve_name(func)
    if not isinstance(name, str):
        name = f"{getattr(func, '__module__', None) or 'torch'}.{getattr(func, '__name__', type(func).__name__)}"
    return name[:LONGEST_CALL]
