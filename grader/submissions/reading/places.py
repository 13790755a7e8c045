"""Chooses between files of one name in several places, such as two folders of a zip file.

Only one of them may have an answer, or all that have one must have the same: nobody else knows which one is meant.
"""

from collections.abc import Collection, Mapping
from pathlib import Path

from grader.source_cells import Source, StubTexts

from .choice import Work, bare_code, work_in


def in_several_places(files: Collection[Path]) -> bool:
    """Return whether files are more than one, or a `.py` and a notebook that belong together."""
    return len({path.parent for path in files}) > 1 or len({path.suffix.lower() for path in files}) < len(files)


def choose_place(read: Mapping[Path, Source], stub: StubTexts) -> list[Path]:
    """Return the files of the place that counts; none where that is not certain."""
    places: dict[tuple[Path, str], list[Path]] = {}
    for path in read:
        places.setdefault((path.parent, path.stem), []).append(path)
    answers = [
        (paths, frozenset(bare_code(read[path].cells) for path in paths if work_in(read[path], stub) is Work.ANSWER))
        for paths in places.values()
    ]
    written = [(paths, code) for paths, code in answers if code]
    if any(source.problem for source in read.values()) or len({code for _, code in written}) > 1:
        return []
    return (written or answers)[0][0]
