"""Makes the README of an assignment from its handout, with the table of exercises filled in.

The table is made from the source's metadata, so that no handout can promise points that the grader does not give.
"""

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import jinja2

from grader.course.content.exercises import HARDEST, Exercise
from grader.errors import CourseError
from grader.faults import course_path, fault, read_text
from grader.language import translation
from grader.words import Language

NOTICE = "<!-- Made by `grader build`; changes in this file are lost at the next build. -->\n"


def exercise_table(exercises: Sequence[Exercise], language: Language) -> str:
    """Return the Markdown table of an assignment's exercises with its totals in the last row."""
    _ = translation(language).gettext
    headings = [_("Name"), _("What you write"), _("Points"), _("Difficulty"), _("Minutes"), _("Source")]
    rows = [headings, ["---", "---", "---:", "---", "---:", "---"]]
    for exercise in exercises:
        title = exercise.title if language == "en" else exercise.title_ko
        stars = "★" * exercise.difficulty + "☆" * (HARDEST - exercise.difficulty)
        name = f"`{exercise.id}`"
        rows.append([name, title, f"{exercise.points:f}", stars, str(exercise.minutes), exercise.source])
    points = sum((exercise.points for exercise in exercises), Decimal(0))
    minutes = sum(exercise.minutes for exercise in exercises)
    rows.append(["**" + _("Total") + "**", "", f"**{points:f}**", "", f"**{minutes}**", ""])
    return "\n".join("| " + " | ".join(_cell(text) for text in row) + " |" for row in rows)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def make_readme(path: Path, title: str, exercises: Sequence[Exercise], language: Language, tasks: str = "") -> str:
    """Return a handout with the table of exercises filled in.

    Args:
        path: The handout; it may use `{{ exercises }}`, `{{ title }}`, `{{ points }}` and `{{ minutes }}`.
        tasks: What each exercise asks, to go below the table; empty where the docstrings say it.
    """
    text = read_text(path)
    # Formulas are full of `{#` and `{%`; only the double brace means anything here.
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        block_start_string="{%%%",
        block_end_string="%%%}",
        comment_start_string="{###",
        comment_end_string="###}",
    )
    table = exercise_table(exercises, language)
    try:
        filled = environment.from_string(text).render(
            exercises=f"{table}\n\n{tasks}".strip(),
            title=title,
            points=f"{sum((exercise.points for exercise in exercises), Decimal(0)):f}",
            minutes=sum(exercise.minutes for exercise in exercises),
        )
    except Exception as problem:  # an expression may raise anything
        hint = (
            "Write only {{ exercises }}, {{ title }}, {{ points }} and {{ minutes }}; in a formula write `{ {` with a "
            "space between."
        )
        line = getattr(problem, "lineno", None)
        raise fault(path, line, f"the handout cannot be filled in: {problem}.", hint) from None
    if table not in filled:
        raise CourseError(f"{course_path(path)} has no `{{{{ exercises }}}}`.", "Put it where the table belongs.")
    return NOTICE + filled.strip("\n") + "\n"
