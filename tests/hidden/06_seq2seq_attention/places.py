"""Where the mistake of a wrong answer in this assignment lies, in words that hold whatever it is."""

import torch

from grader.suite.core import compare
from grader.suite.library.modules.places import Twins, near, place

CONTEXT_OF_OTHERS = place(
    "The weights are right; the context is not the sum of the encoder's outputs, each times its weight.",
    "가중치는 맞습니다. 문맥 벡터가 인코더 출력에 가중치를 곱해 더한 것이 아닙니다.",
)
SUMS = place(
    "The weights of an item do not sum to 1 over its tokens: look at the axis of the softmax and at what follows it.",
    "한 항목의 가중치를 토큰 방향으로 더해도 1이 아닙니다. 소프트맥스의 축과 그 뒤를 보세요.",
)
ITEMS = place(
    "A single item comes out right, several do not: somewhere one item gets what belongs to another.",
    "항목이 하나면 맞고 여럿이면 다릅니다. 어딘가에서 다른 항목의 값이 섞입니다.",
)
SCORES = place(
    "Your weights sum to 1 and the context follows from them, but they are not the right ones. Take the scores step by "
    "step: the order in attn's input, tanh, what v does, and what comes between the scores and the weights.",
    "가중치의 합은 1이고 문맥 벡터도 그 가중치에서 나왔지만, 맞는 가중치가 아닙니다. attn 입력의 순서, tanh, v의 역할, "
    "점수에서 가중치까지를 차례로 보세요.",
)
WEIGHTS_OF_CONTEXT = place(
    "The decoder's part is right and so is what is mixed; the attention's weights are not. Which state is the "
    "query, is it the same for every step, and how does a score come about?",
    "디코더 쪽과 섞는 대상은 맞습니다. 어텐션의 가중치가 다릅니다. 어느 상태가 묻는지, 단계마다 같은지, 점수가 어떻게 "
    "나오는지 보세요.",
)
CONTEXT = place(
    "The decoder's part is right; the context is not, even where all weights are equal: look at what is mixed, and at "
    "what stands beside the decoder's output.",
    "디코더 쪽은 맞습니다. 가중치가 모두 같아도 문맥 벡터가 다릅니다. 무엇을 섞는지, 디코더 출력 옆에 무엇이 "
    "놓이는지 보세요.",
)
START = place(
    "The context is right, and so is the decoder where the encoder gives zeros: look at where the decoder starts.",
    "문맥 벡터는 맞고, 인코더가 0을 내면 디코더도 맞습니다. 디코더가 어디에서 시작하는지 보세요.",
)
LATER_STEPS = place(
    "The context is right, and with a single step so is the decoder; with several it is not: what does each step read, "
    "and what does it go on from?",
    "문맥 벡터는 맞고, 단계가 하나면 디코더도 맞습니다. 여럿이면 다릅니다. 각 단계가 무엇을 읽고 무엇을 이어받는지 "
    "보세요.",
)
DECODER = place(
    "The context is right; what the decoder makes is not: look at what it reads and at what is done with its outputs.",
    "문맥 벡터는 맞습니다. 디코더의 결과가 다릅니다. 무엇을 읽는지, 그 출력으로 무엇을 하는지 보세요.",
)
AFTERWARDS = place(
    "With the weights of fc zero the result has to be its bias, and it is not: something is done with what fc gives.",
    "fc의 가중치가 0이면 결과는 편향이어야 하는데 다릅니다. fc의 결과에 무언가를 더 하고 있습니다.",
)
ENCODER = place(
    "Where the encoder gives zeros all is right: look at what the encoder reads and what is done with its two results.",
    "인코더가 0을 내면 모두 맞습니다. 인코더가 무엇을 읽는지, 두 결과를 어떻게 쓰는지 보세요.",
)


def attention_place(handle, module, *inputs):
    """Say of a wrong answer of `Attention` which of its results is wrong by itself."""
    context, weights = (value.double() for value in compare.as_tensors(handle(*inputs), 2))
    with torch.no_grad():
        right_context, right_weights = module(*(value.double() for value in inputs))
    if context.shape != right_context.shape or weights.shape != right_weights.shape:
        return None
    follows = near(context, (weights.unsqueeze(1) @ inputs[1].double()).squeeze(1))
    if near(weights, right_weights):
        return None if follows else CONTEXT_OF_OTHERS
    if Twins(handle, module, *(value[:1] for value in inputs)).agree():
        return ITEMS
    if not near(weights.sum(-1), torch.ones_like(weights[:, 0])):
        return SUMS
    return SCORES if follows else None


def model_place(handle, module, *inputs):
    """Say of a wrong answer of `Seq2SeqWithAttention` which part is wrong while the others are silent."""
    twins, width = Twins(handle, module, *inputs), module.fc.in_features // 2
    compare.require_real(handle(*inputs), (*inputs[1].shape[:2], module.fc.out_features))
    decoder = (torch.arange(2 * width) < width).float()
    silent = {"decoder": {"fc.weight": 1 - decoder}, "context": {"fc.weight": decoder}}
    if not twins.agree(**{"fc.weight": 0.0}):
        return AFTERWARDS
    right = {part: twins.agree(**factors) for part, factors in silent.items()}
    if right["context"] and not right["decoder"]:
        return WEIGHTS_OF_CONTEXT if twins.agree(**silent["decoder"], **{"attention.v": 0.0}) else CONTEXT
    if right["decoder"] and not right["context"]:
        if twins.agree(**silent["context"], encoder=0.0):
            return START
        first = inputs[0], inputs[1][:, :1]
        return LATER_STEPS if twins.agree(*first, **silent["context"]) else DECODER
    return ENCODER if not any(right.values()) and twins.agree(encoder=0.0) else None
