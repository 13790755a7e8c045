"""Folders of submissions to find, and what was found in them, for the tests of `find_submissions`."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grader.errors import UsageError
from grader.submissions.finding.find import find_submissions
from grader.submissions.submission import FoundSubmissions

STEMS = {"01_simple_attention": "simple_attention", "04_multi_head_attention": "multi_head_attention"}
ONE, FOUR = STEMS


def put(root: Path, *names: str, text: str = "x = 1\n") -> None:
    """Write files of one text below a folder; a name that ends with `/` is an empty folder."""
    for name in names:
        path = root / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(text)


def find(
    *paths: Path, assignment: str | None = None, student: str | None = None, layout: str | None = None
) -> FoundSubmissions:
    """Find submissions of the two assignments."""
    return find_submissions(paths, assignments=STEMS, assignment=assignment, student=student, layout=layout)


def pairs(found: FoundSubmissions) -> list[tuple[str, str]]:
    """Return whose submission of which assignment was found."""
    return [(each.student, each.assignment) for each in found.submissions]


def refused(*paths: Path, **options: str) -> str:
    """Return the sentence with which paths are refused."""
    with pytest.raises(UsageError) as caught:
        find(*paths, **options)
    sentence = str(caught.value)
    assert sentence.endswith((".", "?")), "the error is no sentence"
    return sentence


class Layout(NamedTuple):
    """Files, what is asked, and what is found; see `laid`."""

    wanted: Sequence[str]
    files: Sequence[str]
    at: str | Sequence[str]
    warning: str
    problems: Mapping[str, str]
    notes: Mapping[str, str]
    told: str
    options: Mapping[str, Any]

    def check(self, root: Path) -> None:
        """Lay the files and ask that what is found, and said of it, is what is wanted and no more."""
        put(root, *self.files)
        names = [self.at] if isinstance(self.at, str) else self.at
        found = find(*(sorted(root.iterdir()) if self.at == "*" else [root / name for name in names]), **self.options)
        assert pairs(found) == [
            (name[:-2], ONE if name[-1] == "1" else FOUR) for name in self.wanted if name[-2] == " "
        ]
        assert found.students == sorted({name.removesuffix(" 1").removesuffix(" 4") for name in self.wanted})
        assert len(found.warnings) == bool(self.warning)
        assert self.warning in "".join(found.warnings)
        assert self.told in "".join(found.notes)
        for each in found.submissions:
            problem = self.problems.get(each.student)
            assert (each.problem is None) == (problem is None), each
            assert problem is None or (problem in str(each.problem) and not each.files)
            assert self.notes.get(each.student, "") in "".join(each.notes)


def laid(
    wanted: Sequence[str], *files: str, at: str | Sequence[str] = ".", warning: str = "",
    problems: Mapping[str, str] | None = None, notes: Mapping[str, str] | None = None, told: str = "", **options: Any,
) -> Layout:  # fmt: skip
    """Describe a layout of files and what is found in it.

    Args:
        wanted: Every student; those with a submission with the number of its assignment, such as `ann 1`.
        *files: The files.
        at: The paths that are given; `*` for everything in the folder.
        warning: Words of the only warning; without any there is none.
        problems: Words of the problem of a student's submissions; those of all others have none.
        notes: Words of the notes on a student's submission.
        told: Words of the notes of the run.
        **options: Of `find`.
    """
    return Layout(wanted, files, at, warning, problems or {}, notes or {}, told, options)
