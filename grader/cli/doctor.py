"""`grader doctor`: what this machine offers, which isolation was proven and what each probe tried."""

from pathlib import Path

import click


@click.command()
@click.option("--course", "course_path", default=".", help="A course whose files must stay out of reach.  [default: .]")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
def doctor(course_path: str, device: str) -> int:
    """Show what this machine offers and which isolation is proven here.

    Ends with 0 when submissions can be graded on this machine and with 3 when not.
    """
    from grader.course.layout import find_course
    from grader.errors import UsageError
    from grader.jail.doctor import examine, render
    from grader.limits import DEFAULT_LIMITS

    try:
        course = find_course(Path(course_path))
        secrets, limits = course.secret_paths, course.limits
    except UsageError:  # a machine can be looked at without a course
        secrets, limits = [], DEFAULT_LIMITS
    findings = examine(limits, secrets, device)
    for line in render(findings):
        click.echo(line)
    return 0 if findings.can_grade else 3
