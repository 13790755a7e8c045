"""What `grader release` says of its tools, and what stands on its pages."""

import re

import pytest

from grader.errors import UsageError
from grader.release import wheel as wheel_module
from grader.release.bundle import PAGES
from grader.release.wheel import TORCH, build_wheel

from ...support.release_parts import files_of


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
    wanted = (f"{wheel} torch=={TORCH}", f"cd assignments/{first.id}\n", f"`{first.name}.py`")
    assert all(value in page for value in (*wanted, f"--exercise {first.exercises[0].id}"))
