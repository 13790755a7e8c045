"""The parts of a class are joined whole, or a sentence says which part does not fit and nothing is written."""

import errno
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import msgspec
import pytest

from grader.errors import UsageError
from grader.grading import Graded, GradeOptions, run
from grader.lms.reports import read_class
from grader.records.changes import compare, reports_at
from grader.records.journal import Journal
from grader.records.journal_lines import Line
from grader.records.merge import merge
from grader.records.plain_files import open_plain
from grader.results.summary import Row, Summary
from grader.results.table import closing_lines

from ...support.class_runs import RIGHT, WRONG
from ...support.courses import hand_in, write_course
from ...support.pretended_engine import pretended


@dataclass
class Parted:
    """A course, its class of five, and the class graded in two parts: ann, ben and ida are in the first one."""

    root: Path

    @property
    def parts(self) -> list[Path]:
        return [self.root / "part1", self.root / "part2"]

    @property
    def secret(self) -> bytes:
        return (self.root / "course/.grader/secret").read_bytes()

    def grade(self, number: int, output: str = "", *, tier: str = "auto", fresh: bool = False) -> Graded:
        place = self.root / (output or f"part{number}")
        shard = number, 2
        return run(
            GradeOptions([self.root / "class"], place, self.root / "course", shard=shard, tier=tier, fresh=fresh),
            judge=pretended,
        )

    def merge(self, *folders: Path, output: str = "all") -> tuple[list[Row], list[str], Summary]:
        return merge(folders or self.parts, self.root / output, self.secret)

    def refused(self, *folders: Path) -> str:
        """Return the sentence of a merge that is refused and writes nothing."""
        before = {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}
        with pytest.raises(UsageError) as raised:
            self.merge(*folders)
        assert {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()} == before
        assert raised.value.exit_code == 2
        return str(raised.value)

    def journal(self, folder: str) -> list[Line]:
        return list(Journal(self.root / folder, self.secret).lines())

    def rewrite(self, folder: str, change: Callable[[Line], Line | None]) -> None:
        """Put other lines in the place of a journal's, or none."""
        lines = [change(line) for line in self.journal(folder)]
        (self.root / folder / "journal.jsonl").write_bytes(b"")
        journal = Journal(self.root / folder, self.secret)
        for line in lines:
            if line is not None:
                journal.append(line)
        journal.close()

    def resum(self, folder: str, **fields: object) -> None:
        """Change fields of a summary; those that are None are left out."""
        place = self.root / folder / "summary.json"
        found = {**json.loads(place.read_bytes()), **fields}
        place.write_text(json.dumps({name: value for name, value in found.items() if value is not None}))


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parted = Parted(tmp_path_factory.mktemp("parted"))
    write_course(parted.root / "course")
    for name in ("ann", "ben", "cho", "fay", "ida"):
        hand_in(parted.root / "class", name, (WRONG if name == "ben" else RIGHT) + f"# {name}\n")
    parted.grade(1)
    parted.grade(2)
    return parted.root


@pytest.fixture
def parted(graded_once: Path, tmp_path: Path) -> Parted:
    shutil.copytree(graded_once, tmp_path / "parted")
    return Parted(tmp_path / "parted")


