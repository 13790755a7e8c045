"""What a fault is that the words of a failed check say by themselves."""

import re
from typing import NamedTuple


class PlainFault(NamedTuple):
    """A fault by the words of the check that it fails.

    Attributes:
        words: What is found in its text.
        hint: In English; other languages are in the catalogues.
        category: Of the check; empty for any.
        decisive: Whether it is named also where other checks fail in words that say nothing.
    """

    name: str
    words: re.Pattern[str]
    hint: str
    category: str = ""
    decisive: bool = True
