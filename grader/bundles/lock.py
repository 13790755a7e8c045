"""Cuts the lock down to what grading needs, so that a container does not install the tools of the kit's own tests.

The lock names for each package those that need it (`# via`); a package stays if one of these is needed for grading.
What torch needs is in the lock too, while torch itself is not, since its build depends on the machine.
"""

import re
from importlib.metadata import PackageNotFoundError, requires

from grader.errors import UsageError
from grader.release.wheel import kit_file, project

LOCK = "requirements.lock"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
HEAD = (
    "# Cut from the kit's requirements.lock: what grading needs, by version and hash. torch is installed beside it.\n"
)


def runtime_lock() -> str:
    """Return the part of the lock that grading needs.

    Raises:
        UsageError: This is not a checkout, or a package that grading needs is not in the lock.
    """
    blocks = _blocks(kit_file(LOCK).read_text(encoding="utf-8"))
    needed = [name for need in project()["dependencies"] if (name := _plain(need)) != "torch"]
    missing = [name for name in needed if name not in blocks]
    if missing:
        raise UsageError(f"{missing[0]} was looked for in {LOCK}.", "The lock does not hold it.", "Run `make lock`.")
    wanted = {*needed, *(name for name in _torch_needs() if name in blocks)}
    while more := {name for name, block in blocks.items() if name not in wanted and _reasons(block) & wanted}:
        wanted |= more
    return HEAD + "".join(blocks[name] for name in sorted(wanted))


def _torch_needs() -> list[str]:
    try:
        return [_plain(need) for need in requires("torch") or [] if "extra ==" not in need]
    except PackageNotFoundError:
        raise UsageError("What torch needs was looked for.", "torch is not installed.", "Run `make setup`.") from None


def _plain(requirement: str) -> str:
    """Return the name in a requirement, as the lock writes names."""
    match = NAME.match(requirement.strip())
    return re.sub(r"[-_.]+", "-", match[0]).lower() if match else ""


def _blocks(text: str) -> dict[str, str]:
    """Return the lines of each package of a lock by its name; one may be there for some Pythons in another version."""
    blocks: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        if line[:1].isalnum():
            name = _plain(line)
            blocks.setdefault(name, "")
        if name and (line[:1].isalnum() or line.startswith(" ")):
            blocks[name] += line
    return blocks


def _reasons(block: str) -> set[str]:
    """Return the packages that need this one."""
    comments = [line.strip(" #\n") for line in block.splitlines() if line.lstrip().startswith("#")]
    return {_plain(word) for comment in comments if (word := comment.removeprefix("via").strip())}
