"""Classes of attackers between honest students, each graded by one run of the command line on a tier of isolation.

What takes all the time that it is given is in a class of its own on the first tier, which gives less.
"""

import tomllib
from pathlib import Path
from typing import Any

from grader.limits import MIB

from ..support.classes.grading_runs import ASSIGNMENT, FILE, REFUSED, TIERS, Graded, Playground, set_limits

ATTACKS = Path(__file__).parent
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads((ATTACKS / "expected.toml").read_text(encoding="utf-8"))
WAITING = "waiting"
"""The arena of those that are waited for, on the first tier."""
HEAVY = "heavy"
"""The arena of those that take seconds of the processor, on the first tier; every other arena is named by its tier."""
NEIGHBOURS = ("aaron", "milo", "zoe")  # before, between and after the attackers
LIMITS = {"check_cpu_s": 1.0, "submission_cpu_s": 120.0, "memory_bytes": 256 * MIB}
LESS_TIME = {"check_cpu_s": 0.3}
BY_JAIL = ("steal/", "break_out/")
ALSO_BY_JAIL = (
    "exhaust/memory_by_shared_map",
    "exhaust/endless_loop",
    "forge/at_exit",
    "forge/daemon",
    "forge/shipped_files",
    "forge/write_the_report",
    "forge/reply_with_the_right_nonce",
    "cheat/is_anybody_there",
)
HONEST = "attention_scores_for_query"
HONESTLY = f"def {HONEST}(inputs, query):\n    return inputs @ query\n\n\n"
NEIGHBOUR = '''"""An honest student's work."""

import torch

NOTE = "{word}"


def attention_scores_for_query(inputs, query):
    return inputs @ query


def softmax_naive(x):
    return torch.exp(x) / torch.exp(x).sum()


def attention_scores(inputs):
    return inputs + 1
'''


class Fight:
    """A class of attackers and honest students that was graded in one arena, and the honest ones alone."""

    def __init__(self, folder: Path, arena: str) -> None:
        tier = TIERS[0] if arena in (WAITING, HEAVY) else arena
        options = ["--isolation", tier]
        self.place = Playground(folder)
        set_limits(self.place.course, **LIMITS | (LESS_TIME if arena == WAITING else {}))
        for name in NEIGHBOURS:
            source = folder / "neighbour.py"
            source.write_text(NEIGHBOUR.format(word=self.place.canaries["neighbour"]), encoding="utf-8")
            self.place.hand_in(name, source)
        self.alone = self.place.grade("alone", *options)
        if self.alone.code == REFUSED:
            self.refusal = self.alone.stderr.strip()
            return
        self.refusal = ""
        for name in attacks_in(arena):
            hand_in(self.place, name)
        self.add_links()
        self.before = self.place.fingerprint()
        self.together: Graded = self.place.grade("together", *options, "--jobs", "2")
        self.after = self.place.fingerprint()

    def add_links(self) -> None:
        """Hand in symbolic links to the solution, to the course and to a neighbour's work."""
        solution = self.place.course / "solutions" / ASSIGNMENT
        neighbour = self.place.classroom / NEIGHBOURS[0]
        for student, target in (("link-to-the-folder", solution), ("link-to-a-neighbour", neighbour / ASSIGNMENT)):
            (self.place.classroom / student).mkdir()
            (self.place.classroom / student / ASSIGNMENT).symlink_to(target)
        for student, target in (("link-to-the-file", solution / f"{FILE}.py"), ("link-to-a-device", Path("/dev/zero"))):
            (self.place.classroom / student / ASSIGNMENT).mkdir(parents=True)
            (self.place.classroom / student / ASSIGNMENT / f"{FILE}.py").symlink_to(target)
        (self.place.classroom / "link-up" / ASSIGNMENT).mkdir(parents=True)
        relative = Path("../../../course/solutions") / ASSIGNMENT / f"{FILE}.py"
        (self.place.classroom / "link-up" / ASSIGNMENT / f"{FILE}.py").symlink_to(relative)


def attacks_in(arena: str) -> list[str]:
    """Return the attacks of an arena: all on the first tier, on the others what a weaker jail could let through."""
    if arena in (TIERS[0], WAITING, HEAVY):
        place = {name: WAITING if row.get("waits") else HEAVY if row.get("heavy") else TIERS[0]
                 for name, row in EXPECTED.items()}  # fmt: skip
        return [name for name in EXPECTED if place[name] == arena]
    return [name for name in EXPECTED if name.startswith(BY_JAIL) or name in ALSO_BY_JAIL]


def student_of(name: str) -> str:
    """Return the folder name of an attack's student."""
    return name.replace("/", "-").replace("_", "-")


def source_of(name: str) -> Path:
    """Return the file or folder of an attack."""
    return next(path for path in (ATTACKS / f"{name}.py", ATTACKS / f"{name}.ipynb", ATTACKS / name) if path.exists())


def hand_in(place: Playground, name: str) -> None:
    """Hand an attack in, above it the honest exercise where it has none of its own and may earn something by it."""
    source = source_of(name)
    place.hand_in(student_of(name), source)
    if source.suffix == ".py" and "policy" not in EXPECTED[name]:
        text = source.read_text(encoding="utf-8")
        file = place.classroom / student_of(name) / ASSIGNMENT / f"{FILE}.py"
        file.write_text(text if f"def {HONEST}(" in text else HONESTLY + text, encoding="utf-8")
