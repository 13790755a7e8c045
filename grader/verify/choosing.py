"""Which assignments of a course are verified, and which exercise of them, by what the command line names."""

from grader.course.layout import Assignment, Course
from grader.errors import UsageError
from grader.faults import did_you_mean, nearest


def chosen(course: Course, assignment: str | None, exercise: str | None) -> list[Assignment]:
    """Return the assignments that are looked at: all, the one that is named, or those that have the exercise.

    Raises:
        UsageError: There is no such assignment or exercise; the sentence names the closest.
    """
    looked_at = [course.assignment(assignment)] if assignment else list(course.assignments.values())
    if exercise is None:
        return looked_at
    found = [each for each in looked_at if exercise in names(each)]
    if found:
        return found
    if assignment:
        elsewhere = [each.id for each in course.assignments.values() if exercise in names(each)]
        hint = f"It is in {elsewhere[0]}." if elsewhere else did_you_mean(exercise, names(looked_at[0]))
        raise UsageError(f"The assignment {looked_at[0].id} has no exercise `{exercise}`.", hint=hint)
    near = nearest(exercise, [name for each in looked_at for name in names(each)])
    hint = f"Did you mean `{near}`?" if near else "The tables in assignments/*/README.md list them."
    raise UsageError(f"This course has no exercise `{exercise}`.", hint=hint)


def names(assignment: Assignment) -> list[str]:
    """Return the names of an assignment's exercises."""
    return [each.id for each in assignment.exercises]
