"""Finds the folders of installed packages that a worker needs: the offered ones, msgspec, and their requirements.

Only these are visible inside, one by one, because the folder that holds them also holds pytest, the kit and everything
else that the course installed.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from grader.errors import CourseError
from grader.inside.source.stand_ins import OFFERED

from .bootstrap import library_path

NEEDED = (*OFFERED, "msgspec")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_IGNORED_SUFFIXES = (".dist-info", ".egg-info", ".data", ".pth", ".virtualenv")


def requirements(distribution: metadata.Distribution) -> Iterator[str]:
    """Yield the names of what a distribution requires, leaving out what only an extra asks for."""
    for line in distribution.requires or []:
        match = _NAME.match(line)
        if match and "extra ==" not in line.replace('"', "'").replace("extra==", "extra =="):
            yield match.group()


def top_level(distribution: metadata.Distribution) -> Iterator[Path]:
    """Yield the paths of the folders and files that a distribution puts on the search path."""
    # Its list of files is read here, since `distribution.files` makes a path of each, and torch has ten thousand.
    record = csv.reader((distribution.read_text("RECORD") or "").splitlines())
    first = {file[0].partition("/")[0] for file in record if file} - {"", ".", ".."}
    if not first:
        first = {file.parts[0] for file in distribution.files or [] if ".." not in file.parts}
    if not first:
        first = set((distribution.read_text("top_level.txt") or distribution.metadata["Name"]).split())
    for name in sorted(first):
        if name == "__pycache__" or name.endswith(_IGNORED_SUFFIXES):
            continue
        path = Path(str(distribution.locate_file(name)))
        if path.exists():
            yield path.resolve()


def find(extra: Sequence[str] = ()) -> dict[str, Path]:
    """Return what a worker's search path must hold: by name, the path of each folder or file.

    Args:
        extra: Names of further installed packages that the course allows its students.

    Raises:
        CourseError: A package that the course names is not installed.
        ModuleNotFoundError: Torch is not installed.
    """
    paths: dict[str, Path] = {}
    waiting, seen = [*NEEDED, *extra], set[str]()
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if name in extra:
                raise CourseError(
                    f"The package {name!r}, which course.toml allows in submissions, is not installed.",
                    f"Run `pip install {name}`, or take it off `extra_packages`.",
                ) from None
            continue
        waiting.extend(requirements(distribution))
        paths.update((path.name, path) for path in top_level(distribution))
    library = Path(library_path())
    for name in NEEDED:
        if name not in paths and (library / name).exists():
            paths[name] = (library / name).resolve()
    return paths
