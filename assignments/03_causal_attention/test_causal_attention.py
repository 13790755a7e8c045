"""The checks that you can see and run while you work on causal attention.

The numbers are those of the notes, or small enough to work out by hand. The examples in `examples.json` are checked
beside them. More checks, with other numbers and sizes, grade your work later; each of them says in a sentence what it
asks.
"""

import torch

from grader.suite import checks, exercise

causal_mask_simple = exercise("causal_mask_simple")
mask_and_renormalize = exercise("mask_and_renormalize")
causal_mask = exercise("causal_mask")
apply_causal_mask = exercise("apply_causal_mask")
causal_attention_weights = exercise("causal_attention_weights")
dropout_weights = exercise("dropout_weights")
causal_attention = exercise("CausalAttention")

INF = float("inf")
# Three tokens of two features.
X = torch.tensor([[[2.0, 0.0], [0.0, 4.0], [4.0, 2.0]]])
# The scores of one head of the notes' example, whose keys have two features.
SCORES = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 8.0], [4.0, 8.0, 8.0]])


@causal_mask_simple.check("document", ko="토큰 여섯 개에서 노트에 찍힌 마스크가 나옵니다.")
def test_ones_for_six_tokens(student):
    """Six tokens give the mask of ones and zeros that the note prints."""
    wanted = """
        1. 0. 0. 0. 0. 0.
        1. 1. 0. 0. 0. 0.
        1. 1. 1. 0. 0. 0.
        1. 1. 1. 1. 0. 0.
        1. 1. 1. 1. 1. 0.
        1. 1. 1. 1. 1. 1.
    """
    checks.matches_figure(student.causal_mask_simple(6), wanted)


@causal_mask_simple.check(
    "dtype", needs=("test_ones_for_six_tokens",), ko="마스크는 bool이나 정수가 아니라 float32입니다."
)
def test_ones_are_float32(student):
    """The mask is float32, neither bool nor whole numbers."""
    checks.has_dtype(student.causal_mask_simple(2), torch.float32)


@causal_mask.check("document", ko="토큰 세 개에서 노트에 찍힌 마스크가 나옵니다.")
def test_hidden_for_three_tokens(student):
    """Three tokens give the mask that the note prints: True where a position must be hidden."""
    wanted = torch.tensor([[False, True, True], [False, False, True], [False, False, False]])
    checks.close(student.causal_mask(3), wanted)


@causal_mask.check("dtype", needs=("test_hidden_for_three_tokens",), ko="마스크의 dtype은 bool입니다.")
def test_hidden_is_bool(student):
    """The mask is a bool tensor."""
    checks.has_dtype(student.causal_mask(2), torch.bool)


@apply_causal_mask.check("document", ko="노트의 점수에서 노트에 찍힌 가려진 점수가 나옵니다.")
def test_scores_of_three_tokens(student):
    """The note's scores of two heads give the masked scores that it prints."""
    wanted = torch.tensor([[2.0, -INF, -INF], [4.0, 8.0, -INF], [4.0, 8.0, 8.0]])
    checks.close(student.apply_causal_mask(torch.stack([SCORES, SCORES])), torch.stack([wanted, wanted]))


@causal_attention_weights.check("document", ko="노트의 점수에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_three_tokens(student):
    """The note's scores of keys with two features give the causal weights that it prints."""
    wanted = """
        1.0000 0.0000 0.0000
        0.0558 0.9442 0.0000
        0.0287 0.4856 0.4856
    """
    checks.matches_figure(student.causal_attention_weights(SCORES, 2), wanted)


@dropout_weights.check(
    "document",
    ko="노트에 찍힌 0과 2의 마스크를 1에 쓰면 그 마스크가 그대로 나옵니다.",
)
def test_mask_as_the_note_prints_it(student):
    """With p = 0.5 and a mask of 0 and 2, as the note prints it, ones become that mask."""
    drawn = torch.tensor([[2.0, 2.0, 2.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    checks.close(student.dropout_weights(torch.ones(3, 3), drawn, 0.5), drawn)


@causal_attention.check("errors", ko="context_length보다 긴 문장이 들어오면 ValueError입니다.")
def test_three_tokens_for_two(student):
    """Three tokens are too many for a context length of two: ValueError."""
    checks.raises(student.CausalAttention.built(2, 2, 2, 0.0), "ValueError", X)
