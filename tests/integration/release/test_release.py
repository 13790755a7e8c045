"""`grader release` makes one file, the same for the same sources."""

import os
import re
import zipfile

import pytest

from grader.errors import UsageError
from grader.release import wheel as wheel_module
from grader.release.archive import FIXED_TIME
from grader.release.bundle import PAGES, make_release
from grader.release.wheel import build_wheel, torch_that_grades

from ...support.release_parts import files_of


def test_the_same_sources_give_the_same_bytes(course, release):
    old = os.umask(0o077)
    try:
        again = make_release(course)
    finally:
        os.umask(old)
    assert again == release


def test_entries_are_sorted_in_one_folder_with_one_time_and_one_mode(release, tmp_path):
    file_name, data = release
    (tmp_path / file_name).write_bytes(data)
    with zipfile.ZipFile(tmp_path / file_name) as archive:
        entries = archive.infolist()
    names = [entry.filename for entry in entries]
    assert names == sorted(names)
    assert {name.split("/")[0] for name in names} == {file_name.removesuffix(".zip")}
    assert {(entry.date_time, entry.external_attr >> 16, entry.create_system) for entry in entries} == {
        (FIXED_TIME, 0o100644, 3)
    }


def test_build_tools_that_fail_are_told_in_their_own_words(monkeypatch):
    monkeypatch.setattr(wheel_module, "PIP_WHEEL", ("-c", "import sys; sys.exit('no such module: pip')"))
    with pytest.raises(UsageError, match="pip says: no such module: pip") as caught:
        build_wheel()
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", PAGES)
def test_every_gap_of_the_page_is_filled(course, release, name):
    files, first = files_of(release), next(iter(course.assignments.values()))
    page = files[name].decode()
    assert not re.search(r"[{}]", page)
    (wheel,) = (path for path in files if path.endswith(".whl"))
    wanted = (f"{wheel} torch=={torch_that_grades()}", f"cd assignments/{first.id}\n", f"`{first.name}.py`")
    assert all(value in page for value in (*wanted, f"--exercise {first.exercises[0].id}"))
