"""What a teacher sets for a whole course: `course.toml`, and the secret that hidden inputs are drawn from.

Both are optional. The secret is made on first need and never leaves the course's folder, so that no student can draw
the inputs that will grade them, while a teacher can repeat every run.
"""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from grader.errors import CourseError
from grader.faults import did_you_mean, fault, nearest, parse_toml, read_text
from grader.limits import DEFAULT_LIMITS, LEAST_MEMORY, MOST, Limits
from grader.text import one_line
from grader.words import Language

SETTINGS_FILE = "course.toml"
SECRET_FILE = Path(".grader", "secret")
SECRET_VARIABLE = "GRADER_SECRET"
SECRET_BYTES = 32
SHORTEST_SECRET = 16
PACKAGE = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,98}[A-Za-z0-9])?")


Device = Literal["cpu", "cuda", "pretended", "auto"]
CHOICES = {"language": get_args(Language), "device": get_args(Device)}
MEANT = {"kr": "ko", "korean": "ko", "english": "en", "gpu": "cuda"}
"""Words that people write for a choice and that no likeness of letters leads to."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The fields of `course.toml`.

    Attributes:
        language: What students read when the command line does not say it.
        languages: What the course's texts are written in: English, and whatever they are translated to.
        device: Where submissions run when the command line does not say it.
        extra_packages: Installed packages that student code may import besides torch, numpy and einops.
        layouts: Downloads of a platform of the course's own: a regular expression by name (`submissions/layouts.py`).
        other_assignments: Assignments that are graded elsewhere, so that a file of theirs is known by its name.
    """

    language: Language = "en"
    languages: tuple[Language, ...] = get_args(Language)
    device: Device = "cpu"
    extra_packages: tuple[str, ...] = ()
    limits: dict[str, float | int] = {}
    layouts: dict[str, str] = {}
    other_assignments: tuple[str, ...] = ()


def read_settings(root: Path) -> tuple[Settings, Limits]:
    """Return the settings of the course at `root`, the defaults without a `course.toml`, and the limits that follow.

    Raises:
        CourseError: The file is not TOML, or a field is unknown or of the wrong kind.
    """
    path = root / SETTINGS_FILE
    if not path.exists():
        return Settings(), DEFAULT_LIMITS
    text = read_text(path)
    values = parse_toml(text, path)
    for name in values:
        if name not in Settings.__struct_fields__:
            hint = did_you_mean(name, Settings.__struct_fields__)
            raise CourseError(f"{SETTINGS_FILE} has the unknown setting `{one_line(name)}`.", hint)
    for name, choices in CHOICES.items():
        value = values.get(name, choices[0])
        if value not in choices:
            raise _no_choice(path, text, name, value, choices)
    try:
        settings = msgspec.convert(values, Settings)
    except msgspec.ValidationError as problem:
        raise CourseError(f"{SETTINGS_FILE} is not valid: {problem}.") from None
    if "en" not in settings.languages or settings.language not in settings.languages:
        lacking = "en" if "en" not in settings.languages else settings.language
        hint = f"Write `languages = {list(dict.fromkeys(['en', settings.language]))}`, or leave it out."
        raise CourseError(f"`languages` in {SETTINGS_FILE} lacks `{lacking}`.", hint)
    for package in settings.extra_packages:
        if not PACKAGE.fullmatch(package):
            wrong = f"{_choices_text(package)} in `extra_packages` of {SETTINGS_FILE} is not a package's name."
            raise CourseError(wrong, "Write the name by which pip installs it.")
    return settings, _limits(settings)


