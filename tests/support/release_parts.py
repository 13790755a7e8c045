"""What is in a release, for the tests of it."""

from grader.release.archive import unpack
from grader.release.bundle import NAME, Release


def files_of(release: Release) -> dict[str, bytes]:
    """Return the files of the zip by their path in its folder; the wheel's own are under `wheel/`."""
    found = {name.removeprefix(f"{NAME}/"): data for name, data in unpack(release.data)}
    (wheel,) = (name for name in found if name.endswith(".whl"))
    return found | {f"wheel/{name}": data for name, data in unpack(found[wheel])}
