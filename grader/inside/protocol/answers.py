"""The replies of a worker, one Struct for each kind, and the records in them."""

from typing import Annotated, Literal

import msgspec

from .messages import Nonce
from .rows import MOST_NODES, Count, Index, Indices, Name, Table, Words

OUTPUT_CAP = 1 << 18
Output = Annotated[str, msgspec.Meta(max_length=OUTPUT_CAP)]
ChoiceReason = Literal["copy", "own", "value", "written"]
TOO_LONG = "the cells together took too long, so only what defines something was run here."


class WorkerMessage(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Anything a worker sends; the nonce is that of the request."""

    nonce: Nonce


class Reply(WorkerMessage, kw_only=True):
    """The last message about a request.

    Attributes:
        output: What was printed meanwhile, cut at the limit.
        dropped: Printed bytes beyond the limit.
    """

    output: Output = ""
    dropped: Count = 0


class StatementReached(WorkerMessage, tag="reached", kw_only=True):
    """Sent during a load before each statement, so that one which never ends can be named.

    Attributes:
        statement: Position of the statement in it; 0 also while the group is compiled.
    """

    group: Count
    statement: Count


class Defined(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A name that the student's source defines."""

    name: Name
    kind: Literal["function", "class", "module", "value"]


class Problem(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Something that went wrong while the source was loaded.

    Attributes:
        cell: Number of the cell as the student counts.
        line: Line in the file, or in the cell of a notebook.
        source: The text of that line.
        lost: Names whose definition was not reached because of it.
        status: What a check on a lost name should be called.
    """

    cell: Count
    line: Count | None
    source: Words
    type_name: Name
    text: Words
    lost: Annotated[list[Name], msgspec.Meta(max_length=MOST_NODES)] = []
    status: Literal["error", "missing", "timeout", "memory", "crash", "forbidden"] = "error"


class Place(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A line of the source; of a notebook a line of a cell."""

    cell: Count
    line: Count


class ChosenDefinition(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Which of several definitions of a name counts.

    Attributes:
        others: The lines of the definitions that do not count.
        why: It is in the last written of several cells with its grade id (`copy`), in the only such cell (`own`), it is
            the last written definition while that cell is unchanged from the handout (`written`), or the name was given
            to a value further down (`value`).
    """

    name: Name
    place: Place
    others: Annotated[list[Place], msgspec.Meta(max_length=64)]
    why: ChoiceReason


class RerunCell(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A cell that was continued after a cell below it had defined a missing name."""

    cell: Count
    name: Name


class Loaded(Reply, tag="loaded", kw_only=True):
    """The source was run.

    Attributes:
        stand_ins: Modules that are not installed and were replaced by empty ones.
        left_out: Lines that only a notebook's kernel understands.
        chosen: Which definition counts where there were several.
        again: Cells that needed what a cell below them defines.
    """

    names: Annotated[list[Defined], msgspec.Meta(max_length=MOST_NODES)]
    problems: Annotated[list[Problem], msgspec.Meta(max_length=MOST_NODES)]
    stand_ins: Annotated[list[Name], msgspec.Meta(max_length=MOST_NODES)]
    left_out: Annotated[list[Place], msgspec.Meta(max_length=MOST_NODES)] = []
    chosen: Annotated[list[ChosenDefinition], msgspec.Meta(max_length=MOST_NODES)] = []
    again: Annotated[list[RerunCell], msgspec.Meta(max_length=MOST_NODES)] = []


class Analysed(Reply, tag="found", kw_only=True):
    """The result of `Analyse`, which the trusted side keeps as a `TextReading`."""

    stubs: Annotated[list[Name], msgspec.Meta(max_length=MOST_NODES)] = []
    absent: Annotated[list[Name], msgspec.Meta(max_length=MOST_NODES)] = []


class Returned(Reply, tag="returned", kw_only=True):
    """A call came back.

    Attributes:
        value: Row of the result.
        gradients: Rows aligned with the arguments, None where there is no gradient.
        keyword_gradients: Rows by keyword.
        parameter_gradients: Rows by name of the called module's parameters.
        inputs_after: Rows aligned with the arguments, when asked for.
        kwargs_after: Rows by keyword, when asked for.
        operations: How often each ATen operation was run.
        names: Words by name: for `facts` the kind, dtype, device, 0 or 1 (whether autograd follows it) and sizes; for
            what is loaded, the parameters that were left without a value.
    """

    nodes: Table
    value: Index = 0
    gradients: Annotated[list[Index | None], msgspec.Meta(max_length=MOST_NODES)] = []
    keyword_gradients: dict[Name, Index | None] = {}
    parameter_gradients: dict[Name, Index | None] = {}
    inputs_after: Indices = []
    kwargs_after: dict[Name, Index] = {}
    operations: dict[Name, Count] = {}
    names: dict[Name, Annotated[list[Name], msgspec.Meta(max_length=64)]] = {}


class RaisedReply(Reply, tag="raised", kw_only=True):
    """A call gave no value.

    Attributes:
        kind: `refused` when the request cannot be met (a name that a module does not have, say), which `text` and
            `values` say as a `Refused` has them; `gradient` when the call returned, but the gradients of its result
            could not be computed; `called` when the call ran a blocked operation, which `text` names, or replaced the
            kernels that block (then `text` is empty).
        line: Number of the last line of the student's in the traceback; `cell` and `source` are its cell and text.
    """

    kind: Literal["missing", "error", "memory", "forbidden", "refused", "gradient", "called"]
    type_name: Name = ""
    bases: Annotated[list[Name], msgspec.Meta(max_length=64)] = []
    text: Words = ""
    values: Annotated[list[Words], msgspec.Meta(max_length=4)] = []
    line: Count | None = None
    cell: Count | None = None
    source: Words = ""


Answer = StatementReached | Loaded | Analysed | Returned | RaisedReply
