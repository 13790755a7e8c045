"""Opens a gradebook of nbgrader and enters reports into it, one student's at a time, whole or not at all.

nbgrader makes tables in whatever database it opens and a row for whatever course is named. So a database is examined
before nbgrader opens it: one that is missing, locked, broken or not a gradebook is named in an error and not changed.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy
from alembic.script import ScriptDirectory
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.dbutil import ALEMBIC_DIR
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, SQLAlchemyError

from grader.errors import OutputError, UsageError
from grader.nbgrader.notebooks.grade_cells import Expected
from grader.results.report import Report

from .entering import LACKING, Entered, comments_of, enter, expected_cells, scores_of, why_unfit

TABLES = {"assignment", "base_cell", "comment", "course", "grade", "notebook", "source_cell", "student"}
FORM = "Write it as sqlite:////folder/gradebook.db: three slashes, then the path."
MAKE = "nbgrader makes one with `nbgrader generate_assignment`; `nbgrader db upgrade` brings an old one up to date."


class OpenGradebook:
    """A gradebook that was looked at and opened."""

    def __init__(self, url: str, book: Any) -> None:
        self.url = url
        self.book = book

    def assignment(self, name: str) -> Any | None:
        """Return nbgrader's row of an assignment; None when there is none."""
        try:
            return self.book.find_assignment(name)
        except MissingEntry:
            return None

    def cells(self, assignment: str, notebook: str) -> list[Expected]:
        """Return what the gradebook knows of a notebook's cells."""
        return expected_cells(self.book.find_notebook(notebook, assignment))

    def notebook_of(self, report: Report) -> tuple[str, str]:
        """Return the notebook that a report's exercises are in, or else why its points cannot be entered.

        Returns:
            The notebook's name and an empty text, or an empty text and a sentence.
        """
        row = self.assignment(report.assignment)
        if row is None:
            return "", f"the gradebook has no assignment {report.assignment}. Run `nbgrader generate_assignment` first."
        reasons = {str(notebook.name): why_unfit(report, notebook) for notebook in row.notebooks}
        fitting = [name for name, why in reasons.items() if not why]
        if fitting:
            return fitting[0], ""
        return "", next((why for why in reasons.values() if why != LACKING), LACKING)

    def enter(self, report: Report, notebook: str, timestamp: str | None, late: Any = None) -> tuple[Entered, bool]:
        """Enter a report's points and comments, whole or not at all.

        Args:
            report: The report; of one that could not be graded no points are entered.
            timestamp: When it was handed in; None leaves it as it is.
            late: Gives the penalty for a late submission, called with the student, the score and the seconds.

        Returns:
            What changed, and whether the student is new to the gradebook.

        Raises:
            OutputError: The database could not be written.
        """
        book = self.book
        with self._one_transaction():
            new = False
            try:
                book.find_student(report.student)
            except MissingEntry:
                book.add_student(report.student)
                new = True
            more = {} if timestamp is None else {"timestamp": timestamp}
            book.update_or_create_submission(report.assignment, report.student, **more)
            row = book.find_submission_notebook(notebook, report.assignment, report.student)
            self._refuse_lacking(row, report)
            entered = enter(row, scores_of(report), comments_of(report), review=False)
            book.db.flush()
            if late is not None and report.problem is None:
                book.db.refresh(row)
                self._penalty(row, report, late)
            entered.changed |= new
        return entered, new

    def _refuse_lacking(self, row: Any, report: Report) -> None:
        lacking = scores_of(report).keys() - {grade.name for grade in row.grades}
        if lacking:
            found = f"The gradebook's row of this student lacks {', '.join(sorted(lacking))}."
            hint = "Its cells were made after the submission. Take the submission out of the gradebook and push again."
            raise OutputError("Points could not be entered.", found, hint)

    def _penalty(self, row: Any, report: Report, late: Any) -> None:
        submission = self.book.find_submission(report.assignment, report.student)
        seconds = submission.total_seconds_late
        penalty = late(report.student, row.score, seconds) if seconds > 0 else None
        if penalty is not None:
            penalty = min(max(penalty, 0), row.score)
        if row.late_submission_penalty != penalty:
            row.late_submission_penalty = penalty

    @contextlib.contextmanager
    def _one_transaction(self) -> Iterator[None]:
        """Hold all that nbgrader commits meanwhile in one transaction, which is kept at the end or lost as a whole."""
        book = self.book
        book.db.remove()
        with database_errors(self.url), book.engine.connect() as connection:
            whole = connection.begin()
            book.db.configure(bind=connection, join_transaction_mode="rollback_only")
            try:
                yield
                book.db.flush()
                book.db.expunge_all()
                whole.commit()
            except BaseException:  # Ctrl-C too must leave the gradebook as it was
                whole.rollback()
                raise
            finally:
                book.db.remove()
                book.db.configure(bind=book.engine, join_transaction_mode="conditional_savepoint")


