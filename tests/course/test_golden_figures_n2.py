"""The figures of the notes on multi-head attention and normalisation follow from the inputs that the notes show.

So a slip in the golden files cannot pass for a student's mistake.
"""

from pathlib import Path

import pytest
import torch

from grader.suite.core.figures import Figure, load_figures

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SLACK = 1e-6


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    """Every figure of the course."""
    return load_figures(GOLDEN)


def reproduced(figures: dict[str, Figure]) -> dict[str, torch.Tensor]:
    """Compute every exact figure of N2 from its inputs, in float64 and without any solution."""
    given = {name.removeprefix("N2 "): figure.value for name, figure in figures.items() if figure.note == "N2"}
    made: dict[str, torch.Tensor] = {}
    x = given["x"]
    queries, keys, values = (x @ given[f"w_{name}"] for name in ("query", "key", "value"))
    scores = queries @ keys.T
    weights = torch.softmax(scores / 3**0.5, dim=-1)
    made |= {"In[projections] queries": queries, "In[projections] keys": keys, "In[projections] values": values}
    made |= {"In[4]": scores, "In[12]": torch.tensor(3.0, dtype=torch.float64).sqrt(), "In[14]": weights}
    made["In[15]"] = weights @ values

    x = given["multi-head x"]
    flat = {name: x @ given[f"W_{name}"] for name in "QKV"}
    printed = {name: tensor.reshape(3, 2, 2) for name, tensor in flat.items()}
    heads = {name: tensor.permute(1, 0, 2) for name, tensor in printed.items()}
    for name in "QKV":
        for whole, cut in ((35, 39), (52, 53)):
            made[f"In[{whole}] {name}"] = flat[name]
            made[f"In[{cut}] {name}h"] = printed[name]
            made[f"In[{cut}] {name}h transposed"] = heads[name]
    scores = torch.einsum("hid,hjd->hij", heads["Q"], heads["K"])
    future = torch.arange(3)[:, None] < torch.arange(3)
    masked = torch.where(future, -torch.inf, scores)
    made |= {"In[50] queries": heads["Q"][1], "In[50] keys transposed": heads["K"][1].T, "In[50] scores": scores[1]}
    made |= {"In[einsum]": scores, "In[54]": scores, "In[61]": future.double(), "In[62]": masked}
    for cells, source in ((("41", "42", "44", "45"), scores), (("63", "64", "66", "last"), masked)):
        weights = torch.softmax(source / 2**0.5, dim=-1)
        context = weights @ heads["V"]
        joined = context.permute(1, 0, 2).reshape(3, 4)
        results = (weights, context.permute(1, 0, 2), joined, joined @ given["W_O"])
        made |= {f"In[{cell}]": result for cell, result in zip(cells, results, strict=True)}
        made[f"In[{cells[1]}] transposed"] = context

    x = given["normalization input"]
    ones, zeros = torch.ones(3, dtype=torch.float64), torch.zeros(3, dtype=torch.float64)
    for layer in ("LayerNorm", "BatchNorm"):
        made |= {f"In[{layer} parameters] weight": ones, f"In[{layer} parameters] bias": zeros}
    for dim, cell, by_hand, names in ((1, "16", "24", "mean/std"), (0, "27", "31", "30")):
        mean, spread = x.mean(dim, keepdim=True), x.std(dim, correction=0, keepdim=True)
        made[f"In[{cell}]"] = (x - mean) / (spread**2 + 1e-5).sqrt()
        made[f"In[{by_hand}]"] = (x - mean) / (spread + 1e-7)
        made |= {f"In[{names}] mean": mean.flatten(), f"In[{names}] std": spread.flatten()}
    return {f"N2 {name}": value for name, value in made.items()}


def test_every_exact_figure_of_the_third_note_follows_from_its_inputs(figures: dict[str, Figure]) -> None:
    exact = {name: figure for name, figure in figures.items() if figure.note == "N2" and figure.kind == "exact"}
    made = reproduced(figures)
    assert made.keys() == exact.keys()
    for name, figure in exact.items():
        assert made[name].shape == figure.shape, name
        near = (made[name] - figure.value).abs() <= figure.half_unit + SLACK
        assert torch.where(figure.value.isinf(), made[name] == figure.value, near).all(), name


def test_every_row_of_weights_that_the_fifth_note_prints_sums_to_one(figures: dict[str, Figure]) -> None:
    table = figures["N4 attention weights"]
    rows = [figures[f'N4 attention weights of "{token}"'] for token in ("I", "love", "you", "all")]
    for row, full in zip(table.printed[0], rows, strict=True):
        assert abs(float(full.printed.sum()) - 1) <= float(full.half_unit.sum()) + SLACK
        assert ((row - full.printed).abs() <= table.half_unit[0, 0] + SLACK).all()


def test_the_printed_sizes_agree_with_the_printed_tensors(figures: dict[str, Figure]) -> None:
    for name in ("attention weights", "multi-head output"):
        assert figures[f"N4 {name}"].shape == tuple(figures[f"N4 {name} shape"].value.int().tolist())
