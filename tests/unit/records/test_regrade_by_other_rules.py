"""A class that is graded again by another kit, with another maximum or by another clock: no change goes untold."""

import itertools
import shutil
from datetime import datetime, timedelta
from decimal import Decimal

import msgspec
import pytest

from grader.grading.ledger import Ledger
from grader.records.changes import compare, reports_at
from grader.records.journal import Journal
from grader.results.table import closing_lines
from grader.results.verdict import CheckVerdict

from ...support.classes.class_runs import WRONG, grade
from ...support.command_line import run_here
from ...support.courses import hand_in
from ...support.workers.pretended_engine import RIGHT_SHIFT
from .test_regrade_told import lower_and_stop

OLD_KIT, NEW_KIT = "a kit that takes everything for right", "a kit that knows better"


@pytest.fixture
def kit(monkeypatch):
    """Lets the next runs be those of a kit with other sources, of which the old one passes every check."""
    enter, named = Ledger.enter, OLD_KIT

    def lenient(books, assignment, submission, manifest, source, outcome, isolation, **rest):
        if named == OLD_KIT:
            verdicts = [CheckVerdict(id=check.id, status="passed") for check in manifest]
            outcome = msgspec.structs.replace(outcome, verdicts=verdicts)
        return enter(books, assignment, submission, manifest, source, outcome, isolation, **rest)

    def set_to(name):
        nonlocal named
        named = name

    monkeypatch.setattr(Ledger, "enter", lenient)
    monkeypatch.setattr("grader.records.cache_key.kit_digest", lambda: named)
    return set_to


def test_a_wrong_grade_that_another_kit_kept_is_not_taken_over_and_the_right_one_is_told(klass, course, kit):
    points = {row.student: row.score for row in grade(klass, course).rows}
    assert points["ben"] > 2  # for a wrong answer
    assert grade(klass, course).summary.kept == 4  # the old kit takes over what is its own
    kit(NEW_KIT)
    again = grade(klass, course).summary
    assert again.kept == 0
    lowered = {change.student: (change.before, change.after, change.resubmitted) for change in again.lowered}
    assert lowered["ben"] == (points["ben"], 0, False)
    assert grade(klass, course, "elsewhere").summary.kept == 4
    shutil.rmtree(klass.parent / "out")
    shutil.rmtree(klass.parent / "elsewhere")
    elsewhere = grade(klass, course, "elsewhere")  # from what the course keeps alone, without any journal
    assert {row.student: row.score for row in elsewhere.rows}["ben"] == 0


class Clock(datetime):
    """A clock that steps back by a day with every look at it."""

    steps = itertools.count()

    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) - timedelta(days=next(cls.steps))


def test_a_score_that_a_stopped_run_lowered_is_told_although_the_clock_stepped_back(klass, course, told, monkeypatch):
    monkeypatch.setattr("grader.grading.ledger.datetime", Clock)
    monkeypatch.setattr("grader.grading.options.datetime", Clock)
    lower_and_stop(klass, course, told, after=1)
    went_on = grade(klass, course)
    assert sorted(change.student for change in went_on.summary.lowered) == ["ann", "cho"]
    assert went_on.summary.kept == 3
    assert grade(klass, course).summary.lowered == []
    out = klass.parent / "out"
    lines = list(Journal(out, None).lines())
    assert [line.run for line in lines] == sorted((line.run for line in lines), reverse=True)
    before, after = reports_at(f"{out}@-1"), reports_at(str(out))
    assert {change.student for change in compare(before, after)} <= {"ann", "cho"}
    assert {change.student for change in compare(reports_at(f"{out}@-2"), after)} == {"ann", "cho"}
    assert reports_at(f"{out}@2999-01-01") == after


def test_what_another_run_added_meanwhile_is_left_to_be_told(klass, course, monkeypatch):
    """Two runs at once into one folder: the first to end speaks for its own lines and not for the other's."""
    out = klass.parent / "out"
    grade(klass, course)
    secret = (course / ".grader/secret").read_bytes()
    first, second = Journal(out, secret), Journal(out, secret)
    line = first.newest(("ann", "01_tiny"))
    before = first.announced_bytes
    second.append(msgspec.structs.replace(line, score=Decimal(0)))
    first.append(msgspec.structs.replace(line, student="ben"))
    first.close()
    second.close()
    assert first.announced_bytes == before < second.announced_bytes
    assert ("ann", "01_tiny") in Journal(out, secret, first.announced_bytes).unannounced()


def more_points(course):
    """Let the first exercise count 5 points instead of 2."""
    file = course / "solutions/01_tiny/tiny.py"
    text = file.read_text(encoding="utf-8")
    assert '"points": 2,' in text
    file.write_text(text.replace('"points": 2,', '"points": 5,'), encoding="utf-8")


def test_a_score_that_is_a_smaller_share_of_another_maximum_is_told_and_listed(klass, course):
    """ben has the second exercise right and the first one wrong, which counts more now."""
    hand_in(klass, "ben", WRONG + RIGHT_SHIFT)
    grade(klass, course)
    more_points(course)
    summary = grade(klass, course).summary
    (ben,) = [change for change in summary.lowered if change.student == "ben"]
    assert (ben.before, ben.after) == (Decimal("3.5"), Decimal("3.5"))
    assert (ben.max_before, ben.max_after) == (Decimal("5.5"), Decimal("8.5"))
    assert "  'ben', 01_tiny: 3.5 of 5.5 to 3.5 of 8.5 (the same submission)." in closing_lines(summary, klass)
    assert "ann" not in {change.student for change in summary.lowered}  # hers is a larger share now
    assert grade(klass, course).summary.lowered == []
    out = klass.parent / "out"
    shown = run_here("diff", f"{out}@-1", out).stdout
    down, _, up = shown.partition("Went up")
    assert "'ben', 01_tiny: 3.5 of 5.5 to 3.5 of 8.5" in down
    assert "'ann', 01_tiny: 2 of 5.5 to 5 of 8.5" in up
    assert "shares: 2 of 2 to 5 of 5" in up
