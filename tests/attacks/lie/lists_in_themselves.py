"""Returns lists and dicts that hold themselves or nest 100,000 deep; would recurse for ever in the reader."""


def softmax_naive(x):
    print("TRIED")
    ring = [1.0]
    ring.append(ring)
    return ring


def normalize_scores(scores):
    ring = {}
    ring["again"] = ring
    return ring


def attention_weights(scores):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep
