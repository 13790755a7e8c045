"""Hidden checks of `TransformerBlock`, whose parts may be named and laid out as the student likes.

Values are compared with parameters that are found by their shape and by what they do
(block_checks.py). What that leaves open is asked for by properties that hold whatever the
parameters are (block_properties.py): every head has weights of its own, all entries are learned, a constant added
to a token is not seen, no later token is. 15 = 3 * 5 and 14 = 2 * 7 let the root of head_dim be told from every other
divisor; d_ff is such that no other shape equals one of its own.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core import compare
from grader.suite.core.context import device
from grader.suite.library.modules.free_names import built, filled, is_vector, shapes_of, tokens_weigh_each_other
from grader.suite.library.modules.module_checks import load
from grader.tolerances import tolerance

from . import block_dropout, block_properties
from .block_checks import block_twin
from .block_naming import named_by_parts

transformer_block = exercise("TransformerBlock")

NAME = "TransformerBlock"
SIZES = (15, 3, 22)  # d_model, num_heads, d_ff
D_FF = SIZES[2]
P = 0.2
# With the parameters that are loaded to compare values, all heads give the same.
HEADS = ("test_heads_have_weights_of_their_own", "test_maps_of_their_own")


def random_block(student, draw, **options):
    """Build a block with random parameters."""
    block = built(student, NAME, *SIZES, **options)
    block.load(filled(shapes_of(block), lambda shape: draw.normal(*shape) * 0.5))
    return block


def spread(draw, *sizes):
    """Draw tokens of features that lie far apart; where they are nearly equal, the norms' eps shows, which is free."""
    return draw.normal(*sizes) * 3


def explained(student, reference, draw, **options):
    """Let a failure be explained by what a block with other parameters answers."""
    return named_by_parts(student, reference, draw, NAME, *SIZES, **options)


@transformer_block.check("property", weight=1, ko="토큰들이 서로를 보고, 얼마나 볼지는 토큰들이 스스로 정합니다.")
def test_tokens_weigh_each_other(student, reference, draw):
    """Tokens see each other, and how much one takes of another is decided by the two."""
    with explained(student, reference, draw):
        tokens_weigh_each_other(random_block(student, draw), draw.normal(4, 4, 15), draw.normal(4, 4, 15), D_FF)


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_tokens_weigh_each_other",),
    ko="행렬이 모두 0이면 두 잔차 경로가 x를 그대로 넘기고 편향만 더해집니다.",
)
def test_residual_paths(student, reference, draw):
    """With all matrices zero, both residual paths pass every token on as it is, and only the biases are added."""
    with explained(student, reference, draw):
        block_properties.residual_paths_pass(built(student, NAME, *SIZES), draw.normal(2, 4, 15))


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_tokens_weigh_each_other",),
    ko="헤드마다 자기 가중치가 있습니다. 헤드들이 한 벌을 함께 쓰지 않습니다.",
)
def test_heads_have_weights_of_their_own(student, reference, draw):
    """With several heads, every head weighs the tokens by itself instead of sharing one set of weights."""
    with explained(student, reference, draw):
        block_properties.heads_weigh_for_themselves(random_block(student, draw), draw.normal(16, 2, 15), D_FF)


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_tokens_weigh_each_other",),
    ko="쿼리, 키, 값과 어텐션의 마지막 층에 저마다 자기 행렬이 있고 모두 쓰입니다.",
)
def test_maps_of_their_own(student, reference, draw):
    """Queries, keys, values and the attention's output each have a map of their own, and all four are used."""
    with explained(student, reference, draw):
        block_properties.maps_are_four(random_block(student, draw), draw.normal(4, 6, 15), D_FF)


@transformer_block.check(
    "value",
    weight=3,
    needs=HEADS,
    ko="인과 블록의 출력이 정의와 같습니다: pre-LN, 헤드, 스케일, 마스크, 피드포워드.",
)
def test_causal_block(student, reference, draw):
    """With parameters loaded, the output of a causal block, which is the default, is that of the definition."""
    for sizes, bend in ((SIZES, 1), ((16, 4, 9), 20)):  # features inside that lie far from 0 show what bends them
        handle, module = block_twin(student, reference, draw, NAME, *sizes)
        strong = {"norm2.weight": bend * module.get_parameter("norm2.weight").detach().float()}
        load(module, strong)
        handle.load(strong)
        with explained(student, reference, draw):
            for B, T in ((2, 5), (2, 5), (4, 3), (1, 40)):  # of many hidden tokens even small shares show
                checks.module_matches(handle, module, spread(draw, B, T, sizes[0]))


