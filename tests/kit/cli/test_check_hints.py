"""A student's own run gives the hint of a known mistake at once, and the folder that it comes from holds no answer."""

import json
import re
import shutil

import msgspec
import pytest

from grader.cli import status
from grader.course.handed_out.hints import Hint, answer_hash, read_hints, with_hints
from grader.results.verdict import CheckVerdict, Diagnosis, Shapes, Values

from ..support.courses import write_course
from ..verify.test_verify_command import PROVEN, grader

pytestmark = pytest.mark.usefixtures("kept_jails", "warm_workers")
LARGEST = "Divide by the sum, not by the largest entry."
STUB = 'raise NotImplementedError("shares is not written yet")'


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return the folder that students get of a course whose hints were recorded."""
    root = write_course(tmp_path_factory.mktemp("hints") / "course", PROVEN)
    assert grader(root, "build").returncode == 0
    assert grader(root, "verify", "--record").returncode == 0
    assert grader(root, "build").returncode == 0
    assert grader(root, "verify").returncode == 0
    return root / "assignments/01_tiny"


def checked(released, folder, body, *arguments):
    """Return the exit code of a check of `shares` with this body, in a folder of the student's own."""
    own = shutil.copytree(released, folder / "01_tiny")
    text = (own / "tiny.py").read_text(encoding="utf-8")
    (own / "tiny.py").write_text(text.replace(STUB, body, 1), encoding="utf-8")
    return status(["check", str(own / "tiny.py"), "--exercise", "shares", *arguments])


TABLE = "      Index | Yours | Expected\n      [2]   | 1     | 0.5\n      [0]   | 0.5   | 0.25\n"
TABLE_KO = "      위치 | 결과 | 기대값\n      [2]  | 1    | 0.5\n      [0]  | 0.5  | 0.25\n"
ONE_WRONG = "y = x / x.sum(); return torch.where(y > 0.4, y + 1, y)"
ANSWERS = {
    "a known mistake": ("return x / max(x)", "en", 1, f"      hint: {LARGEST}\n", ""),
    "the same, in Korean": (
        "return x / max(x)",
        "ko",
        1,
        "      힌트: 가장 큰 값이 아니라 합으로 나누세요.\n",
        "",
    ),
    "an unknown mistake": ("return x * 0.3", "en", 1, "", "hint"),
    "a right answer": ("return x / x.sum()", "en", 0, "", "hint"),
    "the entries that differ most": ("return x / x.max()", "en", 1, TABLE, ""),
    "a table in Korean": ("return x / x.max()", "ko", 1, TABLE_KO, ""),
    "a single entry needs no table": (ONE_WRONG, "en", 1, "", "Index |"),
}


@pytest.mark.parametrize(("body", "language", "code", "said", "unsaid"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_gets_the_hint_and_the_table_that_it_needs(
    released, tmp_path, capsys, body, language, code, said, unsaid
):
    assert checked(released, tmp_path, body, "--language", language) == code
    printed = capsys.readouterr().out
    assert said in printed
    assert not unsaid or unsaid not in printed


def test_a_file_of_hints_that_is_not_whole_costs_nothing_but_the_hints(released, tmp_path, capsys):
    broken = shutil.copytree(released, tmp_path / "broken" / "01_tiny")
    (broken / "hints.json").write_text("{", encoding="utf-8")
    assert checked(broken, tmp_path, "return x / max(x)") == 1
    printed = capsys.readouterr().out
    assert "hint" not in printed and "expected 0.25" in printed


def test_the_file_holds_hints_and_hashes_alone(released):
    hints = json.loads((released / "hints.json").read_text(encoding="utf-8"))
    assert hints.keys() == {"shares"}  # the mistake of the other exercise passes its visible check
    for each in (each for group in hints.values() for each in group):
        assert each.keys() == {"hint", "ko", "answers"}
        assert all(re.fullmatch("[0-9a-f]{16}", answer) for answer in each["answers"])


def verdict(yours, **more):
    expected = " ".join(["0.25"] * len(yours.split()))
    values = Values(shape=[len(yours.split())], place=[], yours=[yours], expected=[expected])
    return CheckVerdict(id="f.a", status="failed", values=values, **more)


def told(code, found="A tensor is asked for.", **more):
    return CheckVerdict(id="f.a", status="failed", found=found, code=code, **more)


def test_rounding_errors_of_another_machine_make_no_other_hash():
    assert answer_hash("f.a", verdict("0.33333 1e-09 2")) == answer_hash("f.a", verdict("0.33334 -3e-08 2"))
    assert answer_hash("f.a", verdict("0.33333 1e-09 2")) != answer_hash("f.a", verdict("0.33433 1e-09 2"))
    assert answer_hash("f.a", verdict("1 2")) != answer_hash("f.b", verdict("1 2"))


def test_words_that_are_worded_anew_make_no_other_hash():
    listed, said_anew = told("no_tensor list"), told("no_tensor list", found="Please return a tensor.")
    assert answer_hash("f.a", listed) == answer_hash("f.a", said_anew) != answer_hash("f.a", told("no_tensor tuple"))
    shape = Shapes(yours=[2, 3], expected=[3, 2])
    one, other = (told("", found=found, shapes=shape) for found in ("(2, 3), not (3, 2).", "Turn it round."))
    assert answer_hash("f.a", one) == answer_hash("f.a", other) is not None


def test_an_answer_that_is_described_in_words_alone_has_no_hash_and_no_hint():
    assert answer_hash("f.a", told("")) is None
    (verdict_,) = with_hints([told("")], [Hint("another", "다른 힌트", ["0" * 16])])
    assert verdict_.diagnosis is None


def test_only_a_wrong_answer_without_a_hint_of_its_own_gets_one():
    known = [Hint("another", "다른 힌트", [answer_hash("f.a", verdict("1 2"))])]
    measured = Diagnosis(["scaling_divisor"], "You divide by 7.", "7로 나눕니다.")
    wrong, passed, named = verdict("1 2"), verdict("1 2"), verdict("1 2", diagnosis=measured)
    passed = msgspec.structs.replace(passed, status="passed")
    told = [each.diagnosis and each.diagnosis.hint for each in with_hints([wrong, passed, named], known)]
    assert told == ["another", None, "You divide by 7."]


def test_a_folder_without_hints_has_none(tmp_path):
    assert read_hints(tmp_path / "hints.json") == {}
