"""A pretended engine: verdicts on the tiny course (`courses.py`) from a table, without torch, suite, worker or jail.

What becomes of verdicts (records, reports, tables, pages, exports) is tested with it. How verdicts come about is asked
by the tests in `tests/integration/grading`, which grade for real; one of them holds this table against a real run.
"""

from grader.grading import ClassRun
from grader.grading.options import utc_now
from grader.results.assemble import Outcome
from grader.results.report import Fact
from grader.results.verdict import Category, CheckVerdict, ManifestCheck, Status, Visibility
from grader.source_cells import Source
from grader.submissions.submission import Submission

RIGHT = "from torch import nn\ndef shares(x):\n    return x / x.sum()\n"
WRONG = "from torch import nn\ndef shares(x):\n    return x / x.max()\n"
RIGHT_SHIFT = """\
class Shift(nn.Module):
    def __init__(self, d):
        super().__init__()
        import torch
        self.beta = nn.Parameter(torch.zeros(d))
    def forward(self, x):
        return x + self.beta
"""


def _check(
    id: str, category: Category, visibility: Visibility, weight: int, sentence: str, korean: str
) -> ManifestCheck:
    return ManifestCheck(
        id=id, exercise=id.split(".")[0], category=category, visibility=visibility, weight=weight, sentence=sentence,
        sentence_ko=korean,
    )  # fmt: skip


MANIFEST = [
    _check("shares.quarters", "value", "visible", 1,
           "The entries 1, 1, 2 become a quarter, a quarter and a half.", "1, 1, 2를 전체에 대한 비율로 바꾼다."),
    _check("Shift.starts_at_zero", "value", "visible", 1,
           "A new module shifts nothing.", "처음에는 아무것도 옮기지 않는다."),
    _check("Shift.adds_the_parameter", "value", "hidden", 2, "The parameter beta is added to every row.",
           "매개변수를 더한다."),
    _check("shares.random_shares", "value", "hidden", 2,
           "Random entries of several lengths are divided by their sum.", "여러 길이의 입력에서 합으로 나눈다."),
    _check("shares.input_unchanged", "purity", "hidden", 1, "The input is left as it was.", "입력을 바꾸지 않는다."),
]  # fmt: skip


def verdicts_on(text: str) -> list[CheckVerdict]:
    """Return the verdicts on a text that holds the answers above, or none of them."""
    shares: dict[str, Status] = {"quarters": "missing", "random_shares": "missing", "input_unchanged": "skipped"}
    if RIGHT.splitlines()[-1] in text:
        shares = dict.fromkeys(shares, "passed")
    elif WRONG.splitlines()[-1] in text:
        shares = {"quarters": "failed", "random_shares": "failed", "input_unchanged": "skipped"}
    shift: Status = "passed" if RIGHT_SHIFT in text else "missing"
    statuses = {f"shares.{name}": status for name, status in shares.items()}
    statuses |= {"Shift.starts_at_zero": shift, "Shift.adds_the_parameter": shift if shift == "passed" else "skipped"}
    return [CheckVerdict(id=id, status=status) for id, status in statuses.items()]


def pretended(run: ClassRun, left: dict[str, list[Submission]]) -> None:
    """Be the `judge` of a run: enter a result for every submission by the table."""
    isolation: dict[str, Fact] = {"tier": "none" if run.options.tier == "none" else "pretended"}
    run.isolation = isolation
    for name, waiting in left.items():
        assignment = run.course.assignments[name]
        run.ledger.suite_was_read(assignment)
        for submission in list(waiting):
            source = run.read(assignment, submission)
            raw = {} if run.raw is None else {"": b'{"tests": []}'}
            run.enter(assignment, submission, MANIFEST, source, outcome_of(source), isolation, raw, lasting=True)
            waiting.remove(submission)


def outcome_of(source: Source) -> Outcome:
    """Return what grading a submission comes to."""
    if source.problem is not None:
        return Outcome(started=utc_now(), duration_s=0.0)
    text = "\n".join(cell.source for cell in source.cells)
    return Outcome(verdicts=verdicts_on(text), seed=source.digest[:16], started=utc_now(), duration_s=0.001)
