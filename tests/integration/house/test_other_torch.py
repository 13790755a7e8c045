"""A student's own check takes the torch that is there; one version of torch grades."""

import zipfile
from email import message_from_string

from packaging.requirements import Requirement

from grader.release.wheel import TORCH

from ...support.release_parts import wheel  # noqa: F401  # a fixture


def test_the_wheel_asks_for_any_torch_and_its_extra_for_the_one_that_grades(wheel):  # noqa: F811
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(next(name for name in archive.namelist() if name.endswith("/METADATA"))).decode()
    needs = [Requirement(line) for line in message_from_string(text).get_all("Requires-Dist")]
    torch = [need for need in needs if need.name == "torch"]
    student = [need for need in torch if need.marker is None]
    assert [all(need.specifier.contains(version) for version in ("2.5.0", "2.8.0+cu126", "2.13.0")) for need in student]
    assert not student[0].specifier.contains("2.4.1")
    graded = [str(need.specifier) for need in torch if need.marker and need.marker.evaluate({"extra": "grade"})]
    assert graded == [f"=={TORCH}"]
