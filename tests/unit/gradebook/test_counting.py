"""What the journal remembers and the rules say decide what counts, and every entry says why."""

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from msgspec import structs

from grader.errors import UsageError
from grader.gradebook.count import Attempts, Counter
from grader.gradebook.given import Given, Person, SubmittedFile
from grader.gradebook.lateness import Penalty
from grader.gradebook.policy import Extension, Policy
from grader.results.counted import Entry, Gradebook
from grader.results.summary import Row

ONE, TWO = "01_tiny", "02_more"
DUE = datetime(2026, 3, 1, 18, tzinfo=UTC)
NOW = datetime(2026, 4, 1, tzinfo=UTC)
LATE = Penalty(per_day=Decimal(10))


def row(points: str | None, most: str = "10", student: str = "ann", assignment: str = ONE) -> Row:
    """Return what a file came to; None for one that could not be graded."""
    return Row(
        student=student, assignment=assignment, score=Decimal(points or 0), max_score=Decimal(most),
        problem="Not UTF-8." if points is None else None, exercises=[], checks={},
    )  # fmt: skip


def attempts(*rows: Row, newest: int = -1) -> Attempts:
    """Return files a, b, ... with what they came to; the last of them is what is handed in now."""
    names = "abcdef"[: len(rows)]
    return Attempts(dict(zip(names, rows, strict=True)), names[newest], "ab" * 32)


def handed_in(times: dict[str, str | None]) -> Given:
    """Return the times of the files of ann, by their hashes."""
    return Given(
        times=tuple(
            SubmittedFile(student="ann", assignment=ONE, submission=name, at=time and datetime.fromisoformat(time))
            for name, time in times.items()
        )
    )


def count(own: Attempts, policy: Policy, times: dict[str, str | None] | None = None, now: datetime = NOW) -> Entry:
    """Return the entry of ann, whose attempts these are."""
    found = Counter(policy, handed_in(times or {}), {ONE: Decimal(10)}, now).gradebook({("ann", ONE): own}, [])
    return found.entries[0]


def said(entry: Entry) -> str:
    return " ".join(entry.reasons("en"))


BEFORE, LATER = "2026-03-01T12:00:00Z", "2026-03-03T12:00:00Z"
POLICIES = {
    "last": Policy(due={ONE: DUE}, penalty=LATE),
    "best": Policy(due={ONE: DUE}, penalty=LATE, best=True),
    "first": Policy(due={ONE: DUE}, penalty=LATE, most_attempts=1),
    "best of two": Policy(due={ONE: DUE}, penalty=LATE, best=True, most_attempts=2),
}


@pytest.mark.parametrize(
    ("policy", "points", "times", "counted", "attempt"),
    [
        ("last", ["8", "6"], [BEFORE, BEFORE], "6", 2),
        ("best", ["8", "6"], [BEFORE, BEFORE], "8", 1),
        ("best", ["6", "8"], [BEFORE, LATER], "6", 1),  # 8 - 2 are 6 too: the first of equal ones
        ("best", ["6", "9"], [BEFORE, LATER], "7", 2),
        ("first", ["4", "9"], [BEFORE, BEFORE], "4", 1),
        ("best of two", ["4", "5", "9"], [BEFORE, BEFORE, BEFORE], "5", 2),
        ("best", ["6", None], [BEFORE, BEFORE], "6", 1),
        ("first", [None, "6", "9"], [BEFORE, BEFORE, BEFORE], "6", 1),
        ("first", ["6", "9", None], [BEFORE, BEFORE, BEFORE], "6", 1),  # it could not have counted
    ],
)
def test_the_attempt_that_the_rules_name_counts(policy, points, times, counted, attempt):
    own = attempts(*map(row, points))
    entry = count(own, POLICIES[policy], dict(zip("abc", times, strict=False)))
    assert (entry.counted, entry.attempt) == (Decimal(counted), attempt)
    assert entry.attempts == len([each for each in points if each])
    assert entry.attempts == 1 or f"Attempt {attempt} of {entry.attempts} counts" in said(entry)
    assert ("the best of the first 2." in said(entry)) == (policy == "best of two")
    assert entry.raw == (None if points[-1] is None else Decimal(points[-1]))


