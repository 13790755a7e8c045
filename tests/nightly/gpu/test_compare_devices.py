"""What differs between devices is named check by check; everything else is counted as equal."""

import pytest

from benchmarks import compare_devices as comparing
from benchmarks.compare_devices import Compared, compare_devices
from grader.course.variants.read_variants import load_variants

from ...support.courses import ASSIGNMENT, MISTAKES, small_course

pytestmark = pytest.mark.usefixtures("kept_jails")

DEVICES = ["cpu", "pretended", "cuda"]
ON_CPU = MISTAKES + (
    '\n\n@mistake(hint="?", ko="?")\ndef by_ones(x):\n    return x / (torch.ones(len(x)) * x).sum().item()\n'
)


@pytest.fixture(scope="module")
def compared(tmp_path_factory) -> Compared:
    """The tiny course on three devices, of which the third is called a GPU and is the pretended one."""
    usual = comparing.grade_texts

    def grade_texts(*arguments, device, **options):
        return usual(*arguments, device="pretended" if device == "cuda" else device, **options)

    mistakes = ON_CPU.replace("from grader", "import torch\n\nfrom grader", 1)
    course = small_course(tmp_path_factory.mktemp("c"), {"solutions/01_tiny/mistakes/shares.py": mistakes})
    assignment = course.assignments[ASSIGNMENT]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "grade_texts", grade_texts)
        return compare_devices(course, assignment, load_variants(assignment).all, DEVICES, jobs=1)


def test_each_answer_is_compared_on_each_device_and_what_differs_is_named_with_its_checks(compared):
    named = {(answer.kind, answer.exercise, answer.name): answer for answer in compared.answers}
    assert list(named)[:2] == [("solution", "shares", "the-solution"), ("solution", "Shift", "the-solution")]
    assert {name for kind, _, name in named if kind == "mistake"} == {
        "divided_by_largest", "divided_twice", "by_ones", "subtracted"
    }  # fmt: skip
    differing = named.pop(("mistake", "shares", "by_ones"))
    assert not differing.has_one_score and list(differing.scores) == DEVICES
    assert differing.differences["shares.random_shares"] == ["passed", "error", "error"]
    assert all(answer.has_one_score and not answer.differences for answer in named.values())
    assert all(set(answer.verdicts) == set(DEVICES) and all(answer.verdicts.values()) for answer in named.values())


def test_the_cost_of_a_submission_is_measured_on_each_device(compared):
    assert compared.submissions == 6  # the solution, and as many as the exercise with most variants has
    assert list(compared.seconds) == DEVICES and min(compared.seconds.values()) > 0
