"""Returns the replies that hold a value, and turns any other into the failure that ends the check."""

from typing import Any, cast

from grader.inside.protocol.answers import Answer, RaisedReply, Returned
from grader.inside.protocol.wire import ProtocolViolation
from grader.words import Words
from grader.workers.process.failures import FailureStatus, ForbiddenCall, StudentFailure
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
        what: The operation; empty if student code took away the kernels that block.
        **place: The student's own line, as `StudentFailure` has it.
    """
    if what:
        owner, possessive, operation = what.partition("'s ")
        what = Words("{owner}'s {name}", owner=owner, name=operation) if possessive else what
        sentence = Words(
            "{what} was called while {name} ran; this exercise asks you to write that yourself.", what=what, name=name
        )
    else:
        sentence = Words(
            "While {name} ran, your code put operations back that this exercise forbids, so nobody can tell what it "
            "computed with. Leave that out.",
            name=name,
        )
    return ForbiddenCall("forbidden", sentence, name=name, **place)


def raised_failure(answer: RaisedReply, name: str, record: SourceRecord) -> StudentFailure:
    """Return an exception of the student's code as a failure."""
    status: FailureStatus = "error" if answer.kind == "gradient" else cast(FailureStatus, answer.kind)
    sentence = {
        "missing": Words(
            "{name} is not written yet: it still raises {exception}.", name=name, exception=answer.type_name
        ),
        "memory": Words(
            "{name} asked for more memory than it may use; look for tensors that are larger than need be.", name=name
        ),
        "gradient": f"The gradient could not be computed: {answer.text.rstrip('.')}.",
        "forbidden": Words(
            "{name} tried something that is not allowed here: {type}: {text}",
            name=name, type=answer.type_name, text=answer.text,
        ),
    }.get(answer.kind, f"{name} raised {answer.type_name}: {answer.text}")  # fmt: skip
    make = RaisedError if status == "error" else StudentFailure
    failure = make(status, sentence, name=name, exception_type=answer.type_name, text=answer.text,
                   line=answer.line, cell=record.cell(answer.cell), line_text=answer.source)  # fmt: skip
    if isinstance(failure, RaisedError):
        failure.raised = Raised(answer.type_name, tuple(answer.bases), answer.text, answer.line)
    return failure
