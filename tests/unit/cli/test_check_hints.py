"""A student's own run gives the hint of a known mistake at once, and the folder that it comes from holds no answer."""

import msgspec

from grader.course.handed_out.hints import Hint, answer_hash, read_hints, with_hints
from grader.results.verdict import CheckVerdict, Diagnosis, Shapes, Values


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
