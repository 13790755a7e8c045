"""The requests to a worker, one Struct for each kind; `answers.py` holds the replies."""

from typing import Annotated, Literal

import msgspec

from .rows import Count, DtypeName, Index, Indices, Name, Table, Words

NONCE_BYTES = 16
PY_BESIDE = 0  # the number of the one "cell" that is the whole `.py` beside a notebook
Nonce = Annotated[bytes, msgspec.Meta(min_length=NONCE_BYTES, max_length=NONCE_BYTES)]


class Message(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """Any request; a reply repeats its nonce."""

    nonce: Nonce


class Cell(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A piece of student source.

    Attributes:
        number: The cell's number as the student counts; 1 for a plain file, `PY_BESIDE` for one beside a notebook.
        grade_id: The exercise whose cell of a notebook it is; empty for any other.
    """

    number: Count
    source: str
    grade_id: Name = ""


class Stop(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A statement that hung or killed its worker in an earlier load; its group stops there.

    Attributes:
        statement: Its position in the group.
    """

    statement: Count
    status: Literal["timeout", "memory", "crash", "forbidden"]
    text: Words


class Load(Message, tag="load", kw_only=True):
    """Run the student's source as a module.

    Attributes:
        file_name: Its `__file__`, without a folder: the same for every submission of an assignment.
        notebook: Whether the cells are a notebook's; otherwise they are the parts of one text file.
        exercises: The names that stay the functions and classes that the source makes them.
        stops: By position of a cell group, the statements to leave out; after them only definitions of the group are
            run.
        definitions_only: Whether cells without a grade id run only definitions, since the whole took too long.
        steps: Whether the worker reports each next statement, for a source that did not finish an earlier load.
        output_bytes: How much printed text is kept of each request.
        reply_bytes: Bytes of tensors that a reply may carry.
    """

    cells: list[Cell]
    module_name: Name
    file_name: Name
    notebook: bool = False
    exercises: list[Name] = []
    stops: dict[int, list[Stop]] = {}
    definitions_only: bool = False
    steps: bool = False
    output_bytes: Count = 1 << 16
    reply_bytes: Count = 1 << 26


class Analyse(Message, tag="analyse", kw_only=True):
    """Find out which exercises the text answers, without running it."""

    cells: list[Cell]
    file_name: Name
    notebook: bool = False
    exercises: list[Name]


class Call(Message, tag="call", kw_only=True):
    """Call something in the worker, as `Callee.observe` does.

    Attributes:
        target: A name of the student's module, a dotted `torch.nn` name, or the id of a module in the worker.
        args: Rows of the table.
        cotangents: The rows to weigh the tensors of the result with, when gradients are requested.
        before: Rows of the arguments' values in an extra call that is made first and returns nothing.
        device: Where the tensors are, if it is not where the worker computes; the result has to be there, too.
        no_grad: Whether the call is made under torch.no_grad().
        mode: What a module is switched to before the call; empty to leave it as it is.
        fills: Whether memory that nobody has written to holds NaN during the call.
        made: The number by which a module that it returns can be asked for, beside the worker's own; 0 for none.
        loads: Rows of what is copied by name into the module that is made, or else into the one that is called, before.
        state_of: The module whose state_dict that one loads before; 0 for none.
        turned_to, moved_to: The dtype and the device that it is brought to before.
        start: The seed of the generators when all global state is reset before the call.
    """

    target: Name | int
    nodes: Table
    args: Indices
    kwargs: dict[Name, Index]
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] | None = None
    cotangents: Indices = []
    before: Indices = []
    echo: bool = False
    trace: bool = False
    device: Name = ""
    forbids: list[Name] = []
    no_grad: bool = False
    mode: Literal["", "train", "eval"] = ""
    fills: bool = False
    made: Count = 0
    loads: dict[Name, Index] = {}
    state_of: Count = 0
    turned_to: DtypeName | None = None
    moved_to: Name = ""
    start: Count = 0


ModuleAction = Literal[
    "parameters", "buffers", "facts", "load", "train", "eval", "to", "state_dict", "load_state_dict", "kept",
]  # fmt: skip


class ModuleRequest(Message, tag="module", kw_only=True):
    """Do something with a module in the worker.

    Attributes:
        values: Tensors by name, as rows of the table.
        told: Whether nobody waits for the reply, so that the module is lost where it fails, and no call of it is made.
        start: The seed of the generators when all global state is reset before the call.
    """

    handle: Count
    action: ModuleAction
    nodes: Table = []
    values: dict[Name, Index] = {}
    told: bool = False
    dtype: DtypeName | None = None
    device: Name | None = None
    start: Count = 0


Request = Load | Analyse | Call | ModuleRequest
