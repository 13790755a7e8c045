"""The documentation, held against the repository: links, named files, tests and options."""

import re
from pathlib import Path

import click

from grader.cli import main

ROOT = Path(__file__).resolve().parents[3]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
COMMAND = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?grader ((?:--(?:course|language) \S+ )*[a-z].*)$", re.MULTILINE)
PACKAGES = sorted(path.parent.name for path in (ROOT / "grader").glob("*/__init__.py"))
NAMED = re.compile(
    rf"`((?:grader/)?(?:{'|'.join(PACKAGES)})/[\w/]+\.py|grader/[\w/]+\.py|tests/(?:unit|integration|nightly|attacks|course|support)/[\w/.]+)`"
)


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", TEXTS[page], re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere():
    """Every link between pages leads to a file, and to a heading where it names one."""
    links = [
        (page, target, anchor)
        for page, text in TEXTS.items()
        for target, anchor in re.findall(r"\]\((?!\w+://)([^)#]*)#?([^)]*)\)", text)
    ]
    dead = []
    for page, target, anchor in links:
        linked = page.parent / target if target else page
        if not linked.exists() or (anchor and anchor not in anchors(linked)):
            dead.append((page.name, target, anchor))
    assert len(links) > 20
    assert dead == []


def test_named_modules_and_tests_exist():
    """Every module of the package, and every test file or folder, that a page names by its path is there."""
    names = [(page.name, name) for page, text in TEXTS.items() for name in NAMED.findall(text)]
    assert len(names) > 20
    assert [name for name in names if not any((top / name[1]).exists() for top in (ROOT, ROOT / "grader"))] == []


def command_of(line: str) -> tuple[click.Command, str]:
    """Return the command that a line calls, whatever group it stands in, and what follows its name."""
    command: click.Command = main
    line = re.sub(r"^(?:--\w+ \S+ )*", "", line)
    while isinstance(command, click.Group):
        verb, _, line = line.strip().partition(" ")
        command = command.commands[verb]
    return command, line


def test_named_options_exist():
    """Every option that follows a command of the grader, or stands in a table of options, is one of its options."""
    used = [
        (page.name, *command_of(line.partition("#")[0]))
        for page, text in TEXTS.items()
        for line in COMMAND.findall(text)
    ]
    table = re.findall(r"^\| `(--[\w-]+)`", TEXTS[ROOT / "docs" / "grading.md"], re.MULTILINE)
    used += [("grading.md", main.commands["grade"], option) for option in table]
    assert len(used) > 30
    unknown = []
    for page, command, rest in used:
        known = {option for param in command.params if isinstance(param, click.Option) for option in param.opts}
        unknown += [(page, option) for option in set(re.findall(r"(?<!\S)--[\w-]+", rest)) - known]
    assert unknown == []


def test_the_page_on_architecture_names_every_package():
    """Each package has its line in the table of rooms."""
    assert [name for name in PACKAGES if f"`grader/{name}`" not in TEXTS[ROOT / "docs" / "architecture.md"]] == []
