"""What a fault is that the words of a failed check say by themselves."""

import re
from typing import NamedTuple

from grader.words import Words


class PlainFault(NamedTuple):
    """A fault by the words of the check that it fails.

    Attributes:
        words: What is found in its text.
        category: Of the check; empty for any.
        decisive: Whether it is named also where other checks fail in words that say nothing.
    """

    name: str
    words: re.Pattern[str]
    hint: Words
    category: str = ""
    decisive: bool = True
