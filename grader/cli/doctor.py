"""`grader doctor`: what this machine offers, which isolation was proven and what each probe tried."""

import click

from .options import Common, pass_common


@click.command()
@pass_common
def doctor(common: Common) -> int:
    """Show what this machine offers and which isolation is proven here for the course.

    Ends with 0 when submissions can be graded on this machine and with 3 when not.
    """
    from grader.course.layout import find_course
    from grader.jail.doctor import examine, render
    from grader.system.devices import choose_device

    course = find_course(common.course)
    findings = examine(course.limits, course.secret_paths, choose_device("auto", course.settings.device))
    for line in render(findings):
        click.echo(line)
    return 0 if findings.can_grade else 3
