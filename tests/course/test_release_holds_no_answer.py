"""What students get of this course: no solution, hidden check, mistake, figure or secret, and links that lead on."""

import json
import re
from functools import cached_property
from pathlib import Path

import pytest

from grader.course.content.percent_format import split_cells
from grader.course.handed_out.hint_levels import NAME as LEVELS
from grader.course.handed_out.stub import find_regions
from grader.course.layout import find_course
from grader.course.variants.read_variants import load_variants
from grader.release.bundle import GUIDES, make_release
from grader.suite.examples.model import NAME as EXAMPLES

from ..support.classes.grading_runs import ROOT
from ..support.release_parts import files_of

COURSE = find_course(ROOT)


@pytest.fixture(scope="module")
def files():
    return files_of(make_release(COURSE))


class Texts(dict):
    """Texts by the name of their file, and all of them in one, since thousands of pieces are looked for."""

    @cached_property
    def whole(self):
        return "\n".join(self.values()).encode()

    def holders(self, piece):
        """Return the files that hold a piece of text."""
        return [name for name, text in self.items() if piece in text] if piece.encode() in self.whole else []


@pytest.fixture(scope="module")
def texts(files):
    """The text of every file but the wheel, notebooks as what is in their cells."""
    read = {name: data.decode("utf-8") for name, data in files.items() if not name.endswith((".whl", ".mo"))}
    for name in read:
        if name.endswith(".ipynb"):
            read[name] = "\n".join("".join(cell["source"]) for cell in json.loads(read[name])["cells"])
    return Texts(read)


def tells(line, shortest):
    """Return whether a line says something; the head of a loop or a block and an import may be anywhere."""
    return len(line) >= shortest and not line.endswith(":") and not line.startswith(("from ", "import "))


def test_no_line_of_a_solution_is_in_the_release(texts):
    answers, told = {}, set()
    for assignment in COURSE.assignments.values():
        text = assignment.source.read_text(encoding="utf-8")
        regions = find_regions(text, split_cells(text, assignment.source), assignment.exercises, assignment.source)
        answers[assignment.id] = set()
        for number, line in enumerate(text.split("\n"), start=1):
            inside = any(region.begin < number < region.end for region in regions)
            (answers[assignment.id] if inside else told).add(line.partition("  #")[0].strip())
    for assignment in COURSE.assignments.values():
        secret = {line for line in answers[assignment.id] - told if tells(line, 15)}
        assert len(secret) >= len(assignment.exercises)
        assert {line: texts.holders(line) for line in secret if texts.holders(line)} == {}


def test_nothing_of_a_hidden_suite_is_in_the_release(texts):
    public = "\n".join(assignment.visible.read_text(encoding="utf-8") for assignment in COURSE.assignments.values())
    for assignment in COURSE.assignments.values():
        suites = sorted(assignment.hidden.glob("test_*.py"))
        assert suites
        for helper in {*assignment.hidden.glob("*.py")} - {*suites}:
            for line in re.findall(r"^(?:def|class) .*", helper.read_text(encoding="utf-8"), re.MULTILINE):
                assert texts.holders(line) == [], helper.name
        for suite in suites:
            text = suite.read_text(encoding="utf-8")
            checks = {f"{definition}(" for definition in re.findall(r"^def test_\w+", text, re.MULTILINE)}
            # A call that is only opened says nothing; its arguments are lines of their own.
            lines = {line.strip() for line in text.split("\n") if tells(line.strip(), 30) and not line.endswith("(")}
            given = {snippet: texts.holders(snippet) for snippet in checks | lines if snippet not in public}
            assert len(given) >= 2
            assert {snippet: where for snippet, where in given.items() if where} == {}, suite.name


def test_no_mistake_is_named_in_the_release_and_its_hint_stands_beside_hashes_alone(texts):
    whole = "\n".join(text for name, text in texts.items() if not name.endswith(f"/{EXAMPLES}"))
    hints = [name for name in texts if name.endswith(f"/{EXAMPLES}")]
    assert len(hints) == len(COURSE.assignments)
    for name in hints:
        entries = [entry for known in json.loads(texts[name]).values() for entry in known["hints"]]
        assert entries
        assert all(entry.keys() == {"hint", "ko", "answers"} for entry in entries)
        assert all(re.fullmatch("[0-9a-f]{16}", answer) for entry in entries for answer in entry["answers"])
    unexplained = "\n".join(
        text for name, text in texts.items() if not name.endswith((EXAMPLES, LEVELS, *GUIDES))
    ).encode()
    words = set(re.findall(r"\w+", whole))
    defined = set(re.findall(r"\b(?:def|class) (\w+)", whole))
    for assignment in COURSE.assignments.values():
        for mistake in load_variants(assignment).mistakes:
            assert "_" not in mistake.name or mistake.name not in words, mistake.name
            assert mistake.name not in defined, mistake.name
            assert [
                hint for hint in (mistake.hint, mistake.ko) if len(hint) >= 10 and hint.encode() in unexplained
            ] == []


def test_no_golden_data_is_in_the_release(files, texts):
    def numbers(text):
        return " ".join(re.findall(r"-?\d+\.\d+", text))

    in_the_wheel = " ".join(numbers(text) for name, text in texts.items() if name.startswith("wheel/"))
    golden = [path for path in (ROOT / "tests" / "golden").glob("*.json") if path.stat().st_size]
    assert golden
    for path in golden:
        assert path.read_bytes() not in files.values()
        for figure in json.loads(path.read_bytes()):
            printed = numbers(json.dumps(figure["value"]))
            assert printed.count(" ") < 3 or printed not in in_the_wheel, figure["id"]
            assert len(figure["what"]) < 40 or not texts.holders(figure["what"]), figure["id"]
    formats = "wheel/grader/export/formats/"
    data = [name for name in files if name.endswith((".json", ".toml")) and not name.startswith(formats)]
    assert not [name for name in data if not name.endswith((f"/{EXAMPLES}", f"/{LEVELS}"))]


def test_no_secret_and_no_place_of_this_machine_is_in_the_release(files):
    secret = ROOT / ".grader" / "secret"
    for name, data in files.items():
        assert str(ROOT).encode() not in data, name
        assert not secret.is_file() or secret.read_bytes() not in data, name


def test_links_in_the_release_lead_to_files_of_the_release(files, texts):
    pages = [name for name in texts if name.endswith(".md") and not name.startswith("wheel/")]
    assert len(pages) >= 6
    for name in pages:
        for target in re.findall(r"\]\((?!\w+://)([^)#]+)", texts[name]):
            assert Path(name).parent.joinpath(target).as_posix() in files, f"{name}: {target}"
