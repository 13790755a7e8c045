"""Reads a student's own file for `grader check`, and the one of the same name beside it, which may hold answers too."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.limits import Limits
from grader.source_cells import Source, StubTexts

from .choice import both_of, choose_file
from .read import read_file


def read_own(path: Path, exercises: Sequence[str], limits: Limits, language: str, whole: bool) -> tuple[Source, Path]:
    """Read what is checked.

    Args:
        path: A `.py` or `.ipynb` file.
        exercises: The names to write.
        limits: How large a file may be.
        language: Of what is said where both files hold answers.
        whole: Whether the file beside it may count, as in grading; otherwise it is only mentioned.

    Returns:
        The code to check, and the file that it is called by.
    """
    pair = _pair(path, limits)
    if not whole:
        return _noted(pair[path], note_on_both(pair, exercises, language)), path
    source, notes = choose_file(list(pair.values()), StubTexts(exercises=tuple(exercises)), language)
    place = next((each for each, read in pair.items() if read.file_name == source.file_name), path)
    unread = any(read.problem for read in pair.values())
    return _noted(source, notes if unread else note_on_both(pair, exercises, language)), place


def two_files(path: Path, exercises: Sequence[str], limits: Limits, language: str) -> tuple[str, ...]:
    """Return what to know where a file and the one beside it, as they were saved, both hold answers."""
    return note_on_both(_pair(path, limits), exercises, language)


def note_on_both(pair: dict[Path, Source], exercises: Sequence[str], language: str) -> tuple[str, ...]:
    """Return what to know of two files that both hold answers."""
    both = both_of(list(pair.values()), StubTexts(exercises=tuple(exercises)))
    return (both.note(language),) if both else ()


def _pair(path: Path, limits: Limits) -> dict[Path, Source]:
    """Return a file and the one of the other kind beside it, where there is one."""
    places = (path.with_suffix(".py"), path.with_suffix(".ipynb"))
    return {place: read_file(place, limits, follow=True) for place in places if place == path or place.is_file()}


def _noted(source: Source, notes: Sequence[str]) -> Source:
    return msgspec.structs.replace(source, notes=(*notes, *source.notes))
