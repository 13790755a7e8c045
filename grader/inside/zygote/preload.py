"""Imports everything that a worker may need before the first fork, and runs one small operation of each common kind.

What is loaded here is shared by all workers and costs them nothing; what isn't is loaded again in every worker, and
in tier 3, where no file can be opened, cannot be loaded at all. Torch's compiler and its stopwatch are loaded there
alone: the one would cost every start a second and the other a tenth of one, and hardly any code asks for them.
"""

import contextlib
import importlib
import io
import sys
import warnings
from pathlib import Path, PurePath

from ..forbidden import blocking
from ..pretended import torch_backend
from ..pretended.device import set_up
from . import skip_dynamo

_COMMON = """
abc ast base64 bisect builtins cmath collections collections.abc contextlib copy copyreg csv dataclasses datetime
decimal difflib dis enum fractions functools gc hashlib heapq hmac importlib importlib.util inspect io itertools json
keyword linecache locale logging math numbers operator os pathlib pickle platform pprint queue random re reprlib
secrets shutil signal statistics string struct sys tempfile textwrap threading time timeit tokenize traceback types
typing unicodedata unittest unittest.mock uuid warnings weakref zlib torch torch.nn torch.nn.functional
torch.nn.init torch.nn.modules torch.nn.parameter torch.nn.attention torch.nn.utils torch.nn.utils.rnn torch.optim
torch.optim.lr_scheduler torch.autograd torch.autograd.functional torch.autograd.gradcheck torch.fft torch.func
torch.linalg torch.special torch.random torch.utils.data torch.utils.checkpoint
torch.utils._python_dispatch torch.overrides torch.testing torch.distributions torch.sparse torch.jit torch.masked
numpy numpy.linalg numpy.random numpy.testing typing_extensions
"""


def run(everything: bool, device: str) -> None:
    """Import, warm up and set one thread.

    Args:
        everything: Also import every module of the standard library that can be imported without harm, and torch's
            compiler.
        device: Where student code will compute.
    """
    import torch

    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    for name in _COMMON.split():
        importlib.import_module(name)
    with contextlib.suppress(ImportError):  # offered, and no part of what grading needs
        importlib.import_module("einops.layers.torch")
    if everything:
        _import_standard_library()
        importlib.import_module("torch.utils.benchmark")  # with a hundred modules that build programs
        torch.compile(torch.neg)  # imports the compiler, which is switched off
    skip_dynamo.skip_compiler()
    blocking.prepare()
    _warm_up(device)
    _blank_library_paths()


_NOT_IMPORTED = {"antigravity", "this", "idlelib", "turtledemo", "lib2to3", "test", "tkinter", "turtle", "ensurepip"}


def _import_standard_library() -> None:
    """Import every public module of the standard library; one that this platform lacks is not needed."""
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in sorted(sys.stdlib_module_names - _NOT_IMPORTED):
            if not name.startswith("_"):
                with contextlib.suppress(Exception):
                    importlib.import_module(name)
        for name in ("encodings.idna", "encodings.latin_1", "encodings.utf_16", "encodings.cp1252", "encodings.ascii"):
            importlib.import_module(name)


def _warm_up(device: str) -> None:
    """Run what loads code or fills tables at its first use; nothing of it touches a GPU."""
    import numpy
    import torch
    from torch import nn

    x = torch.ones(2, 3)
    torch.softmax(x, -1)
    torch.einsum("ij,kj->ik", x, x)
    torch.manual_seed(0)
    torch.randn(2, generator=torch.Generator().manual_seed(0))
    numpy.asarray(x.numpy()) @ numpy.ones(3, dtype=numpy.float32)
    str(x)
    layer = nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3), nn.Dropout(0.5))
    torch.optim.AdamW(layer.parameters())
    layer(x)  # and no gradient: autograd starts a thread for each device at the first one, which no fork would have
    if device != "cuda" and torch_backend.is_there():
        set_up()
    torch.arange(4).view(2, 2).float().matmul(torch.ones(2, 2)).masked_fill(torch.ones(2, 2).tril() == 0, float("-inf"))


def _blank_library_paths() -> None:
    """Blank what a library of CUDA builds learns by following links: the environment's folder, often in the course."""
    for name, module in list(sys.modules.items()):
        if name.startswith("cuda.pathfinder"):
            for attribute, value in list(vars(module).items()):
                if isinstance(value, PurePath):
                    setattr(module, attribute, Path("/"))
