"""Loops while it is imported, before anything is defined, with signals ignored; would hang before the first check.

It is stopped there, and what it defines further down is graded as it is.
"""

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass


def attention_scores_for_query(inputs, query):
    return inputs @ query
