"""Accounts for every number that the study notes print: which golden entry holds it, and which entry holds too much.

The notes are no part of this repository, so their folder is an argument; in the order of their names they are N0, N1
and so on. Cell by cell, what is printed must be the entries' numbers, digit by digit and in the same order.

    .venv/bin/python tests/golden/accounting.py NOTES_FOLDER

Exit codes: 0 all is accounted for, 1 something is missing, wrong or superfluous, 2 the input cannot be read.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from reading_notes import Cell, inputs_of, read_note

from grader.errors import CourseError, GraderError
from grader.suite.core.figures import Figure, Printed, leaves, load_figures

COPY = " transposed"  # an entry `ID transposed` may hold ID once more, the first two dimensions swapped


class Row(NamedTuple):
    """A line of the table: where, what is printed there, what holds it or why nothing must, and what is wrong."""

    place: str
    printed: str
    holder: str
    fault: str = ""


def account_for(note: str, cells: list[Cell], figures: list[Figure]) -> Iterator[Row]:
    """Yield the table of one note: what its cells print in their order, then the entries that nothing prints.

    Args:
        note: `N0` and its like.
        cells: The note's cells.
        figures: The note's entries, in the order of the data.
    """
    known = {figure.id: figure for figure in figures}
    printed_ones = [figure for figure in figures if figure.kind != "input" and not is_copy(figure, known)]
    placed: set[str] = set()
    for cell in cells:
        mine = [figure for figure in printed_ones if places_of(figure)[0] in cell.names]
        placed.update(figure.id for figure in mine)
        place = f"{note} {cell.names[0]}"
        yield from (Row(place, text, f"not a figure: {reason}") for text, reason in cell.others)
        yield from aligned(place, cell.printed, mine)
    for figure in figures:
        place = f"{note} {figure.cell}"
        if figure.kind == "input":
            yield input_row(place, figure, cells)
        elif is_copy(figure, known):
            origin = figure.id.removesuffix(COPY)
            yield Row(place, "-", f"{figure.id}: copy of {origin}, the first two dimensions swapped")
        elif figure.id not in placed:
            yield Row(
                place, "-", f"{figure.id} holds {short(figure.text)}, but the note has no such cell", "SUPERFLUOUS"
            )


def aligned(place: str, printed: list[Printed], figures: list[Figure]) -> Iterator[Row]:
    """Yield a row for each thing that a cell prints and for each entry of that cell, both in their order."""
    texts = [json.dumps(value) for value in printed]
    matcher = SequenceMatcher(None, texts, [json.dumps(figure.text) for figure in figures], autojunk=False)
    for step, begin, end, first, last in matcher.get_opcodes():
        pairs = min(end - begin, last - first)
        for value, figure in zip(printed[begin : begin + pairs], figures[first : first + pairs], strict=True):
            if step == "equal":
                yield Row(place, short(value), figure.id)
            else:
                yield Row(place, short(value), f"{figure.id} holds {difference(value, figure.text)}", "WRONG")
        yield from (Row(place, short(value), "no entry holds it", "MISSING") for value in printed[begin + pairs : end])
        for figure in figures[first + pairs : last]:
            yield Row(place, "-", f"{figure.id} holds {short(figure.text)}, which is not printed", "SUPERFLUOUS")


def input_row(place: str, figure: Figure, cells: list[Cell]) -> Row:
    """Return the row of an entry that is given in code, not printed: each cell it names must write it out."""
    for name in places_of(figure):
        found = [written for cell in cells if name in cell.names for written in inputs_of(cell.code)]
        if figure.text not in found:
            return Row(place, "-", f"{figure.id}: the code of {name} does not hold {short(figure.text)}", "WRONG")
    return Row(place, "-", f"{figure.id}: input, written in the code")


def places_of(figure: Figure) -> list[str]:
    """Return the names of the cells that an entry names, `In [4]` and `In[4]` being the same."""
    return [name.strip().replace("In [", "In[") for name in figure.cell.split(",")]


def is_copy(figure: Figure, known: dict[str, Figure]) -> bool:
    """Say whether an entry only holds another one again, with its first two dimensions swapped."""
    origin = known.get(figure.id.removesuffix(COPY))
    if origin is None or origin is figure or len(origin.shape) < 2 or len(figure.shape) < 2:
        return False
    return isinstance(origin.text, list) and figure.text == [list(row) for row in zip(*origin.text, strict=True)]


def short(value: Printed) -> str:
    """Return a tensor in a few words: all of up to four numbers, else the shape, the first and the last number."""
    if isinstance(value, str):
        return value
    numbers = list(leaves(value))
    if len(numbers) <= 4 and value == numbers:
        return f"[{', '.join(numbers)}]"
    sizes = []
    inner: Printed = value
    while isinstance(inner, list):
        sizes.append(str(len(inner)))
        inner = inner[0] if inner else ""
    return f"({' x '.join(sizes)}) {numbers[0]} ... {numbers[-1]}" if numbers else f"({' x '.join(sizes)})"


def difference(printed: Printed, held: Printed) -> str:
    """Say in which number an entry departs from what is printed."""
    ours, theirs = list(leaves(held)), list(leaves(printed))
    for i, (our, their) in enumerate(zip(ours, theirs, strict=False)):
        if our != their and len(ours) == len(theirs):
            return f"{our} where {their} is printed, number {i + 1} of {len(theirs)}"
    return f"{short(held)}, which is another shape" if ours == theirs else short(held)


def read_notes(folder: Path) -> dict[str, list[Cell]]:
    """Return the cells of each note by the note's name, `N0` being the first.

    Raises:
        CourseError: The folder or a note cannot be read, or there is none.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".txt")
        texts = [path.read_text(encoding="utf-8") for path in paths]
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"The notes in {folder} could not be read.", f"{error}.", "Name their folder.") from error
    if not paths:
        raise CourseError(f"Notes were looked for in {folder}.", "No file there ends in .txt.", "Name their folder.")
    return {f"N{i}": read_note(text, path) for i, (text, path) in enumerate(zip(texts, paths, strict=True))}


