"""The steps of a run of a student's checks, as the process that takes them tells them: each a line of JSON."""

import msgspec

from grader.inside.protocol.answers import StatementReached
from grader.results.verdict import CheckVerdict, ManifestCheck


class Collected(msgspec.Struct, tag=True):
    """The checks are read, and the source is loaded now."""

    checks: list[ManifestCheck]


class SourceLoaded(msgspec.Struct, tag=True):
    """The source is loaded; what is to be known of it."""

    notes: list[str]


class Begun(msgspec.Struct, tag=True):
    """A check begins."""

    check: str


class Judged(msgspec.Struct, tag=True):
    """What came of a check; the last of several verdicts counts."""

    verdict: CheckVerdict


class Ended(msgspec.Struct, tag=True):
    """Everything is said; an error that is none of the kit's is a fault of it."""

    error: str = ""
    problem: str = ""
    hint: str = ""


Step = Collected | StatementReached | SourceLoaded | Begun | Judged | Ended
