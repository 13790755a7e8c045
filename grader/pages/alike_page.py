"""Makes the teacher's page of the submissions that share code: what two of them share, side by side, and no verdict."""

from collections.abc import Mapping, Sequence

from grader.results.verdict import Language
from grader.submissions.alike import Pair

from .rendering import page

MOST_PAIRS = 50


def alike_page(
    assignment: str, language: Language, pairs: Sequence[Pair], files: Mapping[str, str], left_out: Mapping[str, str]
) -> bytes:
    """Return the page of an assignment; of more than `MOST_PAIRS` pairs it counts the rest.

    Args:
        files: The name of the file of each student who was compared.
        left_out: Why a student was not.
    """
    shown, further = pairs[:MOST_PAIRS], max(0, len(pairs) - MOST_PAIRS)
    values = {"assignment": assignment, "shown": shown, "further": further, "files": files, "left_out": left_out}
    return page("alike.html", language, **values)
