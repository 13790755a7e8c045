"""The private parts of torch that the pretended device uses are there; a test's name says which one changed."""

import subprocess
import sys


def test_there_is_none_where_an_extension_has_taken_the_place() -> None:
    code = """
import torch
torch.utils.rename_privateuse1_backend("npu")
from grader.inside.pretended import torch_backend
print(torch_backend.is_there())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "False\n"