@transformer_block.check("value", weight=3, needs=HEADS, ko="causal=False이면 모든 토큰이 서로를 봅니다.")
def test_block_without_a_mask(student, reference, draw):
    """With causal=False, every token attends to all others, and the output is that of the definition."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES, causal=False)
    with explained(student, reference, draw, causal=False):
        for B, T in ((2, 4), (5, 3)):
            checks.module_matches(handle, module, spread(draw, B, T, 15))


@transformer_block.check(
    "value",
    weight=1,
    needs=("test_causal_block",),
    ko="causal=True를 직접 주어도, 크기가 같아도, 길어도, 항목이 많아도 맞습니다.",
)
def test_other_sizes(student, reference, draw):
    """A single token or item, many of either, equal sizes and a single head give what the definition asks for."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES, causal=True)
    for B, T in ((1, 1), (3, 1), (1, 4), (3, 3), (5, 5), (15, 15), (draw.large(), 3)):
        checks.module_matches(handle, module, spread(draw, B, T, 15))
    for sizes in ((16, 4, 9), (12, 1, 7)):
        handle, module = block_twin(student, reference, draw, NAME, *sizes)
        for B, T in ((4, 4), (1, 16)):
            checks.module_matches(handle, module, spread(draw, B, T, sizes[0]))
    # With one head a long sequence takes a tenth of the time.
    tokens = max(1024 + draw.large(), block_properties.beyond_buffers(handle.handle))
    checks.module_matches(handle, module, spread(draw, 1, tokens, 12))


@transformer_block.check(
    "property",
    weight=3,
    needs=("test_tokens_weigh_each_other",),
    ko="eval에서는 dropout이 꺼집니다. 학습한 뒤에도 그렇습니다.",
)
def test_eval_drops_nothing(student, draw):
    """In eval a block with dropout gives what one without dropout gives, also after it was in training."""
    for options in ({}, {"causal": False}):
        plain, block = (built(student, NAME, *SIZES, dropout=p, **options) for p in (0.0, P))
        values = filled(shapes_of(block), lambda shape: draw.normal(*shape) * 0.5)
        x = spread(draw, 2, 4, 15)
        for each in (plain, block):
            each.load(values)
            each(x)
            each.eval()
        once, again, wanted = (compare.require_real(each(x), (2, 4, 15)) for each in (block, block, plain))
        for answer in (once, again):
            compare.require_all_close(answer, wanted.double(), "module", "float32", device())


@transformer_block.check(
    "value",
    weight=5,
    needs=("test_causal_block",),
    ko="eval에서도 출력이 정의와 같고, 이전 호출의 토큰을 보지 않습니다.",
)
def test_values_in_eval(student, reference, draw):
    """In eval the output is that of the definition too, and no call sees another one's tokens."""
    for options in ({}, {"causal": False}):
        handle, module = block_twin(student, reference, draw, NAME, *SIZES, dropout=P, **options)
        x = spread(draw, 2, 4, 15)
        handle(x)
        handle.handle.eval()
        module.eval()
        for tokens in (4, 4, 2, 1):  # a single token last, which would see the keys of an earlier call
            checks.module_matches(handle, module, x[:, :tokens])


@transformer_block.check(
    "property",
    weight=2,
    needs=("test_causal_block", "test_values_in_eval"),
    ko="다른 인자로 만든 블록이 있어도 블록마다 자기 인자를 따릅니다.",
)
def test_blocks_side_by_side(student, reference, draw):
    """Two blocks that are made with other arguments each keep to their own, whichever is made or used last."""
    first = block_twin(student, reference, draw, NAME, *SIZES)
    second = block_twin(student, reference, draw, NAME, 16, 4, 9, dropout=0.5, causal=False)
    second[0].handle.eval()
    second[1].eval()
    for (handle, module), d_model in ((second, 16), (first, 15), (second, 16)):
        x = spread(draw, 2, 5, d_model)
        # No mistake is looked for by its answer: the block of a missing mask gives it too, and that is not the fault.
        compare.require_all_close(handle(x), module(x.double()), "module", "float32", device())


