"""Records which torch functions and which ATen operations a call runs.

A function mode sees what was called by name, a dispatch mode what was computed underneath; together they see a
forbidden operation through nearly every alias, and count work in operations instead of seconds. Both belong to one
thread and can be left, so torch's profiler listens as well: it hears of every operation of the process. Only the names
of forbidden ones are taken from it, with a count of 0, since the counts are those of the call's own thread.
"""

import contextlib
from collections import Counter
from typing import Any

import torch
from torch.overrides import TorchFunctionMode, resolve_name
from torch.utils._python_dispatch import TorchDispatchMode

from .forbidden import GROUPS

MOST_CALLS = 1000
MOST_HEARD = 2000
FORBIDDEN = frozenset(f"aten::{name}" for group in GROUPS.values() for name in group.operations)
LONGEST_CALL = 200
_autograd: Any = torch.autograd
_profiler: Any = torch._C._profiler

resolve_name(torch.softmax)  # builds torch's table of names now, in the process that all workers are forked from


class Functions(TorchFunctionMode):
    """Collects the dotted names of torch functions.

    Args:
        listener: Stopped after so many calls that hearing of each operation would slow a long computation down.
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
        if self._count == MOST_HEARD:
            self._listener.stop()
        return func(*args, **(kwargs or {}))


class Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Counts ATen operations by name, without their overloads."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from wrapping the method below for its compiler, which imports 800 modules at first use."""
        return False

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func.overloadpacket)[:LONGEST_CALL]
        if name in self.counts or len(self.counts) < MOST_CALLS:
            self.counts[name] += 1
        return func(*args, **(kwargs or {}))


class Listener:
    """Hears of forbidden operations in every thread of the process, whatever modes are on.

    A build for GPUs would start the driver's own profiler with it, so it stays off there.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._listens = False

    def start(self) -> None:
        """Begin to listen; where the profiler cannot be had, or student code has it in use, nothing is heard."""
        if torch.version.cuda is not None or torch.version.hip is not None:
            return
        with contextlib.suppress(RuntimeError, AttributeError, TypeError):
            everywhere = _profiler._ExperimentalConfig(profile_all_threads=True)
            config = _autograd.ProfilerConfig(
                _autograd.ProfilerState.KINETO, False, False, False, False, False, everywhere, ""
            )
            _autograd._prepare_profiler(config, {_autograd.ProfilerActivity.CPU})
            _autograd._enable_profiler(config, {_autograd.ProfilerActivity.CPU})
            self._listens = True

    def stop(self) -> None:
        """Stop listening and keep the names of what was heard."""
        if not self._listens:
            return
        self._listens = False
        with contextlib.suppress(RuntimeError):
            heard = {event.name() for event in _autograd._disable_profiler().events()}
            self.names = {name.replace("::", ".") for name in heard & FORBIDDEN}


class Recorder:
    """All records of one call."""

    def __init__(self) -> None:
        self.listener = Listener()
        self.functions, self.operations = Functions(self.listener), Operations()

    def counts(self) -> dict[str, int]:
        """Return how often each operation was run; 0 for a forbidden one that only the listener heard of."""
        return {**dict.fromkeys(sorted(self.listener.names), 0), **self.operations.counts}

    def __enter__(self) -> "Recorder":
        self.listener.start()
        self.functions.__enter__()  # type: ignore[no-untyped-call]
        self.operations.__enter__()  # type: ignore[no-untyped-call]
        return self

    def __exit__(self, *details: Any) -> None:
        self.operations.__exit__(*details)  # type: ignore[no-untyped-call]
        self.functions.__exit__(*details)  # type: ignore[no-untyped-call]
        self.listener.stop()


def dotted(func: Any) -> str:
    """Return the public name of a torch function, `torch.nn.functional.softmax`."""
    name = resolve_name(func)
    if not isinstance(name, str):
        name = f"{getattr(func, '__module__', None) or 'torch'}.{getattr(func, '__name__', type(func).__name__)}"
    return name[:LONGEST_CALL]
