"""Raises KeyboardInterrupt, GeneratorExit and CancelledError; would stop the run as if a person had."""


def softmax_naive(x):
    print("TRIED")
    raise KeyboardInterrupt


def normalize_scores(scores):
    raise GeneratorExit


def attention_weights(scores):
    import asyncio

    raise asyncio.CancelledError
