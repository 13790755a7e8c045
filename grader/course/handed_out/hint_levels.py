"""Hints in three levels, which the author of an exercise writes: where to look, which idea, nearly the answer.

A student asks for them one after the other (`grader hint`, `check.hint`, a key of `grader watch`). The hints of
`hints.py` are others: they come by themselves, with a wrong answer that the course knows.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grader.errors import CourseError
from grader.faults import course_path, did_you_mean, fault, parse_toml, read_text

NAME = "hints.toml"
LEVELS = ("where", "idea", "nearly")


class HintLevels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hints of one exercise, from the vaguest to the plainest."""

    where: str
    idea: str
    nearly: str
    where_ko: str = ""
    idea_ko: str = ""
    nearly_ko: str = ""

    def text(self, level: int, language: str) -> str:
        """Return the hint of a level, 1 to 3; in English where there is no Korean."""
        english: str = getattr(self, LEVELS[level - 1])
        text: str = (language == "ko" and getattr(self, f"{LEVELS[level - 1]}_ko")) or english
        return text.strip()


def levels_text(path: Path, exercises: Sequence[str]) -> str:
    """Return the text of an assignment's file of hints, which students get as it is."""
    text = read_text(path)
    for name, table in parse_toml(text, path).items():
        if name not in exercises:
            problem = f"{course_path(path)} has hints for `{name}`, but the assignment has no such exercise."
            raise CourseError(problem, did_you_mean(name, exercises))
        _check_table(path, name, table)
    return text


def _check_table(path: Path, name: str, table: object) -> None:
    fields = HintLevels.__struct_fields__
    if not isinstance(table, dict):
        raise fault(path, None, f"`{name}` is not a table.", f"Begin it with the line [{name}].")
    for key in table:
        if key not in fields:
            raise fault(path, None, f"`{name}` has an unknown key `{key}`.", did_you_mean(key, fields))
    for key in [*LEVELS, *(key for key in fields if key in table)]:
        text = table.get(key)
        if not isinstance(text, str) or not text.strip():
            problem = f"`{key}` of `{name}` is {'empty or not a text' if key in table else 'missing'}."
            raise fault(path, None, problem, f'Write {key} = "...", or leave the whole table out.')


def levels_of(file: Path, exercise: str) -> HintLevels | None:
    """Return the hints of an exercise from the file that a student has.

    None where it has none, or where the file is not there or not whole: a student can do without.
    """
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8")).get(exercise)
        return None if table is None else msgspec.convert(table, HintLevels)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return None
