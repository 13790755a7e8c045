"""What is in a release, for the tests of it."""

import io
import zipfile
from pathlib import Path

import pytest

from grader.cli import status
from grader.course.layout import Course
from grader.release.bundle import NAME
from grader.release.wheel import build_wheel


def unpack(data: bytes) -> list[tuple[str, bytes]]:
    """Return the files of a zip file; folders are left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if not entry.is_dir()]


def files_of(release: tuple[str, bytes]) -> dict[str, bytes]:
    """Return the files of the zip by their path in its folder; the wheel's own are under `wheel/`."""
    files = {name.removeprefix(f"{NAME}/"): data for name, data in unpack(release[1])}
    (wheel,) = (name for name in files if name.endswith(".whl"))
    return files | {f"wheel/{name}": data for name, data in unpack(files[wheel])}


def platform_file(course: Course, platform: str, output: Path) -> Path:
    """Make the file with which a platform grades the first assignment of a course, and return where it is."""
    assignment = next(iter(course.assignments))
    command = ["--course", str(course.root), "release", "--for", platform, "--assignment", assignment]
    assert status([*command, "--output", str(output)]) == 0
    return output / f"{platform}-{assignment}.zip"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that students get, as a file."""
    name, data = build_wheel()
    place = tmp_path_factory.mktemp("wheel") / name
    place.write_bytes(data)
    return place
