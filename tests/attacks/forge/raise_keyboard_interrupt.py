"""Raises KeyboardInterrupt, GeneratorExit and bare BaseException; would stop the run as if a person had."""


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    print("TRIED")
    raise KeyboardInterrupt


def normalize_scores(scores):
    raise GeneratorExit


def softmax_stable(x, dim=-1):
    raise BaseException("TRIED")


def context_vector(weights, inputs):
    raise StopIteration(weights)


def attention_scores(inputs):
    raise AssertionError


def attention_weights(scores):
    import asyncio

    raise asyncio.CancelledError
