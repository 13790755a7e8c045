"""`grader grade --check`: one check is repeated with the inputs of its report, and nothing is written."""

import json

import pytest

from ...support.command_line import run_here
from ...support.courses import hand_in, write_course

pytestmark = pytest.mark.usefixtures("kept_jails")

WRONG = "from torch import nn\ndef shares(x):\n    print('seen')\n    return x / x.max()\n"


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """A course, a class of one, and its report."""
    folder = tmp_path_factory.mktemp("appeal")
    write_course(folder / "course", {"tests/golden/N0.json": "[]"})
    hand_in(folder / "class", "ann", WRONG)
    assert grader(folder).returncode == 0
    return folder


def grader(folder, *more):
    return run_here("grade", folder / "class", "--course", folder / "course", "--output", folder / "out", *more)


def everything(folder):
    return {path: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def test_a_check_is_shown_with_what_it_found_and_the_inputs_of_its_report(scene):
    before = everything(scene)
    done = grader(scene, "--check", "shares.random_shares")
    assert done.returncode == 0, done.stderr
    report = json.loads((scene / "out/ann/01_tiny.json").read_bytes())
    (check,) = [each for each in report["exercises"][0]["checks"] if each["id"] == "shares.random_shares"]
    assert f"found: {check['detail']['found']}" in done.stdout  # the very numbers of the report
    assert f"inputs drawn from: {check['detail']['input_seed']}" in done.stdout
    assert "in the report: failed, with the same inputs" in done.stdout
    assert "mistake: divided_by_largest" in done.stdout
    assert "printed: seen" in done.stdout
    assert "quarters" not in done.stdout
    assert everything(scene) == before


def test_the_inputs_of_the_report_outlive_the_secret(scene):
    secret = scene / "course/.grader/secret"
    kept = secret.read_bytes()
    try:
        secret.write_bytes(b"x" * 32)
        done = grader(scene, "--check", "shares.random_shares")
    finally:
        secret.write_bytes(kept)
    assert "in the report: failed, with the same inputs" in done.stdout


def test_checks_that_it_needs_are_run_before_it(scene):
    done = grader(scene, "--check", "shares.input_unchanged")
    assert done.stdout.index("shares.random_shares") < done.stdout.index("shares.input_unchanged (purity")
    assert "input_unchanged (purity, weight 1): skipped" in done.stdout


@pytest.mark.parametrize(
    ("id", "sentence"),
    [
        ("shares.random_share", "Did you mean shares.random_shares?"),
        ("shares", "That is an exercise; its checks are shares."),
        ("sahres.random_shares", "No exercise is called 'sahres'"),
    ],
)
def test_a_check_that_there_is_not_is_a_sentence(scene, id, sentence):
    done = grader(scene, "--check", id)
    assert (done.returncode, sentence in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_report_of_another_file_is_told(scene):
    hand_in(scene / "class", "ann", WRONG + "# later\n")
    try:
        assert "is of another file" in grader(scene, "--check", "shares.random_shares").stdout
    finally:
        hand_in(scene / "class", "ann", WRONG)
