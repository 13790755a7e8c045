"""A submission's verdicts are read back as far as its process wrote them."""

from grader.results.verdict import CheckVerdict, verdict_line
from grader.source_cells import Source
from grader.suite.process.child_report import VERDICTS, Job, read_result
from grader.workers.process.clock import Allowance


def test_a_line_that_was_cut_off_or_was_never_written_is_no_verdict(tmp_path):
    whole = verdict_line(CheckVerdict(id="shares.one", status="passed"))
    torn = verdict_line(CheckVerdict(id="shares.two", status="passed"))[:-5]
    (tmp_path / VERDICTS).write_bytes(whole + torn)
    result = read_result(Job(1, Source(), "", Allowance()), tmp_path, 0.5)
    assert [verdict.id for verdict in result.verdicts] == ["shares.one"]
    assert result.child_report is None
    (tmp_path / VERDICTS).unlink()
    assert read_result(Job(1, Source(), "", Allowance()), tmp_path, 0.5).verdicts == []
