"""What is known of a submission's source after loading, and the sentences about it in a report.

All of it comes from a process that runs the student's code, and the student's copy shows it. So line ends are removed,
and a choice or a second run is reported only if its name is in the source.
"""

import difflib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.inside.protocol.answers import TOO_LONG, ChosenDefinition, Defined, Loaded, Place, Problem, RerunCell
from grader.inside.protocol.messages import PY_BESIDE, Cell
from grader.text import one_line
from grader.words import filled
from grader.workers.process.failures import StudentFailure

MOST_NOTES = 10
LONGEST_SHOWN = 60
LONGEST_SENTENCE = 2000
CLOSE_ENOUGH = 0.75
LANGUAGES = ("en", "ko")
TOO_LONG_KO = "셀을 모두 실행하면 너무 오래 걸려서, 여기서는 정의만 실행했습니다."

SENTENCES: dict[str, tuple[str, str]] = {
    "line": ("line {line}", "{line}번째 줄"),
    "line_of_py": ("line {line} of the .py", ".py 파일의 {line}번째 줄"),
    "line_of_cell": ("line {line} of cell {cell}", "셀 {cell}의 {line}번째 줄"),
    "cell": ("cell {cell}", "셀 {cell}"),
    "part": ("a part", "코드의 일부"),
    "and": (" and ", ", "),
    "raised": ("{place} stopped with {what}.", "{place}에서 예외로 멈췄습니다. {what}."),
    "stopped": ("{place} was not run any further: {text}.", "{place}부터는 실행하지 않았습니다. {text}."),
    "lost": (" Not defined because of it: {names}.", " 그래서 정의되지 않은 이름: {names}."),
    "copy": (
        "More than one cell carries the grade id {name}: {counts} counts, the last of them that is written, and not "
        "{others}.",
        "grade id가 {name}인 셀이 여러 개입니다. 답이 쓰여 있는 마지막 것이 인정됩니다: {counts}. 인정되지 않는 것: "
        "{others}.",
    ),
    "own": (
        "{name} is defined more than once: its own cell counts ({counts}), and not {others}.",
        "여러 번 정의되었습니다: {name}. 이 문제의 셀에 있는 것이 인정됩니다: {counts}. 인정되지 않는 것: {others}.",
    ),
    "written": (
        "{name} is taken from {counts}, since what is in {others} is not written yet.",
        "아직 작성되지 않은 것이 있어 다른 곳의 답을 썼습니다: {name}. 쓴 것: {counts}. 작성되지 않은 것: {others}.",
    ),
    "value": (
        "{name} is the name of a value further down; the definition in {counts} counts.",
        "이름이 아래에서 값에도 쓰였습니다: {name}. {counts}의 정의가 인정됩니다.",
    ),
    "again": (
        "{place} needs {name}, which is defined further down; the rest of it was run after that.",
        "아래에서 정의되는 이름이 필요합니다: {name}. {place}의 나머지는 그 뒤에 실행했습니다.",
    ),
    "left_out": (
        "Left out, since only a notebook's kernel understands it: {shown}.",
        "노트북의 커널만 이해하는 것이어서 뺐습니다: {shown}.",
    ),
    "more": ("; and {count} more", "; 그 밖에 {count}개"),
    "stand_ins": (
        "Not installed here and replaced by something that does nothing: {names}.",
        "여기에 설치되어 있지 않아 아무 일도 하지 않는 것으로 바꾸었습니다: {names}.",
    ),
    "undefined": ("{name} is not defined.", "정의되지 않았습니다: {name}."),
    "nowhere": ("{name} is not defined in {file}.", "{file}에 정의되지 않았습니다: {name}."),
    "near": (" Did you mean {near}? Give it the name {name}.", " {near}인가요? 이름을 {name}에 맞추어 고치세요."),
    "indented": (
        " It is in {place}, but inside of something else, since that line is indented. Begin it at the left margin.",
        " {place}에 있지만 들여 써서 다른 것의 안에 들어가 있습니다. 줄의 맨 앞에서 시작하게 고치세요.",
    ),
    "define": (" Define it under exactly this name.", " 꼭 이 이름으로 정의하세요."),
    "not_callable": (
        "{found}; define a function or class of this name.",
        "함수도 클래스도 아닙니다: {name}. 이 이름의 함수나 클래스를 정의하세요.",
    ),
}


