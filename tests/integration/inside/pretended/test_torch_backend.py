"""The private parts of torch that the pretended device uses are there; a test's name says which one changed."""

import subprocess
import sys


def test_the_first_tensor_imports_nothing() -> None:
    code = """
import sys
from grader.inside.pretended.device import entered
import torch
with entered():
    before = len(sys.modules)
    torch.softmax(torch.ones(2, 3, device="pretended") @ torch.ones(3, 2).to("pretended"), -1)
    print(len(sys.modules) - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "0\n"


def test_there_is_none_where_an_extension_has_taken_the_place() -> None:
    code = """
import torch
torch.utils.rename_privateuse1_backend("npu")
from grader.inside.pretended import torch_backend
print(torch_backend.is_there())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