def test_a_part_whose_journal_cannot_be_read_is_refused(parted: Parted, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(path: Path) -> io.BufferedReader:
        if path == parted.root / "part2/journal.jsonl":
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return open_plain(path)

    with monkeypatch.context() as patched:
        patched.setattr("grader.records.journal.open_plain", locked)
        with pytest.raises(UsageError, match=r"part2/journal\.jsonl' cannot be read: Permission denied"):
            parted.merge()
    assert not (parted.root / "all").exists()


def test_a_part_whose_journal_is_empty_or_gone_or_lost_lines_is_refused(parted: Parted) -> None:
    parted.rewrite("part1", lambda line: None if line.student == "ben" else line)
    told = parted.refused()
    assert "part1' counts 3 submissions, but its journal.jsonl knows of 2." in told and "grade` again" in told
    (parted.root / "part1/journal.jsonl").write_bytes(b"")
    assert "knows of 0." in parted.refused()
    (parted.root / "part1/journal.jsonl").unlink()
    assert "its journal.jsonl is gone." in parted.refused()
    parted.grade(1)
    assert len(parted.merge()[0]) == 5  # the same command wrote again what was lost


def test_a_part_of_an_older_kit_that_lost_lines_is_refused_too(parted: Parted) -> None:
    parted.resum("part1", run=None, shard=None, handed_in=None)
    assert len(parted.merge(output="before")[0]) == 5
    parted.rewrite("part1", lambda line: None if line.student == "ben" else line)
    assert "counts 3 submissions, but its journal.jsonl knows of 2." in parted.refused()


def test_a_damaged_line_that_no_report_needs_is_a_note_and_costs_nothing(parted: Parted) -> None:
    with (parted.root / "part1/journal.jsonl").open("ab") as file:
        file.write(b"half a li\n")
    rows, _, summary = parted.merge()
    assert len(rows) == 5
    assert not summary.warnings
    assert any("part1" in note and "left aside: 1 in all" in note for note in summary.notes)


def test_merging_again_after_a_part_was_graded_again_leaves_a_folder_that_export_takes(parted: Parted) -> None:
    parted.merge()
    parted.grade(1, fresh=True)  # the same results under the same keys, in other bytes, since times differ
    _, _, summary = parted.merge()
    assert not summary.warnings
    assert len(read_class(parted.root / "all").graded) == 5


def test_merging_the_same_parts_again_adds_nothing_to_the_journal(parted: Parted) -> None:
    parted.merge()
    before = (parted.root / "all/journal.jsonl").read_bytes()
    parted.merge()
    assert (parted.root / "all/journal.jsonl").read_bytes() == before


def test_a_score_that_goes_down_by_merging_is_told(parted: Parted) -> None:
    parted.merge()
    hand_in(parted.root / "class", "ann", WRONG + "# ann once more\n")
    parted.grade(1)
    parted.grade(1)  # this run has nothing to tell, and the merged folder was not told yet
    _, _, summary = parted.merge()
    (lowered,) = summary.lowered
    assert (lowered.student, lowered.before, lowered.after, lowered.resubmitted) == (
        "ann",
        Decimal(2),
        Decimal(0),
        True,
    )
    assert "LOWER than before (1):" in "\n".join(closing_lines(summary, parted.root / "all"))
    assert parted.merge()[2].lowered == []


def test_a_merge_that_was_stopped_before_it_told_of_a_lower_score_tells_it_next_time(parted: Parted) -> None:
    parted.merge()
    told = (parted.root / "all/summary.json").read_bytes()
    hand_in(parted.root / "class", "ann", WRONG + "# ann once more\n")
    parted.grade(1)
    parted.merge()
    (parted.root / "all/summary.json").write_bytes(told)
    assert [each.student for each in parted.merge()[2].lowered] == ["ann"]


def test_a_score_that_went_down_in_a_part_is_told_when_it_is_merged_first(parted: Parted) -> None:
    hand_in(parted.root / "class", "ann", WRONG + "# ann once more\n")
    parted.grade(1)
    assert [each.student for each in parted.merge()[2].lowered] == ["ann"]


def test_who_is_no_longer_in_the_class_is_not_in_the_merged_table(parted: Parted) -> None:
    (parted.root / "class/ida").rename(parted.root / "class/gil")  # of the same part
    shutil.rmtree(parted.root / "class/ben")
    parted.grade(1)
    rows, students, summary = parted.merge()
    assert [row.student for row in rows] == ["ann", "cho", "fay", "gil"]
    assert students == ["ann", "cho", "fay", "gil"]
    assert (summary.submissions, summary.absent) == (4, [])
    assert b"ida" not in (parted.root / "all/scores.csv").read_bytes()


def test_a_part_whose_later_run_was_stopped_is_refused(parted: Parted) -> None:
    told = (parted.root / "part1/summary.json").read_bytes()
    hand_in(parted.root / "class", "gil", RIGHT + "# gil\n")
    parted.grade(1)
    whole = (parted.root / "part1/summary.json").read_bytes()
    (parted.root / "part1/summary.json").write_bytes(told)
    sentence = parted.refused()
    assert (
        "part1' has reports of a later run than the one that summary.json speaks of. Was that run stopped?" in sentence
    )
    (parted.root / "part1/summary.json").write_bytes(whole)
    assert len(parted.merge()[0]) == 6


def test_a_part_whose_later_run_was_stopped_on_a_machine_with_a_slow_clock_is_refused(parted: Parted) -> None:
    (line,) = (each for each in parted.journal("part1") if each.student == "ann")
    journal = Journal(parted.root / "part1", parted.secret)
    journal.append(_with(line, run="2001-01-01T00:00:00.000000Z"))
    journal.close()
    assert "reports of a later run" in parted.refused()


@pytest.mark.parametrize(("field", "what"), [("suite", "suite"), ("kit", "version of the kit")])
def test_parts_that_were_graded_by_another_suite_or_kit_are_refused(parted: Parted, field: str, what: str) -> None:
    parted.rewrite("part2", lambda line: _with(line, **{field: "another"}))
    assert f"01_tiny was graded by another {what} in '{parted.root}/part2' than in " in parted.refused()


def test_a_part_that_is_missing_or_there_twice_is_named(parted: Parted) -> None:
    assert "All 2 parts of a class were looked for. Missing: 1/2." in parted.refused(parted.parts[1])
    shutil.copytree(parted.parts[0], parted.root / "copy")
    assert "are all part 1/2." in parted.refused(*parted.parts, parted.root / "copy")
    parted.resum("part1", shard="1/1000000")
    assert "Missing: 2/1000000, 3/1000000, 4/1000000, 5/1000000, 6/1000000 and more." in parted.refused(parted.parts[0])


def test_a_part_that_was_graded_again_is_merged_onto_the_whole(parted: Parted) -> None:
    parted.merge()
    hand_in(parted.root / "class", "ben", RIGHT + "# ben once more\n")
    parted.grade(1)
    rows, _, summary = parted.merge(parted.root / "all", parted.parts[0], output="newer")
    assert {row.student: row.score for row in rows}["ben"] == 2
    assert len(rows) == 5 and "both have a report; the newer one was taken." in summary.warnings[0]
    hand_in(parted.root / "class", "ben", "# nothing\n")
    parted.grade(1)
    again = parted.merge(parted.root / "newer", parted.parts[0], output="newest")[2]
    assert [(each.student, each.before, each.after) for each in again.lowered] == [("ben", 2, 0)]


def test_a_part_of_nobody_is_a_part(parted: Parted) -> None:
    shutil.rmtree(parted.root / "class/cho")
    shutil.rmtree(parted.root / "class/fay")
    parted.grade(2, "nobody")
    assert not (parted.root / "nobody/journal.jsonl").exists()
    assert len(parted.merge(parted.parts[0], parted.root / "nobody")[0]) == 3


def test_a_part_that_was_graded_without_isolation_says_so(parted: Parted) -> None:
    shutil.rmtree(parted.parts[1])
    parted.grade(2, tier="none")
    told = parted.refused()
    assert "part2' was graded with --unsafe-no-isolation." in told and "cannot be merged" in told


@pytest.mark.parametrize("text", ["{", '{"schema_version": "0.1"}'])
def test_a_summary_that_is_none_is_named(parted: Parted, text: str) -> None:
    (parted.root / "part2/summary.json").write_text(text)
    assert "part2/summary.json' is missing or not of this version." in parted.refused()
    parted.resum("part1", started="yesterday")
    assert "part1/summary.json' is missing or not of this version." in parted.refused()


def test_a_merge_is_one_run_in_the_history_of_its_folder(parted: Parted) -> None:
    parted.merge()
    hand_in(parted.root / "class", "ann", WRONG + "# ann once more\n")
    hand_in(parted.root / "class", "cho", WRONG + "# cho once more\n")
    parted.grade(1)
    parted.grade(2)
    parted.merge()
    out = str(parted.root / "all")
    assert [each.student for each in compare(reports_at(f"{out}@-1"), reports_at(out))] == ["ann", "cho"]
    with pytest.raises(UsageError, match="The journal has 2 runs"):
        reports_at(f"{out}@-2")


def test_a_merged_folder_whose_report_was_changed_says_how_to_mend_it(parted: Parted) -> None:
    parted.merge()
    (parted.root / "all/ann/01_tiny.json").write_text("{}")
    with pytest.raises(UsageError, match=r"Give the command that wrote the folder again .*`grader merge`"):
        read_class(parted.root / "all")
    parted.merge()
    assert len(read_class(parted.root / "all").graded) == 5


def _with(line: Line, **fields: str) -> Line:
    return msgspec.structs.replace(line, **fields)
