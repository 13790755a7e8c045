"""Names the fault of an exercise that is wrong because another one is: its answer calls that one, which fails."""

from collections.abc import Mapping, Sequence

import msgspec

from grader.results.verdict import CheckVerdict, Diagnosis, ManifestCheck

NAME = "another_exercise"
ENGLISH = "This calls `{0}`, which does not pass all of its checks yet: look at that exercise first."
KOREAN = "이 풀이가 부르는 `{0}`에 아직 통과하지 못한 검사가 있습니다. 그 문제부터 살펴보세요."


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
            hint = Diagnosis([NAME], ENGLISH.format(wrong[0]), KOREAN.format(wrong[0]), "report")
            told[mine[0].id] = msgspec.structs.replace(mine[0], diagnosis=hint)
    return [told.get(verdict.id, verdict) for verdict in verdicts]
