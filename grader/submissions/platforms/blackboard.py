"""Blackboard's `gradebook_COURSE_TITLE_DATE.zip`, after nbgrader's documents and the program `bb-file-cleanup`.

Everybody's files are side by side: `Homework 1_alee_attempt_2026-11-05-11-02-33_simple_attention.py`, and with each
attempt a receipt, `Homework 1_alee_attempt_2026-11-05-11-02-33.txt`. In other languages it is another word than
`attempt`. The student is called `alee` here. Titles and user names may both hold an underscore; a receipt that begins
with `Name: Ann Lee (alee)` says which is which. No document shows a whole receipt, so without one that begins so the
title is what the download's own name has of it, or the names have one underscore only.
"""

import re
from collections.abc import Collection
from datetime import datetime

from .handed_in import HandedIn, Listing

HEAD = r"(?P<head>.+?)_[^\W\d_]+_(?P<when>\d{4}(?:-\d\d){5})"
NAMED = re.compile(HEAD + r"(?:_(?P<file>.+)|\.txt)")
RECEIPT = re.compile(HEAD + r"\.txt")
PERSON = re.compile(r"[^\n]*\(([^()\n]+)\)\s*")


def read(listing: Listing) -> list[HandedIn]:
    """Return what Blackboard packed; of the receipts those of attempts without a file.

    Where nothing says where a title ends and the user's name begins, there is no student.
    """
    parts = {name: part for name, part in listing.named(NAMED).items() if _time(part["when"])}
    users: dict[str, str] = {}
    for name, part in parts.items():
        person = PERSON.match(listing.text(name)) if part["file"] is None else None
        if person and part["head"].endswith(f"_{person[1]}"):
            users[part["head"]] = person[1]
    heads = {part["head"] for part in parts.values()}
    titles = {head.removesuffix(f"_{user}") for head, user in users.items()}
    title = titles.pop() if len(titles) == 1 else _title(heads, listing.title) if not titles else None
    for head in heads - users.keys():
        users[head] = head.removeprefix(f"{title}_") if title and head.startswith(f"{title}_") else ""
    with_files = {(part["head"], part["when"]) for part in parts.values() if part["file"]}
    return [
        HandedIn(
            users[part["head"]], name, listing.entries[name], part["file"] or "receipt.txt",
            part["head"].removesuffix(f"_{users[part['head']]}"), _time(part["when"]),
        )
        for name, part in parts.items()
        if part["file"] or (part["head"], part["when"]) not in with_files
    ]  # fmt: skip


def _title(heads: Collection[str], download: str) -> str | None:
    """Return the title with which all heads begin, by the name of the download or their only underscore."""
    begun = [head[: at.start()] for head in heads for at in re.finditer("_", head)]
    fitting = [title for title in dict.fromkeys(begun) if all(head.startswith(f"{title}_") for head in heads)]
    named = [title for title in fitting if f"_{title}_" in f"{download}_"]
    plain = fitting if all(head.count("_") == 1 for head in heads) else []
    return max(named or plain, key=len, default=None)


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")  # the site's own zone, which nothing names
    except ValueError:
        return None
