"""Moodle, after `mod/assign/classes/downloader.php` of its source; earlier, `download_submissions` in `locallib.php`.

A folder for each student, `Ann Lee_9001_assignsubmission_file_`, or without folders everybody's files side by side,
`Ann Lee_9001_assignsubmission_file_simple_attention.py`. With blind marking it is `Participant` instead of the name,
and of a group the group's. A student is called as the folder is or would be. Text that was typed has `onlinetext`
instead of `file`; it is beside the files where there are some. Moodle packs the last attempt only.
"""

import re

from .handed_in import HandedIn, Listing

FOLDER = re.compile(r".+_assignsubmission_[a-z]+_?")
FLAT = re.compile(r"(?P<who>.+?_assignsubmission_)(?P<kind>[a-z]+_)(?P<file>.+)")
ONLINE_TEXT = re.compile(r"(?P<who>.+_assignsubmission_)onlinetext(?P<end>_?)")


def read(listing: Listing) -> list[HandedIn]:
    """Return what Moodle packed."""
    if folders := {name: mode for name, mode in listing.folders.items() if FOLDER.fullmatch(name)}:
        beside = {name: files_beside(name) or name for name in folders}
        return [HandedIn(beside[name] if beside[name] in folders else name, name, folders[name]) for name in folders]
    parts = listing.named(FLAT)
    with_files = {part["who"] for part in parts.values() if part["kind"] == "file_"}
    return [
        HandedIn(
            part["who"] + ("file_" if part["who"] in with_files else part["kind"]),
            name, listing.entries[name], part["file"],
        )
        for name, part in parts.items()
    ]  # fmt: skip


def files_beside(text: str) -> str | None:
    """Return the name of the folder with the files of whom an online text's folder is; None for any other folder."""
    found = ONLINE_TEXT.fullmatch(text)
    return f"{found['who']}file{found['end']}" if found else None
