"""Zip files that are the same bytes for the same content, on every machine.

Nothing is compressed unless that is asked for, since compressors of other versions make other bytes of the same text; a
release is small enough.
"""

import io
import zipfile
from collections.abc import Callable, Iterable

FIXED_TIME = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file can name
REGULAR, PLAIN = 0o100000, 0o644
UNIX = 3


def pack(
    entries: Iterable[tuple[str, bytes]], mode_of: Callable[[str], int] = lambda _: PLAIN, *, compressed: bool = False
) -> bytes:
    """Return a zip file of these entries, names with `/` between folders and what the files hold, in this order.

    Args:
        mode_of: Gives the permissions of a file by its name.
        compressed: Whether the zip file may be other bytes on other machines, and small.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, data in entries:
            entry = zipfile.ZipInfo(name, FIXED_TIME)
            entry.create_system = UNIX
            entry.external_attr = (REGULAR | mode_of(name)) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED if compressed else None)
    return packed.getvalue()


def unpack(data: bytes) -> list[tuple[str, bytes]]:
    """Return the files of a zip file in its own order; folders are left out."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(entry.filename, archive.read(entry)) for entry in archive.infolist() if not entry.is_dir()]