@transformer_block.check(
    "stability",
    weight=1,
    needs=("test_residual_paths",),
    ko="특징이 모두 같은 토큰(예: 0으로 채운 패딩)에서도 결과가 유한합니다.",
)
def test_equal_features_stay_finite(student):
    """A token whose features are all equal, such as padding with zeros, comes out finite (the norms' small eps)."""
    block_properties.equal_features_stay_finite(built(student, NAME, *SIZES))


@transformer_block.check(
    "property",
    weight=2,
    needs=("test_tokens_weigh_each_other",),
    ko="무작위 매개변수에서도 뒤의 토큰이 앞의 출력을 바꾸지 않습니다.",
)
def test_future_is_invisible(student, reference, draw):
    """With any parameters, a change of later tokens changes no earlier output, neither in training nor in eval."""
    block = random_block(student, draw)
    x = draw.normal(3, 5, 15)
    with explained(student, reference, draw):
        checks.future_is_invisible(block, x, draw)
        block.eval()
        checks.future_is_invisible(block, x, draw)


@transformer_block.check(
    "stability",
    weight=4,
    needs=("test_tokens_weigh_each_other",),
    ko="점수가 모두 아주 작거나 아주 커도 결과가 유한하고, 미래 토큰의 가중치는 0입니다.",
)
def test_future_is_invisible_for_large_scores(student, draw):
    """Where all scores of a row lie far above or far below zero, a later token still gets no weight."""
    for _ in range(2):
        block = built(student, NAME, *SIZES)
        block.load(
            {
                name: draw.uniform(*sizes) * 0.6 + 0.7 if is_vector(sizes) else draw.normal(*sizes) * 8
                for name, sizes in shapes_of(block).items()
            }
        )
        block.to(dtype=torch.float64)
        # The tokens of an item are nearly the same, and so are its scores, as far from 0 as they may lie.
        token = draw.normal(128, 1, 15, dtype=torch.float64)
        x, other = (token + 1e-3 * draw.normal(128, 3, 15, dtype=torch.float64) for _ in range(2))
        before = compare.require_real(block(x), (128, 3, 15))
        checks.stays_finite(before)
        for seen in (1, 2):
            after = compare.require_real(block(torch.cat([x[:, :seen], other[:, seen:]], dim=1)), (128, 3, 15))
            compare.require_all_close(after[:, :seen], before[:, :seen], "module", "float64", device())


@transformer_block.check(
    "stability", weight=10, needs=("test_causal_block",), ko="점수가 수백이어도 출력이 정의와 같습니다."
)
def test_large_scores(student, reference, draw):
    """With scores in the hundreds the output is that of the definition, with a mask and without."""
    for options in ({}, {"causal": False}):
        handle, module = block_twin(student, reference, draw, NAME, *SIZES, **options)
        strong = {"norm1.weight": 12 * module.get_parameter("norm1.weight").detach().float()}
        load(module, strong)
        handle.load(strong)
        checks.module_matches(handle, module, 30 * spread(draw, 3, 5, 15))


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_tokens_weigh_each_other",),
    ko="토큰의 모든 특징에 같은 수를 더해도 서브레이어는 알아보지 못합니다(pre-LN).",
)
def test_sublayers_see_normalised_tokens(student, reference, draw):
    """A number added to all features of a token is passed on, and neither sublayer sees it (pre-LN)."""
    block = random_block(student, draw)
    block.to(dtype=torch.float64)
    x, added = draw.normal(3, 4, 15, dtype=torch.float64), draw.normal(3, 4, 1, dtype=torch.float64) * 3
    with explained(student, reference, draw):
        plain, moved = (compare.require_real(block(given), (3, 4, 15)) for given in (x, x + added))
        compare.require_all_close(moved - added, plain, "module", "float64", device())


