#!/bin/sh
# PrairieLearn runs this for every submission.
root=${GRADE_ROOT:-/grade}
python=${GRADER_PYTHON:-/opt/grader-env/bin/python}
exec "$python" -I -m grader.bundles prairielearn "$root/tests"
