"""A course's settings and its secret are read strictly, since grades depend on both."""

import os
import stat
import threading

import pytest

from grader.course.content.settings import read_secret, read_settings
from grader.course.layout import find_course
from grader.errors import CourseError
from grader.limits import DEFAULT_LIMITS

from ...support.courses import small_course


@pytest.fixture(autouse=True)
def no_secret_given(monkeypatch):
    """Keep a secret of the machine that runs the tests out of them."""
    monkeypatch.delenv("GRADER_SECRET", raising=False)


def test_course_without_settings_has_the_defaults(tmp_path):
    course = small_course(tmp_path)
    assert (course.settings.language, course.settings.device, course.settings.extra_packages) == ("en", "cpu", ())
    assert course.limits == DEFAULT_LIMITS


def test_settings_change_only_what_they_name(tmp_path):
    text = (
        'language = "ko"\ndevice = "cuda"\nextra_packages = ["einops"]\n[limits]\ncheck_cpu_s = 2.5\nopen_files = 16\n'
    )
    course = small_course(tmp_path, {"course.toml": text})
    assert (course.settings.language, course.settings.device) == ("ko", "cuda")
    assert course.settings.extra_packages == ("einops",)
    assert (course.limits.check_cpu_s, course.limits.open_files) == (2.5, 16)
    assert course.limits.submission_cpu_s == DEFAULT_LIMITS.submission_cpu_s


def test_a_course_may_be_in_english_alone(tmp_path):
    assert small_course(tmp_path).settings.languages == ("en", "ko")
    assert small_course(tmp_path, {"course.toml": 'languages = ["en"]\n'}).settings.languages == ("en",)


def test_wrong_settings_are_refused_with_the_reason(subtests, tmp_path, refuses):
    for text in [
        "languag = 'en'",
        "language = 'fr'",
        "language = ['ko']",
        "languages = ['en', 'fr']",
        "languages = []",
        "languages = ['en']\nlanguage = 'ko'",
        "extra_packages = []\ndevice = 'gpu'",
        "language = \nx = 1",
        "extra_packages = 'einops'",
        "[limits]\ncheck_cpu = 1",
        "[limits]\ncheck_cpu_s = 0",
        "[limits]\ncheck_cpu_s = nan",
        "[limits]\nopen_files = 1.5",
        "[limits]\ncheck_cpu_s = " + "9" * 5000,
        "[limits]\ncheck_cpu_s = 0x" + "f" * 5000,
        "[limits]\nmemory_bytes = 9223372036854775807",
        "[limits]\nmemory_bytes = 1",
        "x = " + "[" * 5000,
        "extra_packages = ['']",
        "extra_packages = ['../einops']",
    ]:
        with subtests.test(text=text), refuses(CourseError):
            (tmp_path / "course.toml").write_text(text)
            read_settings(tmp_path)


def test_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path):
    first = small_course(tmp_path).secret()
    assert len(first) == 32
    assert find_course(tmp_path).secret() == first
    assert stat.S_IMODE((tmp_path / ".grader" / "secret").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / ".grader").iterdir()] == ["secret"]


def test_two_courses_have_different_secrets(tmp_path):
    assert small_course(tmp_path / "a").secret() != small_course(tmp_path / "b").secret()


def test_first_runs_at_once_agree_on_one_secret(tmp_path):
    start, secrets = threading.Barrier(8), []

    def first_run():
        start.wait()
        secrets.append(read_secret(tmp_path))

    threads = [threading.Thread(target=first_run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(secrets) == 8
    assert len(set(secrets)) == 1


@pytest.mark.parametrize("given", [b"sixteen letters.", b"\xff" * 16])
def test_given_secret_comes_first_may_hold_any_bytes_and_leaves_no_file(tmp_path, monkeypatch, given):
    monkeypatch.setenv("GRADER_SECRET", os.fsdecode(given))
    assert small_course(tmp_path).secret() == given
    assert not (tmp_path / ".grader").exists()


@pytest.mark.parametrize("given", ["", "too short"])
def test_given_secret_that_could_be_guessed_is_refused(tmp_path, monkeypatch, given, refuses):
    monkeypatch.setenv("GRADER_SECRET", given)
    with refuses(CourseError):
        read_secret(tmp_path)


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_secret_that_others_can_read_is_refused_with_the_way_out(tmp_path, mode, refuses):
    read_secret(tmp_path)
    (tmp_path / ".grader" / "secret").chmod(mode)
    with refuses(CourseError):
        read_secret(tmp_path)


@pytest.mark.parametrize("kind", ["link", "pipe", "short", "file"])
def test_what_is_no_secret_in_its_place_is_refused(tmp_path, kind, refuses):
    """No link is followed, and no pipe waited for."""
    (tmp_path / "elsewhere").write_bytes(bytes(32))
    place = tmp_path / ".grader" / "secret"
    if kind == "file":
        place.parent.write_text("")
    else:
        place.parent.mkdir()
    if kind == "link":
        place.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(place, 0o600)
    elif kind == "short":
        place.touch(0o600)
        place.write_bytes(b"short")
    with refuses(CourseError):
        read_secret(tmp_path)