def test_the_last_is_what_is_handed_in_now_also_where_it_was_graded_before():
    entry = count(attempts(row("8"), row("6"), newest=0), POLICIES["last"], {"a": BEFORE, "b": BEFORE})
    assert (entry.counted, entry.attempt) == (Decimal(8), 1)


def test_what_could_not_be_graded_is_not_a_0():
    entry = count(attempts(row("8"), row(None)), POLICIES["last"])
    assert (entry.counted, entry.not_graded, said(entry)) == (None, True, "It could not be graded.")
    assert count(attempts(row(None)), POLICIES["best"]).not_graded


def test_an_earlier_attempt_that_counts_says_that_the_newest_could_not_be_graded():
    entry = count(attempts(row("6"), row(None)), POLICIES["best"], {"a": BEFORE})
    assert said(entry) == "What was handed in last could not be graded, so an earlier attempt counts."
    assert "could not be graded" not in said(count(attempts(row("8"), row("6")), POLICIES["best"]))


def test_an_attempt_out_of_other_points_is_left_aside_and_named():
    entry = count(attempts(row("9", "12"), row("6")), POLICIES["best"], {"a": BEFORE, "b": BEFORE})
    assert entry.counted == 6
    assert "An attempt that was graded out of 12 points is left aside." in said(entry)


@pytest.mark.parametrize(("policy", "newest"), [("first", "6"), ("best", None)])
def test_where_only_attempts_out_of_other_points_could_count_none_does(policy, newest):
    entry = count(attempts(row("9", "12"), row(newest)), POLICIES[policy], {"a": BEFORE, "b": BEFORE})
    assert (entry.counted, entry.attempt, entry.not_graded) == (None, None, True)
    assert "None of the attempts that can count was graded out of 10 points." in said(entry)


def test_an_unknown_time_counts_as_on_time_and_is_said():
    entry = count(attempts(row("8")), POLICIES["last"])
    assert (entry.counted, entry.late_days) == (Decimal(8), 0)
    assert "is not known, so it counts as on time" in said(entry)


def test_a_time_without_a_zone_needs_one():
    with pytest.raises(UsageError, match="has no time zone"):
        count(attempts(row("8")), POLICIES["last"], {"a": "2026-03-01T12:00:00"})
    assert count(attempts(row("8")), Policy(), {"a": "2026-03-01T12:00:00"}).counted == 8


def test_days_that_were_said_count_before_the_time():
    times = (
        SubmittedFile(student="ann", assignment=ONE, submission="a", at=datetime.fromisoformat(LATER), late_days=0),
    )
    counter = Counter(POLICIES["last"], Given(times=times), {ONE: Decimal(10)}, NOW)
    assert counter.gradebook({("ann", ONE): attempts(row("8"))}, []).entries[0].counted == 8
    counter = Counter(POLICIES["last"], Given(times=(structs.replace(times[0], late_days=1),)), {ONE: Decimal(10)}, NOW)
    entry = counter.gradebook({("ann", ONE): attempts(row("8"))}, []).entries[0]
    assert said(entry).startswith("Handed in 1 day late (due 2026-03-01 18:00+00:00): 10 %")


def test_when_it_was_handed_in_is_said_by_the_clock_of_the_due_date():
    due = DUE.astimezone(timezone(timedelta(hours=9)))
    entry = count(attempts(row("8")), Policy(due={ONE: due}, penalty=LATE), {"a": "2026-03-01T18:00:01Z"})
    assert "1 day late (on 2026-03-02 03:00:01+09:00, due 2026-03-02 03:00+09:00)" in said(entry)