@transformer_block.check(
    "property",
    weight=4,
    needs=("test_tokens_weigh_each_other",),
    ko="학습 중에는 dropout이 있고, dropout=0이면 없습니다.",
)
def test_dropout_in_training(student, draw):
    """In training, numbers are dropped anew in every call and for every item; with dropout 0 nothing is dropped."""
    x = draw.normal(1, 8, 15).repeat(32, 1, 1)
    block_dropout.drops_anew(random_block(student, draw, dropout=0.5), x)
    still, x = random_block(student, draw), x[:2]
    checks.is_true(
        torch.equal(still(x), still(x)),
        "Two calls with dropout 0 differ.",
        "dropout이 0인데 두 번의 결과가 다릅니다.",
    )


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_dropout_in_training", "test_eval_drops_nothing"),
    ko="dropout이 있는 자리마다 항목, 토큰, 숫자별로 따로 뽑습니다.",
)
def test_every_item_has_draws_of_its_own(student, reference, draw):
    """Wherever the block drops, every number of every item is dropped for itself."""
    block_dropout.draws_are_apart(block_twin(student, reference, draw, NAME, *SIZES, dropout=0.5)[0], draw)


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_dropout_in_training", "test_eval_drops_nothing"),
    ko="정규화가 낸 값은 하위 층에 들어가기 전에 떨어지지 않습니다.",
)
def test_norms_are_not_dropped(student, reference, draw):
    """What the norms give is not dropped before it reaches attention and feed-forward network."""
    block_dropout.norms_keep_everything(block_twin(student, reference, draw, NAME, *SIZES, dropout=0.5)[0], draw)


@transformer_block.check(
    "property",
    weight=2,
    needs=("test_dropout_in_training", "test_eval_drops_nothing", "test_large_scores"),
    ko="소프트맥스 전의 점수는 떨어지지 않습니다.",
)
def test_scores_are_not_dropped(student, reference, draw):
    """No score is dropped before the softmax, whether weights are dropped after it or not."""
    block_dropout.scores_keep_everything(block_twin(student, reference, draw, NAME, *SIZES, dropout=0.5)[0])


@transformer_block.check(
    "property", weight=1, needs=("test_dropout_in_training",), ko="토큰이 하나뿐이어도 dropout이 있습니다."
)
def test_single_token_is_dropped_too(student, draw):
    """In training, dropout acts on a single token as well, which dropping scores before the softmax would not do."""
    answer = random_block(student, draw, dropout=P)(draw.normal(1, 1, 15).repeat(64, 1, 1))
    answer = compare.require_real(answer, (64, 1, 15))
    checks.is_true(
        not compare.is_close(answer, answer[:1].expand(answer.shape), tolerance("value", "float32", device())),
        "A single token comes out the same every time. Are the scores dropped instead of the weights?",
        "토큰이 하나이면 늘 같은 결과가 나옵니다. 가중치가 아니라 점수를 떨어뜨리나요?",
    )


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_dropout_in_training", "test_eval_drops_nothing", "test_every_item_has_draws_of_its_own"),
    ko="dropout이 있는 자리마다 정해진 확률로 떨어지고, 남은 값은 1 / (1 - dropout)배입니다.",
)
def test_asked_share_is_dropped(student, reference, draw):
    """Wherever the block drops, each number falls with the asked probability, and what stays grows accordingly."""
    block_dropout.the_asked_share_is_dropped(block_twin(student, reference, draw, NAME, 5, 1, 7, dropout=0.6)[0], 0.6)


@transformer_block.check(
    "property", weight=5, needs=("test_dropout_in_training",), ko="잔차 경로의 x에는 dropout이 없습니다."
)
def test_residual_path_is_never_dropped(student, draw):
    """Along the residual path nothing is dropped: with all parameters zero, x comes out as it went in."""
    block = built(student, NAME, *SIZES, dropout=P)
    block.load(filled(shapes_of(block), torch.zeros))
    x = draw.normal(2, 4, 15)
    checks.close(block(x), x)


@transformer_block.check(
    "parameters", weight=1, needs=("test_tokens_weigh_each_other",), ko="매개변수의 수가 정해진 층들의 것과 같습니다."
)
def test_number_of_parameters(student):
    """There are as many numbers to learn as the four maps, the feed-forward network and the two norms have."""
    for sizes in (SIZES, (14, 2, 9)):
        block_properties.has_so_many_numbers(built(student, NAME, *sizes), *sizes)


