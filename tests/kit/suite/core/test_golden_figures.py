"""The golden figures: read without losing a digit, and reproduced from the notes' inputs by plain arithmetic."""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core.figures import Figure, load_figures, printed
from grader.tolerances import FIGURE_SLACK

FOLDER = Path(__file__).resolve().parents[3] / "golden"
FIGURES = load_figures(FOLDER)
OF_THESE_NOTES = {name: figure for name, figure in FIGURES.items() if figure.note in ("N0", "N1")}


def drawn_matrices() -> list[torch.Tensor]:
    """Return the note's three projection matrices (3, 2), drawn after its seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(123)
        return [torch.rand(3, 2) for _ in range(3)]


def drawn_layers() -> list[torch.Tensor]:
    """Return the transposed weights (3, 2) of three linear layers, drawn after the note's seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(123)
        return [nn.Linear(3, 2, bias=False).weight.detach().T for _ in range(3)]


def arithmetic() -> dict[str, torch.Tensor]:
    """Return what every exact figure of N0 must be, computed without any exercise's solution."""
    x = FIGURES["N0 inputs"].float32  # (6, 3)
    query = x[1]
    scores = torch.stack([(token * query).sum() for token in x])  # (6,)
    weights = scores.exp() / scores.exp().sum()
    pairs = torch.einsum("id,jd->ij", x, x)  # (6, 6)
    rows = pairs.exp() / pairs.exp().sum(dim=1, keepdim=True)
    found = {
        "N0 In[4]": torch.tensor(x.shape),
        "N0 In[5]": scores,
        "N0 In[6]": (x[0] * query).sum(),
        "N0 In[6] dot": torch.dot(x[0], query),
        "N0 In[7]": scores / scores.sum(),
        "N0 In[7] sum": (scores / scores.sum()).sum(),
        "N0 In[8]": weights,
        "N0 In[8] sum": weights.sum(),
        "N0 In[9]": torch.softmax(scores, dim=0),
        "N0 In[9] sum": torch.softmax(scores, dim=0).sum(),
        "N0 In[10]": (weights[:, None] * x).sum(dim=0),
        "N0 In[11]": pairs,
        "N0 In[12]": x @ x.T,
        "N0 In[13]": rows,
        "N0 In[14]": rows.sum(dim=1),
        "N0 In[14] row": FIGURES["N0 In[13]"].value[1].sum(),
        "N0 In[15]": rows @ x,
    }
    return found | projected(x) | causal(x) | sizes(x)


