"""What a jail shows of the machine, and what it masks; no jail is built."""

import sys
from pathlib import Path

import pytest

from grader.inside.sandbox import landlock
from grader.jail import libraries, rootfs


@pytest.fixture
def tree(tmp_path):
    """A small system: a library folder with packages to hide and a secret."""
    for name in ("libm.so", "python3/os.py", "python3/site-packages/kit/answers.py", "course/hidden.py"):
        file = tmp_path / "lib" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    return tmp_path / "lib"


def test_landlock_is_led_around_what_is_masked(tree):
    masked = [str(tree / "python3/site-packages"), str(tree / "course")]
    rules = dict(rootfs._around(str(tree), masked, [str(tree / "course")]))
    readable = {path for path, rights in rules.items() if rights & landlock.READ}
    assert readable == {str(tree / "libm.so"), str(tree / "python3/os.py")}
    assert rules[str(tree / "python3")] == landlock.FOLDER
    assert str(tree) not in rules


def test_a_secret_within_the_system_is_masked(monkeypatch, tree):
    monkeypatch.setattr(rootfs, "SYSTEM", (str(tree),))
    view = rootfs.view(libraries.find(), [tree / "course"], cuda=False)
    assert str(tree / "course") in view.masked
    assert view.secret == (str(tree / "course"),)
    assert str(tree / "python3/site-packages") in view.mounts()["masks"]


def test_the_environments_own_folder_is_not_shown():
    view = rootfs.view(libraries.find(), [], cuda=False)
    environment = Path(sys.prefix)
    if sys.prefix != sys.base_prefix:
        assert not any(Path(tree).is_relative_to(environment) for tree in view.trees)
    targets = {target for _, target in view.mounts()["binds"]}
    assert f"{rootfs.SITE}/torch" in targets
    assert not any(str(environment) in target for target in targets if sys.prefix != sys.base_prefix)


def test_the_gpus_files_are_shown_only_when_asked_for(monkeypatch):
    real = Path.glob
    fake = [Path("/dev/nvidia0"), Path("/dev/nvidiactl")]
    monkeypatch.setattr(Path, "glob", lambda self, pattern: fake if pattern == "nvidia*" else real(self, pattern))
    monkeypatch.setattr(Path, "is_char_device", lambda self: True)
    plain, cuda = (rootfs.view(libraries.find(), [], cuda=wanted) for wanted in (False, True))
    assert not any("nvidia" in device for device in plain.devices)
    assert {"/dev/nvidia0", "/dev/nvidiactl"} < set(cuda.devices)
    assert dict(cuda.readable("/tmp/site"))["/dev/null"] == landlock.READ
    assert cuda.mounts()["files"] and not plain.mounts()["files"]


@pytest.mark.parametrize(("abi", "highest"), [(1, 12), (2, 13), (3, 14), (4, 14), (5, 15), (7, 15)])
def test_every_right_that_a_version_of_landlock_knows_is_restricted(abi, highest):
    assert landlock.file_rights(abi) == 2 ** (highest + 1) - 1
