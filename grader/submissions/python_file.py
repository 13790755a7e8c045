"""Decodes a `.py` file, strictly as UTF-8 whatever it says of itself."""

import codecs

from grader.language import N_
from grader.source_cells import Unreadable


def decode(raw: bytes) -> str:
    """Return the text of a file, with `\\n` as the only line end; a UTF-8 byte order mark is accepted.

    Raises:
        Unreadable: The bytes are not UTF-8 text.
    """
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
        Unreadable: It is not UTF-8 text, or is a page of HTML or a notebook under another name.
    """
    text = decode(raw)
    if text[:1000].lstrip().lower().startswith(("<!doctype html", "<html")):
        raise Unreadable(N_("The file {name} is a page of HTML. Hand in the file that you worked in."))
    if text.lstrip().startswith("{") and '"nbformat"' in text:
        raise Unreadable(
            N_("The file {name} is a notebook under the name of a .py file. Rename it to end with .ipynb.")
        )
    return text
