"""Kills every fresh worker after its first call; would drain the pool and starve the next student."""

import os
import threading
import time


def leave():
    time.sleep(0.003)
    os._exit(1)


threading.Thread(target=leave, daemon=True).start()


def attention_scores_for_query(inputs, query):
    return query


def softmax_naive(x):
    return x
