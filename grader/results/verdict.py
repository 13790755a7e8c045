"""What a check of the suite is, and what came of it for one submission.

The child that is forked for a submission sends its verdicts to the parent as JSON lines, one a check, written the
moment a check ends; so a child that dies has still said what it knew. Only what the run found out is in a verdict. What
the author wrote (weight, sentence, visibility) is in the manifest, which the parent made before any student code
ran, so the two can't contradict each other.
"""

from typing import Annotated, Any, Literal

import msgspec

from grader.words import Language as Language
from grader.words import Words, in_language

Category = Literal["document", "value", "shape", "dtype", "gradient", "property", "stability", "purity", "parameters",
                   "errors", "policy", "device"]  # fmt: skip
Visibility = Literal["visible", "hidden"]
Status = Literal["passed", "failed", "error", "timeout", "memory", "crash", "forbidden", "missing", "skipped"]

Weight = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0)]


class ManifestCheck(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A check that must have exactly one verdict; a report's check has the same fields, and says more of them.

    Attributes:
        id: `<exercise>.<function name without test_>`, with `[parameter]` where the check has one.
        exercise: The exercise whose points it decides.
        sentence: What it asks of the student, in English; shown for a hidden check too.
    """

    id: str
    exercise: str
    category: Category
    visibility: Visibility
    weight: Weight
    sentence: str
    sentence_ko: str


Evidence = Literal["answer", "report"]
COURSE_ERROR = "CourseError"
"""What `suite_raised` begins with where a submission met an error of the course; the run names these."""


class Diagnosis(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The known mistakes that give exactly the student's answer, or what the text of an exception means."""

    mistakes: list[str]
    hint: str
    hint_ko: str
    evidence: Evidence = "answer"

    @classmethod
    def of(cls, mistakes: list[str], hint: Words, evidence: Evidence = "answer") -> "Diagnosis":
        """Return a diagnosis whose hint is said in both languages."""
        return cls(mistakes, str(hint), hint.to("ko"), evidence)


LONGEST_SENTENCE = 4000
MOST_SHOWN = 16  # rows, and entries of a row, of an answer that is shown
NUMBER = r"-?(nan|inf|[0-9]{1,12}(\.[0-9]{1,12})?(e[+-][0-9]{1,3})?)"
Numbers = Annotated[str, msgspec.Meta(pattern=f"^{NUMBER}( {NUMBER}){{0,{MOST_SHOWN - 1}}}$")]
Rows = Annotated[list[Numbers], msgspec.Meta(min_length=1, max_length=MOST_SHOWN)]


class Values(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers of a wrong answer, as text, since JSON has no infinity; at most 16 rows of 16.

    Attributes:
        shape: The answer's shape.
        place: The indices in front, where it has more than two dimensions: the rows are those of one matrix in it.
        yours: The rows of the answer, numbers with spaces between; a vector is one row.
        expected: The rows of what was expected, as many and as long.
    """

    shape: list[int]
    place: list[int]
    yours: Rows
    expected: Rows

    def __post_init__(self) -> None:
        widths = {row.count(" ") for row in (*self.yours, *self.expected)}
        if len(widths) != 1 or len(self.yours) != len(self.expected):
            raise ValueError("Expected as many numbers in every row of both")


class CheckVerdict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What came of one check for one submission. Everything in it but `id` and `status` may be left out.

    Attributes:
        found: What was expected and what was found, in English; may hold hidden inputs and numbers.
        found_ko: The same in Korean; empty where only English is known.
        reason: Why the check was skipped, in a sentence that the student may read; empty otherwise.
        advice: What to do, in a fixed sentence that may be read of a hidden check too; empty where there is none.
        excused: The check was skipped through no doing of the student's (no GPU here), so its weight does not count.
        is_forbidden_call: The student's code called a library that the exercise forbids.
        near: The name in the submission that comes closest to a missing one; empty when none does.
        exception_type: Name of the exception that the student's code raised; empty when it raised none.
        exception_text: That exception's text; the student's words, so nothing in it is to be believed.
        line: Number of the student's own last line, in its cell for a notebook; None when unknown.
        cell: Number of the notebook's cell; None for a `.py` file.
        line_text: That line's text as the worker gave it; it is shown only where the submission really has it.
        suite_line: The line of the suite's file at which the check ended; None where it passed or was not run.
        suite_raised: What the suite's own code raised, type and words; empty when it raised nothing of its own.
        output_dropped: Bytes of output beyond the limit that were not kept.
        values: The wrong answer beside the right one, where it is small.
        call: Of a visible check that did not pass, its last call as Python; empty where it has none that is small.
        input_seed: What the check's inputs were drawn from, so that they can be drawn again for an appeal.
        calls: What it asked and what came of it, in an appeal, where a teacher is shown that; no report has it.
    """

    id: str
    status: Status
    found: str = ""
    found_ko: str = ""
    reason: str = ""
    reason_ko: str = ""
    advice: str = ""
    advice_ko: str = ""
    excused: bool = False
    is_forbidden_call: bool = False
    near: str = ""
    exception_type: str = ""
    exception_text: str = ""
    line: int | None = None
    cell: int | None = None
    line_text: str = ""
    suite_line: int | None = None
    suite_raised: str = ""
    output: str = ""
    output_dropped: int = 0
    diagnosis: Diagnosis | None = None
    values: Values | None = None
    call: str = ""
    input_seed: str = ""
    calls: list[Any] = []
    duration_s: Seconds = 0.0


def both(**sentences: str) -> dict[str, Any]:
    """Return fields of a verdict, each with its twin in Korean; a sentence that is no `Words` is the same in both."""
    return {
        f"{name}{twin}": in_language(sentence, language).rstrip(": ")[:LONGEST_SENTENCE]  # an exception without words
        for name, sentence in sentences.items()
        for twin, language in (("", "en"), ("_ko", "ko"))
    }


def timeout_verdict(check: str) -> CheckVerdict:
    """Return the verdict of a check that is not run, since one of its exercise ran into a limit on time."""
    sentence = Words("Not run: a check of this exercise had already run into the time limit.")
    return CheckVerdict(id=check, status="timeout", **both(found=sentence))


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(CheckVerdict)
_LONE = {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}


def verdict_line(verdict: CheckVerdict) -> bytes:
    """Return a verdict as one line of JSON with its line end.

    Half characters (lone surrogates), which no UTF-8 text can hold, are written as their number.
    """
    try:
        return _ENCODER.encode(verdict) + b"\n"
    except UnicodeEncodeError:
        changes = {
            name: value.translate(_LONE)
            for name in verdict.__struct_fields__
            if isinstance(value := getattr(verdict, name), str)
        }
        return _ENCODER.encode(msgspec.structs.replace(verdict, **changes)) + b"\n"


def read_verdict(line: bytes) -> CheckVerdict:
    """Return the verdict that a line of JSON holds.

    Raises:
        ValueError: The line is not a verdict; msgspec's sentence says where.
    """
    return _DECODER.decode(line)