def _no_choice(path: Path, text: str, name: str, value: object, choices: Sequence[str]) -> CourseError:
    """Return the error for a setting that is none of its choices, with the line that it is in."""
    before = re.search(rf"^[ \t]*[\"']?{name}\b", text, re.MULTILINE)
    line = None if before is None else text.count("\n", 0, before.start()) + 1
    *others, last = (f"`{choice}`" for choice in choices)
    word = _choices_text(value).strip("'")
    near = MEANT.get(word.lower()) or nearest(word, choices)
    hint = f"Did you mean `{near}`?" if near else f"Write one of them, such as `{name} = {choices[0]!r}`."
    return fault(path, line, f"`{name}` is {_choices_text(value)}, not {', '.join(others)} or {last}.", hint)


def _choices_text(value: object) -> str:
    try:
        return one_line(repr(value), 80)
    except ValueError:
        return "a number of thousands of digits"


def _limits(settings: Settings) -> Limits:
    for name, value in settings.limits.items():
        if name not in Limits.__struct_fields__:
            hint = did_you_mean(name, Limits.__struct_fields__)
            raise CourseError(f"{SETTINGS_FILE} has the unknown limit `{one_line(name)}`.", hint)
        least = LEAST_MEMORY if name == "memory_bytes" else 0
        if value == 0 or not least <= value <= MOST[name]:
            hint = f"Write a number {f'from {least}' if least else 'above 0, up'} to {MOST[name]:.0f}."
            raise CourseError(f"The limit `{name}` in {SETTINGS_FILE} is {_choices_text(value)}.", hint)
    try:
        return msgspec.convert({**msgspec.structs.asdict(DEFAULT_LIMITS), **settings.limits}, Limits)
    except msgspec.ValidationError as problem:
        raise CourseError(f"{SETTINGS_FILE} is not valid: {problem}.") from None


def read_secret(root: Path) -> bytes:
    """Return the key that this course draws its hidden inputs from, and make it on first need.

    The variable GRADER_SECRET comes first, for machines that get a fresh copy of the course each time.

    Raises:
        CourseError: The secret is too short, lies open to other users, or cannot be read or written.
    """
    given = os.environ.get(SECRET_VARIABLE)
    if given is not None:
        secret = os.fsencode(given)
        if len(secret) < SHORTEST_SECRET:
            problem = f"The secret in {SECRET_VARIABLE} has {len(secret)} bytes, fewer than {SHORTEST_SECRET}."
            raise CourseError(problem, "Set a longer one, or unset it.")
        return secret
    path = root / SECRET_FILE
    try:
        if not path.exists() and not path.is_symlink():
            _make_secret(path)
        return _read_secret(path)
    except OSError as problem:
        hint = f"Make the folder {path.parent} writable, or set the variable {SECRET_VARIABLE}."
        raise CourseError(f"The secret {path} cannot be read or made: {problem.strerror}.", hint) from None


@contextlib.contextmanager
def drawn_from(value: str) -> Iterator[None]:
    """Let the course draw its inputs from a secret for a while."""
    before = os.environ.get(SECRET_VARIABLE)
    os.environ[SECRET_VARIABLE] = value
    try:
        yield
    finally:
        del os.environ[SECRET_VARIABLE]
        if before is not None:
            os.environ[SECRET_VARIABLE] = before


def _make_secret(path: Path) -> None:
    """Write the secret beside its place and link it there, so that two first runs at once agree on one."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_name(f"secret.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.write(handle, secrets.token_bytes(SECRET_BYTES))
        os.close(handle)
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def _read_secret(path: Path) -> bytes:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise CourseError(f"The secret {path} is not a plain file.", "Remove it, and a new one is made.")
        if os.name == "posix" and state.st_mode & 0o077:
            mode = f"{stat.S_IMODE(state.st_mode):04o}"
            hint = f"Run `chmod 600 {path}` if nobody did, or remove it and grade again with a new one."
            raise CourseError(f"The secret {path} has the mode {mode}, so other users can read it.", hint)
        secret = file.read(4096)
    if len(secret) < SHORTEST_SECRET:
        problem = f"The secret {path} has {len(secret)} bytes, fewer than {SHORTEST_SECRET}."
        raise CourseError(problem, "Remove it, and a new one is made.")
    return secret
