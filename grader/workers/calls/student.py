"""The `student` fixture: calls the student's functions and modules as if they were local.

`student.softmax_naive(x)` sends x to a worker and returns plain values. No returned value is of a class of the
student's, so a comparison compares numbers and never calls a student's `__eq__`.
"""

from collections.abc import Mapping
from typing import Any

import torch

from grader.inside.protocol.answers import Answer, Returned
from grader.words import Words
from grader.workers.process.check_attempt import Make, Read
from grader.workers.process.failures import StudentFailure
from grader.workers.session import WorkerSession

from .callees import Callee
from .module_handles import ModuleHandle
from .observation import Observation, Raised
from .requests import Given
from .value_rows import Foreign

__all__ = ["Foreign", "Given", "ModuleHandle", "Observation", "Raised", "Student", "StudentFunction"]


class StudentFunction(Callee):
    """A function or class of the student's, by name."""

    def _target(self) -> str:
        return self.name

    def _call_to_show(self, given: Given) -> tuple[str, Given]:
        return self.name, given

    def _new_handle(self, number: int, class_name: str, given: Given) -> ModuleHandle:
        return ModuleHandle(self._session, number, class_name, self.name, given)

    def built(
        self, *args: Any, seed: int | None = None, loads: Mapping[str, torch.Tensor] | None = None, **kwargs: Any
    ) -> ModuleHandle:
        """Return the module that a call makes before the next request, which fails where it makes none.

        Args:
            seed: Passed to torch.manual_seed before.
            loads: What is copied into its parameters and buffers, by name; where that fails the next request does.

        Raises:
            StudentFailure: The source cannot be loaded.
        """
        handle, request = self.to_build(Given(args, kwargs), seed, loads)
        self._session.tell(*request, self.name)
        return handle

    def to_build(
        self, given: Given, seed: int | None = None, loads: Mapping[str, torch.Tensor] | None = None
    ) -> tuple[ModuleHandle, tuple[Make, Read[None]]]:
        """Return a module that is not made yet, and how to make the request for it and read the reply."""
        number = self._session.next_module()
        handle = self._new_handle(number, self.name.rpartition(".")[2], given)
        make, read = self.to_call(given, seed=seed, made=number, loads=loads)

        def read_module(answer: Answer, payload: bytes) -> None:
            try:
                made = read(answer, payload).value
                if not isinstance(made, ModuleHandle):
                    raise StudentFailure(
                        "failed",
                        Words("{name}(...) is not an nn.Module; derive the class from nn.Module.", name=self.name),
                        name=self.name,
                    )
            except StudentFailure:
                self.note_call(given)
                raise
            handle.class_name = made.class_name
            if isinstance(answer, Returned):
                handle.has_all_loaded = all(answer.names.get(name) == [] for name in ("unset", "missing"))

        return handle, (make, read_module)


class Student:
    """The student's module: each attribute is a function or class of that name."""

    def __init__(self, session: WorkerSession) -> None:
        self._session = session

    def __getattr__(self, name: str) -> StudentFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return StudentFunction(self._session, name)

    def torch_nn(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Build one of torch's own layers in the worker, to hand it to student code: `torch_nn("Embedding", 5, 3)`."""
        return StudentFunction(self._session, f"torch.nn.{name}").built(*args, **kwargs)
