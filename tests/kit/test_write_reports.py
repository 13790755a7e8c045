"""What a run leaves behind: whole files inside the output folder, or one clear sentence."""

import contextlib
import csv
import errno
import hashlib
import io
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from grader.errors import OutputError
from grader.inside.messages import Cell
from grader.limits import DEFAULT_LIMITS
from grader.results.assemble import Outcome, Planned, RunFacts, assemble
from grader.results.report import Report, read_report, to_json
from grader.results.spreadsheet import guarded, scores_csv
from grader.results.student_report import read_student_report
from grader.results.summary import Row, Summary, row_of, summarise
from grader.results.table import cells_of, closing_lines, plain_table, show_results
from grader.results.verdict import CheckVerdict, ManifestCheck
from grader.results.write import ReportsFolder
from grader.submissions.source import Source

ONE, FOUR = "01_simple_attention", "04_multi_head_attention"


def report_of(student: str = "ann", assignment: str = ONE, problem: str | None = None, note: str = "") -> Report:
    check = ManifestCheck(
        id="f.x",
        exercise="f",
        category="value",
        visibility="hidden",
        weight=1,
        sentence="It is so.",
        sentence_ko="그렇다.",
    )
    return assemble(
        student=student,
        assignment=assignment,
        source=Source([Cell(1, "x = 1")], "py", "f.py", "ab" * 32, {"f.py": "ab" * 32}, problem=problem),
        plan=[Planned(id="f", title="The f", points=Decimal("2.5"))],
        manifest=[check],
        outcome=Outcome(
            verdicts=[CheckVerdict(id="f.x", status="passed", input_seed="seed")],
            notes=[note] if note else [],
            started="2026-03-01T10:00:00Z",
            duration_s=1,
        ),
        run=RunFacts(kit_version="0.1.0", language="en", device="cpu", isolation={}, limits=DEFAULT_LIMITS),
    )


def row(student: str, assignment: str, score: str, problem: str | None = None) -> Row:
    return Row(
        student=student,
        assignment=assignment,
        score=Decimal(score),
        max_score=Decimal(10),
        problem=problem,
        exercises=[],
        checks={},
    )


def summary_of(rows: list[Row], students: list[str], warnings: list[str] | None = None) -> Summary:
    facts: dict[str, Any] = {"kit_version": "0", "started": "now", "duration_s": 0, "device": "cpu", "isolation": {}}
    return summarise(rows, students, warnings or [], **facts)


def tree(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file() or path.is_symlink())


@pytest.fixture
def reports(tmp_path: Path) -> ReportsFolder:
    folder = ReportsFolder(tmp_path / "a" / "reports")
    folder.prepare()
    return folder


def test_both_copies_are_written_where_they_belong(reports: ReportsFolder) -> None:
    report = report_of()
    digests = reports.write_report(report)
    places = reports.places_of("ann", ONE)
    assert places == (reports.root / "ann" / f"{ONE}.json", reports.root / "for-students" / "ann" / f"{ONE}.json")
    assert digests == tuple(hashlib.sha256(place.read_bytes()).hexdigest() for place in places)
    assert tree(reports.root) == [f"ann/{ONE}.json", f"for-students/ann/{ONE}.json"]
    assert read_report((reports.root / "ann" / f"{ONE}.json").read_bytes()) == report
    student = (reports.root / "for-students" / "ann" / f"{ONE}.json").read_bytes()
    assert read_student_report(student).score == Decimal("2.5")
    assert b"seed" not in student


def test_a_second_run_replaces_the_first(reports: ReportsFolder) -> None:
    reports.write_report(report_of(note="old" * 100))
    reports.write_report(report_of())
    assert (reports.root / "ann" / f"{ONE}.json").read_bytes() == to_json(report_of())
    reports.prepare()
    assert len(tree(reports.root)) == 2


def test_the_summary_and_the_scores_are_written(reports: ReportsFolder) -> None:
    rows = [row_of(report_of())]
    reports.write_summary(summary_of(rows, ["ann"]))
    reports.write_scores(rows, ["ann"], [ONE])
    assert tree(reports.root) == ["scores.csv", "summary.json"]
    assert json.loads((reports.root / "summary.json").read_bytes())["graded"] == 1


def test_names_of_any_language_become_folders(reports: ReportsFolder) -> None:
    for student in ("김철수", "=1+1", "O'Neil, Jr.", "x" * 255):
        reports.write_report(report_of(student))
        assert all(place.is_file() for place in reports.places_of(student, ONE))


@pytest.mark.parametrize("student", ["..", ".", "a/b", ""])
def test_a_name_that_leads_out_of_the_folder_is_refused(reports: ReportsFolder, student: str) -> None:
    with pytest.raises(OutputError, match="not a folder inside the output folder"):
        reports.write_report(report_of(student))
    assert tree(reports.root.parent) == []


