"""Checks the code of the notebook or script that `check("...")` is called in, and shows what came of it.

In a notebook the functions are checked as they are in the kernel at this moment (`kernel_runs.py`). On the pretended
device the cells that were run so far are run once more, in a process of their own: torch gives no further device to a
process that has computed gradients. A script is checked as the file that it is.
"""

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import GraderError, UsageError
from grader.inside.protocol.rows import PRETENDED
from grader.language import LANGUAGES, preferred_language, translation

from .outcome import Outcome

if TYPE_CHECKING:
    from .checked import Checked

DEVICES = ("cpu", PRETENDED)


def show_check(exercise: Any, language: Any, device: Any = "cpu") -> None:
    """Check one exercise of the calling notebook or script, named or itself, or all (None), and show the outcome."""
    shell = notebook_shell()
    try:
        outcome = outcome_of(exercise, language, shell, device)
    except KeyboardInterrupt:  # somebody stopped it, which has to stop the cells that wait behind it too
        raise KeyboardInterrupt from None
    if shell is None:
        print(outcome)
        return
    sys.modules["IPython"].display.display(outcome)


def show_hint(exercise: Any, language: Any) -> None:
    """Print the next hint of an exercise of the calling notebook or script; whatever goes wrong is a sentence too."""
    shell = notebook_shell()
    spoken = spoken_language(language)
    try:
        from grader.course.content.student_course import files_of_exercise

        from .next_hint import next_hint

        refuse_unknown_language(language)
        name = name_of(exercise, spoken, shell)
        if name is None:
            raise no_name(None, spoken)
        file = getattr(sys.modules.get("__main__"), "__file__", None) if shell is None else None
        place = Path(file).parent if file else Path.cwd()
        print("\n".join(next_hint(files_of_exercise(place, name, spoken), name, spoken)))
    except GraderError as error:
        print(f"grader: {error}")


def outcome_of(exercise: Any, language: Any, shell: Any, device: Any = "cpu") -> Outcome:
    """Return what a check comes to; whatever goes wrong is a sentence in it."""
    spoken = spoken_language(language)
    _ = translation(spoken).gettext
    try:
        refuse_unknown_language(language)
        if device not in DEVICES:
            sentence = _('The device {asked} is not known here. Use "cpu" or "pretended".')
            raise UsageError(sentence.format(asked=repr(device)[:60]))
        name = name_of(exercise, spoken, shell)
        if shell is None:
            return Outcome(spoken, check_script(name, spoken, device))
        from .kernel_runs import check_shell

        return Outcome(spoken, check_shell(shell, name, spoken, device))
    except GraderError as error:
        return Outcome(spoken, problem=str(error))
    except Exception as error:  # a check in a notebook never ends with a traceback
        cause = f"{type(error).__name__}: {error}"
        sentence = _(
            "The check could not be run ({found}). Restart the kernel and try again. If that fails too, tell your "
            "teacher."
        )
        return Outcome(spoken, problem=sentence.format(found=cause[:300]))


def spoken_language(language: Any) -> str:
    """Return a language that was asked for; the reader's where none was, or none that there is."""
    return language if language in LANGUAGES else preferred_language()


def refuse_unknown_language(language: Any) -> None:
    """Refuse what is not a language that there is."""
    if language is not None and language not in LANGUAGES:
        sentence = translation(preferred_language()).gettext("The language {asked} is not known. Use {known}.")
        known = ", ".join(f'"{code}"' for code in LANGUAGES)
        raise UsageError(sentence.format(asked=repr(language)[:60], known=known))


def no_name(value: object, language: str) -> UsageError:
    """Return the error for a value that names no exercise."""
    sentence = translation(language).gettext(
        'check() takes the name of an exercise, such as check("softmax_naive"), and got a value of type {kind}.'
    )
    return UsageError(sentence.format(kind=type(value).__name__))


def name_of(exercise: Any, language: str, shell: Any) -> str | None:
    """Return the name that was meant.

    A function is first looked for under the names that it has there: a decorator without `functools.wraps` or a lambda
    calls itself otherwise.
    """
    if exercise is None or isinstance(exercise, str):
        return exercise
    from grader.course.content.student_course import NoSuchExercise, files_of_exercise

    main = sys.modules.get("__main__")
    there = vars(main) if shell is None else shell.user_ns
    definition_name = getattr(exercise, "__name__", None)
    names: list[str] = [name for name, value in list(there.items()) if value is exercise and not name.startswith("_")]
    names.sort(key=lambda name: bool(name != definition_name))
    file = getattr(main, "__file__", None) if shell is None else None
    for name in names if names != [definition_name] else []:
        with contextlib.suppress(NoSuchExercise):
            files_of_exercise(Path(file).parent if file else Path.cwd(), name)
            return name
    if isinstance(definition_name, str):
        return definition_name
    raise no_name(exercise, language)


def notebook_shell() -> Any:
    """Return IPython's shell when this runs inside one, else None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def check_script(exercise: str | None, language: str, device: str) -> "Checked":
    """Check the file that was started as a script."""
    from .visible_checks import check_path

    file = getattr(sys.modules.get("__main__"), "__file__", None)
    if file is None:
        _ = translation(language).gettext
        raise UsageError(
            _("The code of this session is in no file, so it cannot be checked. Use `grader check` with a file.")
        )
    return check_path(Path(file), exercise, language=language, device=device)