def test_an_extension_is_said():
    policy = Policy(due={ONE: DUE}, penalty=LATE, extensions=[Extension("ann", None, 1, None)])
    entry = count(attempts(row("8")), policy, {"a": LATER})
    assert (entry.counted, entry.late_days) == (Decimal(7), 1)
    assert said(entry) == (
        "The due date was extended to 2026-03-02 18:00+00:00. "
        "Handed in 1 day late (on 2026-03-03 12:00:00+00:00, due 2026-03-02 18:00+00:00): "
        "10 % of 10 points are taken off."
    )
    assert entry.reasons("ko")[1].startswith("마감(2026-03-02 18:00+00:00)보다 1일 늦게(2026-03-03 12:00:00+00:00) ")


def book(policy: Policy, own: dict[tuple[str, str], Attempts], students: list[str], now: datetime = NOW) -> Gradebook:
    given = Given(people=[Person(student=name) for name in students])
    return Counter(policy, given, {ONE: Decimal(10), TWO: Decimal(20)}, now).gradebook(own, [])


CLASS = {
    ("ann", ONE): attempts(row("9")),
    ("ann", TWO): attempts(row("10", "20", assignment=TWO)),
    ("ben", ONE): attempts(row("5", student="ben")),
}


@pytest.mark.parametrize(
    ("policy", "now", "counted", "words"),
    [
        (Policy(), NOW, None, "Nothing was handed in."),
        (Policy(missing_is_zero=True), NOW, None, "Nothing was handed in."),
        (Policy(missing_is_zero=True, due={TWO: DUE}), NOW, 0, "Nothing was handed in: 0 points."),
        (Policy(missing_is_zero=True, due={TWO: NOW}), DUE, None, "Nothing was handed in yet"),
        (
            Policy(missing_is_zero=True, due={TWO: DUE}, extensions=[Extension("ben", TWO, 60, None)]),
            NOW,
            None,
            "Nothing was handed in yet",
        ),
    ],
)
def test_who_handed_in_nothing_has_what_the_rules_say_and_no_0_before_the_due_date(policy, now, counted, words):
    entry = book(policy, CLASS, ["ann", "ben"], now).by_place()["ben", TWO]
    assert entry.counted == counted
    assert words in said(entry)


def totals(policy: Policy, now: datetime = NOW) -> dict[str, tuple[Decimal | None, Decimal, list[str]]]:
    found = book(policy, CLASS, ["ann", "ben", "cy"], now).students
    return {each.student: (each.counted, each.max_score, each.dropped) for each in found}


def test_the_lowest_is_dropped_from_the_sum_and_what_is_missing_is_the_lowest():
    assert totals(Policy()) == {"ann": (19, 30, []), "ben": (5, 10, []), "cy": (None, 0, [])}
    assert totals(Policy(drop_lowest=1)) == {"ann": (9, 10, [TWO]), "ben": (5, 10, [TWO]), "cy": (None, 0, [])}
    zero = totals(Policy(drop_lowest=1, missing_is_zero=True, due={ONE: DUE, TWO: DUE}))
    assert zero == {"ann": (9, 10, [TWO]), "ben": (5, 10, [TWO]), "cy": (0, 20, [ONE])}


def test_what_is_not_due_yet_is_not_dropped():
    assert totals(Policy(drop_lowest=1, due={TWO: NOW}), DUE)["ben"] == (5, 10, [])


def test_a_sum_with_something_that_could_not_be_graded_is_not_known():
    own = CLASS | {("ben", TWO): attempts(row(None, "20", "ben", TWO))}
    ben = next(each for each in book(Policy(drop_lowest=1), own, []).students if each.student == "ben")
    assert (ben.counted, ben.dropped) == (None, [])


def test_who_is_on_the_roster_is_known_of_everybody():
    found = {each.student: each.on_roster for each in book(Policy(), CLASS, ["ann", "cy"]).students}
    assert found == {"ann": True, "ben": False, "cy": True}
