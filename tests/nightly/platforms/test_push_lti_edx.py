"""`grader push lti` against Open edX's own LTI services, which lti-consumer-xblock brings, on loopback.

They are asked in a process of their own: by this Python where the package is installed beside the kit, or by the
one that the variable LTI_CONSUMER_PYTHON names.
"""

import contextlib
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

from ...support.needed import skip_without

skip_without("jwt", "requests", "canvasapi", "cryptography")
from ...support.lti_pushes import class_to_push, scores_of  # noqa: E402

SERVER = Path(__file__).with_name("edx_platform.py")


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
    asked(edx, "delete from lti_consumer_ltiagsscore")
    return class_to_push(tmp_path)


def asked(edx, sql, *values):
    with contextlib.closing(sqlite3.connect(edx["database"])) as database, database:
        return list(database.execute(sql, values))


def stored(edx):
    rows = asked(edx, "select user_id, score_given, score_maximum, timestamp from lti_consumer_ltiagsscore")
    return {row[0]: row[1:] for row in rows}


def push(reports, edx, *more):
    whose = ["--roster", str(reports / "roster.csv"), "--client-id", edx["client_id"], "--key-id", "any"]
    where = ["--lineitem", edx["lineitem"], "--token-url", edx["token_url"], "--scale"]
    return status(["push", "lti", str(reports / "reports"), *whose, *where, *more])


def test_open_edx_takes_every_score_and_shows_it_again(reports, edx, capsys):
    assert push(reports, edx) == 0
    assert {user: row[0] for user, row in stored(edx).items()} == scores_of(reports)
    assert {row[1] for row in stored(edx).values()} == {5.5}
    capsys.readouterr()
    assert push(reports, edx, "--dry-run") == 0
    told = capsys.readouterr().out
    assert '"Tiny steps"' in told and "100 points there" in told
    assert "0 to send, 4 there already, 0 left out." in told


def test_open_edx_refuses_another_key(reports, edx, monkeypatch, capsys):
    monkeypatch.setenv("LTI_PRIVATE_KEY", rsa_pair()[0])
    assert push(reports, edx) == 1
    told = capsys.readouterr().err
    assert "invalid_client" in told and "--key-id" in told
    assert stored(edx) == {}


def test_a_regrade_is_later_than_the_stored_score_of_open_edx(reports, edx):
    push(reports, edx)
    before = stored(edx)["u-1"][2]
    asked(edx, "update lti_consumer_ltiagsscore set score_given = 1 where user_id = 'u-1'")
    assert push(reports, edx) == 0
    assert stored(edx)["u-1"][0] == 5.5 and stored(edx)["u-1"][2] > before


def test_a_stored_score_of_the_future_is_said_and_costs_nobody_else(reports, edx, capsys):
    push(reports, edx)
    future = (datetime.now(UTC) + timedelta(days=30)).strftime("%Y-%m-%d %H:%M:%S")
    asked(edx, "update lti_consumer_ltiagsscore set score_given = 1")
    asked(edx, "update lti_consumer_ltiagsscore set timestamp = ? where user_id = 'u-1'", future)
    assert push(reports, edx) == 1
    assert {user: row[0] for user, row in stored(edx).items()} == {**scores_of(reports), "u-1": 1}
    assert "can only be updated to a later point in time" in capsys.readouterr().out
