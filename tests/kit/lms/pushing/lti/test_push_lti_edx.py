"""`grader push lti` against Open edX's own LTI services, which lti-consumer-xblock brings, on loopback.

They are asked in a process of their own: by this Python where the package is installed beside the kit, or by the
one that the variable LTI_CONSUMER_PYTHON names.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from grader.cli import status
from grader.lms.pushing import web

from ....support.needed import skip_without
from ...lms_reports import report_of, write_class

skip_without("jwt", "requests", "canvasapi", "cryptography")
SERVER = Path(__file__).with_name("edx_platform.py")
STUDENTS = {"ann": "5f3c", "Doe, Jane": "9a21", "김철수": "77b0"}
LOST = {"Doe, Jane": {"Shift.open": "failed"}, "김철수": {"Shift.open": "failed", "Shift.shut": "failed"}}
SCORES = {"5f3c": 5.5, "9a21": 4.3, "77b0": 3.1}


def python_with_it():
    for python in (sys.executable, os.environ.get("LTI_CONSUMER_PYTHON", "")):
        test = [python, "-c", "import importlib.util, sys; sys.exit(importlib.util.find_spec('lti_consumer') is None)"]
        if python and subprocess.run(test, check=False, capture_output=True).returncode == 0:
            return python
    pytest.skip("lti-consumer-xblock is not installed, neither here nor for LTI_CONSUMER_PYTHON")


def rsa_pair():
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return private, key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


@pytest.fixture(scope="module")
def edx(tmp_path_factory):
    """The platform's addresses and database, and the registered private key."""
    python, folder = python_with_it(), tmp_path_factory.mktemp("edx")
    private, public = rsa_pair()
    (folder / "key.pem").write_text(public)
    command = [python, "-W", "ignore", str(SERVER), str(folder), str(folder / "key.pem"), str(folder / "told.json")]
    with (folder / "log").open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as server:
        end = time.monotonic() + 120
        while not (folder / "told.json").exists():
            assert server.poll() is None and time.monotonic() < end, (folder / "log").read_text()
            time.sleep(0.05)
        told = json.loads((folder / "told.json").read_text())
        yield {**told, "database": folder / "edx.sqlite3", "key": private}
        server.terminate()


@pytest.fixture
def reports(tmp_path, monkeypatch, edx):
    monkeypatch.setattr(web, "PAUSE_S", 0.0)
    monkeypatch.setenv("LTI_PRIVATE_KEY", edx["key"])
    write_class(tmp_path / "reports", [report_of(student, LOST.get(student)) for student in STUDENTS])
    rows = [f'"{student}",{user}' for student, user in STUDENTS.items()]
    (tmp_path / "roster.csv").write_text("student,lti_user_id\n" + "\n".join(rows) + "\n", encoding="utf-8")
    forget(edx)
    return tmp_path


def forget(edx):
    with sqlite3.connect(edx["database"]) as database:
        database.execute("delete from lti_consumer_ltiagsscore")
    database.close()


def stored(edx):
    with sqlite3.connect(edx["database"]) as database:
        rows = database.execute("select user_id, score_given, score_maximum, timestamp from lti_consumer_ltiagsscore")
        found = {row[0]: row[1:] for row in rows}
    database.close()
    return found


def push(reports, edx, *more):
    whose = ["--roster", str(reports / "roster.csv"), "--client-id", edx["client_id"], "--key-id", "any"]
    where = ["--lineitem", edx["lineitem"], "--token-url", edx["token_url"], "--scale"]
    return status(["push", "lti", str(reports / "reports"), *whose, *where, *more])


def test_open_edx_takes_every_score_and_shows_it_again(reports, edx, capsys):
    assert push(reports, edx) == 0
    assert {user: row[0] for user, row in stored(edx).items()} == SCORES
    assert {row[1] for row in stored(edx).values()} == {5.5}
    capsys.readouterr()
    assert push(reports, edx, "--dry-run") == 0
    told = capsys.readouterr().out
    assert '"Tiny steps"' in told and "100 points there" in told
    assert "0 to send, 3 there already, 0 left out." in told


def test_open_edx_refuses_another_key(reports, edx, monkeypatch, capsys):
    monkeypatch.setenv("LTI_PRIVATE_KEY", rsa_pair()[0])
    assert push(reports, edx) == 1
    told = capsys.readouterr().err
    assert "invalid_client" in told and "--key-id" in told
    assert stored(edx) == {}


def test_a_regrade_is_later_than_the_stored_score_of_open_edx(reports, edx):
    push(reports, edx)
    before = stored(edx)["5f3c"][2]
    with sqlite3.connect(edx["database"]) as database:
        database.execute("update lti_consumer_ltiagsscore set score_given = 1 where user_id = '5f3c'")
    database.close()
    assert push(reports, edx) == 0
    assert stored(edx)["5f3c"][0] == 5.5 and stored(edx)["5f3c"][2] > before


def test_a_stored_score_of_the_future_is_said_and_costs_nobody_else(reports, edx, capsys):
    push(reports, edx)
    future = (datetime.now(UTC) + timedelta(days=30)).strftime("%Y-%m-%d %H:%M:%S")
    with sqlite3.connect(edx["database"]) as database:
        database.execute("update lti_consumer_ltiagsscore set score_given = 1")
        database.execute("update lti_consumer_ltiagsscore set timestamp = ? where user_id = '5f3c'", (future,))
    database.close()
    assert push(reports, edx) == 1
    assert {user: row[0] for user, row in stored(edx).items()} == {**SCORES, "5f3c": 1}
    assert "can only be updated to a later point in time" in capsys.readouterr().out


def test_a_push_to_open_edx_that_was_cut_off_is_finished_by_the_next(reports, edx, monkeypatch):
    from grader.lms.pushing import lti

    sent, real = [], lti.Lineitem._score

    def cut_off(self, change, wanted):
        if sent:
            raise KeyboardInterrupt
        sent.append(change)
        real(self, change, wanted)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lti.Lineitem, "_score", cut_off)
        assert push(reports, edx) == 130
    assert len(stored(edx)) == 1
    assert push(reports, edx) == 0
    assert {user: row[0] for user, row in stored(edx).items()} == SCORES