@contextlib.contextmanager
def open_gradebook(url: str) -> Iterator[OpenGradebook]:
    """Look at a gradebook and open it.

    Args:
        url: Where it is, such as `sqlite:////folder/gradebook.db`.

    Raises:
        UsageError: There is none, it is locked or broken, or it is not a gradebook of this version of nbgrader.
    """
    place = place_of(url)
    if place is not None and not place.is_file():
        raise UsageError("A gradebook of nbgrader was looked for.", f"There is no file {place}.", MAKE)
    with database_errors(url):
        courses = _looked_at(url)
        book = Gradebook(url, courses[0] if courses else "default_course")
    try:
        yield OpenGradebook(url, book)
    finally:
        book.close()


def place_of(url: str) -> Path | None:
    """Return the file of a gradebook in SQLite; None for another kind of database.

    Raises:
        UsageError: It is not an address of a database.
    """
    try:
        parts = sqlalchemy.make_url(url)
        parts.get_dialect()
    except (ArgumentError, NoSuchModuleError, ImportError, ValueError):
        raise UsageError("The address of a gradebook was looked for.", f"{url!r} is not one.", FORM) from None
    if parts.get_backend_name() != "sqlite":
        return None
    if not parts.database or parts.database == ":memory:":
        raise UsageError("The address of a gradebook was looked for.", f"{url!r} names no file.", FORM)
    return Path(parts.database)


def _looked_at(url: str) -> list[str]:
    """Return the courses of a gradebook, after it was seen to be one; nothing is written."""
    engine = sqlalchemy.create_engine(url)
    try:
        with engine.connect() as connection:
            if engine.dialect.name == "sqlite":
                state = connection.execute(sqlalchemy.text("PRAGMA quick_check(1)")).scalar()
                if state != "ok":
                    hint = "Take the last copy of it that is whole."
                    raise UsageError("A gradebook of nbgrader was looked for.", f"{url} is damaged: {state}.", hint)
            tables = set(sqlalchemy.inspect(connection).get_table_names())
            if not tables >= TABLES:
                found = f"{url} is a database of something else." if tables else f"{url} is empty."
                raise UsageError("A gradebook of nbgrader was looked for.", found, MAKE)
            version = None
            if "alembic_version" in tables:
                version = connection.execute(sqlalchemy.text("SELECT version_num FROM alembic_version")).scalar()
            if version != ScriptDirectory(ALEMBIC_DIR).get_current_head():
                found = f"{url} was made by another version of nbgrader, or not to the end."
                raise UsageError("A gradebook of this version of nbgrader was looked for.", found, MAKE)
            known = connection.execute(sqlalchemy.text("SELECT id FROM course ORDER BY id")).scalars()
            return sorted(map(str, known), key=lambda name: (name == "default_course", name))
    finally:
        engine.dispose()


@contextlib.contextmanager
def database_errors(url: str) -> Iterator[None]:
    """Turn a database's error into a sentence.

    Raises:
        OutputError: Instead of an error of SQLAlchemy.
    """
    try:
        yield
    except SQLAlchemyError as problem:
        cause = str(getattr(problem, "orig", None) or problem).splitlines()[0]
        found = f"The database says: {cause}."
        hint = "Is the address right, and may this user read and write the file and its folder?"
        if "locked" in cause:
            found, hint = "Another program is writing to it, or has it locked.", "Wait for it to end, then push again."
        elif isinstance(problem, DatabaseError) and ("not a database" in cause or "malformed" in cause):
            found, hint = f"It is damaged or no database at all ({cause}).", "Take the last copy of it that is whole."
        raise OutputError(f"The gradebook {url} could not be worked with.", found, hint) from None