def refused(act: Callable[[], object]) -> str:
    with pytest.raises(OutputError) as caught:
        act()
    sentence = str(caught.value)
    assert sentence.startswith("'") and sentence.endswith(".")
    return sentence


def test_a_file_in_the_output_folders_place_is_named(tmp_path: Path) -> None:
    (tmp_path / "reports").write_text("mine")
    assert "a file is in the place of a folder" in refused(ReportsFolder(tmp_path / "reports").prepare)
    assert "a file is in the place of a folder" in refused(ReportsFolder(tmp_path / "reports" / "deeper").prepare)
    assert (tmp_path / "reports").read_text() == "mine"


def test_a_file_in_a_students_place_is_named(reports: ReportsFolder) -> None:
    (reports.root / "ann").write_text("mine")
    assert "a file is in the place of a folder" in refused(lambda: reports.write_report(report_of()))
    assert (reports.root / "ann").read_text() == "mine"


def test_a_folder_in_a_files_place_is_named(reports: ReportsFolder) -> None:
    (reports.root / "scores.csv").mkdir()
    assert "a folder in its place" in refused(lambda: reports.write_scores([], [], []))
    assert tree(reports.root) == []


def test_a_pipe_in_a_files_place_is_named(reports: ReportsFolder) -> None:
    os.mkfifo(reports.root / "summary.json")
    assert "no file is there" in refused(lambda: reports.write_summary(summary_of([], [])))


@pytest.mark.parametrize(
    "link", ["ann", "for-students", "for-students/ann", f"ann/{ONE}.json", f"for-students/ann/{ONE}.json"]
)
def test_nothing_is_written_through_a_link_inside_the_folder(reports: ReportsFolder, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    target = outside / "file" if link.endswith(".json") else outside
    place = reports.root / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)
    assert "symbolic link" in refused(lambda: reports.write_report(report_of()))
    assert list(outside.iterdir()) == []
    assert place.is_symlink()
    assert not [name for name in tree(reports.root) if name.endswith(".part")]


def test_a_link_to_the_output_folder_itself_is_the_teachers_wish(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "reports").symlink_to(tmp_path / "real")
    folder = ReportsFolder(tmp_path / "reports")
    folder.prepare()
    folder.write_report(report_of())
    assert f"ann/{ONE}.json" in tree(tmp_path / "real")


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EIO, "Input/output error"),
    ],
)
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_a_failing_disk_leaves_the_old_file_and_nothing_else(
    reports: ReportsFolder, monkeypatch: pytest.MonkeyPatch, call: str, number: int, said: str
) -> None:
    reports.write_report(report_of())
    before = {name: (reports.root / name).read_bytes() for name in tree(reports.root)}

    def failing(*_: object, **__: object) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, failing)
        assert said in refused(lambda: reports.write_report(report_of(note="new")))
    assert {name: (reports.root / name).read_bytes() for name in tree(reports.root)} == before


