#!/bin/sh
# grade.sh SUBMISSION RESULT: grades a clone of a student's project and writes JUnit XML.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
unset SUBMISSIONS_TOKEN
python=${GRADER_PYTHON:-$here/grader-env/bin/python}
submission=$(cd "$1" && pwd)
SUBMISSION="$submission" RESULT="$2" exec "$python" -I -m grader.bundles gitlab "$here"
