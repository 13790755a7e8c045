"""Each private part of torch that the kit uses is there and does what it is for; a test's name says which broke."""

import subprocess
import sys

from grader.inside.protocol import torch_internals as parts

CLOSED = """
import torch
from grader.inside.protocol import torch_internals
there = [name for name in torch_internals.PAST_THE_DISPATCHER if hasattr(torch._C, name)]
torch_internals.close_past_the_dispatcher()
left = [name for name in torch_internals.PAST_THE_DISPATCHER if hasattr(torch._C, name)]
print(len(there), left, torch.jit.script(torch.nn.ReLU())(torch.tensor([-1.0, 2.0])).tolist())
"""


def test_the_ways_past_the_dispatcher_are_there_to_be_closed_and_nothing_ordinary_is_lost():
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == f"{len(parts.PAST_THE_DISPATCHER)} [] [0.0, 2.0]"
