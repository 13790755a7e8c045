"""Returns the replies that hold a value, and turns any other into the failure that ends the check."""

from typing import Any, cast

from grader.inside.protocol.answers import Answer, RaisedReply, Returned
from grader.inside.protocol.wire import ProtocolViolation
from grader.workers.process.failures import FailureStatus, StudentFailure
from grader.workers.session import WorkerSession
from grader.workers.source_notes import SourceRecord

from .observation import Raised
from .refusals import refusal


class RaisedError(StudentFailure):
    """A failure of status `error`, with the exception as data."""

    raised: Raised


def returned(answer: Answer, name: str, session: WorkerSession) -> Returned:
    """Return a reply that holds a value.

    Raises:
        StudentFailure: The call gave no value.
        ProtocolViolation: It answers another kind of request.
    """
    if isinstance(answer, Returned):
        return answer
    if not isinstance(answer, RaisedReply):
        raise ProtocolViolation("A call was asked for, and something else came.")
    if answer.kind == "refused":
        raise refusal(answer, name)
    if answer.kind == "called":
        cell = session.record.cell(answer.cell)
        raise forbidden_call(name, answer.text, line=answer.line, cell=cell, line_text=answer.source)
    if answer.kind == "missing" and not answer.type_name:
        raise session.record.missing(name, answer.text)
    raise raised_failure(answer, name, session.record)


def forbidden_call(name: str, what: str, **place: Any) -> StudentFailure:
    """Return the failure of a call that ran a forbidden operation.

    Args:
        what: The operation; empty if student code replaced the kernels that block.
        **place: The student's own line, as `StudentFailure` has it.
    """
    if what:
        sentence = f"{what} was called while {name} ran; this exercise asks you to write that yourself."
        called = what.replace("'s ", "의 ", 1)
        korean = f"{name} 실행 중에 금지된 호출이 있었습니다({called}). 이 문제는 그것을 직접 구현해야 합니다."
    else:
        sentence = (
            f"While {name} ran, something in your code registered its own kernels for operations that this exercise "
            "forbids, so nobody can tell what it computed with. Leave out torch.library."
        )
        korean = f"{name} 실행 중에 이 문제가 금지한 연산에 다른 커널을 등록했습니다. torch.library를 쓰지 마세요."
    return StudentFailure("forbidden", sentence, sentence_ko=korean, name=name, **place)


def raised_failure(answer: RaisedReply, name: str, record: SourceRecord) -> StudentFailure:
    """Return an exception of the student's code as a failure."""
    status: FailureStatus = "error" if answer.kind == "gradient" else cast(FailureStatus, answer.kind)
    sentence = {
        "missing": f"{name} is not written yet: it raises {answer.type_name}.",
        "memory": f"{name} asked for more memory than it may use; look for tensors that are larger than need be.",
        "gradient": f"The gradient could not be computed: {answer.text.rstrip('.')}.",
        "forbidden": f"{name} tried something that is not allowed here: {answer.type_name}: {answer.text}",
    }.get(answer.kind, f"{name} raised {answer.type_name}: {answer.text}")
    korean = {
        "memory": f"{name} 실행 중에 허용된 것보다 많은 메모리를 요구했습니다. 필요 이상으로 큰 텐서를 만들지 않는지 "
        "확인하세요.",
        "forbidden": f"{name} 실행 중에 허용되지 않는 동작을 했습니다: {answer.type_name}: {answer.text}",
    }.get(answer.kind, "")
    make = RaisedError if status == "error" else StudentFailure
    failure = make(status, sentence, sentence_ko=korean, name=name, exception_type=answer.type_name, text=answer.text,
                   line=answer.line, cell=record.cell(answer.cell), line_text=answer.source)  # fmt: skip
    if isinstance(failure, RaisedError):
        failure.raised = Raised(answer.type_name, tuple(answer.bases), answer.text, answer.line)
    return failure
