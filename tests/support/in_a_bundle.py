"""The files of bundles, for the tests of what is in them."""

import functools
import io
import tarfile
import zipfile

import pytest

from grader.bundles import content
from grader.bundles.make import LAYOUTS, make_bundle
from grader.course.layout import find_course

from .grading_runs import ASSIGNMENT, frozen_course

SECRET = "a secret of the tests that is long enough"
ONE_WHEEL = functools.cache(content.build_wheel)  # building one takes seconds; that it is the same is test_release's


@functools.cache
def bundles_of_the_first_assignment():
    """Return each platform's bundle for the first assignment of the frozen course."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GRADER_SECRET", SECRET)
        patch.setattr(content, "build_wheel", ONE_WHEEL)
        course = find_course(frozen_course())
        return {platform: make_bundle(course, platform, ASSIGNMENT).data for platform in LAYOUTS}


def files_of(data):
    """Return the files of a bundle, and those of the archives in it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name, inner in list(files.items()):
        if name.endswith(".tar"):
            with tarfile.open(fileobj=io.BytesIO(inner)) as archive:
                files |= {f"{name}/{entry.name}": archive.extractfile(entry).read() for entry in archive}
    return files


def modes_of(data):
    """Return the permissions of a bundle's files."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {entry.filename: entry.external_attr >> 16 & 0o777 for entry in archive.infolist()}


def course_files(files):
    """Return those of a bundle's files that are the course's."""
    return {name.partition("course/")[2]: data for name, data in files.items() if "course/" in name}
