"""Recognises a mistake by how the whole report on its exercise looks, where no single answer gives it away.

A detached result, an argument that is changed, a mask that only works for bools: none of these gives wrong numbers that
a comparison could recognise, but each fails its own set of checks with its own words. `grader verify --record` grades
every mistake of the list and keeps what came of it, without the numbers, in `fingerprints.json`; an exercise that fails
in exactly the same way is diagnosed as that mistake. Where none is alike, a fault that the words of the checks say by
themselves is named as such.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from grader.errors import CourseError
from grader.faults import course_path, read_text
from grader.results.verdict import Category, CheckVerdict, Diagnosis, ManifestCheck
from grader.suite.core.context import Mistake

from .by_answer import as_guess, diagnosis_of
from .by_message import CUT_OFF, CUT_OFF_FAULT, NO_GRADIENT_FAULT, plain_faults

LONGEST = 160
COMPARED = ("value", "shape")
TELLING = ("failed", "error", "forbidden")
NUMBERS = re.compile(r"0x[0-9a-f.]+|(?<![A-Za-z\d_])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b|\b(?:inf|nan)\b")
OWN_WORDS = re.compile(
    r"'[^']*'|\{.*|; it has: (?!none).*|(?<=token, ).*"
)  # what is named after a student's own choice
RAISED = ("AssertionError", "KeyError", "NotImplementedError")  # a student's own, as a rule, with words of their own


class Failing(msgspec.Struct, frozen=True):
    """A check that did not pass, as far as a fingerprint looks at it.

    Attributes:
        exception_type: The exception that the student's code raised; empty where none was.
        text: The exception's text or, where there is none, what was found, in English.
    """

    id: str
    category: Category
    status: str
    exception_type: str
    text: str

    @property
    def line(self) -> str:
        """The check as a line of a fingerprint."""
        own = self.exception_type in RAISED or (self.exception_type == "ValueError" and "to unpack" not in self.text)
        words = "" if own else NUMBERS.sub("#", OWN_WORDS.sub("...", " ".join(self.text.split())))
        text = words[:LONGEST]
        return " ".join(filter(None, (self.id.partition(".")[2], self.status, self.exception_type, text)))

    @property
    def is_comparison(self) -> bool:
        """Whether it says only that numbers differ or that no parameter does its part, as for any wrong answer."""
        return "entries differ" in self.text or " parameters act as the " in self.text


class Fingerprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an exercise's report looks for some mistakes."""

    mistakes: list[str]
    report: list[str]


Fingerprints = dict[str, list[Fingerprint]]


def report_lines(failing: Iterable[Failing]) -> list[str] | None:
    """Return the fingerprint of an exercise, or None where it would fit any wrong answer.

    Numbers that differ in a figure or in a property alone, while every drawn input comes out right, do tell. What fails
    on another device alone has no fingerprint: its words say what keeps it on the CPU, and where.
    """
    failing = list(failing)
    if not failing or any(each.status not in TELLING for each in failing):
        return None
    if all(each.category == "device" for each in failing):
        return None
    if all(each.is_comparison for each in failing) and any(each.category in COMPARED for each in failing):
        return None
    return [each.line for each in failing]


def diagnose_by_report(
    verdicts: Sequence[CheckVerdict],
    manifest: Sequence[ManifestCheck],
    known: Fingerprints,
    mistakes: Mapping[str, Sequence[Mistake]],
) -> list[CheckVerdict]:
    """Return the verdicts, with a diagnosis where an exercise has none and fails as a known mistake does."""
    given = {verdict.id: verdict for verdict in verdicts}
    for exercise in dict.fromkeys(check.exercise for check in manifest):
        prints = known.get(exercise, [])
        checks = [check for check in manifest if check.exercise == exercise and check.id in given]
        diagnosed = {check.id: diagnosis for check in checks if (diagnosis := given[check.id].diagnosis)}
        named = [id for id, diagnosis in diagnosed.items() if diagnosis.evidence == "answer"]  # not only where it lies
        placed = {id: given[id] for id in diagnosed if id not in named}
        given.update({id: msgspec.structs.replace(each, diagnosis=None) for id, each in placed.items()})
        if named:
            given.update(narrow_diagnoses([given[check.id] for check in checks], mistakes.get(exercise, ())))
            continue
        failing = [
            Failing(check.id, check.category, each.status, each.exception_type, each.exception_text or each.found)
            for check, each in ((check, given[check.id]) for check in checks)
            if each.status not in ("passed", "skipped") and not each.excused
        ]
        lines = report_lines(failing)
        fitting = next((each.mistakes for each in prints if each.report == lines), [])
        diagnosis = diagnosis_of([mistake for mistake in mistakes.get(exercise, ()) if mistake.name in fitting])
        if lines is not None and diagnosis is not None:
            hint, hint_ko = as_guess(diagnosis.hint, diagnosis.hint_ko)
            if all(CUT_OFF in line for line in lines):  # which of several ways it was cut is not to be seen
                frozen = all(NO_GRADIENT_FAULT.words.search(line) for line in lines)
                plain = NO_GRADIENT_FAULT if frozen else CUT_OFF_FAULT
                hint, hint_ko = plain.hint, plain.hint_ko
            told = Diagnosis(diagnosis.mistakes, hint, hint_ko, "report")
            given[failing[0].id] = msgspec.structs.replace(given[failing[0].id], diagnosis=told)
            continue
        for id, plain in plain_faults([(each.id, each.category, each.status, each.text) for each in failing]).items():
            told = Diagnosis([plain.name], plain.hint, plain.hint_ko, "report")
            given[id] = msgspec.structs.replace(given[id], diagnosis=told)
        given.update(placed)
    return list(given.values())


def narrow_diagnoses(verdicts: Sequence[CheckVerdict], known: Sequence[Mistake]) -> dict[str, CheckVerdict]:
    """Return by id the verdicts whose diagnosis can be narrowed to the mistakes that fit every check of the exercise.

    One probe may not tell two mistakes apart that another one does. An exception that fits another mistake than the
    answers do says less than they do, so its diagnosis is left out.
    """
    told = [(verdict, verdict.diagnosis) for verdict in verdicts if verdict.diagnosis]
    common = set.intersection(*(set(diagnosis.mistakes) for _, diagnosis in told))
    if not common and any(verdict.status != "error" for verdict, _ in told):
        wrong = [verdict for verdict, _ in told if verdict.status == "error"]
        return {verdict.id: msgspec.structs.replace(verdict, diagnosis=None) for verdict in wrong}
    fewer = diagnosis_of([mistake for mistake in known if mistake.name in common])
    if fewer is None:
        return {}
    fitting = Diagnosis(fewer.mistakes, fewer.hint, fewer.hint_ko)
    return {
        verdict.id: msgspec.structs.replace(verdict, diagnosis=fitting)
        for verdict, diagnosis in told
        if set(diagnosis.mistakes) != common
    }


def load_fingerprints(path: Path) -> Fingerprints:
    """Read an assignment's fingerprints; none where the file was never written."""
    if not path.exists():
        return {}
    text = read_text(path)
    try:
        return msgspec.json.decode(text, type=Fingerprints)
    except msgspec.MsgspecError as problem:
        hint = "Let `grader verify --record` write it anew."
        raise CourseError(f"{course_path(path)} is not a file of fingerprints: {problem}.", hint) from None


def fingerprints_text(prints: Fingerprints) -> str:
    """Return fingerprints as the text of their file."""
    return msgspec.json.format(msgspec.json.encode(prints), indent=2).decode() + "\n"
