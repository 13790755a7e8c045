"""A mistake that no list has is told by where it lies, in words that were measured."""

from importlib import import_module
from types import SimpleNamespace

import pytest

from grader.suite import checks
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.draw import Draw

from ..support.workers.open_workers import close_sessions, open_student

in_model, in_encoding = (
    import_module(f"..hidden.{name}", __package__)
    for name in ("06_seq2seq_attention.places", "07_transformer_block.encoding_places")
)

ATTENTION = """
import torch
from torch import nn

class Attention(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.attn, self.v = nn.Linear(2 * h, h), nn.Parameter(torch.rand(h))

    def forward(self, hidden, outputs):
        asked = hidden.unsqueeze(1).expand_as(outputs)
        weights = torch.softmax(torch.tanh(self.attn(torch.cat([asked, outputs], -1))) @ self.v, -1)
        context = (weights.unsqueeze(1) @ outputs).squeeze(1)
        return context, weights
"""
MODEL = (
    ATTENTION
    + """
class Seq2SeqWithAttention(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.encoder, self.decoder = nn.GRU(i, h, batch_first=True), nn.GRU(h, h, batch_first=True)
        self.attention, self.decoder_input_transform, self.fc = Attention(h), nn.Linear(i, h), nn.Linear(2 * h, o)

    def forward(self, x, y):
        outputs, hidden = self.encoder(x)
        context, _ = self.attention(hidden[-1], outputs)
        steps, _ = self.decoder(self.decoder_input_transform(y), hidden)
        return self.fc(torch.cat([steps, context.unsqueeze(1).expand_as(steps)], -1))
"""
)
ENCODING = """
import torch

def positional_encoding(T, d):
    angles = torch.arange(T).unsqueeze(1) / 10000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)

def add_positional_encoding(x):
    table = positional_encoding(x.shape[1], x.shape[2])
    return x + table
"""


def edited(text, edit):
    """Return a text in which another one, that stands there once, is replaced."""
    assert text.count(edit[0]) == 1
    return text.replace(*edit)


def local(text):
    """Return what a text defines."""
    space = {}
    exec(text, space)
    return SimpleNamespace(**space)


@pytest.fixture(autouse=True)
def no_check_before():
    current_check.set(CheckState(course=SimpleNamespace(mistakes={}, device="cpu")))
    yield
    close_sessions()


def placed_in(place, name, text, sizes, *inputs):
    """Return where the mistake of a module lies that holds the same random parameters as the right one."""
    reference = SimpleNamespace(module=local(MODEL))
    return place(*checks.twin(open_student(text), reference, Draw(3), name, *sizes), *inputs)


ATTENTIONS = {
    "context halved": ("return context,", "return context / 2,", "CONTEXT_OF_OTHERS"),
    "exponentials": ("weights = torch.softmax(", "weights = (lambda x, _: x.exp())(", "SUMS"),
    "scores cubed": ("@ self.v, -1)", "@ self.v ** 3, -1)", "SCORES"),
    "hidden of another item": ("hidden.unsqueeze(1)", "hidden.roll(1, 0).unsqueeze(1)", "ITEMS"),
}


@pytest.mark.parametrize("case", ATTENTIONS)
def test_a_mistake_in_additive_attention_is_told_by_its_result(case):
    old, new, place = ATTENTIONS[case]
    inputs = Draw(5).normal(3, 4), Draw(6).normal(3, 5, 4)
    found = placed_in(in_model.attention_place, "Attention", edited(ATTENTION, (old, new)), (4,), *inputs)
    assert found == getattr(in_model, place)


MODELS = {
    "scores cubed": ("@ self.v, -1)", "@ self.v ** 3, -1)", "WEIGHTS_OF_CONTEXT"),
    "context doubled": ("context.unsqueeze(1)", "2 * context.unsqueeze(1)", "CONTEXT"),
    "start doubled": ("transform(y), hidden)", "transform(y), 2 * hidden)", "START"),
    "later steps doubled": (
        "        return self.fc(", "        steps[:, 1:] = 2 * steps[:, 1:]\n        return self.fc(", "LATER_STEPS",
    ),
    "input doubled": ("transform(y)", "transform(2 * y)", "DECODER"),
    "result doubled": ("return self.fc(", "return 2 * self.fc(", "AFTERWARDS"),
    "reading backwards": ("self.encoder(x)", "self.encoder(x.flip(1))", "ENCODER"),
}  # fmt: skip


@pytest.mark.parametrize("case", MODELS)
def test_a_mistake_in_the_model_is_told_by_its_part(case):
    old, new, place = MODELS[case]
    inputs = Draw(5).normal(2, 4, 3), Draw(6).normal(2, 6, 3)
    found = placed_in(in_model.model_place, "Seq2SeqWithAttention", edited(MODEL, (old, new)), (3, 5, 4), *inputs)
    assert found == getattr(in_model, place)


TABLES = {
    "columns reversed": (".flatten(1)", ".flatten(1).flip(1)", "ORDER"),
    "cosines doubled": ("angles.cos()", "2 * angles.cos()", "ODD"),
    "sines negative": ("angles.sin()", "-angles.sin()", "EVEN"),
    "another base": ("10000", "9000", "LATER_PAIRS"),
    "degrees": ("unsqueeze(1) /", "unsqueeze(1) / 57 /", "LATER_ROWS"),
    "positions from 3": ("unsqueeze(1) /", "unsqueeze(1).add(3) /", "FIRST_ROW"),
}
SUMS = {
    "x halved": ("x + table", "x / 2 + table", "TOKENS"),
    "by item": ("x + table", "x + table * torch.arange(len(x)).view(-1, 1, 1)", "UNEQUAL"),
    "backwards": ("x + table", "x + table.flip(0)", "ADDED"),
    "mean": ("x + table", "(x + table) / 2", "NEITHER"),
}


@pytest.mark.parametrize("case", TABLES | SUMS)
def test_a_mistake_in_an_encoding_is_told_by_rows_and_columns(case):
    old, new, place = (TABLES | SUMS)[case]
    student, right = open_student(edited(ENCODING, (old, new))), local(ENCODING)
    if case in TABLES:
        found = in_encoding.table_place(student.positional_encoding, right.positional_encoding)
    else:
        x = Draw(5).normal(3, 5, 8)
        found = in_encoding.sum_place(
            student.add_positional_encoding, lambda x: right.add_positional_encoding(x.double()), x
        )
    assert found == getattr(in_encoding, place)