@transformer_block.check(
    "gradient", weight=14, needs=("test_causal_block",), ko="x와 찾아낸 매개변수로 올바른 그래디언트가 흐릅니다."
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the input, the norms and the feed-forward network, in training and in eval."""
    for causal in (True, False):
        handle, module = block_twin(student, reference, draw, NAME, *SIZES, causal=causal)
        for switch in (handle.handle.train, handle.handle.eval):
            switch()
            block_properties.part_gradients_match(handle, module, draw.normal(2, 5, 15))


@transformer_block.check(
    "gradient",
    weight=1,
    needs=("test_tokens_weigh_each_other",),
    ko="dropout이 있거나 마스크가 없어도 모든 매개변수가 그래디언트를 받고, 행렬은 원소마다 받습니다.",
)
def test_gradient_reaches_every_parameter(student, reference, draw):
    """A gradient reaches every parameter and every entry of the attention's matrices, also with dropout or no mask."""
    # That dropout 0.2 takes an entry's whole gradient by chance is as likely as that 24 draws all fall: 1e-17.
    for options in ({}, {"dropout": P}, {"causal": False}):
        with explained(student, reference, draw, causal=options.get("causal", True)):
            block_properties.every_parameter_learns(random_block(student, draw, **options), draw.normal(4, 6, 15), D_FF)


@transformer_block.check(
    "parameters", weight=1, needs=("test_tokens_weigh_each_other",), ko="state_dict로 옮기면 결과도 옮겨집니다."
)
def test_state_dict_round_trip(student, draw):
    """A second block, used before, gives the first one's output as soon as it has loaded its state_dict."""
    first, second = random_block(student, draw), random_block(student, draw)
    x = draw.normal(2, 4, 15)
    second(x)
    second.load_state_dict(first.state_dict())
    expected = compare.require_real(first(x), (2, 4, 15)).double()
    compare.require_all_close(second(x), expected, "module", "float32", device())


@transformer_block.check(
    "dtype", weight=1, needs=("test_tokens_weigh_each_other",), ko="결과의 dtype은 블록과 입력의 dtype과 같습니다."
)
def test_follows_the_dtype(student, draw):
    """The output has the dtype of the block and its input: float32, or after `.to` float64 or bfloat16."""
    block = random_block(student, draw)
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        block.to(dtype=dtype)
        checks.has_dtype(block(draw.normal(2, 4, 15, dtype=dtype)), dtype)


@transformer_block.check(
    "errors", weight=1, needs=("test_tokens_weigh_each_other",), ko="나누어떨어지지 않으면 만들 때 오류가 납니다."
)
def test_indivisible_features(student):
    """Features that cannot be shared equally among the heads raise ValueError or AssertionError when constructed."""
    for d_model, heads in ((10, 4), (7, 2)):
        checks.raises(student, NAME, ("ValueError", "AssertionError"), d_model, heads, 9)


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_causal_block",),
    ko="전치되었거나 잘라 낸 텐서처럼 메모리에서 연속적이지 않아도 결과가 같습니다.",
)
def test_any_layout(student, reference, draw):
    """Tensors that do not lie in order in memory, such as transposed or sliced ones, give the same."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES)
    checks.module_any_layout(handle, module, spread(draw, 2, 4, 15))


@transformer_block.check(
    "property",
    weight=1,
    needs=("test_causal_block",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES)
    checks.module_computed_anew(handle, module, draw.normal(2, 4, 15), before=(draw.normal(2, 4, 15),))


@transformer_block.check(
    "purity", weight=15, needs=("test_tokens_weigh_each_other",), ko="호출한 뒤에도 x는 그대로입니다."
)
def test_input_unchanged(student, draw):
    """`x` is the same after the call, with a mask and without."""
    x = draw.normal(2, 4, 15)
    for causal in (True, False):
        checks.module_input_unchanged(built(student, NAME, *SIZES, causal=causal), x)


@transformer_block.check(
    "device",
    weight=5,
    needs=("test_tokens_weigh_each_other",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.module_on_another_device(student, NAME, SIZES, spread(draw, 2, 4, 15), options={"dropout": P})
    options = {"causal": False}
    checks.module_on_another_device(student, NAME, SIZES, spread(draw, 2, 4, 15), options=options, gradients=False)


@transformer_block.check("policy", needs=("test_causal_block",), ko="금지된 층이나 함수를 쓰지 않고 직접 씁니다.")
def test_written_by_hand(student, reference, draw):
    """The block is written out, without one of the library's layers and calls that are not allowed."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES)
    checks.no_forbidden_call_in_module(handle, module, draw.normal(*draw.choice(((2, 5), (4, 3))), 15))


@transformer_block.check(
    "policy",
    needs=("test_block_without_a_mask",),
    ko="causal=False에서도 금지된 층이나 함수를 쓰지 않고 직접 씁니다.",
)
def test_written_by_hand_without_a_mask(student, reference, draw):
    """With causal=False, the block is written out as well."""
    handle, module = block_twin(student, reference, draw, NAME, *SIZES, causal=False)
    checks.no_forbidden_call_in_module(handle, module, draw.normal(*draw.choice(((2, 4), (5, 3))), 15))
