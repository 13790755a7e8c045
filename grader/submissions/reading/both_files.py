"""Makes one submission of a `.py` and a notebook that both hold answers.

Each exercise counts from the file in which it is written. What is written in both counts from the main file: the one
that was changed clearly later, else the one with more written exercises, else the `.py`. The times of files are often
those of unpacking, so a small difference says nothing.

Where the main file alone has no answer for an exercise, the two are run as one source, the main file last: then a name
that both define is the main file's, and a stub never takes the place of an answer
(`grader.inside.source.duplicate_definitions`).
"""

import hashlib
from collections.abc import Collection

import msgspec

from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.source_cells import Source
from grader.text import name_shown
from grader.words import say

CLEARLY_LATER_S = 60.0


class BothFiles(msgspec.Struct, frozen=True):
    """A `.py` and a notebook with answers.

    Attributes:
        main: The file that counts for what is written in both.
        why: The word for why it is the main file.
    """

    main: Source
    beside: Source
    twice: tuple[str, ...]
    only_beside: tuple[str, ...]
    why: str

    def source(self) -> Source:
        """Return the one source to run: the main file, with the other one before it where that has more to give."""
        if not self.only_beside:
            return self.main
        py, notebook = (self.main, self.beside) if self.main.kind == "py" else (self.beside, self.main)
        text = [Cell(PY_BESIDE, cell.source) for cell in py.cells]
        owned = self.twice if self.main is py else ()
        cells = [msgspec.structs.replace(each, grade_id="") if each.grade_id in owned else each
                 for each in notebook.cells]  # fmt: skip
        return msgspec.structs.replace(
            self.main,
            kind="ipynb",
            cells=[*cells, *text] if self.main is py else [*text, *cells],
            digest=hashlib.sha256(f"{self.beside.digest}{self.main.digest}".encode()).hexdigest(),
            marks=notebook.marks,
            notes=(*self.beside.notes, *self.main.notes),
        )

    def note(self, language: str) -> str:
        """Return what counts, as sentences for the student."""
        main, beside = name_shown(self.main.file_name), name_shown(self.beside.file_name)
        sentences = [say("both_files", language, main=main, beside=beside)]
        if self.only_beside:
            sentences.append(say("both_only", language, beside=beside, names=", ".join(self.only_beside)))
        if self.twice:
            why = say(self.why, language)
            sentences.append(say("both_twice", language, main=main, names=", ".join(self.twice), why=why))
        return " ".join([*sentences, say("both_advice", language)])


def compare_files(py: Source, notebook: Source, in_py: Collection[str], in_notebook: Collection[str]) -> BothFiles:
    """Return which of two files is the main one, and what the other has to give, by the exercises written in each."""
    later, more = notebook.changed - py.changed, len(in_notebook) - len(in_py)
    clearly = abs(later) > CLEARLY_LATER_S
    why = "both_later" if clearly else "both_more" if more else "both_py"
    if (later if clearly else more) > 0:
        main, beside, in_main, in_beside = notebook, py, in_notebook, in_py
    else:
        main, beside, in_main, in_beside = py, notebook, in_py, in_notebook
    twice = tuple(name for name in in_main if name in in_beside)
    return BothFiles(main, beside, twice, tuple(name for name in in_beside if name not in in_main), why)