@dataclass
class SourceRecord:
    """The last load of a submission's source.

    Attributes:
        file_name: Bare name of the file.
        notebook: Whether lines count within cells.
        loaded: The worker's answer; None until it was loaded.
        unread: Why the text could not be read or run at all; empty if it could.
        exercises: Names of exercises, none of which counts as a misspelling.
        korean: Sentences of the kit that the worker gives back in English, with their Korean.
    """

    file_name: str
    notebook: bool
    loaded: Loaded | None = None
    unread: str = ""
    exercises: frozenset[str] = frozenset()
    cells: Sequence[Cell] = ()
    korean: dict[str, str] = field(default_factory=lambda: {TOO_LONG: TOO_LONG_KO})

    @property
    def names(self) -> list[Defined]:
        """What the source defines."""
        return self.loaded.names if self.loaded else []

    @property
    def problems(self) -> list[Problem]:
        """What went wrong while it was loaded."""
        return self.loaded.problems if self.loaded else []

    def _at(self, cell: int, line: int, language: str) -> str:
        """Return a line as the middle of a sentence names it."""
        key = "line_of_py" if cell == PY_BESIDE else "line_of_cell" if self.notebook else "line"
        return _say(key, language, line=line, cell=cell)

    def cell(self, number: int | None) -> int | None:
        """Return the number of a notebook's cell, as a report has it; None for a line of a `.py`."""
        return None if not self.notebook or number == PY_BESIDE else number

    def problem_sentence(self, problem: Problem, language: str = "en") -> str:
        """Return a problem as a sentence."""
        place = self.file_name
        if problem.line is not None:
            place = _first_upper(self._at(problem.cell, problem.line, language))
        elif self.cell(problem.cell):
            place = _first_upper(_say("cell", language, cell=problem.cell))
        text = one_line(self.in_language(problem.text, language), LONGEST_SENTENCE).rstrip(".")
        if not problem.type_name:
            return _say("stopped", language, place=place, text=text)
        what = ": ".join(part for part in (one_line(problem.type_name), text) if part)
        return _say("raised", language, place=place, what=what)

    def in_language(self, sentence: str, language: str) -> str:
        """Return a sentence of the kit in a language; what is not known to be one stays as it is."""
        return self.korean.get(sentence, sentence) if language == "ko" else sentence

    def is_in_source(self, name: str) -> bool:
        """Return whether a name is in the source; Python normalises the letters of a name."""
        if not name.isidentifier():
            return False
        texts = [cell.source for cell in self.cells]
        return any(name in text or name in unicodedata.normalize("NFKC", text) for text in texts)

    def notes(self, language: str = "en") -> list[str]:
        """Return sentences about the source that a reader of the report should know."""
        notes = []
        for problem in self.problems[:MOST_NOTES]:
            names = ", ".join(map(one_line, problem.lost[:10]))
            lost = _say("lost", language, names=names) if names else ""
            notes.append(self.problem_sentence(problem, language) + lost)
        if self.loaded:
            notes += [
                self._choice(chosen, language)
                for chosen in self.loaded.chosen[:MOST_NOTES]
                if self.is_in_source(chosen.name)
            ]
            notes += [
                self._again(again, language)
                for again in self.loaded.again[:MOST_NOTES]
                if self.is_in_source(again.name)
            ]
            notes += self._left_out(self.loaded.left_out, language)
        if self.loaded and self.loaded.stand_ins:
            names = ", ".join(map(one_line, self.loaded.stand_ins[:MOST_NOTES]))
            notes.append(_say("stand_ins", language, names=names))
        if self.unread:
            notes.append(one_line(self.in_language(self.unread, language), LONGEST_SENTENCE))
        return [note for note in notes if note]

    def _where(self, place: Place, language: str) -> str:
        if self.cell(place.cell):
            return _say("cell", language, cell=place.cell)
        return self._at(place.cell, place.line, language)

    def _choice(self, chosen: ChosenDefinition, language: str) -> str:
        """Return which of several definitions counts, as a sentence; empty where all others are in the other file.

        What counts of two files is said once for all of them (`grader.submissions.answers`).
        """
        if chosen.why == "value":
            return _say("value", language, name=chosen.name, counts=self._where(chosen.place, language))
        beside = chosen.place.cell == PY_BESIDE
        others = [self._where(place, language) for place in chosen.others if (place.cell == PY_BESIDE) == beside]
        if not others:
            return ""
        counts = self._where(chosen.place, language)
        names = _listed(list(dict.fromkeys(others)), language)
        return _say(chosen.why, language, name=chosen.name, counts=counts, others=names)

    def _again(self, again: RerunCell, language: str) -> str:
        place = _say("cell" if self.cell(again.cell) else "part", language, cell=again.cell)
        return _say("again", language, place=_first_upper(place), name=again.name)

    def _left_out(self, places: list[Place], language: str) -> list[str]:
        """Return a sentence about lines that are not Python, which quotes them from the file."""
        lines = {cell.number: cell.source.split("\n") for cell in self.cells}
        shown = []
        for place in dict.fromkeys(places):
            text = lines.get(place.cell, [])
            if 0 < place.line <= len(text):
                shown.append(f"{one_line(text[place.line - 1], LONGEST_SHOWN)} ({self._where(place, language)})")
        if not shown:
            return []
        more = len(shown) - MOST_NOTES
        rest = _say("more", language, count=more) if more > 0 else ""
        return [_say("left_out", language, shown="; ".join(shown[:MOST_NOTES]) + rest)]

    def missing(self, name: str, words: str) -> StudentFailure:
        """Return the failure of a call to a name that is not there or cannot be called, which `words` say."""
        cause = next((problem for problem in self.problems if name in problem.lost), None)
        if cause is not None and name not in {defined.name for defined in self.names}:
            english, korean = (
                f"{_say('undefined', language, name=name)} {self.problem_sentence(cause, language)}"
                for language in LANGUAGES
            )
            return StudentFailure(
                cause.status,
                english,
                sentence_ko=korean,
                name=name,
                exception_type=cause.type_name,
                text=cause.text,
                line=cause.line,
                cell=self.cell(cause.cell),
                line_text=cause.source,
            )
        near = self._nearest(name)
        english, korean = (self._missing_sentence(name, words, near, language) for language in LANGUAGES)
        return StudentFailure("missing", english, sentence_ko=korean, name=name, near=near)

    def _nearest(self, name: str) -> str:
        """Return the function or class that a missing name most likely means; empty if none is similar."""
        callables = [one.name for one in self.names if one.kind in ("function", "class") and one.name.isidentifier()]
        folded = {other.casefold(): other for other in callables if other not in self.exercises}
        near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=CLOSE_ENOUGH)
        return folded[near[0]] if near else ""

    def _missing_sentence(self, name: str, words: str, near: str, language: str) -> str:
        if name in {defined.name for defined in self.names}:
            return _say("not_callable", language, found=words, name=name)
        sentence = _say("nowhere", language, name=name, file=self.file_name)
        there = self._definition(name)
        if there is not None and there[1]:
            return sentence + _say("indented", language, place=self._at(there[0].cell, there[0].line, language))
        if near:
            return sentence + _say("near", language, name=name, near=near)
        broken = next((problem for problem in self.problems if problem.type_name), None)
        if there is not None and broken is not None:
            return f"{sentence} {self.problem_sentence(broken, language)}"
        return sentence + _say("define", language)

    def _definition(self, name: str) -> tuple[Place, bool] | None:
        """Return where the text defines a name, at the left margin if it can, and whether that is indented."""
        begins = rf"^([ \t]*)(?:(?:async[ \t]+def|def|class)[ \t]+{re.escape(name)}\b|{re.escape(name)}[ \t]*[:=])"
        found = [
            (Place(cell.number, cell.source.count("\n", 0, each.start()) + 1), bool(each[1]))
            for cell in self.cells
            for each in re.finditer(begins, cell.source, re.MULTILINE)
        ]
        return min(found, key=lambda each: each[1], default=None)


def _say(key: str, language: str, **values: Any) -> str:
    return filled(SENTENCES[key], language, **values)


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(names: list[str], language: str) -> str:
    """Return names as words: `a`, `a and b`, `a, b and c`."""
    return _say("and", language).join([*([", ".join(names[:-1])] if names[1:] else []), *names[-1:]])
