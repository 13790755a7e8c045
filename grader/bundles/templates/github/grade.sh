#!/bin/sh
# grade.sh SUBMISSION RESULT: grades a clone of a student's repository and writes result.json.
# CLASSROOM, ASSIGNMENT, OWNER, SUBMISSION_TAG, REPOSITORY and GITHUB_SERVER_URL say whose it is.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${GRADER_PYTHON:-$here/../grader-env/bin/python}
submission=$(cd "$1" && pwd)
if [ -z "${SUBMISSION_COMMIT:-}" ] && [ -e "$submission/.git" ]; then
    SUBMISSION_COMMIT=$(git -C "$submission" rev-parse HEAD)
    SUBMISSION_TIME=$(git -C "$submission" log -1 --format=%cI)
    export SUBMISSION_COMMIT SUBMISSION_TIME
fi
SUBMISSION="$submission" RESULT="$2" exec "$python" -I -m grader.bundles github "$here"
