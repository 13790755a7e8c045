"""Sentences that people read, approved in one file: a test asks for an error's class and values, a reviewer for words.

`with refuses(CourseError): ...` asks that the error is raised, and holds its sentence against `sentences.txt`, where it
stands under the test's name. `make test ARGS=--record` writes the file anew from the sentences of the tests that ran;
its diff is what a reviewer reads. Sentences of tests that are gone go with them, and so do those of cases that are gone
where a whole file of tests ran: record no part of a file.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from grader.errors import GraderError

FILE = Path(__file__).with_name("sentences.txt")
TESTS = Path(__file__).parents[1]
HEAD = (
    "# What errors say, by test. Written by `make test ARGS=--record`; read its diff as you would read the sentences.\n"
)
ENTRY = re.compile(r"^(?P<name>\S.*)\n(?P<sentences>(?:  .*\n)+)", re.MULTILINE)
Refuses = Callable[[type[GraderError]], AbstractContextManager[pytest.ExceptionInfo[GraderError]]]

recorded: dict[str, list[str]] = {}
"""What the tests of this process have said, by test."""


def approved() -> dict[str, list[str]]:
    text = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    return {match["name"]: [line.strip() for line in match["sentences"].splitlines()] for match in ENTRY.finditer(text)}


@pytest.fixture
def refuses(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Refuses]:
    """Give what asks for an error and holds its sentence against the approved ones; see the module."""
    name = request.node.nodeid.removeprefix("tests/")
    lines = recorded.setdefault(name, [])

    @contextmanager
    def asked(kind: type[GraderError]) -> Iterator[pytest.ExceptionInfo[GraderError]]:
        with pytest.raises(kind) as caught:
            yield caught
        lines.append(re.sub(r"\s+", " ", str(caught.value).replace(str(tmp_path), "TMP")))

    yield asked
    if not request.config.getoption("record"):
        assert lines == approved().get(name), "Other sentences than the approved ones: see tests/support/approved.py."


def write(sentences: dict[str, list[str]]) -> None:
    """Write the file anew, with these sentences in the place of all those of the same files of tests."""
    ran = {name.partition("::")[0] for name in sentences}
    others = {name: lines for name, lines in approved().items() if name.partition("::")[0] not in ran}
    kept = {name: lines for name, lines in {**others, **sentences}.items() if lines and is_there(name)}
    entries = "".join(f"\n{name}\n" + "".join(f"  {line}\n" for line in kept[name]) for name in sorted(kept))
    FILE.write_text(HEAD + entries, encoding="utf-8")


def is_there(name: str) -> bool:
    """Return whether there is still a test of this name that refuses something, by the text of its file."""
    file, _, test = name.partition("::")
    path = TESTS / file
    head = rf"def {test.partition('[')[0]}\([^)]*\brefuses\b"
    return path.exists() and re.search(head, path.read_text(encoding="utf-8")) is not None


class Recorder:
    """Carries what the processes of pytest-xdist recorded to the first one, which writes the file."""

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over, or write."""
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["sentences"] = recorded
        else:
            write(recorded)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over from a process that has ended."""
        recorded.update(getattr(node, "workeroutput", {}).get("sentences", {}))
