"""What the machine that asks and a node that grades say to each other, sealed with the course's secret.

Whoever reaches a scheduler of Dask can send it anything. So a node grades only what carries the seal of its own course,
and a result counts only when it carries that seal, for this request and in this order. Both are JSON of closed types:
nothing of a student is pickled, and the secret itself never travels.
"""

from collections.abc import Iterator

import msgspec

from grader.course.layout import Assignment, Course
from grader.limits import Limits
from grader.records.cache_key import RunConditions, run_conditions, suite_digest
from grader.records.plain_files import Seal
from grader.results.assemble import Outcome
from grader.results.report import Fact
from grader.results.verdict import Language, ManifestCheck
from grader.source_cells import Source

COURSE_VARIABLE = "GRADER_COURSE"
"""Where the course is on a node, if not where it is on the machine that asks."""


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """What must be the same on both machines: everything that decides a grade besides the submission."""

    run: RunConditions
    suite: str


class Item(msgspec.Struct, frozen=True):
    """One submission of a batch: its number on the machine that asks, and what was read of it."""

    number: int
    source: Source


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A batch of submissions of one assignment.

    Attributes:
        nonce: Ties the answer to this request.
        language: Of the sentence about a submission that could not be graded.
        shuffle: What another order of the checks is drawn from; None for the suite's own.
        singly: Whether every check asks by itself, and none pauses to ask together with others.
        paths: What else must not be readable from the jail, where the node has it: the class and its reports.
    """

    nonce: str
    course: str
    assignment: str
    identity: Identity
    device: str
    limits: Limits
    tier: str
    jobs: int
    language: Language
    shuffle: int | None
    singly: bool
    raw: bool
    paths: list[str]
    items: list[Item]


class Opening(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What holds for all results that follow: the isolation that was proven, and the checks."""

    isolation: dict[str, Fact]
    manifest: list[ManifestCheck]


class Finished(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One result; the fields are those of `grading.suite_run.Result`, the source only by its problem."""

    number: int
    problem: str | None
    outcome: Outcome
    lasting: bool
    raw: bytes | None


Line = Opening | Finished


class Seals:
    """Seals and opens what is sent.

    Args:
        secret: The course's.
    """

    def __init__(self, secret: bytes) -> None:
        self._seal = Seal(secret, "grading on another machine")

    def request(self, request: Request) -> bytes:
        """Return a request as it is sent.

        Raises:
            UnicodeEncodeError: A source holds half characters.
        """
        return self._sealed(b"request", msgspec.json.encode(request))

    def line(self, nonce: str, place: int, line: Line) -> bytes:
        """Return a line of an answer as it is sent, with its line end."""
        return self._sealed(f"{nonce} {place}".encode(), msgspec.json.encode(line)) + b"\n"

    def is_whole(self, sent: bytes) -> bool:
        """Return whether a request carries this course's seal."""
        return self._opened(b"request", sent) is not None

    def lines(self, nonce: str, sent: bytes) -> Iterator[Line]:
        """Give the lines of an answer, up to the first that is not whole or not in its place."""
        for place, text in enumerate(sent.split(b"\n")):
            whole = self._opened(f"{nonce} {place}".encode(), text)
            if whole is None:
                return
            yield msgspec.json.decode(whole, type=Line)

    def _sealed(self, what: bytes, text: bytes) -> bytes:
        return self._seal.of(what + b"\0" + text).encode() + b" " + text

    def _opened(self, what: bytes, sent: bytes) -> bytes | None:
        seal, _, text = sent.partition(b" ")
        return text if self._seal.holds(seal, what + b"\0" + text) else None


def claimed(sent: bytes) -> Request:
    """Return what a request says, before its seal is looked at.

    Raises:
        ValueError: It is not a request.
    """
    return msgspec.json.decode(sent.partition(b" ")[2], type=Request)


def identity_of(course: Course, assignment: Assignment, device: str, limits: Limits) -> Identity:
    """Return what decides the grades of an assignment on this machine."""
    return Identity(run=run_conditions(course, device, limits), suite=suite_digest(course, assignment))


def difference(wanted: Identity, here: Identity) -> str | None:
    """Return what differs on this machine, as the end of a sentence; None when nothing does.

    On a GPU the machine that asks may have torch for the processor, so there the builds of torch may differ.
    """
    if wanted.run.kit != here.run.kit:
        return "its kit is another one: install the same sources"
    if wanted.run.secret != here.run.secret:
        return "its secret is another one: share the course's folder, or set GRADER_SECRET"
    if wanted.suite != here.suite:
        return "its suite is another one: share the course's folder, or copy it anew"
    theirs, ours = (_libraries(each.run) for each in (wanted, here))
    for name, version in theirs.items():
        if ours.get(name) != version:
            return f"it has {name} {ours.get(name) or 'not at all'} instead of {version}"
    if wanted.run.machine != here.run.machine:
        return f"its processor is {here.run.machine} instead of {wanted.run.machine}"
    return None if msgspec.structs.replace(wanted.run, libraries=here.run.libraries) == here.run else "it differs"


def _libraries(run: RunConditions) -> dict[str, str]:
    if run.device == "cpu":
        return run.libraries
    return {**run.libraries, "torch": run.libraries["torch"].partition("+")[0]}
