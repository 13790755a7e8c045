"""Names the fault of an exercise that is wrong because another one is: its answer calls that one, which fails."""

from collections.abc import Mapping, Sequence

import msgspec

from grader.results.verdict import CheckVerdict, Diagnosis, ManifestCheck
from grader.words import Words

NAME = "another_exercise"


def blame_called_exercises(
    verdicts: Sequence[CheckVerdict], manifest: Sequence[ManifestCheck], calls: Mapping[str, Sequence[str]]
) -> list[CheckVerdict]:
    """Return the verdicts, with a hint where an exercise has none and calls one that fails."""
    exercise_of = {check.id: check.exercise for check in manifest}
    failing: dict[str, list[CheckVerdict]] = {}
    for verdict in verdicts:
        if verdict.status not in ("passed", "skipped"):
            failing.setdefault(exercise_of.get(verdict.id, ""), []).append(verdict)
    told: dict[str, CheckVerdict] = {}
    for exercise, others in calls.items():
        wrong = [other for other in others if other in failing and other != exercise]
        mine = [verdict for verdict in failing.get(exercise, []) if verdict.status != "missing"]
        if wrong and mine and not any(verdict.diagnosis for verdict in mine):
            hint = Words(
                "This calls `{name}`, which does not pass all of its checks yet: look at that exercise first.",
                name=wrong[0],
            )
            told[mine[0].id] = msgspec.structs.replace(mine[0], diagnosis=Diagnosis.of([NAME], hint, "report"))
    return [told.get(verdict.id, verdict) for verdict in verdicts]
