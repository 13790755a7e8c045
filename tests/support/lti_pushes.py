"""Pushes of four students' scores to the LTI platform of the tests."""

import json

from grader.cli import status

from .lms_reports import report_of, write_class
from .lti_platforms import CLIENT, KEY_ID

STUDENTS = {"ann": "u-1", "Doe, Jane": "u-2", "김철수": "u-3", "=1+1": "u-4"}
ALL = ("shares.open", "shares.shut", "Shift.open", "Shift.late", "Shift.shut")


def class_to_push(tmp_path):
    """Write reports of four students with 5.5, 3.1, 0 and 5.5 points, and a roster of them."""
    failed = {"Doe, Jane": {"Shift.open": "failed", "Shift.late": "failed"}, "김철수": dict.fromkeys(ALL, "failed")}
    write_class(tmp_path / "reports", [report_of(student, failed.get(student)) for student in STUDENTS])
    rows = [f'"{student}",{user}' for student, user in STUDENTS.items()]
    (tmp_path / "roster.csv").write_text("student,lti_user_id\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return tmp_path


def scores_of(reports):
    """Return every user's score in the reports."""
    return {
        user: json.loads((reports / "reports" / student / "01_tiny.json").read_text())["score"]
        for student, user in STUDENTS.items()
    }


def push(reports, platform, *more, lineitem=None):
    """Run `grader push lti` and return its exit code."""
    whose = ["--roster", str(reports / "roster.csv"), "--client-id", CLIENT, "--key-id", KEY_ID]
    where = ["--lineitem", lineitem or platform.lineitem, "--token-url", platform.token_url]
    return status(["push", "lti", str(reports / "reports"), *whose, *where, *more])
