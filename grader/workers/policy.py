"""Says which exercises a submission's text answers, and which forbidden call was made."""

from typing import Any

import msgspec

from grader.workers.process.failures import StudentFailure


class TextReading(msgspec.Struct, frozen=True):
    """Which exercises a submission's text answers; all empty if the text could not be analysed.

    Attributes:
        stubs: Exercises that cannot give an answer as they are written.
        absent: Exercises that nothing in the text defines.
        calls: The other exercises that the answer to an exercise calls.
    """

    stubs: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    calls: dict[str, list[str]] = {}

    def is_unwritten(self, exercise: str) -> bool:
        """Return whether the text has no answer to an exercise, apart from one that running code installs."""
        return exercise in self.stubs or exercise in self.absent


def forbidden_call(name: str, what: str, **place: Any) -> StudentFailure:
    """Return the failure of a call that ran a forbidden operation.

    Args:
        name: What was called.
        what: The operation; empty if student code replaced the kernels that block.
        **place: The student's own line, as `StudentFailure` has it.
    """
    if what:
        return StudentFailure(
            "forbidden",
            f"{what} was called while {name} ran; this exercise asks you to write that yourself.",
            sentence_ko=f"{name} 실행 중에 금지된 호출이 있었습니다({what}). 이 문제는 그것을 직접 구현해야 합니다.",
            name=name,
            **place,
        )
    return StudentFailure(
        "forbidden",
        f"While {name} ran, something in your code registered its own kernels for operations that this exercise "
        "forbids, so nobody can tell what it computed with. Leave out torch.library.",
        sentence_ko=f"{name} 실행 중에 이 문제가 금지한 연산에 다른 커널을 등록했습니다. torch.library를 쓰지 마세요.",
        name=name,
        **place,
    )
