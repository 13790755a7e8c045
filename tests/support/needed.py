"""What a machine must have for some tests, which are skipped with the reason where it has not."""

import subprocess
import sys
from importlib.util import find_spec

import pytest

from grader.system.devices import why_no_cuda


def skip_without(*packages: str) -> None:
    """Skip a module whose tests need packages that are not installed."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)} (an extra, or a peer of the tests)", allow_module_level=True)


def _torch_finds_a_gpu() -> bool:
    """Ask in a process of its own: other tests fork graders here, and what has looked for a GPU must not fork."""
    ask = "import sys, torch; sys.exit(not torch.cuda.is_available())"
    return why_no_cuda() is None and subprocess.run([sys.executable, "-c", ask], check=False).returncode == 0


NEEDS_GPU = pytest.mark.skipif(
    not _torch_finds_a_gpu(), reason="this machine has no NVIDIA GPU that the installed torch can use"
)
