"""What a forked child does: it grades some submissions one after the other, each as if it were the first.

It goes on only where nothing can tell the next submission from the first one. A submission that could not be graded, a
fixture that was not torn down, something that the course's modules kept, or much memory taken: each of them makes the
child leave, and the parent gives what is left to a new one.
"""

import gc
import os
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from grader.jail import Branch
from grader.limits import JUDGING_BYTES, MIB, Limits
from grader.memory import bound_memory, resident_bytes
from grader.processors import keep_to
from grader.suite.child import Work
from grader.suite.memories import Memories
from grader.suite.plugin import GradingPlugin
from grader.suite.submission import Farewell, grade
from grader.suite.unchanged import Unchanged

LEFT, FAILED = 0, 1
MOST_GROWTH = 128 * MIB  # torch's code that is touched for the first time is a quarter of it


@dataclass(frozen=True)
class Collected:
    """What all submissions of an assignment are held to.

    Attributes:
        plugin: The collected suite.
        session: pytest's session.
        unchanged: What the course's modules hold before the first submission.
        memories: What the known mistakes remember before it.
    """

    plugin: GradingPlugin
    session: pytest.Session
    unchanged: Unchanged
    memories: Memories

    def is_as_before(self) -> bool:
        """See to it that the next submission finds what the first one found; returns whether it does."""
        self.memories.put_back()
        return not self.session._setupstate.stack and self.unchanged.holds()


def grade_in_turn(work: Work, folder: Path, branch: Branch, limits: Limits, collected: Collected) -> NoReturn:
    """Grade submissions, and end the process without the interpreter's long farewell.

    Args:
        work: What the parent gives.
        folder: Holds a folder for each, by its number, for its verdicts, the raw report and the last words.
        branch: Where the workers of the first one come from; each further one has a branch of its own.
        limits: What each may use.
        collected: The suite.
    """
    status = FAILED
    try:
        if work.processor is not None:
            keep_to([work.processor])
        gc.disable()  # the child is gone before it could collect anything worth the time
        bound_memory(JUDGING_BYTES)
        resident = resident_bytes()
        for job in work.jobs():
            own = folder / str(job.number)
            farewell = grade(job, own, branch, limits, collected.plugin, collected.session)
            (own / "farewell.tmp").write_bytes(msgspec.json.encode(farewell))
            (own / "farewell.tmp").rename(own / "farewell.json")
            work.done()
            if not may_go_on(farewell, collected, resident):
                break
            branch = renewed(branch)
        status = LEFT
    except BaseException:  # this process must not return into the parent's code, whatever it is
        (folder / f"error-{os.getpid()}.txt").write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(status)


def may_go_on(farewell: Farewell, collected: Collected, resident: int) -> bool:
    """Tell whether the next submission can be graded here, too."""
    run = collected.plugin.run
    ended_well = not farewell.broken and not farewell.refused and run is not None and not run.overseer.ended
    return ended_well and resident_bytes() - resident < MOST_GROWTH and collected.is_as_before()


def renewed(branch: Branch) -> Branch:
    """Return another connection to the zygote; with the old one end the workers that came by it."""
    try:
        return branch.branch()
    finally:
        branch.close()
