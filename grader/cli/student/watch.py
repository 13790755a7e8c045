"""`grader watch`: what the checks say, again after every save."""

from importlib.util import find_spec
from pathlib import Path

import click

from grader.errors import UsageError
from grader.words import Language

from .options import console, language_option


@click.command()
@click.argument("path", default=".", metavar="[PATH]")
@language_option
def watch(path: str, language: Language) -> int:
    """Check your work again whenever you save it.

    PATH is your .py or .ipynb file or the folder it is in. Keys: h gives a hint, l lists the exercises, n goes to the
    next one, r runs this one again, q quits. The next time it begins where you stopped.
    """
    from grader.student_check.practice_words import tell

    if find_spec("watchfiles") is None:
        raise UsageError(tell("watch_needs", language))
    from grader.workers.process.local_process import LocalWorkers

    with LocalWorkers() as workers:
        from grader.student_check.watching.loop import watch_path  # imports torch, as the worker does meanwhile

        watch_path(Path(path), workers, language, console())
    return 0
