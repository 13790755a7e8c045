"""Whatever a platform packs is read as it comes, as folder and as zip file: nobody is lost, doubled or mixed."""

import pytest

from grader.limits import DEFAULT_LIMITS
from grader.submissions.reading.read import StubTexts, read_submission
from grader.submissions.submission import FoundSubmissions

from ....support.submission_folders import ONE, find, pairs
from ....unit.submissions.platforms.generated import DOWNLOADS, WAYS, lay


def code_of(found: FoundSubmissions) -> dict[str, bytes | None]:
    """Return what would be run of each student; None for a problem."""
    read = {each.student: read_submission(each, StubTexts(), DEFAULT_LIMITS) for each in found.submissions}
    return {student: None if source.problem else source.cells[0].source.encode() for student, source in read.items()}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("laid", DOWNLOADS.values(), ids=DOWNLOADS)
def test_a_class_of_120_is_read_and_each_has_their_own_newest_file(tmp_path, laid, way):
    found = find(lay(tmp_path, laid, way))
    assert found.students == sorted(laid.code)
    assert code_of(found) == laid.code
    assert len(found.submissions) == len(laid.code) and {id for _, id in pairs(found)} == {ONE}
    (said,) = found.read_as
    assert said.startswith(f"Read '{tmp_path}") and f" from {laid.called}: {len(laid.code)} students, " in said
    assert found.warnings == []
