"""A project for staff whose pipeline grades students' projects and reports as JUnit XML.

A student can change the pipeline of their own project and read whatever it can read. So the hidden checks are in a
private project, whose pipeline fetches a submission and grades it there.
"""

from .content import Content

PIPELINE = """\
# Grades one submission of @ASSIGNMENT@. Run it for SUBMISSION_PROJECT (group/project) and SUBMISSION_REF.
workflow:
  rules:
    - if: $SUBMISSION_PROJECT
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      when: never

variables:
  SUBMISSION_PROJECT:
    description: The student's project, as GROUP/PROJECT
    value: ""
  SUBMISSION_REF:
    description: The branch, tag or commit to grade
    value: "main"

grade:
  image: python:3.12-bookworm
  timeout: 20 minutes
  cache:
    key:
      files:
        - kit/requirements.lock
        - kit/install.sh
    paths:
      - grader-env/
  script:
    - test -x grader-env/bin/python || sh kit/install.sh "$PWD/grader-env"
    - git init --quiet submission
    - >
      GIT_ASKPASS="$PWD/askpass.sh" git -C submission fetch --quiet --depth 1 --
      "$CI_SERVER_URL/$SUBMISSION_PROJECT.git" "$SUBMISSION_REF"
    - git -C submission -c advice.detachedHead=false checkout --quiet FETCH_HEAD
    - sh grade.sh submission junit.xml
  artifacts:
    when: always
    paths:
      - junit.xml
    reports:
      junit: junit.xml
"""
ASKPASS = """\
#!/bin/sh
# Gives git the token from the masked variable SUBMISSIONS_TOKEN, so that it is in no command line and no address.
case "$1" in
    Username*) echo "oauth2" ;;
    *) printf '%s\\n' "$SUBMISSIONS_TOKEN" ;;
esac
"""
GRADE = """\
#!/bin/sh
# grade.sh SUBMISSION RESULT: grades a clone of a student's project and writes JUnit XML.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
unset SUBMISSIONS_TOKEN
python=${GRADER_PYTHON:-$here/grader-env/bin/python}
submission=$(cd "$1" && pwd)
SUBMISSION="$submission" RESULT="$2" exec "$python" -I -m grader.bundles gitlab "$here"
"""
README = """\
# @TITLE@ with GitLab CI

1. Make a **private** project that only staff can read, and put these files into it.
2. Give it the masked variable `SUBMISSIONS_TOKEN`, a group access token that may read the students' repositories,
   and the variable `TORCH_INDEX` with PyTorch's index for the CPU.
3. Run a pipeline with `SUBMISSION_PROJECT` and `SUBMISSION_REF`.

The pipeline's *Tests* tab shows the checks of the student's copy, from `junit.xml`, which is an artifact too;
@POINTS@ points are in its properties, since JUnit XML itself knows none.

- **Not in the students' projects.** A student can change the pipeline of their own project and print what it can read.
- **Isolation**: a job of the Docker executor runs as root under Docker's default rules, without namespaces: tier
  `landlock`, or `no-open` on an older kernel. Do not set `privileged`; it is not needed.
- **If no tier can be proven** nothing is graded: the job fails with code 3 and there is no `junit.xml`.
"""


def files(content: Content) -> dict[str, bytes]:
    """Return the files of the project."""
    return {
        "README.md": content.text(README),
        ".gitlab-ci.yml": content.text(PIPELINE),
        "askpass.sh": content.text(ASKPASS),
        "grade.sh": content.text(GRADE),
        **content.files,
    }
