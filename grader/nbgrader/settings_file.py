"""The `nbgrader_config.py` of a course that the kit grades.

It names every part that the kit takes the place of, so that a teacher sees what is different and can put own parts
between them. What is not named is nbgrader's own.
"""

import re
from pathlib import Path

SETTINGS = "nbgrader_config.py"
NO_ID = re.compile(r"[^A-Za-z0-9_-]+")

TEXT = '''\
"""Settings of nbgrader for a course that is graded by the attention grader. Made by `grader nbgrader init`.

The places marked "kit" are where the grader stands in for nbgrader; everything else is nbgrader's own.
"""

from pathlib import Path

from grader.nbgrader.needed import need_nbgrader

need_nbgrader()  # nbgrader starts alembic by name, so the environment's programs must be on the path

c = get_config()

c.CourseDirectory.course_id = {course_id!r}
c.CourseDirectory.root = str(Path(__file__).resolve().parent)

# kit: the folder that holds `solutions/` and `tests/hidden/`. Students never get it.
c.KitExporter.course = {course!r}
# kit: where its reports go, beside `submitted/`.
c.KitExporter.reports = "reports"
# kit: more options for `grader grade`, such as ["--check-seconds", "10", "--jobs", "4"].
c.KitExporter.arguments = []

# What students see in an exercise that is not written yet.
c.ClearSolutions.code_stub = {{
    "python": '# YOUR CODE HERE\\nraise NotImplementedError("This exercise is not written yet")'
}}

# kit: reads what was handed in and has the class graded. No kernel is started, and no code of a student is run by
# nbgrader.
c.Autograde.exporter_class = "grader.nbgrader.exporter.KitExporter"
c.Autograde.sanitize_preprocessors = [
    "grader.nbgrader.preprocessors.KitCells",  # kit: mends cells that were copied, deleted, edited or stripped
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "grader.nbgrader.preprocessors.KitOutputs",  # kit: puts each exercise's report below its check
    "nbgrader.preprocessors.LimitOutput",
    "grader.nbgrader.preprocessors.SaveKitGrades",  # kit: its points; other cells as nbgrader has them
    "nbgrader.preprocessors.AssignLatePenalties",
]

# `nbgrader zip_collect`: one zip file for each student, named by the student's id, in downloaded/<assignment>/archive/.
# For files as Canvas names them, such as ada_123_456_simple_attention-1.ipynb, take the second one instead. A student
# is then called by the number in Canvas, 123, since two students may have one name.
c.FileNameCollectorPlugin.named_regexp = r".*/extracted/(?P<student_id>[^/]+)/(?:.*/)?(?P<file_id>[^/]+)\\.ipynb"
# c.FileNameCollectorPlugin.named_regexp = (
#     r".*/extracted/(?:[^/]*?_)??(?:LATE_)?(?P<student_id>anon_[A-Za-z0-9]+|[0-9]+)_[0-9]+_"
#     r"(?:[^/]*/)*(?P<file_id>[^/]+?)(?:-[0-9]+)?\\.ipynb"
# )
'''


def settings_text(course: Path) -> str:
    """Return the text of `nbgrader_config.py`.

    Args:
        course: The folder of the kit's course, absolute.
    """
    return TEXT.format(course_id=NO_ID.sub("-", course.name).strip("-") or "course", course=str(course))
