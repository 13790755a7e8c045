"""Pictures for the pages of platforms, which have none of our style sheets."""

from grader.language import translation
from grader.pages.inline import inline_pictures
from grader.results.verdict import Values

SMALL = Values(shape=[2, 2], place=[], yours=["1 nan", "-2.5 0"], expected=["1 0.5", "2.5 0"])


def test_the_shades_are_in_the_cells_themselves():
    text = str(inline_pictures(SMALL, "ko"))
    assert text.count("<table ") == 3 and text.count("<td ") == 12
    assert "class=" not in text
    assert "rgba(11,87,194,0.48)" in text and "rgba(200,90,0,0.48)" in text
    for words in ("Your answer next to the expected one", "yours", "expected", "difference"):
        assert translation("ko").gettext(words) in text


def test_of_a_larger_answer_it_is_said_which_matrix_is_shown():
    larger = Values(shape=[3, 2, 1], place=[2], yours=["1", "2"], expected=["2", "1"])
    assert "Your answer next to the expected one, at [2]" in str(inline_pictures(larger, "en"))


def test_a_vector_is_one_table_with_the_names_of_its_entries_and_exact_numbers_on_hover():
    vector = Values(shape=[2], place=[], yours=["0.166667 1"], expected=["0.5 1"], column_labels=["<b>your", "journey"])
    text = str(inline_pictures(vector, "en"))
    assert text.count("<table ") == 1 and text.count('scope="row"') == 3
    assert ">&lt;b&gt;your</th>" in text and ">journey</th>" in text
    assert 'title="0.166667">0.1667</td>' in text
