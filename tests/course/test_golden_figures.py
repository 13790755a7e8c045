"""The golden figures follow from the notes' inputs and sizes, computed here without any exercise's solution.

So a slip in the golden files cannot pass for a student's mistake. And what holds for every golden figure: its exercise
exists, and its kind is the one that its note's seed allows.
"""

import pytest
import torch
from torch import nn

from grader.course.layout import find_course
from grader.suite.core.figures import load_figures
from grader.tolerances import FIGURE_SLACK

from ..support.classes.grading_runs import ROOT

FOLDER = ROOT / "tests" / "golden"
FIGURES = load_figures(FOLDER)
UNSEEDED = {
    "N1 In[6]": -2.1015,
    "N1 In[9]": 0.1111,
    "N4 attention weights": 3.9999,
    'N4 attention weights of "I"': 1.0,
    'N4 attention weights of "love"': 1.0000001,
    'N4 attention weights of "you"': 0.99999999,
    'N4 attention weights of "all"': 1.0,
    "N4 multi-head output": -1.454,
}
"""The sums of the numbers that were drawn without a seed, by figure."""


def drawn(layers: bool) -> list[torch.Tensor]:
    """Return the note's three projections (3, 2), drawn after its seed: matrices, or the weights of linear layers."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(123)
        return [nn.Linear(3, 2, bias=False).weight.detach().T if layers else torch.rand(3, 2) for _ in range(3)]


def of_the_first_two() -> dict[str, torch.Tensor]:
    """Return what every exact figure of N0 and N1 must be."""
    x = FIGURES["N0 inputs"].float32  # (6, 3)
    query = x[1]
    scores = torch.stack([(token * query).sum() for token in x])  # (6,)
    weights = scores.exp() / scores.exp().sum()
    pairs = torch.einsum("id,jd->ij", x, x)  # (6, 6)
    rows = pairs.exp() / pairs.exp().sum(dim=1, keepdim=True)
    figures = {
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
    return figures | projected(x) | sizes(x)


def projected(x: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the figures that depend on weights drawn after the seed, without a mask and with it."""
    queries, keys, values = (x @ matrix for matrix in drawn(layers=False))  # (6, 2) each
    scores = keys @ queries[1]
    weights = torch.softmax(scores / 2**0.5, dim=0)
    all_weights = torch.softmax(queries @ keys.T / 2**0.5, dim=1)
    q, k, v = (x @ matrix for matrix in drawn(layers=True))
    layer_weights = torch.softmax(q @ k.T / 2**0.5, dim=1)
    layer_scores = q @ k.T  # (6, 6)
    visible = torch.arange(6)[:, None] >= torch.arange(6)
    kept = torch.where(visible, layer_weights, 0.0)
    masked = torch.where(visible, layer_scores, -torch.inf)
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
        "N0 In[38]": torch.tensor((batch @ drawn(layers=True)[2]).shape),
        **{f"N1 In[5] {name}": shape for name, shape in projections.items()},
        "N1 In[6] scores": torch.tensor(scores.shape),
        "N1 In[6] weights": torch.tensor(torch.softmax(scores, dim=-1).shape),
        "N1 In[6] context": torch.tensor((torch.softmax(scores, dim=-1) @ words).shape),
    }


def of_the_third() -> dict[str, torch.Tensor]:
    """Return what every exact figure of N2 must be, in float64."""
    given = {name.removeprefix("N2 "): figure.value for name, figure in FIGURES.items() if figure.note == "N2"}
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


def of_the_last_two() -> dict[str, torch.Tensor]:
    """Return what every exact figure of N3 and N4 must be: the sizes of tensors."""
    batch, tokens, features, heads = 2, 5, 128, 4
    x = torch.ones(batch, tokens, features)
    layers = [nn.Linear(features, features, bias=False) for _ in range(4)]
    q, k, v = (layer(x).reshape(batch, tokens, heads, -1).transpose(1, 2) for layer in layers[:3])  # (2, 4, 5, 32)
    weights = torch.softmax(torch.einsum("bhid,bhjd->bhij", q, k) / (features // heads) ** 0.5, dim=-1)
    joined = (weights @ v).transpose(1, 2).flatten(2)
    words = nn.Embedding(4, 20)(torch.tensor([[0, 1, 2, 3]]))
    word_weights = torch.softmax(nn.Linear(20, 5)(words) @ nn.Linear(20, 5)(words).mT, dim=-1)
    contexts = [word_weights @ nn.Linear(20, 5)(words) for _ in range(4)]
    made = {
        "N3 In[4] x shape": x,
        "N3 In[4] output shape": layers[3](joined),
        "N3 In[4] weights shape": weights,
        "N4 attention output shape": contexts[0],
        "N4 attention weights shape": word_weights,
        "N4 multi-head output shape": nn.Linear(20, 20)(torch.cat(contexts, dim=-1)),
    }
    return {name: torch.tensor(tensor.shape) for name, tensor in made.items()}


def test_every_exact_figure_follows_from_the_notes_inputs(subtests):
    made = of_the_first_two() | of_the_third() | of_the_last_two()
    assert made.keys() == {name for name, figure in FIGURES.items() if figure.kind == "exact"}
    for name, answer in made.items():
        with subtests.test(name=name):
            figure, result = FIGURES[name], answer.double()
            assert result.shape == figure.shape
            near = (result - figure.value).abs() <= figure.half_unit + FIGURE_SLACK
            assert torch.where(figure.value.isinf(), result == figure.value, near).all()


def test_the_printed_dropout_mask_gives_the_printed_weights_after_dropout():
    assert [name for name, figure in FIGURES.items() if figure.kind == "platform"] == ["N0 In[34]", "N0 In[35]"]
    mask = FIGURES["N0 In[34]"].value
    assert set(mask.unique().tolist()) == {0.0, 2.0}
    weights = of_the_first_two()["N0 In[33]"].double()
    room = FIGURES["N0 In[35]"].half_unit + FIGURE_SLACK
    assert ((weights * mask - FIGURES["N0 In[35]"].value).abs() <= room).all()


def test_every_row_of_weights_that_the_fifth_note_prints_sums_to_one():
    table = FIGURES["N4 attention weights"]
    rows = [FIGURES[f'N4 attention weights of "{token}"'] for token in ("I", "love", "you", "all")]
    for row, full in zip(table.value[0], rows, strict=True):
        assert abs(float(full.value.sum()) - 1) <= float(full.half_unit.sum()) + FIGURE_SLACK
        assert ((row - full.value).abs() <= table.half_unit[0, 0] + FIGURE_SLACK).all()


def test_the_printed_sizes_agree_with_the_printed_tensors():
    for name in ("attention weights", "multi-head output"):
        assert FIGURES[f"N4 {name}"].shape == tuple(FIGURES[f"N4 {name} shape"].value.int().tolist())


def test_the_exercise_of_every_figure_is_one_of_the_course_and_of_one_assignment_alone():
    exercises = [exercise.id for homework in find_course(ROOT).assignments.values() for exercise in homework.exercises]
    asked = {figure.exercise for figure in FIGURES.values()}
    assert {name: exercises.count(name) for name in asked} == dict.fromkeys(asked, 1)


def test_the_figures_of_cells_without_a_seed_are_as_their_note_prints_them():
    """Nothing can be computed of them, so their sums tell whether a digit was changed."""
    drawn = {name: float(figure.value.sum()) for name, figure in FIGURES.items() if figure.kind == "unseeded"}
    assert drawn == {name: pytest.approx(total, abs=1e-9) for name, total in UNSEEDED.items()}
