"""How each platform hands a submission over in its container, and where it wants the result.

Roots can be moved by a variable, so that a bundle can be tried outside of a container.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from grader.errors import OutputError, UsageError
from grader.lms.formats import ExportOptions, find_format
from grader.lms.one_report.whole_points import SUBMITTED, utc
from grader.lms.visibility import platform_view
from grader.results.report import Report
from grader.system.whole_file import write_whole

MOST_METADATA = 16 << 20


@dataclass(frozen=True)
class Platform:
    """How one platform hands a submission over and takes its result.

    Attributes:
        refuse: Tells the platform that there is none; takes the sentence for the student.
        refused_code: The exit code then, instead of that of the error; None to keep it.
        shows_output: Whether students read what is printed.
    """

    handed_in: Path
    give: Callable[[Report], None]
    refuse: Callable[[str], None]
    refused_code: int | None = None
    shows_output: bool = False


def platform(name: str) -> Platform:
    """Return how a platform works, by the variables that its scripts set.

    Raises:
        UsageError: There is no such platform, or a variable is missing.
    """
    makers = {
        "gradescope": _gradescope,
        "prairielearn": _prairielearn,
        "autolab": _autolab,
        "github": _github,
        "gitlab": _gitlab,
    }
    if name not in makers:
        raise UsageError("A platform was looked for.", f"{name!r} is not one of {', '.join(makers)}.")
    return makers[name]()


def _written(name: str, report: Report, environ: Mapping[str, str] | None = None) -> bytes:
    """Return a report in a platform's format."""
    options = ExportOptions(environ=environ or {}, now=datetime.now(UTC))
    data: bytes = find_format(name).write(platform_view(report), options)
    return data


def _gradescope() -> Platform:
    """`/autograder`; Gradescope does not accept a result without a score, so a refusal leaves no file at all."""
    root = Path(os.environ.get("AUTOGRADER_ROOT", "/autograder"))
    result = root / "results" / "results.json"
    _clear(result)

    def give(report: Report) -> None:
        for line in _gradescope_metadata(root / "submission_metadata.json", report):
            print(line)
        write_whole(result, _written("gradescope", report))

    return Platform(root / "submission", give, print)


def _gradescope_metadata(place: Path, report: Report) -> list[str]:
    """Return what staff should know from Gradescope's own words on a submission; they alone read it."""
    try:
        with place.open("rb") as file:
            metadata = json.loads(file.read(MOST_METADATA))
        assignment = metadata["assignment"]
        lines = [f"Submission {int(metadata['id'])} of assignment {int(assignment['id'])}."]
        points = float(assignment["total_points"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ["submission_metadata.json is missing or not as Gradescope writes it; the score does not depend on it."]
    if points != float(report.max_score):
        theirs, ours = f"{points:g}", f"{report.max_score:f}"
        lines.append(f"WARNING: the score is out of {ours}, and the assignment is worth {theirs} points on Gradescope.")
        lines.append("Set the autograder's points on Gradescope.")
    return lines


def _prairielearn() -> Platform:
    """`/grade`; the container has to end with 0, and `gradable: false` is what uses no attempt and gives no score."""
    root = Path(os.environ.get("GRADE_ROOT", "/grade"))
    result = root / "results" / "results.json"
    _clear(result)

    def refuse(sentence: str) -> None:
        write_whole(result, json.dumps({"gradable": False, "message": sentence}, ensure_ascii=False).encode())

    def give(report: Report) -> None:
        write_whole(result, _written("prairielearn", report))

    return Platform(root / "student", give, refuse, refused_code=0)


def _autolab() -> Platform:
    """A handin beside `make`; all that is printed is the student's feedback, and its last line the scores."""

    def give(report: Report) -> None:
        sys.stdout.flush()
        sys.stdout.buffer.write(_written("autolab", report))
        sys.stdout.buffer.flush()

    return Platform(Path(_needed("HANDIN")), give, print, shows_output=True)


def _github() -> Platform:
    """A clone beside this repository's own; who it is of comes from the workflow's inputs."""
    result = Path(_needed("RESULT"))
    _clear(result)
    server, repository = _needed("GITHUB_SERVER_URL").rstrip("/"), _needed("REPOSITORY")
    commit = f"{server}/{repository}/commit/{_needed('SUBMISSION_COMMIT')}"
    tag = quote(_needed("SUBMISSION_TAG"), safe="")
    addresses = {"COMMIT_URL": commit, "REVIEW_URL": commit, "RELEASE_URL": f"{server}/{repository}/releases/tag/{tag}"}
    utc(_needed(SUBMITTED))  # a wrong time is refused before anything is graded

    def give(report: Report) -> None:
        text = _written("classroom50", report, {**os.environ, **addresses})
        write_whole(result, text)
        document = json.loads(text)
        print(f"Score: {document['score']} of {document['max-score']}")

    return Platform(Path(_needed("SUBMISSION")), give, lambda sentence: print(f"::error::{sentence}"))


def _gitlab() -> Platform:
    """A clone beside this project's own; the result is an artifact that GitLab reads."""
    result = Path(_needed("RESULT"))
    _clear(result)

    def give(report: Report) -> None:
        write_whole(result, _written("junit", report))
        print(f"Score: {report.score:f} of {report.max_score:f}")

    return Platform(Path(_needed("SUBMISSION")), give, print)


def _clear(result: Path) -> None:
    """Remove the result of an earlier run, so that it is taken for no result of this one."""
    try:
        result.unlink(missing_ok=True)
    except OSError as problem:
        found = f"The system says: {problem.strerror}."
        raise OutputError(f"{result} could not be cleared for the result.", found) from None


def _needed(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise UsageError(f"The variable {name} was looked for.", "It is not set.", "The bundle's scripts set it.")
    return value
