"""The `student` fixture: calls the student's functions and modules as if they were local.

`student.softmax_naive(x)` sends x to a worker and returns plain values. No returned value is of a class of the
student's, so a comparison compares numbers and never calls a student's `__eq__`.
"""

from typing import Any

from grader.workers.session import WorkerSession

from .callees import Callee
from .module_handles import HistoryStep, ModuleHandle
from .observation import Observation, Raised
from .requests import Given
from .value_rows import Foreign

__all__ = ["Foreign", "Given", "HistoryStep", "ModuleHandle", "Observation", "Raised", "Student", "StudentFunction"]


class StudentFunction(Callee):
    """A function or class of the student's, by name."""

    def _target(self) -> str:
        return self.name

    def _call_to_show(self, given: Given) -> tuple[str, Given]:
        return self.name, given

    def _new_handle(self, number: int, class_name: str, given: Given) -> ModuleHandle:
        return ModuleHandle(self._session, number, class_name, self.name, given)


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
        return StudentFunction(self._session, f"torch.nn.{name}")(*args, **kwargs)
