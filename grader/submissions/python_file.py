"""Decodes a `.py` file, strictly as UTF-8 whatever it says of itself; what is no program is named for what it is."""

import codecs

from grader.language import N_
from grader.source_cells import Unreadable

OTHER_FORMATS = {  # by how they begin, in small letters
    b"pk\x03\x04": "ZIP or Word",
    b"%pdf": "PDF",
    b"\x89png": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"<!doctype html": "HTML",
    b"<html": "HTML",
    b"version https://git-lfs": "Git LFS",
}


def decode(raw: bytes) -> str:
    """Return the text of a file, with `\\n` as the only line end; a UTF-8 byte order mark is accepted.

    Raises:
        Unreadable: The bytes are not UTF-8 text.
    """
    start = raw[:1000].lstrip().lower()
    if kind := next((kind for sign, kind in OTHER_FORMATS.items() if start.startswith(sign)), None):
        raise Unreadable(
            N_("The file {name} is not a program but has the format {kind}. Hand in the file that you worked in."),
            kind=kind,
        )
    body = raw.removeprefix(codecs.BOM_UTF8)
    try:
        text, bad = body.decode("utf-8"), body.find(0)
    except UnicodeDecodeError as problem:
        text, bad = "", problem.start
    if bad >= 0:
        raise Unreadable(
            N_(
                "The file {name} could not be read, because byte {byte} in line {line} is not UTF-8 text. Open it in "
                "your editor and save it as UTF-8."
            ),
            byte=f"0x{body[bad]:02x}",
            line=body.count(b"\n", 0, bad) + 1,
        )
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_python(raw: bytes) -> str:
    """Return the text of a `.py` file.

    Raises:
        Unreadable: It is not UTF-8 text, or is a notebook under another name.
    """
    text = decode(raw)
    if text.lstrip().startswith("{") and '"nbformat"' in text:
        raise Unreadable(
            N_("The file {name} is a notebook under the name of a .py file. Rename it to end with .ipynb.")
        )
    return text