def projected(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the figures that hang on weights drawn after the seed, without a mask."""
    queries, keys, values = (x @ matrix for matrix in drawn_matrices())  # (6, 2) each
    scores = keys @ queries[1]
    weights = torch.softmax(scores / 2**0.5, dim=0)
    all_weights = torch.softmax(queries @ keys.T / 2**0.5, dim=1)
    q, k, v = (x @ matrix for matrix in drawn_layers())
    layer_weights = torch.softmax(q @ k.T / 2**0.5, dim=1)
    return {
        "N0 In[18]": queries[1],
        "N0 In[19] keys": torch.tensor(keys.shape),
        "N0 In[19] values": torch.tensor(values.shape),
        "N0 In[20]": scores[1],
        "N0 In[21]": scores,
        "N0 In[22]": weights,
        "N0 In[23]": weights @ values,
        "N0 In[24]": all_weights @ values,
        "N0 In[26]": layer_weights @ v,
        "N0 In[27]": layer_weights,
    }


def causal(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the figures of the masked part."""
    q, k, _ = (x @ matrix for matrix in drawn_layers())
    scores = q @ k.T  # (6, 6)
    visible = torch.arange(6)[:, None] >= torch.arange(6)
    kept = torch.where(visible, torch.softmax(scores / 2**0.5, dim=1), 0.0)
    masked = torch.where(visible, scores, -torch.inf)
    return {
        "N0 In[28]": visible.float(),
        "N0 In[29]": kept,
        "N0 In[30]": kept / kept.sum(dim=1, keepdim=True),
        "N0 In[32]": masked,
        "N0 In[33]": torch.softmax(masked / 2**0.5, dim=1),
    }


def sizes(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the printed sizes, each taken from tensors of that making."""
    batch = torch.stack((x, x))
    words = nn.Embedding(4, 4)(torch.tensor([[0, 1, 2]]))
    projections = {name: torch.tensor(nn.Linear(4, 4)(words).shape) for name in ("query", "key", "value")}
    scores = words @ words.mT
    return {
        "N0 In[batch]": torch.tensor(batch.shape),
        "N0 In[38]": torch.tensor((batch @ drawn_layers()[2]).shape),
        **{f"N1 In[5] {name}": shape for name, shape in projections.items()},
        "N1 In[6] scores": torch.tensor(scores.shape),
        "N1 In[6] weights": torch.tensor(torch.softmax(scores, dim=-1).shape),
        "N1 In[6] context": torch.tensor((torch.softmax(scores, dim=-1) @ words).shape),
    }


def assert_meets(answer: torch.Tensor, figure: Figure) -> None:
    wanted, room = figure.value, figure.half_unit + FIGURE_SLACK
    assert answer.shape == wanted.shape
    finite = torch.isfinite(wanted)
    assert torch.equal(answer.double()[~finite], wanted[~finite])
    assert ((answer.double() - wanted).abs() <= room)[finite].all()


def test_every_exact_figure_of_these_notes_is_computed_here():
    exact = {name for name, figure in OF_THESE_NOTES.items() if figure.kind == "exact"}
    assert exact == set(arithmetic())


@pytest.mark.parametrize("name", [name for name, figure in OF_THESE_NOTES.items() if figure.kind == "exact"])
def test_an_exact_figure_follows_from_the_notes_inputs(name):
    assert_meets(arithmetic()[name], FIGURES[name])


def test_a_figure_is_sharp_enough_to_refuse_a_wrong_last_digit():
    scores = FIGURES["N0 In[5]"].value.clone()
    scores[3] += 2e-4
    with pytest.raises(AssertionError):
        assert_meets(scores, FIGURES["N0 In[5]"])


def test_the_printed_dropout_mask_gives_the_printed_weights_after_dropout():
    mask = FIGURES["N0 In[34]"].value
    assert set(mask.unique().tolist()) == {0.0, 2.0}
    weights = arithmetic()["N0 In[33]"].double()
    room = FIGURES["N0 In[35]"].half_unit + FIGURE_SLACK
    assert ((weights * mask - FIGURES["N0 In[35]"].value).abs() <= room).all()


def test_the_figures_that_hang_on_the_platform_are_the_two_dropout_cells():
    platform = [name for name, figure in OF_THESE_NOTES.items() if figure.kind == "platform"]
    assert platform == ["N0 In[34]", "N0 In[35]"]


def test_of_an_unseeded_figure_only_the_shape_can_be_asked_for():
    figure = FIGURES["N1 In[6]"]
    assert figure.shape == (1, 3, 4)
    assert FIGURES["N1 In[9]"].shape == (1, 1, 15)
    with pytest.raises(CourseError, match="drawn without a seed"):
        _ = figure.value
    with pytest.raises(CourseError, match="drawn without a seed"):
        _ = figure.float32


def test_the_numbers_of_an_unseeded_figure_are_still_on_record():
    assert FIGURES["N1 In[6]"].printed[0, 2].tolist() == [-0.3736, 0.3162, -0.2247, -0.3861]


def test_every_figure_of_these_notes_names_its_note_and_cell():
    for name, figure in OF_THESE_NOTES.items():
        assert name.startswith(f"{figure.note} ")
        assert figure.cell.startswith("In[")
        assert figure.what.strip() and figure.exercise.strip()


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


@pytest.mark.parametrize(
    ("text", "complaint"), [("", "empty"), ("1.0 2.0\n3.0", "lists of one length"), ("1.0 two", "'two'")]
)
def test_a_printed_text_that_is_no_tensor_is_refused(text, complaint):
    with pytest.raises(CourseError, match=complaint):
        printed(text)


def figure_file(folder: Path, name: str, *changes: dict) -> None:
    entry = {
        "id": "N9 In[1]",
        "note": "N9",
        "cell": "In[1]",
        "kind": "exact",
        "exercise": "a",
        "what": "b",
        "value": "1",
    }
    (folder / name).write_text(json.dumps([entry | change for change in changes]))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"value": [["1.0", "2.0"], ["3.0"]]}, "lists of one length"),
        ({"value": []}, "empty"),
        ({"value": ["1.0", 2.0]}, "not all text"),
        ({"value": ["1.0", "1,5"]}, "'1,5'"),
        ({"value": 1.5}, "Expected `str | array`"),
        ({"kind": "guess"}, "Invalid enum value 'guess'"),
        ({"colour": "red"}, "unknown field `colour`"),
    ],
)
def test_a_broken_figure_is_refused_with_what_is_wrong_in_it(tmp_path, change, complaint):
    figure_file(tmp_path, "N9.json", change)
    with pytest.raises(CourseError, match=rf"N9\.json.*{complaint}"):
        load_figures(tmp_path)


def test_two_figures_of_one_id_are_refused_across_files(tmp_path):
    figure_file(tmp_path, "N8.json", {})
    figure_file(tmp_path, "N9.json", {})
    with pytest.raises(CourseError, match=r"'N9 In\[1\]' is there twice.*N9\.json"):
        load_figures(tmp_path)


@pytest.mark.parametrize("content", [b"", b"[{", b"\xff\xfe", b"{}"])
def test_a_file_that_holds_no_list_of_figures_is_named(tmp_path, content: bytes):
    (tmp_path / "N9.json").write_bytes(content)
    with pytest.raises(CourseError, match=r"N9\.json could not be read"):
        load_figures(tmp_path)


@pytest.mark.parametrize(("name", "found"), [("absent", "no such folder"), ("", "There is none"), ("a", "Not a dir")])
def test_a_folder_without_figures_is_named_with_what_to_put_there(tmp_path, name: str, found: str):
    folder = tmp_path / "tests" / "golden"
    folder.mkdir(parents=True)
    (folder / "a").touch()
    with pytest.raises(CourseError, match=rf"^tests/golden.*: the notes' figures were looked for.*{found}") as caught:
        load_figures(folder / name)
    assert name == "a" or "one file there that holds `[]`" in str(caught.value)


def test_the_files_hold_every_figure_once_under_its_own_note():
    for path in sorted(FOLDER.glob("N[01].json")):
        assert {entry["note"] for entry in json.loads(path.read_text())} == {path.stem}
