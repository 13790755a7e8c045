"""Counts the ATen operations that a call runs, so that work is measured in operations instead of seconds."""

from collections import Counter
from typing import Any

from ..protocol.torch_internals import TorchDispatchMode

MOST_NAMES = 1000
LONGEST_NAME = 200


class OperationCounter(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    """Counts ATen operations of its thread by name, without their overloads."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Keep torch from wrapping the method below for its compiler, which imports 800 modules at first use."""
        return False

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # torch has no types here
        self.counts: Counter[str] = Counter()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = str(func.overloadpacket)[:LONGEST_NAME]
        if name in self.counts or len(self.counts) < MOST_NAMES:
            self.counts[name] += 1
        return func(*args, **(kwargs or {}))
