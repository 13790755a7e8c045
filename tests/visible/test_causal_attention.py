"""The checks that you can see and run while you work on causal attention.

The numbers are those of the notes, or small enough to work out by hand. More checks, with other numbers and sizes,
grade your work later; each of them says in a sentence what it asks.
"""

import math

import torch

from grader.suite import checks, exercise
from grader.suite.core.figures import printed
from grader.workers.calls.student import ModuleHandle

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
# The six tokens of the notes' sentence.
TOKENS = ("Your", "journey", "starts", "with", "one", "step")
# The scores of one head of the notes' example, whose keys have two features.
SCORES = torch.tensor([[2.0, 4.0, 4.0], [4.0, 8.0, 8.0], [4.0, 8.0, 8.0]])


def averaging(student, *options):
    """Return a module for two features in which every token attends evenly to all that it sees, and values are x."""
    made = student.CausalAttention(2, 2, *options)
    checks.is_true(
        isinstance(made, ModuleHandle),
        "Calling the class does not give an nn.Module; derive the class from nn.Module.",
        "클래스를 불러도 nn.Module이 나오지 않습니다. nn.Module을 상속하세요.",
    )
    made.load({"W_query.weight": torch.zeros(2, 2), "W_key.weight": torch.eye(2), "W_value.weight": torch.eye(2)})
    return made


@causal_mask_simple.check("document", ko="토큰 여섯 개에서 노트에 찍힌 마스크가 나옵니다.")
def test_ones_for_six_tokens(student):
    """Six tokens give the mask of ones and zeros that the note prints."""
    wanted = printed("""
        1. 0. 0. 0. 0. 0.
        1. 1. 0. 0. 0. 0.
        1. 1. 1. 0. 0. 0.
        1. 1. 1. 1. 0. 0.
        1. 1. 1. 1. 1. 0.
        1. 1. 1. 1. 1. 1.
    """)
    checks.matches_figure(student.causal_mask_simple(6), wanted, rows=TOKENS, columns=TOKENS)


@causal_mask_simple.check(
    "dtype", needs=("test_ones_for_six_tokens",), ko="마스크는 bool이나 정수가 아니라 float32입니다."
)
def test_ones_are_float32(student):
    """The mask is float32, neither bool nor whole numbers."""
    checks.has_dtype(student.causal_mask_simple(2), torch.float32)


@mask_and_renormalize.check("value", ko="세 토큰의 가중치에서 미래를 지우고 행의 합을 다시 1로 만듭니다.")
def test_three_rows_shared_anew(student):
    """Of three rows of weights the future is struck out, and each row sums to 1 again."""
    weights = torch.tensor([[0.5, 0.25, 0.25], [0.125, 0.375, 0.5], [0.2, 0.2, 0.6]])
    wanted = torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.2, 0.2, 0.6]])
    checks.close(student.mask_and_renormalize(weights), wanted)


@mask_and_renormalize.check("value", ko="배치가 있으면 항목마다 똑같이 계산합니다.")
def test_two_items_shared_anew(student):
    """In a batch every item is treated in the same way."""
    weights = torch.tensor([[[0.5, 0.5], [0.5, 0.5]], [[0.25, 0.75], [0.75, 0.25]]])
    wanted = torch.tensor([[[1.0, 0.0], [0.5, 0.5]], [[1.0, 0.0], [0.75, 0.25]]])
    checks.close(student.mask_and_renormalize(weights), wanted)


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


@apply_causal_mask.check("purity", needs=("test_scores_of_three_tokens",), ko="호출한 뒤에도 입력 점수는 그대로입니다.")
def test_scores_stay(student):
    """The scores that were given are the same after the call."""
    checks.input_unchanged(student, "apply_causal_mask", SCORES)


