"""Remembers every input and prints all of them in each call; would show hidden inputs in the student's own report."""

SEEN = []


def softmax_naive(x):
    SEEN.append(float(x.reshape(-1)[0]) if x.numel() else 0.0)
    print("TRIED", " ".join(f"HOARD:{value:.9e}:" for value in SEEN))
    print(f"NOW:{SEEN[-1]:.9e}:")
    return x
