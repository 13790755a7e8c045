"""Writes the JSON that a platform reads: exact decimals as numbers, fields in their order, text as UTF-8."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder(decimal_format="number")


def json_bytes(document: Any, *, indent: int = 2) -> bytes:
    """Return a document as JSON with a line end; equal documents give equal bytes.

    Args:
        document: Structs, dicts, lists, texts and numbers; a decimal is written digit for digit.
        indent: How far a level is set in; 0 for one line.
    """
    text = _ENCODER.encode(document)
    return (msgspec.json.format(text, indent=indent) if indent else text) + b"\n"


def longest_that_fits(make: Callable[[int], bytes], limits: Sequence[int], most: int) -> bytes:
    """Return a file with texts as long as its size allows; with the shortest texts it may be larger.

    Args:
        make: Returns the file, given the characters that one check's text may have.
        limits: Such numbers of characters, the largest first.
        most: Bytes that the platform takes.
    """
    for limit in limits:
        made = make(limit)
        if len(made) <= most:
            break
    return made
