"""Opens the way to the nodes: a scheduler of Dask that runs already, or one that asks Slurm for nodes."""

import logging
import re
import signal
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from grader.errors import UsageError
from grader.text import sanitise

CONNECT_S = 10.0
SBATCH_S = 60.0
LONGEST_WORDS = 400
GPU = "GPU"
ADDRESS = re.compile(r"(?:(?:tcp|tls|ucx|ws|wss|inproc)://)?[^\s:/][^\s/]*:\d+(?:/\S*)?|inproc://\S+")
LOGGERS = ("distributed", "tornado", "asyncio", "dask_jobqueue")
_START = "Start one with `dask scheduler`, and give the address that it prints, such as tcp://host:8786."
_INSTALL = "Install it with pip install 'attention-grader[cluster]', on this machine and on every node."


@contextmanager
def connected(scheduler: str | None, cluster: str | None, nodes: int, device: str) -> Iterator[Any]:
    """Give a client of the scheduler; at the end it is closed, and nodes that were asked for are given back.

    Args:
        scheduler: The address of a scheduler; None to ask a cluster for nodes.
        cluster: `slurm`, where no scheduler is named.
        device: `cuda` asks it for a GPU for each of them.

    Raises:
        UsageError: There is no scheduler at the address, no such cluster here, or the extra is not installed.
    """
    distributed = _distributed()
    with ExitStack() as stack:
        if scheduler is None:
            client_of: Any = stack.enter_context(_slurm(nodes, device))
            scheduler = client_of.scheduler_address
        else:
            client_of = scheduler
        if scheduler is not None and not ADDRESS.fullmatch(scheduler):
            found = f"{sanitise(scheduler, LONGEST_WORDS)!r} is not one."
            raise UsageError("The address of a scheduler of Dask was looked for:", found, _START)
        try:
            client = distributed.Client(client_of, timeout=CONNECT_S, set_as_default=False)
        except (OSError, TimeoutError, ValueError, ImportError) as error:
            raise UsageError(
                f"A scheduler of Dask was looked for at {scheduler!r}, but none answered:",
                f"{' '.join(str(error).split()) or type(error).__name__}.".replace("..", "."),
                _START,
            ) from None
        stack.callback(client.close)  # its own `with` may swallow a Ctrl-C
        yield client


def _distributed() -> Any:
    """Return the library, its messages to developers switched off: what goes wrong is said in sentences here."""
    warnings.filterwarnings("ignore", module=r"distributed(\..*)?")
    try:
        import distributed
    except ImportError as error:
        asked = "Grading over many machines was asked for, but Dask is not installed here:"
        raise UsageError(asked, f"{error}.", _INSTALL) from None
    for name in list(logging.getLogger().manager.loggerDict):  # importing it set a level for many of them
        if name.partition(".")[0] in LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


@contextmanager
def _slurm(nodes: int, device: str) -> Iterator[Any]:
    """Start a scheduler in this process that asks Slurm for nodes and, when one is lost, for another."""
    asked = signal.getsignal(signal.SIGINT)
    try:
        import dask
        from dask_jobqueue import SLURMCluster  # type: ignore[attr-defined]  # it has no types, nor __all__

        signal.signal(signal.SIGINT, asked)  # the import makes Ctrl-C end the process without a word, and with 0
    except ImportError as error:
        wanted = "Nodes of Slurm were asked for, but dask-jobqueue is not installed here:"
        raise UsageError(wanted, f"{error}.", _INSTALL) from None
    settings: dict[str, Any] = {}
    if dask.config.get("jobqueue.slurm.processes", None) is None:
        settings["processes"] = 1  # one worker a job: a batch uses all its processors
    if device == "cuda":
        extra = list(dask.config.get("jobqueue.slurm.job-extra-directives", None) or [])
        if not any(re.search(r"--(gres|gpus)", each) for each in extra):
            extra.append("--gres=gpu:1")
        arguments = list(dask.config.get("jobqueue.slurm.worker-extra-args", None) or [])
        settings.update(job_extra_directives=extra, worker_extra_args=[*arguments, "--resources", f"{GPU}=1"])
    try:
        started: Any = SLURMCluster(**settings)
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        raise _no_slurm(error) from None
    try:
        _try_out(started.job_script())
        started.adapt(minimum_jobs=nodes, maximum_jobs=nodes)
        yield started
    finally:
        started.close()


def _try_out(script: str) -> None:
    """Ask Slurm whether it would take such a job: dask-jobqueue submits in the background, where no error is heard."""
    try:
        done = subprocess.run(["sbatch", "--test-only"], input=script, capture_output=True, text=True, timeout=SBATCH_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _no_slurm(error) from None
    if done.returncode:
        raise _no_slurm(RuntimeError(sanitise(done.stderr.strip(), LONGEST_WORDS)))


def _no_slurm(error: Exception) -> UsageError:
    return UsageError(
        "Nodes of Slurm were asked for, but they could not be:",
        f"{' '.join(str(error).split())}.".replace("..", "."),
        "The settings of a job are in dask-jobqueue's configuration file; see docs/cluster.md.",
    )
