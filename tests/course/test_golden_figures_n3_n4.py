"""The figures of the notes that draw without a seed: their sizes follow from the sizes that the notes set.

And what holds for every golden figure: its exercise exists, and its kind is the one that its note's seed allows.
"""

from pathlib import Path

import torch
from torch import nn

from grader.course.layout import find_course
from grader.suite.core.figures import load_figures

ROOT = Path(__file__).resolve().parents[2]
FIGURES = load_figures(ROOT / "tests" / "golden")
UNSEEDED = {"N1 In[6]", "N1 In[9]", "N4 attention weights", "N4 multi-head output"} | {
    f'N4 attention weights of "{token}"' for token in ("I", "love", "you", "all")
}


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


def test_the_figures_without_a_seed_are_those_of_the_cells_that_set_none():
    assert {name for name, figure in FIGURES.items() if figure.kind == "unseeded"} == UNSEEDED


def test_a_printed_size_is_exact_and_whole():
    named = [figure for figure in FIGURES.values() if figure.what.startswith(("size", "shape"))]
    assert named
    for figure in named:
        assert figure.kind == "exact" and figure.half_unit.count_nonzero() == 0
        assert len(figure.shape) == 1 and bool((figure.value >= 1).all())
