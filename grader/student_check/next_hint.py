"""The next hint of an exercise: each time it is asked for, the next of the three levels that its author wrote."""

import msgspec

from grader.course.content.student_course import StudentFiles
from grader.course.handed_out.hint_levels import LEVELS, NAME, levels_of
from grader.language import translation
from grader.text import sanitise

from .progress import read_progress, write_progress

LONGEST = 2000


def next_hint(files: StudentFiles, exercise: str, language: str) -> list[str]:
    """Return the next hint of an exercise as sentences, and remember that it was given."""
    _ = translation(language).gettext
    levels = levels_of(files.visible.parent / NAME, exercise)
    if levels is None:
        none_left = _("There is no further hint for {name}. Read the hints in its docstring, and what the check says.")
        return [none_left.format(name=exercise)]
    progress, notes = read_progress(files, language)
    seen = progress.of(exercise)
    given = min(seen.level + 1, len(LEVELS))
    text = sanitise(levels.text(given, language), LONGEST)
    lines = [_("{name}, hint {level} of 3: {text}").format(name=exercise, level=given, text=text)]
    if seen.level == len(LEVELS):
        lines.append(_("That is the last hint."))
    seen = msgspec.structs.replace(seen, level=given)
    return [*notes, *lines, *write_progress(files, progress.with_seen(exercise, seen), language)]
