"""Says what those texts of torch mean that mistakes meet most often; of a hidden check a student reads none of them."""

import re

from grader.language import N_
from grader.results.verdict import Diagnosis
from grader.words import Words

MEANINGS = {
    "input_changed": (
        re.compile(
            r"leaf Variable that requires grad is being used in an in-place operation"
            r"|element of the written-to tensor refers to a single memory location"
        ),
        N_(
            "What the caller passed in is changed: +=, /=, writing to x[...] and methods whose name ends in _ work in "
            "place. Work on a new tensor."
        ),
    ),
    "left_on_the_cpu": (
        re.compile(r"tensors to be on the same device|indices should be either on cpu|The result is on the CPU, and"),
        N_(
            "A tensor is on the CPU while its input is on another device, such as a GPU. Make it with device=x.device "
            "or torch.ones_like(x). In a module a table is a buffer, and what is learned an nn.Parameter."
        ),
    ),
    "axis_that_is_missing": (
        re.compile(r"Dimension out of range"),
        N_(
            "An axis is asked for that the tensor does not have here. There may be leading dimensions or none: count "
            "axes from the end, as in transpose(-2, -1) or dim=-1, and give squeeze() the axis that it takes out."
        ),
    ),
    "product_of_other_sizes": (
        re.compile(r"shapes cannot be multiplied|of batch2 tensor to be|^size mismatch, got input"),
        N_(
            "The two sides of a product do not fit: in A @ B the columns of A are as many as the rows of B. x.T turns "
            "all axes round, x.mT the last two. A token is a row of x, so a matrix (d_in, d_out) is on its right, "
            "x @ W; the weight of an nn.Linear is (d_out, d_in)."
        ),
    ),
    "sizes_do_not_join": (
        re.compile(r"Sizes of tensors must match except in dimension|stack expects each tensor to be equal size"),
        N_(
            "torch.cat and torch.stack repeat nothing: all sizes have to be equal, except along the axis on which "
            "torch.cat joins. Use expand() on the smaller tensor first."
        ),
    ),
    "size_that_is_no_whole_number": (
        re.compile(
            r"must be (?:tuple of ints|int),\s?(?:but got|not) float|'float' object cannot be interpreted as an integer"
        ),
        N_("A size has to be a whole number: divide sizes by //, since / gives 2.0 where // gives 2."),
    ),
    "sizes_do_not_broadcast": (
        re.compile(r"The size of tensor a .* must match|The expanded size of the tensor|not broadcastable"),
        N_(
            "Two tensors meet whose axes do not fit: from the right, sizes must be equal, or one of them 1. Print both "
            "shapes."
        ),
    ),
}
"""By a name for each: how torch says it, and what is told a student."""


def meaning_of(text: str) -> Diagnosis | None:
    """Return what an exception's text means, where torch wrote it and it is a common one."""
    for name, (words, hint) in MEANINGS.items():
        if words.search(text):
            return Diagnosis.of([name], Words(hint), "report")
    return None