def test_an_interrupt_leaves_nothing_half_written(reports: ReportsFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        reports.write_report(report_of())
    assert tree(reports.root) == []


@contextlib.contextmanager
def small_files() -> Iterator[None]:
    """Give the process a limit on the size of a file, which a write then really meets."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_write_that_the_system_cuts_short_leaves_nothing(reports: ReportsFolder) -> None:
    """The first part of the file fits, so this also proves that a short write is noticed."""
    report = report_of()
    assert len(to_json(report)) > 1000
    with small_files():
        sentence = refused(lambda: reports.write_report(report))
    assert "larger than this process may write" in sentence
    assert tree(reports.root) == []


FULL_DISK = """
import sys
from pathlib import Path
from grader.errors import OutputError
from grader.results.write import ReportsFolder
from grader.results.summary import Row
from decimal import Decimal
folder = ReportsFolder(Path(sys.argv[1]) / "reports")
folder.prepare()
rows = [Row(student="s" * 200 + str(n), assignment="x", score=Decimal(1), max_score=Decimal(1), problem=None,
            exercises=[], checks={}) for n in range(1000)]
try:
    folder.write_scores(rows, [row.student for row in rows], ["x"])
except OutputError as problem:
    print(problem)
print("left:", [path.name for path in folder.root.iterdir()])
"""


def test_a_disk_that_is_full_is_named(tmp_path: Path) -> None:
    """On a real file system of 64 KiB, in a mount namespace of its own."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "fill.py").write_text(FULL_DISK)
    own = ["unshare", "--user", "--map-root-user", "--mount"]
    mount = f"mount -t tmpfs -o size=64k none {tmp_path}/disk"
    if shutil.which("unshare") is None or subprocess.run([*own, "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("this machine gives no mount namespace, so there is no small disk to fill")
    fill = f"{mount} && exec {sys.executable} {tmp_path}/fill.py {tmp_path}/disk"
    done = subprocess.run(
        [*own, "sh", "-c", fill], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    assert "the disk is full" in done.stdout
    assert "left: []" in done.stdout


def test_a_folder_without_permission_is_named(tmp_path: Path) -> None:
    """Run as another user, since root may write everywhere."""
    if os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        assert "no permission" in refused(ReportsFolder(locked).prepare)
        assert "no permission" in refused(ReportsFolder(locked / "reports").prepare)
        return
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setuid(65534)
            refused(ReportsFolder(Path("/usr/reports-of-nobody")).prepare)
            assert "no permission" in refused(ReportsFolder(Path("/usr")).prepare)
            code = 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def read_csv(raw: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(raw.decode())))


def test_scores_have_a_line_for_each_student_and_a_column_for_each_assignment() -> None:
    rows = [row("ann", ONE, "7.5"), row("ann", FOUR, "10"), row("bob", ONE, "0", "It is a folder.")]
    assert read_csv(scores_csv(rows, ["ann", "bob", "zoe"], [ONE, FOUR])) == [
        ["student", ONE, FOUR, "total"],
        ["ann", "7.5", "10", "17.5"],
        ["bob", "0", "", "0"],
        ["zoe", "", "", ""],
    ]


def test_every_cell_of_the_scores_is_quoted() -> None:
    text = scores_csv([row('O\'Neil, "Jr."', ONE, "1")], ['O\'Neil, "Jr."'], [ONE]).decode()
    assert text == f'"student","{ONE}","total"\r\n"O\'Neil, ""Jr.""","1","1"\r\n'


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@x", "\tx", "\rx", "\uff1dx", "\uff0b1"])
def test_a_name_is_never_a_formula(name: str) -> None:
    assert read_csv(scores_csv([], [name], []))[1][0] == "'" + name
    assert guarded("ann=1") == "ann=1"


def shown(rows: list[Row], students: list[str], summary: Summary, terminal: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80, highlight=False)
    show_results(rows, students, [ONE, FOUR], summary, Path("/some/reports"), console)
    return out.getvalue()


def test_the_table_has_scores_dashes_and_what_was_not_graded() -> None:
    rows = [row("ann", ONE, "7.5"), row("bob", ONE, "0", "It is a folder."), row("bob", FOUR, "10")]
    assert cells_of(rows, ["ann", "bob", "zoe"], [ONE, FOUR]) == [
        ["student", f"{ONE} (10)", f"{FOUR} (10)", "total"],
        ["ann", "7.5", "-", "7.5"],
        ["bob", "not graded", "10", "10"],
        ["zoe", "-", "-", "-"],
    ]


def test_wide_letters_keep_the_columns_aligned() -> None:
    table = cells_of([row("김철수", ONE, "7.5"), row("ann", ONE, "10")], ["ann", "김철수"], [ONE])
    lines = plain_table(table).split("\n")
    assert len({cell_len(line) for line in lines}) == 1
    assert lines[2].startswith("ann     ") and lines[3].startswith("김철수  ")


def test_hostile_and_long_names_are_harmless_in_the_table() -> None:
    names = ["[red]x[/red]", "\x1b[2Jgone\n", "가" * 300]
    rows = [row(name, ONE, "1") for name in names]
    for terminal in (False, True):
        text = shown(rows, names, summary_of(rows, names), terminal)
        assert "[red]x[/red]" in text
        assert "\x1b[2J" not in text
        assert "\\x1b[2Jgone" in text
        assert "가" * 30 not in text


def test_the_table_is_plain_when_nobody_looks() -> None:
    rows = [row("ann", ONE, "1")]
    assert "\x1b" not in shown(rows, ["ann"], summary_of(rows, ["ann"]))
    assert "\x1b[" in shown(rows, ["ann"], summary_of(rows, ["ann"]), terminal=True)


def test_the_last_lines_say_what_was_graded_and_where_it_is() -> None:
    rows = [row("ann", ONE, "1"), row("bob", ONE, "0", "It is a folder.")]
    assert closing_lines(summary_of(rows, ["ann", "bob", "zoe"], ["A warning."]), Path("/some/reports")) == [
        "1 of 2 submissions by 3 students graded.",
        "Not graded or left out (2):",
        "  'bob', 01_simple_attention: It is a folder.",
        "  A warning.",
        "Reports are in '/some/reports', the students' copies in its folder for-students, all scores in scores.csv.",
    ]


def test_at_most_ten_lines_are_spent_on_what_was_not_graded() -> None:
    rows = [row(f"s{number:02}", ONE, "0", "It is a folder.") for number in range(50)]
    lines = closing_lines(summary_of(rows, [each.student for each in rows]), Path("/r"))
    assert len([line for line in lines if line.startswith("  ")]) == 10
    assert lines[-2] == "  and 41 more, all of them in summary.json."
    assert len(msgspec.json.encode(lines)) < 2000
