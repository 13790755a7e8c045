"""Reads the code cells of a notebook.

The JSON is decoded into typed structs and into nothing else: outputs and attachments are skipped as bytes and never
become objects, so a notebook of empty arrays costs no more than its size. Of the metadata only a grade id
is looked at, and whatever has another form than nbgrader's is as good as none. Jupyter itself writes some things that
no JSON may hold; they are mended where it cannot be read otherwise.
"""

import json
from collections.abc import Collection
from contextlib import suppress
from typing import Literal

import msgspec

from grader.inside.protocol.messages import Cell
from grader.language import N_
from grader.source_cells import Unreadable

from .python_file import decode

MOST_CELLS = 5000


class _NotebookCell(msgspec.Struct):
    cell_type: str
    source: str | list[str] | None = ""
    metadata: msgspec.Raw = msgspec.Raw(b"{}")


class _Nbgrader(msgspec.Struct, frozen=True):
    grade_id: str = ""


class _Metadata(msgspec.Struct):
    nbgrader: _Nbgrader = _Nbgrader()


class _Notebook(msgspec.Struct):
    nbformat: Literal[4]
    cells: list[_NotebookCell] = []


_DECODER = msgspec.json.Decoder(_Notebook)
_METADATA = msgspec.json.Decoder(_Metadata)
NO_JSON = (msgspec.MsgspecError, ValueError, RecursionError)


def read_notebook(raw: bytes, limit: int, exercises: Collection[str] = ()) -> tuple[list[Cell], list[Cell]]:
    """Return the code cells of a notebook, numbered from 1 among these, and cells of the exercises that are text.

    Raises:
        Unreadable: It is not a notebook, one of another format, or holds too much code.
    """
    code: list[Cell] = []
    texts: list[Cell] = []
    size = 0
    for cell in _cells(decode(raw)):
        kind, grade_id = code if cell.cell_type == "code" else texts, _grade_id(cell.metadata)
        if kind is texts and grade_id not in exercises:
            continue
        source = cell.source if isinstance(cell.source, str) else "".join(cell.source or ())
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        size += len(source.encode("utf-8"))
        if size > limit or len(kind) == MOST_CELLS:
            raise Unreadable(
                N_(
                    "The file {name} holds more than {most} KiB of code or more than {cells} code cells, and more is "
                    "not read. Delete what is not part of the assignment."
                ),
                most=limit // 1024,
                cells=MOST_CELLS,
            )
        kind.append(Cell(len(kind) + 1, source, grade_id if grade_id in exercises else ""))
    return code, texts


def _cells(text: str) -> list[_NotebookCell]:
    with suppress(*NO_JSON):
        return _DECODER.decode(text).cells
    try:
        return _DECODER.decode(mended_json(text)).cells
    except NO_JSON:
        raise Unreadable(
            N_(
                "The file {name} is not a whole notebook of format 4. Open it in Jupyter and save it again; the name "
                "of a program ends with .py."
            )
        ) from None


def _grade_id(metadata: msgspec.Raw) -> str:
    try:
        return _METADATA.decode(metadata).nbgrader.grade_id
    except NO_JSON:
        return ""


def mended_json(text: str) -> str:
    """Return the JSON of a notebook with null for NaN and Infinity, and `?` for half a character of a cut emoji."""
    mended = json.dumps(json.loads(text, parse_constant=lambda _: None), ensure_ascii=False)
    return mended.encode("utf-8", "replace").decode()
