"""The command line: `grader ...` and `python -m grader ...`.

Every error that a user meets is raised by the library as a `GraderError` and printed here, in one place, as a sentence
with its exit code. A traceback means a bug of the kit, and says so.
"""

import contextlib
import errno
import gc
import io
import os
import sys
from pathlib import Path

import click

from grader import __version__
from grader.errors import GraderError
from grader.language import LANGUAGES, translation
from grader.system.stopping import listen

from .cluster import cluster
from .doctor import doctor
from .export import export
from .grade import grade
from .nbgrader import nbgrader
from .new import new
from .options import PATH, Common, pass_common
from .pages import pages
from .push import push
from .regrade import appeal, diff
from .release import build, release
from .student import check, hint, watch
from .verify import verify

FEW_COLLECTIONS = 50_000, 20, 20  # torch's import makes 200,000 objects and hardly any garbage
BUG = 70  # sysexits' EX_SOFTWARE, so that a bug of the kit is never taken for a grade
NOBODY_READS = 141  # what a shell says of a program that SIGPIPE ended
EXTRAS = {"canvasapi": "push", "distributed": "cluster", "nbgrader": "nbgrader", "watchfiles": "watch"}
"""The packages that a command alone needs, and the extra of the kit that brings each."""
UNPRINTABLE = {errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF}


COMMANDS = {
    "Students": (check, watch, hint),
    "Teachers": (grade, pages, export, appeal, diff, doctor),
    "Authors": (new, build, verify, release),
    "Extras": (nbgrader, push, cluster),
}


class CommandsByRole(click.Group):
    """Shows the commands by whom they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.commands))
        for role, commands in COMMANDS.items():
            with formatter.section(role):
                rows = [(f"{command.name:{width}}", command.get_short_help_str(120)) for command in commands]
                formatter.write_dl(rows)


@click.group(cls=CommandsByRole, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="grader")
@click.option(
    "--course", type=PATH, default=".", metavar="DIR", help="The course's folder.  [default: found upwards from here]"
)
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Of what students are told.  [default: GRADER_LANGUAGE or LANG; in reports, the course's]",
)
@pass_common
@click.pass_context
def main(context: click.Context, common: Common, course: Path, language: str | None) -> None:
    """Exercises on attention mechanisms: check your own work, or grade a class."""
    common.course, common.language, common.command = course, language, context.invoked_subcommand


for role in COMMANDS.values():
    for command in role:
        main.add_command(command)


def run() -> None:
    """Run the command line and leave with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a name must not end the run where it cannot be printed
    gc.set_threshold(*FEW_COLLECTIONS)
    listen()
    code = status(sys.argv[1:])
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:  # said already; Python would try once more, and end with a code of its own
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)


def status(arguments: list[str]) -> int:
    """Run the command line on these arguments.

    Returns:
        The exit code: 0 and 1 as the command says; 2 wrong use, a broken course, or what cannot be printed; 3 no
        isolation; 130 stopped by a signal; 141 nobody reads what is printed.
    """
    common = Common()
    try:
        with main.make_context("grader", list(arguments), obj=common) as context:
            code = main.invoke(context)  # main.main() would make 1 of a broken pipe
        if sys.stdout is not None:
            sys.stdout.flush()
        return code or 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        if isinstance(error, click.NoSuchOption) and error.option_name in ("--course", "--language"):
            name = error.option_name
            error = click.UsageError(f"{name} stands before the command: grader {name} ... COMMAND.", error.ctx)
        with contextlib.suppress(OSError):
            error.show()
        return error.exit_code
    except (BrokenPipeError, SystemExit):  # rich makes the latter of the former
        return NOBODY_READS
    except GraderError as error:
        _print_error(str(error))
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        _print_error("stopped." + (" What was finished is kept." if common.command in ("grade", "cluster") else ""))
        return 130
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        if package not in EXTRAS:
            return _bug(error)
        _ = translation(common.language_for_student()).gettext
        sentence = _("`grader {command}` needs the package {package}. Install it with `python -m pip install {extra}`.")
        extra = f"'attention-grader[{EXTRAS[package]}]'"
        _print_error(sentence.format(command=common.command, package=package, extra=extra))
        return 2
    except OSError as error:
        if error.filename is not None or error.errno not in UNPRINTABLE:
            return _bug(error)
        _print_error(f"the output could not be printed: {error.strerror}.")
        return 2
    except Exception as error:  # the last net: a bug of ours must not look like a verdict
        return _bug(error)


def _bug(error: Exception) -> int:
    import traceback

    with contextlib.suppress(OSError):
        traceback.print_exception(error)
    _print_error(f"this is a bug of the kit, not of a submission ({type(error).__name__}).")
    return BUG


def _print_error(sentence: str) -> None:
    """Print a sentence on standard error, if that can be written to: the exit code says it in any case."""
    with contextlib.suppress(OSError):
        click.echo(f"grader: {sentence}", err=True)
