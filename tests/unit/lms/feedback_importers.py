"""Importers of feedback files that keep the rules of Moodle's and Canvas's own, to read back what an export wrote.

Written from what `assignfeedback_file_zip_importer` of Moodle and `infer_comment_context_from_filename` of Canvas do.
"""

import io
import re
import zipfile
from collections.abc import Mapping

NUMERIC = re.compile(r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*", re.ASCII)
UNCLEAN = re.compile(r"[\x00-\x1f\x7f&<>\"`|':\\]|\.\.+|//")  # what Moodle takes out of a path
Given = dict[str, dict[str, bytes]]


def files_in(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip by name, each name once."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(set(names)) == len(names)
        return {name: archive.read(name) for name in names}


def moodle_takes(data: bytes, participants: Mapping[int, str], *, before_4_1: bool = False) -> Given:
    """Return the feedback files that Moodle gives each user, by the number of the participant."""
    given: Given = {}
    for name, content in files_in(data).items():
        assert not UNCLEAN.search(name) and len(name.encode()) < 255
        parts = f"/import/{name}".split("/")
        if parts[-1].startswith((".", "~")):
            continue
        while parts:
            info = parts.pop(0).split("_", 4)
            if len(info) < (5 if before_4_1 else 4) or not NUMERIC.fullmatch(info[1]):
                continue
            user = participants.get(int(float(info[1])))
            if user is None or info[2:4] not in (["assignsubmission", "file"], ["assignsubmission", "onlinetext"]):
                continue
            given.setdefault(user, {})["/".join([*info[4:], *parts]).lstrip("/")] = content
            break
    return given


def canvas_takes(data: bytes, handed_in: Mapping[str, tuple[str, list[str]]]) -> tuple[Given, list[str]]:
    """Return the files that Canvas comments with on each submission, and the names that it passes over.

    Args:
        handed_in: Of each user the anonymous id and the ids of the files of the submission, by the user's id.
    """
    given: Given = {}
    ignored: list[str] = []
    for path, content in files_in(data).items():
        name = path.rpartition("/")[2]
        parts = [part for part in name.split("_") if part != "LATE"]
        if parts[0] == "anon":
            user = next((user for user, (anonymous, _) in handed_in.items() if anonymous == parts[1]), None)
            file = parts[2]
        else:
            user, file, *_ = [*(part for part in parts if re.fullmatch(r"\d+", part, re.ASCII)), None, None]
        unusable = parts[-1].startswith("link") or name.startswith("._")
        if unusable or user not in handed_in or file not in handed_in[user][1]:
            ignored.append(path)
        else:
            given.setdefault(user, {})[file] = content
    return given, ignored
