"""Pushes of five students' scores to the Canvas of the tests."""

from grader.cli import status

from .canvas_server import ASSIGNMENT, COURSE

TOKEN = "7~secret-of-a-teacher-0123456789abcdef"
STUDENTS = ("ann", "Doe, Jane", "김철수", "=1+1", "José 🦊")
LOST = {"Doe, Jane": {"Shift.open": "failed"}, "김철수": {"shares.shut": "failed", "Shift.shut": "failed"}}
USERS = [
    {"id": 101, "name": "Ann", "sis_user_id": "s1", "login_id": "ann@uni"},
    {"id": 102, "name": "Doe, Jane", "sis_user_id": "s2", "login_id": "jane@uni"},
    {"id": 103, "name": "김철수", "sis_user_id": None, "login_id": "chulsoo@uni"},
    {"id": 104, "name": "=1+1", "sis_user_id": "s4"},
    {"id": 105, "name": "José", "sis_user_id": "s5", "login_id": "jose@uni"},
    {"id": 106, "name": "Ann", "sis_user_id": "s6", "login_id": "other.ann@uni"},
]
ROSTER = """\
student,name,canvas_id,sis_id,login
ann,Ann,101,,
"Doe, Jane",,,s2,
김철수,,,,chulsoo@uni
=1+1,,104,,
José 🦊,,,,jose@uni
"""


def push(reports, stub, *more):
    where = ["--url", stub.address, "--canvas-course", str(COURSE), "--canvas-assignment", str(ASSIGNMENT)]
    return status(["push", "canvas", str(reports[0]), "--roster", str(reports[1]), *where, *more])


FULL = {101: 5.5, 102: 4.3, 103: 2.3, 104: 5.5, 105: 5.5}
