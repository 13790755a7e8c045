"""Archives that are the same bytes for the same content, with the files in them that are programs marked as such."""

import io
import tarfile
import zipfile
from collections.abc import Mapping

from grader.release.archive import FIXED_TIME, UNIX

PROGRAM, PLAIN, PRIVATE = 0o755, 0o644, 0o600
REGULAR = 0o100000


def mode_of(name: str) -> int:
    """Return the permissions of a file in a bundle: scripts can be run, and the secret is for its owner alone."""
    last = name.rpartition("/")[2]
    if last == "secret":
        return PRIVATE
    return PROGRAM if last.endswith(".sh") or last == "run_autograder" else PLAIN


def zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return a zip file of these files, sorted by name, uncompressed since compressors differ."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.create_system = UNIX
            entry.external_attr = (REGULAR | mode_of(name)) << 16
            archive.writestr(entry, data)
    return packed.getvalue()


def tar_of(files: Mapping[str, bytes]) -> bytes:
    """Return a tar file of these files, sorted by name, with no user and no time in it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, data in sorted(files.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mode = mode_of(name)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()
