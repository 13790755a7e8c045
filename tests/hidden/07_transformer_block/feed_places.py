"""Where the mistake of a wrong feed-forward network lies, by which inner numbers are treated rightly."""

import torch

from grader.suite.library.modules.places import Twins, place, placed

FAR = 50.0
NEGATIVE = place(
    "Where all inner numbers are large and positive the network is right: look at what the others are turned into.",
    "안쪽 값이 모두 크고 양수이면 맞습니다. 나머지 값이 무엇으로 바뀌는지 보세요.",
)
POSITIVE = place(
    "Where all inner numbers are negative the network is right; positive ones have to reach the second layer as they "
    "are, and that layer has a matrix of its own.",
    "안쪽 값이 모두 음수이면 맞습니다. 양수는 그대로 둘째 층에 닿아야 하고, 둘째 층에는 자기 행렬이 있습니다.",
)
AFTERWARDS = place(
    "Where the second layer's matrix is zero, its bias alone has to come out, and it does not: something follows that "
    "layer, stands beside it, or does its work.",
    "둘째 층의 행렬이 0이면 편향만 나와야 하는데 다릅니다. 둘째 층의 뒤나 옆에 무언가가 더 있거나 다른 것이 그 일을 "
    "합니다.",
)


def network_placed(handle, module, x):
    """Let a failure of `FeedForward` say which numbers are treated wrongly."""

    def find():
        twins = Twins(handle, module, x)
        bias = twins.values["widen.bias"]
        if not twins.agree(**{"narrow.weight": 0.0}):
            return AFTERWARDS
        for shift, found in ((FAR, NEGATIVE), (-FAR, POSITIVE)):
            twins.values["widen.bias"] = torch.full_like(bias, shift)
            if twins.agree():
                return found
        return None

    return placed("FeedForward", find)
