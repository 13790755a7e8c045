"""The figures of the notes N0 and N1 follow from the notes' inputs by plain arithmetic."""

from pathlib import Path

import pytest
import torch
from torch import nn

from grader.errors import CourseError
from grader.suite.core.figures import Figure, load_figures
from grader.tolerances import FIGURE_SLACK

FOLDER = Path(__file__).resolve().parents[1] / "golden"
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
    """Return the figures that depend on weights drawn after the seed, without a mask."""
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


def test_an_exact_figure_follows_from_the_notes_inputs(subtests):
    for name, answer in arithmetic().items():
        with subtests.test(name=name):
            assert_meets(answer, FIGURES[name])


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
