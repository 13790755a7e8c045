"""The file of approved sentences: what is recorded is what is asked for, and tests that are gone leave nothing."""

from ...support import approved as support


def test_what_was_recorded_is_approved_and_what_belongs_to_no_test_goes(monkeypatch, tmp_path):
    monkeypatch.setattr(support, "FILE", tmp_path / "sentences.txt")
    here = "unit/house/test_approved_sentences.py::"
    name = f"{here}test_what_was_recorded_is_approved_and_what_belongs_to_no_test_goes"
    support.write({f"{name}[one]": ["A [first] sentence.", "A second one."], f"{here}test_gone": ["Of no test."]})
    support.write({f"{name}[two]": ["A third one."], f"{name}[three]": []})
    assert support.approved() == {
        f"{name}[one]": ["A [first] sentence.", "A second one."],
        f"{name}[two]": ["A third one."],
    }
