"""What a suite calls: the student's functions and modules, as if they were here.

`student.softmax_naive(x)` sends x to a worker and returns plain values. Nothing that comes back can be of a class of
the student's, so a comparison on this side compares numbers and not somebody's `__eq__`.
"""

from typing import Any

from grader.workers.session import Session

from .callees import ModuleHandle, Step, StudentFunction
from .observation import Observation, Placement, Raised, TensorFacts
from .requests import Given
from .value_rows import Foreign

__all__ = [
    "Foreign",
    "Given",
    "ModuleHandle",
    "Observation",
    "Placement",
    "Raised",
    "Step",
    "Student",
    "StudentFunction",
    "TensorFacts",
]


class Student:
    """The student's module: each attribute is a function or class of that name.

    Args:
        session: The submission.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> StudentFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        return StudentFunction(self._session, name)

    def torch_nn(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Build one of torch's own layers in the worker, to hand it to student code: `torch_nn("Embedding", 5, 3)`."""
        return StudentFunction(self._session, f"torch.nn.{name}")(*args, **kwargs)
