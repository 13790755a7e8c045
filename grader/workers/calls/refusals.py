"""The sentences that say why a worker refuses a request; it sends which one, and its values."""

from grader.inside.protocol.answers import RaisedReply
from grader.inside.protocol.wire import ProtocolViolation
from grader.language import N_
from grader.words import Words
from grader.workers.process.failures import StudentFailure

SENTENCES = {
    "other_names": N_("The module {0} has no parameter or buffer named {1}; it has: {2}."),
    "no_names": N_("The module {0} has no parameter or buffer named {1}; it has: none at all."),
    "other_parameter_shape": N_("The parameter {1} of {0} has the shape {2}, but {3} is asked for."),
    "no_size": N_(
        "The parameter {1} of {0} has no size before the first call. Use a layer that is made with its sizes, such as "
        "nn.Linear."
    ),
    "misspelt_method": N_("{0} has no method `{1}`; there is `{2}`. Rename it."),
    "no_forward": N_("{0} has no method `forward`; is it written, and indented like `__init__`?"),
    "no_tensor": N_("A tensor is asked for to take gradients of, but the result is {0}."),
    "too_much_together": N_(
        "The results of the calls of one check together hold more than the {0} bytes that may be read."
    ),
    "lost": N_("Module number {0} is not in this process any more."),
}


def is_of_loading(failure: StudentFailure) -> bool:
    """Tell whether a failure says that a module has other parameters than those that were to be loaded."""
    return failure.code.split(" ")[0] in ("other_names", "no_names", "other_parameter_shape")


def refusal(answer: RaisedReply, name: str) -> StudentFailure:
    """Return the failure of a request that was refused.

    Raises:
        ProtocolViolation: No sentence is known by that name, or it has more gaps than values.
    """
    try:
        sentence = Words(SENTENCES[answer.text], *answer.values)
    except (KeyError, IndexError):
        raise ProtocolViolation("A refusal came that no worker of the kit sends.") from None
    code = " ".join([answer.text, *answer.values])
    return StudentFailure("failed", sentence, name=name, code=code)
