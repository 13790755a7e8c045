"""Each private part of torch that the kit uses is there and does what it is for; a test's name says which broke."""

import subprocess
import sys

from grader.inside.protocol import torch_internals as parts

CLOSED = """
import functools, torch
from grader.inside.protocol import torch_internals
def is_there(name):
    return functools.reduce(lambda place, part: getattr(place, part, None), name.split("."), torch._C) is not None
there = [*filter(is_there, torch_internals.PAST_THE_DISPATCHER)]
torch_internals.close_past_the_dispatcher()
left = [*filter(is_there, torch_internals.PAST_THE_DISPATCHER)]
print(len(there), left, torch.jit.script(torch.nn.ReLU())(torch.tensor([-1.0, 2.0])).tolist())
"""


def test_the_ways_past_the_dispatcher_are_there_to_be_closed_and_nothing_ordinary_is_lost():
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == f"{len(parts.PAST_THE_DISPATCHER)} [] [0.0, 2.0]"