def table_of(notes: dict[str, list[Cell]], figures: list[Figure]) -> list[Row]:
    """Return the rows of all notes; an entry of a note that is not there is superfluous."""
    rows: list[Row] = []
    for note in sorted({figure.note for figure in figures} | notes.keys()):
        rows += account_for(note, notes.get(note, []), [figure for figure in figures if figure.note == note])
    return rows


def summary(rows: list[Row]) -> str:
    """Return the last line: how many of what."""
    held = sum(row.printed != "-" and not row.fault and not row.holder.startswith("not a figure") for row in rows)
    others = sum(row.holder.startswith("not a figure") for row in rows)
    unprinted = sum(row.printed == "-" and not row.fault for row in rows)
    faults = ", ".join(f"{sum(row.fault == word for row in rows)} {word.lower()}" for word in FAULTS)
    return (
        f"{held} printed figures are held by as many entries; {faults}; {others} not a figure; {unprinted} unprinted."
    )


FAULTS = ("MISSING", "WRONG", "SUPERFLUOUS")


def main(arguments: list[str] | None = None) -> int:
    """Print the table and its sum; return the exit code."""
    parser = argparse.ArgumentParser(description="Account for every number that the study notes print.")
    parser.add_argument("notes", type=Path, help="the folder of the notes, files ending in .txt")
    parser.add_argument("--golden", type=Path, default=Path(__file__).parent, help="the folder of the golden data")
    options = parser.parse_args(arguments)
    try:
        rows = table_of(read_notes(options.notes), list(load_figures(options.golden).values()))
    except GraderError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    for row in rows:
        print(f"{row.place:{widths[0]}}  {row.printed:{widths[1]}}  {f'{row.fault}: ' * bool(row.fault)}{row.holder}")
    print(summary(rows))
    return int(any(row.fault for row in rows))


if __name__ == "__main__":
    sys.exit(main())