@apply_causal_mask.check(
    "device",
    needs=("test_scores_of_three_tokens",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값이 같습니다.",
)
def test_apply_causal_mask_on_another_device(student):
    """On another device than the CPU, such as a GPU, the result is there, with the same values."""
    checks.on_another_device(student, "apply_causal_mask", SCORES, gradients=False)


@causal_attention_weights.check("document", ko="노트의 점수에서 노트에 찍힌 인과 가중치가 나옵니다.")
def test_weights_of_three_tokens(student):
    """The note's scores of keys with two features give the causal weights that it prints."""
    wanted = printed("""
        1.0000 0.0000 0.0000
        0.0558 0.9442 0.0000
        0.0287 0.4856 0.4856
    """)
    checks.matches_figure(student.causal_attention_weights(SCORES, 2), wanted, checks.Scaling(2, scores=SCORES))


@causal_attention_weights.check(
    "value",
    needs=("test_weights_of_three_tokens",),
    ko="점수가 모두 0이면 보이는 토큰이 똑같이 나누어 가집니다.",
)
def test_even_scores(student):
    """Where all scores are 0, the tokens that are visible share evenly."""
    wanted = torch.tensor([[1.0, 0.0, 0.0], [1 / 2, 1 / 2, 0.0], [1 / 3, 1 / 3, 1 / 3]])
    checks.close(student.causal_attention_weights(torch.zeros(3, 3), 5), wanted)


@dropout_weights.check("value", ko="p가 0.2이면 남긴 가중치는 1.25배가 됩니다.")
def test_one_in_five_dropped(student):
    """With p = 0.2 the kept weights become 1.25 times as large."""
    weights = torch.tensor([[1.0, 0.0], [0.4, 0.6]])
    keep = torch.tensor([[True, True], [False, True]])
    checks.close(student.dropout_weights(weights, keep, 0.2), torch.tensor([[1.25, 0.0], [0.0, 0.75]]))


@dropout_weights.check(
    "document",
    needs=("test_one_in_five_dropped",),
    ko="노트에 찍힌 0과 2의 마스크를 1에 쓰면 그 마스크가 그대로 나옵니다.",
)
def test_mask_as_the_note_prints_it(student):
    """With p = 0.5 and a mask of 0 and 2, as the note prints it, ones become that mask."""
    drawn = torch.tensor([[2.0, 2.0, 2.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    checks.close(student.dropout_weights(torch.ones(3, 3), drawn, 0.5), drawn)


@causal_attention.check("value", ko="둘째 토큰의 가중치가 1/4과 3/4이 되는 예에서 출력이 맞습니다.")
def test_a_quarter_and_three(student):
    """Where the second token gives 1/4 of its weight to the first and 3/4 to itself, the output shows it."""
    module = averaging(student, 2, 0.0)
    scores = torch.tensor([[0.0, 0.0], [0.0, 2**0.5 * math.log(3)]])  # of query i, in column i, with keys 0 and 1
    module.load({"W_query.weight": scores})
    checks.close(module(torch.eye(2).unsqueeze(0)), torch.tensor([[[1.0, 0.0], [0.25, 0.75]]]))


@causal_attention.check(
    "value",
    needs=("test_a_quarter_and_three",),
    ko="모든 점수가 0이면 출력은 지금까지 나온 토큰의 평균입니다.",
)
def test_running_mean(student):
    """With all scores zero, every token gets the mean of itself and the tokens before it."""
    wanted = torch.tensor([[[2.0, 0.0], [1.0, 2.0], [2.0, 2.0]]])
    checks.close(averaging(student, 3, 0.0)(X), wanted)


@causal_attention.check(
    "value",
    needs=("test_a_quarter_and_three",),
    ko="context_length보다 짧은 문장도 되고, eval에서는 드롭아웃이 꺼집니다.",
)
def test_short_sentence_in_eval(student):
    """A sentence shorter than the context length works too, and in eval nothing is dropped."""
    module = averaging(student, 10, 0.5)
    module.eval()
    checks.close(module(X[:, :2]), torch.tensor([[[2.0, 0.0], [1.0, 2.0]]]))


@causal_attention.check(
    "errors", needs=("test_running_mean",), ko="context_length보다 긴 문장이 들어오면 ValueError입니다."
)
def test_three_tokens_for_two(student):
    """Three tokens are too many for a context length of two: ValueError."""
    raised = averaging(student, 2, 0.0).error(X)
    kind = raised.type_name if raised else "nothing"
    checks.is_true(
        raised is not None and "ValueError" in (kind, *raised.bases),
        f"ValueError is asked for, but {kind} was raised.",
        "ValueError 예외가 나야 하는데 나지 않았습니다.",
        code=f"raised {kind}",
    )
