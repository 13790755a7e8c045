"""Names faults that the words of a failed check say by themselves, whatever the exercise: they need no list.

The values are right, and only the dtype is another one, the gradient does not arrive, an argument was changed, a loop
runs over the tokens or a library does the work. A student reads nothing of a hidden check's words, so the hint says it.
"""

import re
from collections.abc import Sequence

from .device_faults import DEVICE_FAULTS
from .plain_fault import PlainFault

CUT_OFF_FAULT = PlainFault(
    "cut_off_result",
    re.compile(r"No gradient (?:reaches|can flow)"),
    "The result is cut off from an input: .detach(), .data, .item(), .tolist(), .numpy() and torch.no_grad() do that, "
    "and so does a new tensor that is made of numbers.",
    "결과가 입력에서 끊겼습니다. .detach(), .data, .item(), .tolist(), .numpy(), torch.no_grad()가 그렇게 만들고, "
    "숫자로 새로 만든 텐서도 그렇습니다.",
    category="gradient",
    decisive=False,
)
NO_GRADIENT_FAULT = PlainFault(
    "parameter_without_gradient",
    re.compile(r"No gradient reaches the parameters? "),
    "A parameter gets no gradient: it is frozen (requires_grad=False), is not an nn.Parameter, or is used through "
    ".detach(), .data or torch.no_grad().",
    "그래디언트를 받지 못하는 매개변수가 있습니다. 고정했거나(requires_grad=False) nn.Parameter가 아니거나 .detach(), "
    ".data, torch.no_grad()를 거쳐 쓰였습니다.",
    category="gradient",
    decisive=False,
)
FAULTS = (
    NO_GRADIENT_FAULT,
    CUT_OFF_FAULT,
    PlainFault(
        "gradient_in_part",
        re.compile(r"entries differ"),
        "The values are right, but a part of the way is missing for the gradient: something on it was detached, made "
        "into plain numbers or rounded.",
        "값은 맞지만 그래디언트가 지나야 할 길의 일부가 없습니다. 중간에 detach하거나 숫자로 바꾸거나 반올림한 것이 "
        "있는지 확인하세요.",
        category="gradient",
        decisive=False,
    ),
    PlainFault(
        "dtype_not_kept",
        re.compile(r"^The result is \w+, but \w+ is asked for"),
        "The result has a dtype of its own. Leave out .float(), .double() and .half(), or turn the result back, and "
        "give tensors that you make the dtype of the input.",
        "결과의 dtype이 요구한 것과 다릅니다. .float(), .double(), .half()를 빼거나 결과를 되돌리고, 새로 만드는 "
        "텐서에 입력의 dtype을 주세요.",
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
        "호출한 쪽이 건넨 것이 바뀝니다. +=, /=, x[...]에 쓰기, 이름이 _로 끝나는 메서드는 제자리에서 바꿉니다. 새 "
        "텐서로 계산하세요.",
        decisive=False,
    ),
    PlainFault(
        "loop_over_tokens",
        re.compile(r"a Python loop runs over them"),
        "A Python loop runs over the tokens. One operation on the whole tensor does the same at once.",
        "토큰을 파이썬 반복문으로 돌고 있습니다. 텐서 전체에 대한 연산 하나로 한꺼번에 계산하세요.",
        decisive=False,
    ),
    PlainFault(
        "not_contiguous",
        re.compile(r"^The result is not contiguous in memory"),
        "The numbers are right, but not stored one after the other in memory; think of contiguous() or reshape.",
        "값은 맞지만 메모리에 차례로 놓여 있지 않습니다. contiguous()나 reshape을 생각해 보세요.",
        decisive=False,
    ),
    PlainFault(
        "dtypes_mixed",
        re.compile(r"same dtype|expected scalar type|dtypes? .* do(?:es)? not match"),
        "Tensors of two dtypes meet. Leave out .float() and .double(), and give tensors that you make the dtype of the "
        "input.",
        "dtype이 다른 텐서가 만납니다. .float()이나 .double()을 빼고, 새로 만드는 텐서에 입력의 dtype을 주세요.",
        decisive=False,
    ),
    *DEVICE_FAULTS,
    PlainFault(
        "axis_that_is_missing",
        re.compile(r"Dimension out of range"),
        "An axis is asked for that the tensor does not have. transpose(1, 2) wants three axes, and without a batch "
        "there are two: count from the end, transpose(-2, -1), which is right for both.",
        "텐서에 없는 축을 썼습니다. transpose(1, 2)에는 축이 셋 필요한데 배치가 없으면 둘뿐입니다. "
        "transpose(-2, -1)처럼 뒤에서부터 세면 어느 경우든 맞습니다.",
    ),
    PlainFault(
        "product_of_other_sizes",
        re.compile(r"shapes cannot be multiplied|of batch2 tensor to be|^size mismatch, got input"),
        "The two sides of a product do not fit: in A @ B the columns of A are as many as the rows of B. A token is a "
        "row of x, so a matrix (d_in, d_out) is on its right, x @ W; the weight of an nn.Linear is (d_out, d_in).",
        "곱의 양쪽 크기가 맞지 않습니다. A @ B에서는 A의 열과 B의 행의 수가 같아야 합니다. 토큰은 x의 행이므로 "
        "(d_in, d_out) 행렬은 오른쪽에 놓아 x @ W로 씁니다. nn.Linear의 weight는 (d_out, d_in)입니다.",
    ),
    PlainFault(
        "cat_of_other_sizes",
        re.compile(r"Sizes of tensors must match except|Tensors must have same number of dimensions"),
        "Tensors that are laid side by side must agree in every other axis, and have as many axes. Print both shapes: "
        "which axis is the batch, which the tokens, and is one missing or in another place?",
        "나란히 잇는 텐서는 잇는 축을 뺀 모든 축의 크기와 축의 수가 같아야 합니다. 두 모양을 출력해서 어느 축이 "
        "배치이고 토큰인지, 빠지거나 자리가 다른 축이 있는지 보세요.",
    ),
    PlainFault(
        "recurrent_state_of_another_shape",
        re.compile(r"Expected hidden (?:size|\[0\] size)|hx should also be \d-D|Expected hidden to be \d-D"),
        "The state that the recurrent layer starts from does not fit its input. The state is (layers, B, h), and only "
        "with batch_first=True does the input begin with the batch.",
        "순환 층이 시작하는 상태가 입력과 맞지 않습니다. 상태는 (층, B, h)이고, batch_first=True일 때만 입력의 첫 축이 "
        "배치입니다.",
    ),
    PlainFault(
        "recurrent_input_of_another_size",
        re.compile(r"input\.size\(-1\) must be equal to input_size"),
        "A recurrent layer is given another number of features than it was made for: compare what it reads with its "
        "first argument.",
        "순환 층에 들어온 특징의 수가 만들 때와 다릅니다. 읽는 것과 첫 인자를 비교하세요.",
    ),
    PlainFault(
        "sizes_do_not_broadcast",
        re.compile(r"The size of tensor a .* must match|The expanded size of the tensor|not broadcastable"),
        "Two tensors meet whose axes do not fit: from the right, sizes must be equal, or one of them 1. Print both "
        "shapes.",
        "축이 맞지 않는 두 텐서가 만납니다. 오른쪽부터 크기가 같거나 하나가 1이어야 합니다. 두 모양을 출력해 보세요.",
    ),
    PlainFault(
        "view_of_another_layout",
        re.compile(r"view size is not compatible"),
        "`view` cannot take a tensor whose axes have been moved; `reshape` can.",
        "축을 옮긴 텐서에는 `view`를 쓸 수 없습니다. `reshape`은 됩니다.",
    ),
    PlainFault(
        "other_exception",
        re.compile(r"(?:Error|Exception) is asked for, but "),
        "The text names the exception that is asked for and when; raise exactly that one.",
        "어떤 경우에 어떤 예외가 나야 하는지 문제에 적혀 있습니다. 바로 그 예외를 내세요.",
        decisive=False,
    ),
    PlainFault(
        "other_signature",
        re.compile(r"got an unexpected keyword argument|takes \d+ positional argument|required positional argument"),
        "The arguments differ from those of the stub: keep their names, their order and their defaults.",
        "인자가 주어진 틀과 다릅니다. 이름과 순서와 기본값을 그대로 두세요.",
    ),
    PlainFault(
        "other_parameters",
        re.compile(r"has no parameter or buffer named|^The parameter \S+ of \S+ has the shape"),
        "The module's parameters have other names or shapes than the text asks for, so none can be loaded.",
        "모듈의 매개변수 이름이나 모양이 문제와 달라서 값을 넣을 수 없습니다.",
    ),
    PlainFault(
        "misspelt_method",
        re.compile(r"^\S+ has no method `"),
        "The class lacks a method that nn.Module calls by its name, `__init__` or `forward`. Look at its spelling and "
        "its indentation.",
        "nn.Module이 이름으로 부르는 메서드(`__init__` 또는 `forward`)가 클래스에 없습니다. 철자와 "
        "들여쓰기를 확인하세요.",
    ),
    PlainFault(
        "more_parameters",
        re.compile(r"has parameters that are not asked for"),
        "The module has parameters that the text does not name, such as a bias or a layer more.",
        "모듈에 문제에 없는 매개변수가 있습니다. 편향이나 층이 더 있는지 확인하세요.",
    ),
    PlainFault(
        "no_module",
        re.compile(r"(?:is not|does not give) an nn\.Module"),
        "The class is not an nn.Module: derive it from nn.Module.",
        "클래스가 nn.Module이 아닙니다. nn.Module을 상속하세요.",
    ),
    PlainFault(
        "super_init_missing",
        re.compile(r"before Module\.__init__\(\) call"),
        "`super().__init__()` has to be the first line of `__init__`.",
        "`__init__`의 첫 줄에 `super().__init__()`이 있어야 합니다.",
    ),
    PlainFault(
        "no_tensor",
        re.compile(r"^A torch.Tensor is asked for|^The result is a sparse tensor"),
        "The result is not an ordinary torch.Tensor. Return a tensor: not None, a list, a number or a NumPy array.",
        "결과가 보통의 torch.Tensor가 아닙니다. None, 리스트, 숫자, NumPy 배열이 아니라 텐서를 반환하세요.",
    ),
    PlainFault(
        "no_tuple",
        re.compile(r"^A tuple of \d+ tensors is asked for"),
        "The result has another form than the text asks for: return exactly the tensors that it names, with commas "
        "between them.",
        "결과의 형태가 다릅니다. 문제에 적힌 텐서들을 꼭 그만큼 쉼표로 이어 반환하세요.",
    ),
    PlainFault(
        "axes_swapped",
        re.compile(r"^The result has the shape \((\d+), (\d+)(.*)\), but \((?!\1,)\2, \1\3\) is asked for"),
        "The first two axes of the result are swapped.",
        "결과의 첫 두 축이 서로 바뀌었습니다.",
    ),
    PlainFault(
        "library_call",
        re.compile(r"this exercise asks you to write"),
        "A call of the library does what this exercise asks you to write yourself; its text lists what is not allowed.",
        "직접 써야 할 것을 라이브러리 호출이 대신합니다. 문제에 적힌 허용되지 않는 호출을 확인하세요.",
        category="policy",
        decisive=False,
    ),
    PlainFault(
        "another_shape",
        re.compile(r"^The result has the shape .* is asked for"),
        "The result has another shape than the text asks for. Print the shape after every line, and say of each axis "
        "what it counts.",
        "결과의 모양이 문제와 다릅니다. 줄마다 모양을 출력하고 축마다 무엇을 세는지 말해 보세요.",
    ),
)


def plain_faults(failing: Sequence[tuple[str, str, str, str]]) -> dict[str, PlainFault]:
    """Return the fault behind each check, where every one that did not pass says its own, or one says enough.

    Args:
        failing: The id, the category, the status and the text of each check that did not pass.
    """
    found: dict[str, PlainFault] = {}
    whole = all(status in ("failed", "forbidden", "error") for _, _, status, _ in failing)
    for id, category, _, text in failing:
        fault = next((each for each in FAULTS if each.category in ("", category) and each.words.search(text)), None)
        if fault is None:
            whole = False
        else:
            found[id] = fault
    return found if whole else {id: fault for id, fault in found.items() if fault.decisive}
