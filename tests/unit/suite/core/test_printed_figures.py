"""Golden figures are read as they were printed, without losing a digit."""

import json
from pathlib import Path

import pytest
import torch

from grader.errors import CourseError
from grader.suite.core.figures import load_figures, printed


def test_half_a_unit_comes_from_the_printed_digits():
    figure = printed("0.10 -0.1 1.2345e-05 2.5000e+04 3.0")
    assert figure.half_unit.tolist() == pytest.approx([0.005, 0.05, 5e-10, 0.5, 0.05])
    assert figure.value.tolist() == [0.1, -0.1, 1.2345e-05, 25000.0, 3.0]


def test_whole_numbers_infinities_and_truth_values_are_exact():
    figure = printed("7 2. -inf inf True False -0.")
    assert figure.half_unit.tolist() == [0.0] * 7
    assert figure.value.tolist() == [7.0, 2.0, -torch.inf, torch.inf, 1.0, 0.0, 0.0]


def test_a_printed_text_of_several_lines_is_a_matrix():
    figure = printed("1.0 2.0 3.0\n\n   4.0 5.0 6.0\n")
    assert figure.shape == (2, 3)
    assert figure.float32.dtype == torch.float32
    assert figure.value[1].tolist() == [4.0, 5.0, 6.0]


def figure_file(folder: Path, name: str, *changes: dict) -> None:
    entry = {"id": "N9 In[1]", "note": "N9", "cell": "In[1]", "kind": "exact", "exercise": "a", "what": "b"}
    entry["value"] = "1"
    (folder / name).write_text(json.dumps([entry | change for change in changes]))


@pytest.mark.parametrize(
    "change",
    [
        {"value": [["1.0", "2.0"], ["3.0"]]},
        {"value": ["1.0", "1,5"]},
        {"colour": "red"},
    ],
    ids=["ragged", "a comma", "unknown field"],
)
def test_a_broken_figure_is_refused_with_what_is_wrong_in_it(tmp_path, change, refuses):
    figure_file(tmp_path, "N9.json", change)
    with refuses(CourseError):
        load_figures(tmp_path)


def test_two_figures_of_one_id_are_refused_across_files(tmp_path, refuses):
    figure_file(tmp_path, "N8.json", {})
    figure_file(tmp_path, "N9.json", {})
    with refuses(CourseError):
        load_figures(tmp_path)


@pytest.mark.parametrize("content", [b"[{", b"\xff\xfe"], ids=["torn", "no text"])
def test_a_file_that_holds_no_list_of_figures_is_named(tmp_path, content: bytes, refuses):
    (tmp_path / "N9.json").write_bytes(content)
    with refuses(CourseError):
        load_figures(tmp_path)


def test_a_course_without_figures_needs_no_folder(tmp_path):
    assert load_figures(tmp_path / "absent") == {}
