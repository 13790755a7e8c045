"""`grader merge`: join the reports of the parts of a class."""

from pathlib import Path

import click


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--output", default="reports", show_default=True, help="Where the joined reports are written.")
@click.option("--course", "course_path", default=None, help="The course's folder.  [default: found upwards from here]")
def merge(folders: tuple[str, ...], output: str, course_path: str | None) -> int:
    """Join reports folders that `grader grade --shard I/N` wrote, on this machine or on others, into one.

    Ends with 0 when every submission was graded, and with 1 when some could not be, or a report did not fit its
    journal. Ends with 2, and writes nothing, when a part is missing, not whole, or was graded by another suite.
    """
    from grader.course.layout import find_course
    from grader.course.output_place import refuse_in_course
    from grader.records.merge import merge as join
    from grader.results.table import show_results
    from grader.submissions.overlap import named_path

    course = find_course(Path(course_path) if course_path else Path.cwd())
    place = named_path(output, "--output")
    refuse_in_course(place)
    parts = [named_path(folder, "FOLDER") for folder in folders]
    rows, students, summary = join(parts, place, course.secret())
    show_results(rows, students, [each.id for each in summary.assignments], summary, place)
    return 1 if summary.not_graded or summary.warnings else 0
