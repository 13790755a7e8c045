"""Decides on which device student code computes, without waking the device up.

The trusted process forks, and CUDA does not survive a fork; so whether a GPU is there is read from the build of torch
and the device files, and nothing here calls into CUDA.
"""

import os
from pathlib import Path

from grader.errors import UsageError

NVIDIA = Path("/dev/nvidiactl")


def choose_device(asked: str | None, configured: str) -> str:
    """Return the device to grade on, from what the command line and the course's settings say.

    `auto` means a GPU only where the settings ask for one, since grades from the CPU are the reference.

    Raises:
        UsageError: The device is not there.
    """
    wanted = asked or configured
    if wanted == "auto":
        return "cuda" if configured in ("auto", "cuda") and why_no_cuda() is None else "cpu"
    if wanted == "cuda":
        reason = why_no_cuda()
        if reason is not None:
            hint = "Grade with --device cpu, which is the reference anyway."
            raise UsageError(f"The device cuda cannot be used here: {reason}", hint)
    return wanted


def device_of_nodes(asked: str | None, configured: str) -> str:
    """Return where student code computes on other machines; this one needs no GPU for that.

    Raises:
        UsageError: It is neither `cpu` nor `cuda`: what `auto` means would depend on the machine.
    """
    wanted = asked or configured
    if wanted in ("cpu", "cuda"):
        return wanted
    raise UsageError(f"The device {wanted!r} may differ from node to node.", "Say --device cpu or --device cuda.")


def why_no_cuda() -> str | None:
    """Return why CUDA cannot be used, as a sentence, or None when it can."""
    import torch  # a second that a run on the CPU in which nothing changed does without

    if torch.version.cuda is None:
        return f"torch {torch.__version__} is built without CUDA."
    if not NVIDIA.exists():
        return f"there is no {NVIDIA}, so no NVIDIA driver is loaded."
    return None


def hide_gpus() -> None:
    """Leave this process without a GPU: torch's autograd would else start the driver, whatever device is used.

    The driver finds none while memory is still unbounded, since it takes more addresses than a bound leaves.
    """
    import torch

    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    torch.cuda.is_available()  # torch remembers what it says
