"""Makes zip files."""

import io
import zipfile
from collections.abc import Collection, Iterable

PROGRAM, PLAIN = 0o100755, 0o100644


def pack(entries: Iterable[tuple[str, bytes]], programs: Collection[str] = ()) -> bytes:
    """Return a zip file of these entries: names with `/` between folders, and what the files hold.

    Args:
        programs: The names of those that can be run.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in entries:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (PROGRAM if name in programs else PLAIN) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
