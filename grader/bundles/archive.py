"""What a bundle's archives are made with: permissions by name, and tar files that are the same bytes each time."""

import io
import tarfile
from collections.abc import Mapping

PROGRAM, PLAIN, PRIVATE = 0o755, 0o644, 0o600


def mode_of(name: str) -> int:
    """Return the permissions of a file in a bundle: scripts can be run, and the secret is for its owner alone."""
    last = name.rpartition("/")[2]
    if last == "secret":
        return PRIVATE
    return PROGRAM if last.endswith(".sh") or last == "run_autograder" else PLAIN


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
