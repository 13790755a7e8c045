"""A forbidden operation is not there during the call: whatever reaches it is heard, and nothing else is."""

import torch

from ...support.workers.open_workers import open_student


def test_nothing_of_it_needs_a_thread():
    """Where no thread can be made, as in a container with few processes, right answers are graded like any other."""
    source = "import os, torch\ndef f(x): return torch.tensor(len(os.listdir('/proc/self/task')))\n"
    assert open_student(source).f.observe(torch.ones(2), forbids=["softmax"], trace=True).value == 1
