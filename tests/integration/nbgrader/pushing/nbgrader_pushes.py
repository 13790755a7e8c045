"""Pushes into a course of nbgrader, and all that its gradebook and its folder hold before and after."""

import hashlib
import json
import sqlite3

from grader.cli import status

from ....support.frozen_students import SCORES
from ....support.nbgrader_courses import ASSIGNMENT

EMMA, CHECK = "emma_two_mistakes", "attention_weights-check"


def push(lesson, *options):
    """Run `grader nbgrader push` on a course's reports and return its exit code."""
    return status(["nbgrader", "push", str(lesson.root / "reports"), "--gradebook", lesson.url, *options])


def rows(lesson):
    """Return every row of the gradebook."""
    book = sqlite3.connect(lesson.root / "gradebook.db")
    try:
        tables = [name for (name,) in book.execute("select name from sqlite_master where type = 'table'")]
        return {name: sorted(book.execute(f"select * from {name}"), key=repr) for name in tables}
    finally:
        book.close()


def files(lesson):
    """Return the hash of every file of the course."""
    return {
        str(path.relative_to(lesson.root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(lesson.root.rglob("*"))
        if path.is_file()
    }


def rewritten(lesson, student, change):
    """Change a report as if another run had written it."""
    place = lesson.root / "reports" / student / f"{ASSIGNMENT}.json"
    report = json.loads(place.read_text(encoding="utf-8"))
    change(report)
    place.write_text(json.dumps(report), encoding="utf-8")
    (lesson.root / "reports" / "journal.jsonl").unlink(missing_ok=True)


def without_points(report, name=SCORES):
    """Take all points of an exercise away."""
    for each in report["exercises"]:
        if each["id"] == name:
            report["score"] -= each["score"]
            each["score"], each["status"] = 0, "failed"
