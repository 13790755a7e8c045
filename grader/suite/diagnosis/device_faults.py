"""Names what keeps code from running on a GPU, by the words of torch and of `grader/inside/pretended/origins.py`."""

import re

from grader.language import N_
from grader.words import Words, joined

from .plain_fault import PlainFault

DEVICE_FAULTS = (
    PlainFault(
        "made_on_the_cpu",
        re.compile(r"made a tensor on the CPU: give it device=x\.device"),
        "A tensor is made on the CPU while the input is on another device, such as a GPU. Give it device=x.device, "
        "or make it by torch.ones_like(x) or x.new_zeros(...).",
    ),
    PlainFault(
        "moved_to_the_cpu",
        re.compile(r"moved a tensor to the CPU"),
        "A tensor is moved to the CPU on the way: leave out .cpu() and .to('cpu'), and compute where the input is.",
    ),
    PlainFault(
        "left_on_the_cpu",
        re.compile(r"is not a buffer: \.to\(device\) leaves it on the CPU"),
        "A tensor that the module keeps as a plain attribute stays on the CPU when the module is moved. Keep it by "
        "self.register_buffer(name, tensor).",
    ),
    PlainFault(
        "loaded_on_the_cpu",
        re.compile(r"was made on the CPU when the file was loaded"),
        "A tensor that is made outside of the function is on the CPU for good. Make it inside, with device=x.device.",
    ),
    PlainFault(
        "numpy_of_a_gpu",
        re.compile(r"device type tensor to numpy"),
        "NumPy cannot read a tensor that is on a GPU. Use the operations of torch in place of .numpy() and np.",
    ),
    PlainFault(
        "cuda_written_out",
        re.compile(r"Torch not compiled with CUDA enabled|Found no NVIDIA driver|No CUDA GPUs are available"),
        "A GPU is hard-coded, by .cuda() or device='cuda', and not every machine has one. Compute where the input "
        "is: device=x.device.",
    ),
    PlainFault(
        "devices_mixed",
        re.compile(r"tensors to be on the same device|indices should be either on cpu|The result is on the CPU, and"),
        "A tensor is on the CPU while its input is on another device, such as a GPU. Make it with device=x.device "
        "or torch.ones_like(x), and keep tables in a buffer.",
    ),
)

ORIGINS = (
    N_("The call of {name} in line {line} made a tensor on the CPU: give it device=x.device."),
    N_("The call of {name} made a tensor on the CPU: give it device=x.device."),
    N_("The call of {name} in line {line} moved a tensor to the CPU."),
    N_("The call of {name} moved a tensor to the CPU."),
    N_("The attribute {name} of {owner} is not a buffer: .to(device) leaves it on the CPU."),
    N_("{name} was made on the CPU when the file was loaded."),
)
"""What the worker says of where a tensor comes from (`grader/inside/pretended/origins.py`)."""


def with_origins(text: str) -> str:
    """Return an exception's text, in which the kit's own words about where a tensor comes from can be translated."""
    for origin in ORIGINS:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>\\S+)", re.escape(origin))
        if match := re.search(pattern, text):
            known = Words(origin, **match.groupdict())
            return joined(text[: match.start()], known, text[match.end() :], between="")
    return text
