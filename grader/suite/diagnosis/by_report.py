"""Looks at all checks of an exercise together: mistakes that fit each of them, or faults that their words say.

A detached result, an argument that is changed, a dtype that is not kept: none of these gives wrong numbers that a
comparison could recognise, but the words of the checks say what it is.
"""

from collections.abc import Mapping, Sequence

import msgspec

from grader.results.verdict import CheckVerdict, Diagnosis, ManifestCheck
from grader.suite.core.context import Mistake
from grader.words import Words

from .by_answer import diagnosis_of
from .by_message import plain_faults


def diagnose_by_report(
    verdicts: Sequence[CheckVerdict], manifest: Sequence[ManifestCheck], mistakes: Mapping[str, Sequence[Mistake]]
) -> list[CheckVerdict]:
    """Return the verdicts, with a diagnosis where no answer shows one and the words of a check say it."""
    given = {verdict.id: verdict for verdict in verdicts}
    for exercise in dict.fromkeys(check.exercise for check in manifest):
        checks = [check for check in manifest if check.exercise == exercise and check.id in given]
        if any(given[check.id].diagnosis for check in checks):
            given.update(narrow_diagnoses([given[check.id] for check in checks], mistakes.get(exercise, ())))
            continue
        failing = [
            (check.id, check.category, verdict.status, verdict.exception_text or verdict.found)
            for check in checks
            for verdict in [given[check.id]]
            if verdict.status not in ("passed", "skipped") and not verdict.excused
        ]
        for id, plain in plain_faults(failing).items():
            told = Diagnosis.of([plain.name], Words(plain.hint), "report")
            given[id] = msgspec.structs.replace(given[id], diagnosis=told)
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
