"""Names faults that the words of a failed check say by themselves, whatever the exercise: they need no list.

The values are right, and only the dtype is another one, the gradient does not arrive, an argument was changed
or a library does the work. A student reads nothing of a hidden check's words, so the hint says it.
"""

import re
from collections.abc import Sequence

from .device_faults import DEVICE_FAULTS
from .plain_fault import PlainFault

OWN = "EXERCISE"
"""What stands for the exercise's name where it is called."""
CUT_OFF_FAULT = PlainFault(
    "cut_off_result",
    re.compile(r"No gradient (?:reaches|can flow)"),
    "The result is cut off from an input: .detach(), .data, .item(), .tolist(), .numpy() and torch.no_grad() do "
    "that, and so does a new tensor that is made of numbers.",
    category="gradient",
    decisive=False,
)
NO_GRADIENT_FAULT = PlainFault(
    "parameter_without_gradient",
    re.compile(r"No gradient reaches the parameters? "),
    "A parameter gets no gradient: it is frozen (requires_grad=False), is not an nn.Parameter, or is used through "
    ".detach(), .data or torch.no_grad().",
    category="gradient",
    decisive=False,
)
FAULTS = (
    NO_GRADIENT_FAULT,
    CUT_OFF_FAULT,
    PlainFault(
        "gradient_in_part",
        re.compile(r"entries differ"),
        "The values are right, but a part of the way is missing for the gradient: something on it was detached, "
        "made into plain numbers or rounded.",
        category="gradient",
        decisive=False,
    ),
    PlainFault(
        "dtype_not_kept",
        re.compile(r"^The result is \w+, but \w+ is asked for"),
        "The result has a dtype of its own. Leave out .float(), .double() and .half(), or turn the result back, "
        "and give tensors that you make the dtype of the input.",
        category="dtype",
        decisive=False,
    ),
    PlainFault(
        "input_changed",
        re.compile(
            r"changed by the call|leaf Variable that requires grad is being used in an in-place operation"
            r"|element of the written-to tensor refers to a single memory location"
        ),
        "What the caller passed in is changed: +=, /=, writing to x[...] and methods whose name ends in _ work in "
        "place. Work on a new tensor.",
        decisive=False,
    ),
    PlainFault(
        "dtypes_mixed",
        re.compile(r"same dtype|expected scalar type|dtypes? .* do(?:es)? not match"),
        "Tensors of two dtypes meet. Leave out .float() and .double(), and give tensors that you make the dtype of "
        "the input.",
        decisive=False,
    ),
    *DEVICE_FAULTS,
    PlainFault(
        "axis_that_is_missing",
        re.compile(r"Dimension out of range"),
        "An axis is asked for that the tensor does not have. transpose(1, 2) wants three axes, and without a batch "
        "there are two: count from the end, transpose(-2, -1), which is right for both.",
    ),
    PlainFault(
        "product_of_other_sizes",
        re.compile(r"shapes cannot be multiplied|of batch2 tensor to be|^size mismatch, got input"),
        "The two sides of a product do not fit: in A @ B the columns of A are as many as the rows of B. A token is "
        "a row of x, so a matrix (d_in, d_out) is on its right, x @ W; the weight of an nn.Linear is (d_out, d_in).",
    ),
    PlainFault(
        "cat_of_other_sizes",
        re.compile(r"Sizes of tensors must match except|Tensors must have same number of dimensions"),
        "Tensors that are laid side by side must agree in every other axis, and have as many axes. Print both "
        "shapes: which axis is the batch, which the tokens, and is one missing or in another place?",
    ),
    PlainFault(
        "recurrent_state_of_another_shape",
        re.compile(r"Expected hidden (?:size|\[0\] size)|hx should also be \d-D|Expected hidden to be \d-D"),
        "The state that the recurrent layer starts from does not fit its input. The state is (layers, B, h), and "
        "only with batch_first=True does the input begin with the batch.",
    ),
    PlainFault(
        "recurrent_input_of_another_size",
        re.compile(r"input\.size\(-1\) must be equal to input_size"),
        "A recurrent layer is given another number of features than it was made for: compare what it reads with "
        "its first argument.",
    ),
    PlainFault(
        "sizes_do_not_broadcast",
        re.compile(r"The size of tensor a .* must match|The expanded size of the tensor|not broadcastable"),
        "Two tensors meet whose axes do not fit: from the right, sizes must be equal, or one of them 1. Print both "
        "shapes.",
    ),
    PlainFault(
        "view_of_another_layout",
        re.compile(r"view size is not compatible"),
        "`view` cannot take a tensor whose axes have been moved; `reshape` can.",
    ),
    PlainFault(
        "other_exception",
        re.compile(r"(?:Error|Exception) is asked for, but "),
        "The text names the exception that is asked for and when; raise exactly that one.",
        decisive=False,
    ),
    PlainFault(
        "other_signature",
        re.compile(
            rf"\b(?:{OWN}|forward|__init__)\(\) (?:got an unexpected|takes \d+ positional|missing \d+ required)"
        ),
        "The arguments differ from those of the stub: keep their names, their order and their defaults.",
    ),
    PlainFault(
        "other_parameters",
        re.compile(r"has no parameter or buffer named|^The parameter \S+ of \S+ has the shape"),
        "The module's parameters have other names or shapes than the text asks for, so none can be loaded.",
    ),
    PlainFault(
        "misspelt_method",
        re.compile(r"^\S+ has no method `"),
        "The class lacks a method that nn.Module calls by its name, `__init__` or `forward`. Look at its spelling "
        "and its indentation.",
    ),
    PlainFault(
        "more_parameters",
        re.compile(r"has parameters that are not asked for"),
        "The module has parameters that the text does not name, such as a bias or a layer more.",
    ),
    PlainFault(
        "no_module",
        re.compile(r"(?:is not|does not give) an nn\.Module"),
        "The class is not an nn.Module: derive it from nn.Module.",
    ),
    PlainFault(
        "super_init_missing",
        re.compile(r"before Module\.__init__\(\) call"),
        "`super().__init__()` has to be the first line of `__init__`.",
    ),
    PlainFault(
        "no_tensor",
        re.compile(r"^A torch.Tensor is asked for|^The result is a sparse tensor"),
        "The result is not an ordinary torch.Tensor. Return a tensor: not None, a list, a number or a NumPy array.",
    ),
    PlainFault(
        "no_tuple",
        re.compile(r"^A tuple of \d+ tensors is asked for"),
        "The result has another form than the text asks for: return exactly the tensors that it names, with commas "
        "between them.",
    ),
    PlainFault(
        "axes_swapped",
        re.compile(r"^The result has the shape \((\d+), (\d+)(.*)\), but \((?!\1,)\2, \1\3\) is asked for"),
        "The first two axes of the result are swapped.",
    ),
    PlainFault(
        "library_call",
        re.compile(r"this exercise asks you to write"),
        "A call of the library does what this exercise asks you to write yourself; its text lists what is not allowed.",
        category="policy",
        decisive=False,
    ),
    PlainFault(
        "another_shape",
        re.compile(r"^The result has the shape .* is asked for"),
        "The result has another shape than the text asks for. Print the shape after every line, and say of each "
        "axis what it counts.",
    ),
)


def plain_faults(failing: Sequence[tuple[str, str, str, str]]) -> dict[str, PlainFault]:
    """Return the fault behind each check, where every one that did not pass says its own, or one says enough.

    Args:
        failing: The id, the category, the status and the text of each check that did not pass.
    """
    faults: dict[str, PlainFault] = {}
    whole = all(status in ("failed", "forbidden", "error") for _, _, status, _ in failing)
    for id, category, _, text in failing:
        text = re.sub(rf"\b{re.escape(id.partition('.')[0])}\(\)", f"{OWN}()", text)
        fault = next((fault for fault in FAULTS if fault.category in ("", category) and fault.words.search(text)), None)
        if fault is None:
            whole = False
        else:
            faults[id] = fault
    return faults if whole else {id: fault for id, fault in faults.items() if fault.decisive}
