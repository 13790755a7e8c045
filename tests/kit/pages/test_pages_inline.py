"""Pictures for the pages of platforms, which have none of our style sheets."""

from grader.pages.inline import inline_pictures
from grader.pages.words import say
from grader.results.verdict import Values

SMALL = Values(shape=[2, 2], place=[], yours=["1 nan", "-2.5 0"], expected=["1 0.5", "2.5 0"])


def test_the_shades_are_in_the_cells_themselves():
    text = str(inline_pictures(SMALL, "ko"))
    assert text.count("<table ") == 3 and text.count("<td ") == 12
    assert "class=" not in text
    assert "rgba(11,87,194,0.48)" in text and "rgba(200,90,0,0.48)" in text
    for key in ("pictured", "pictured_yours", "pictured_expected", "pictured_difference"):
        assert say(key, "ko") in text


def test_of_a_larger_answer_it_is_said_which_matrix_is_shown():
    larger = Values(shape=[3, 1, 1], place=[2], yours=["1"], expected=["2"])
    assert str(inline_pictures(larger, "en")).startswith(f"<p>{say('pictured_at', 'en', place='[2]')}</p><table ")
