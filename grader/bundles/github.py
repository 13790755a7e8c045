"""A repository for staff whose workflow grades students' repositories of Classroom 50, and writes its `result.json`.

A student can change the workflow of their own repository and read whatever it can read; and what Classroom 50's own
runner fetches is published for everybody. So the hidden checks are in neither: this repository is private, and its
workflow fetches a submission and grades it there.
"""

from .content import Content

WORKFLOW = """\
# Grades one submission of @ASSIGNMENT@. Run it by hand, or with `gh workflow run` for each repository of a class.
name: Grade @ASSIGNMENT@
on:
  workflow_dispatch:
    inputs:
      repository:
        description: The student's repository, as OWNER/NAME
        required: true
      tag:
        description: The tag of the submission (submit/...)
        required: true
      classroom:
        description: The classroom's short name
        required: true
      assignment:
        description: The assignment's slug in the classroom
        required: true
      owner:
        description: The student's login on GitHub
        required: true
      publish:
        description: Put result.json into the submission's Release, where Classroom 50 collects scores
        type: boolean
        default: false
permissions:
  contents: read
jobs:
  grade:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
        with:
          path: grading
          persist-credentials: false
      - uses: actions/checkout@v4
        with:
          repository: ${{ inputs.repository }}
          ref: refs/tags/${{ inputs.tag }}
          token: ${{ secrets.SUBMISSIONS_TOKEN }}
          path: submission
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4
        with:
          path: grader-env
          key: grader-env-${{ runner.os }}-${{ hashFiles('grading/kit/**') }}
      - name: Install the grader
        env:
          TORCH_INDEX: ${{ vars.TORCH_INDEX }}
        run: test -x grader-env/bin/python || sh grading/kit/install.sh "$PWD/grader-env"
      - name: Grade
        env:
          REPOSITORY: ${{ inputs.repository }}
          CLASSROOM: ${{ inputs.classroom }}
          ASSIGNMENT: ${{ inputs.assignment }}
          OWNER: ${{ inputs.owner }}
          SUBMISSION_TAG: ${{ inputs.tag }}
        run: sh grading/grade.sh submission result.json
      - uses: actions/upload-artifact@v4
        with:
          name: result
          path: result.json
      - name: Publish
        if: ${{ inputs.publish }}
        env:
          GH_TOKEN: ${{ secrets.SUBMISSIONS_TOKEN }}
          REPOSITORY: ${{ inputs.repository }}
          SUBMISSION_TAG: ${{ inputs.tag }}
        run: gh release upload --clobber --repo "$REPOSITORY" -- "$SUBMISSION_TAG" result.json
"""
GRADE = """\
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
"""
README = """\
# @TITLE@ with GitHub Actions and Classroom 50

1. Make a **private** repository that only staff can read, and put these files into it.
2. Give it a secret `SUBMISSIONS_TOKEN`: a token that can read the students' repositories, and write their contents if
   results shall be published. Give it a variable `TORCH_INDEX` with PyTorch's index for the CPU.
3. Run the workflow for a submission: *Actions*, *Grade @ASSIGNMENT@*, *Run workflow*.

The result is an artifact, `result.json` by Classroom 50's schema `classroom50/result/v1`. Its points are integers:
@POINTS@ points are scaled so that no part of a point is lost. With *publish* it replaces the one in the
submission's Release, from where Classroom 50 collects scores.

- **Not in the students' repositories.** Classroom 50's own runner grades in the student's repository with files
  that are published for everybody to fetch. Whatever is there can be read by students, so the hidden checks must
  not be.
- **Isolation**: GitHub's Ubuntu runners restrict user namespaces: tier `landlock`. Each run proves its tier first and
  says which it was.
- **If no tier can be proven** nothing is graded: the step fails with code 3, and there is no `result.json`.
"""


def files(content: Content) -> dict[str, bytes]:
    """Return the files of the repository."""
    return {
        "README.md": content.text(README),
        f".github/workflows/grade-{content.assignment.id}.yml": content.text(WORKFLOW),
        "grade.sh": content.text(GRADE),
        **content.files,
    }
