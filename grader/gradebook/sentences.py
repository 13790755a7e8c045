"""The sentences of the gradebook: why these points count. Students read them, in English and in Korean."""

from datetime import datetime
from typing import Any

from grader.results.counted import Sentence

WHY: dict[str, tuple[str, str]] = {
    "late": (
        "Handed in {days} late ({on}due {due}): {percent} % of {most} points are taken off.",
        "마감({due})보다 {days_ko} 늦게{on_ko} 제출하여 {most}점의 {percent}%가 감점됩니다.",
    ),
    "late_free": (
        "Handed in {days} late ({on}due {due}): nothing is taken off.",
        "마감({due})보다 {days_ko} 늦게{on_ko} 제출했지만 감점은 없습니다.",
    ),
    "late_ended": (
        "Handed in {days} late ({on}due {due}): no points count after {limit} days.",
        "마감({due})보다 {days_ko} 늦게{on_ko} 제출했습니다. {limit}일이 지나면 점수가 인정되지 않습니다.",
    ),
    "grace": (
        "Handed in after the due date ({on}due {due}) and within the {minutes} minutes of grace: nothing is taken off.",
        "마감({due}) 후 유예 시간 {minutes}분 안에{on_ko} 제출하여 감점이 없습니다.",
    ),
    "extended": ("The due date was extended to {due}.", "마감이 {due}까지 연장되었습니다."),
    "no_time": (
        "When it was handed in is not known, so it counts as on time.",
        "제출 시각을 알 수 없어 제때 제출한 것으로 처리합니다.",
    ),
    "attempt_best": (
        "Attempt {attempt} of {attempts} counts, the best.",
        "제출 {attempts}회 중 가장 좋은 {attempt}번째가 인정됩니다.",
    ),
    "attempt_best_of_most": (
        "Attempt {attempt} of {attempts} counts, the best of the first {most}.",
        "제출 {attempts}회 중 처음 {most}회에서 가장 좋은 {attempt}번째가 인정됩니다.",
    ),
    "attempt_last": (
        "Attempt {attempt} of {attempts} counts, the last.",
        "제출 {attempts}회 중 마지막인 {attempt}번째가 인정됩니다.",
    ),
    "attempt_most": (
        "Attempt {attempt} of {attempts} counts: only the first {most} can.",
        "제출 {attempts}회 중 {attempt}번째가 인정됩니다. 처음 {most}회까지만 인정됩니다.",
    ),
    "other_maximum": (
        "An attempt that was graded out of {most} points is left aside.",
        "{most}점 만점으로 채점된 제출은 제외합니다.",
    ),
    "by_hand": (
        "Points were set by hand, so no other attempt counts.",
        "점수를 직접 정했으므로 다른 제출은 인정되지 않습니다.",
    ),
    "newest_failed": (
        "What was handed in last could not be graded, so an earlier attempt counts.",
        "마지막 제출은 채점할 수 없어 이전 제출이 인정됩니다.",
    ),
    "no_attempt": (
        "None of the attempts that can count was graded out of {most} points.",
        "인정될 수 있는 제출 중 {most}점 만점으로 채점된 것이 없습니다.",
    ),
    "missing": ("Nothing was handed in.", "제출하지 않았습니다."),
    "missing_zero": ("Nothing was handed in: 0 points.", "제출하지 않아 0점입니다."),
    "gone": (
        "What was handed in and graded is no longer there, so nothing counts of it.",
        "채점했던 제출물이 더 이상 없어 인정되는 점수가 없습니다.",
    ),
    "unseen": (
        "Whether something was handed in is not known.",
        "제출했는지 알 수 없습니다.",
    ),
    "not_due": ("Nothing was handed in yet (due {due}).", "아직 제출하지 않았습니다(마감 {due})."),
    "not_graded": ("It could not be graded.", "채점할 수 없었습니다."),
}


def why(key: str, *, days: int = 0, due: datetime | None = None, at: datetime | None = None, **values: Any) -> Sentence:
    """Return a sentence in both languages, its gaps filled.

    Args:
        days: How many days late.
        due: The due date.
        at: When it was handed in, where that is known: it is said to the second, in the time zone of the due date.
    """
    english, korean = WHY[key]
    when = "?" if due is None else time_text(due)
    on = "" if at is None or due is None else at.astimezone(due.tzinfo).isoformat(sep=" ", timespec="seconds")
    said = {"days": "1 day" if days == 1 else f"{days} days", "days_ko": f"{days}일", "due": when, **values}
    said |= {"on": on and f"on {on}, ", "on_ko": on and f"({on})"}
    return Sentence(en=english.format(**said), ko=korean.format(**said))


def time_text(moment: datetime) -> str:
    """Return a time to the minute with its zone: `2026-11-05 23:59+09:00`."""
    return moment.isoformat(sep=" ", timespec="minutes")
