"""The figures of the notes N2 to N4: those of N2 follow from its inputs, those of N3 and N4 from the sizes set there.

So a slip in the golden files cannot pass for a student's mistake. And what holds for every golden figure: its exercise
exists, and its kind is the one that its note's seed allows.
"""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

from grader.course.layout import find_course
from grader.suite.core.figures import load_figures

ROOT = Path(__file__).resolve().parents[2]
SLACK = 1e-6
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


def reproduced() -> dict[str, torch.Tensor]:
    """Compute every exact figure of N2 from its inputs, in float64 and without any solution."""
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


def test_every_exact_figure_of_the_third_note_follows_from_its_inputs():
    exact = {name: figure for name, figure in FIGURES.items() if figure.note == "N2" and figure.kind == "exact"}
    made = reproduced()
    assert made.keys() == exact.keys()
    for name, figure in exact.items():
        assert made[name].shape == figure.shape, name
        near = (made[name] - figure.value).abs() <= figure.half_unit + SLACK
        assert torch.where(figure.value.isinf(), made[name] == figure.value, near).all(), name


def test_every_row_of_weights_that_the_fifth_note_prints_sums_to_one():
    table = FIGURES["N4 attention weights"]
    rows = [FIGURES[f'N4 attention weights of "{token}"'] for token in ("I", "love", "you", "all")]
    for row, full in zip(table.printed[0], rows, strict=True):
        assert abs(float(full.printed.sum()) - 1) <= float(full.half_unit.sum()) + SLACK
        assert ((row - full.printed).abs() <= table.half_unit[0, 0] + SLACK).all()


def test_the_printed_sizes_agree_with_the_printed_tensors():
    for name in ("attention weights", "multi-head output"):
        assert FIGURES[f"N4 {name}"].shape == tuple(FIGURES[f"N4 {name} shape"].value.int().tolist())


def sizes() -> dict[str, tuple[int, ...]]:
    """Return what every exact figure of N3 and N4 must be, from tensors of the notes' sizes and no solution."""
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
    return {name: tuple(tensor.shape) for name, tensor in made.items()}


def test_every_exact_figure_of_these_notes_is_a_size_that_is_computed_here():
    exact = {name: figure for name, figure in FIGURES.items() if figure.kind == "exact" and figure.note in ("N3", "N4")}
    assert {name: tuple(figure.value.int().tolist()) for name, figure in exact.items()} == sizes()


def test_the_exercise_of_every_figure_is_one_of_the_course_and_of_one_assignment_alone():
    exercises = [exercise.id for each in find_course(ROOT).assignments.values() for exercise in each.exercises]
    asked = {figure.exercise for figure in FIGURES.values()}
    assert {name: exercises.count(name) for name in asked} == dict.fromkeys(asked, 1)


def test_the_figures_of_cells_without_a_seed_are_as_their_note_prints_them():
    """Nothing can be computed of them, so their sums tell whether a digit was changed."""
    drawn = {name: float(figure.printed.sum()) for name, figure in FIGURES.items() if figure.kind == "unseeded"}
    assert drawn == {name: pytest.approx(total, abs=1e-9) for name, total in UNSEEDED.items()}


def test_every_figure_is_in_the_file_of_its_note_and_names_its_cell():
    for path in sorted(FOLDER.glob("*.json")):
        figures = json.loads(path.read_text(encoding="utf-8"))
        assert figures and {figure["note"] for figure in figures} == {path.stem}
        for figure in figures:
            assert figure["id"].startswith(f"{path.stem} ")
            assert figure["cell"].strip() and figure["what"].strip()


def test_a_printed_size_is_exact_and_whole():
    named = [figure for figure in FIGURES.values() if figure.what.startswith(("size", "shape"))]
    assert named
    for figure in named:
        assert figure.kind == "exact" and figure.half_unit.count_nonzero() == 0
        assert len(figure.shape) == 1 and bool((figure.value >= 1).all())
