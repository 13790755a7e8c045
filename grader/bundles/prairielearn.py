"""The question folder for PrairieLearn, with the grader's entry point, and the image that it runs in.

PrairieLearn runs an image that is made beforehand, without a network, and lays the question's `tests/` into
`/grade/tests`. So the environment goes into the image, which holds no answer, and the course into `tests/`, which
students never get.
"""

import json
import uuid

from .content import Content

SPACE = uuid.UUID("6c1d8f0e-5a73-4c52-9a38-6c9b4bd4a7b1")
IMAGE = "attention-grader"
SECONDS = 600  # the most that PrairieLearn allows
GRADE = """\
#!/bin/sh
# PrairieLearn runs this for every submission.
root=${GRADE_ROOT:-/grade}
python=${GRADER_PYTHON:-/opt/grader-env/bin/python}
exec "$python" -I -m grader.bundles prairielearn "$root/tests"
"""
QUESTION = """\
<pl-question-panel>
  <p>Hand in your file for <strong>@TITLE@</strong>: <code>@NAME@.py</code> or <code>@NAME@.ipynb</code>.</p>
  <pl-file-upload optional-file-names="@NAME@.py,@NAME@.ipynb"></pl-file-upload>
</pl-question-panel>

<pl-submission-panel>
  <pl-external-grader-results></pl-external-grader-results>
  <pl-file-preview></pl-file-preview>
</pl-submission-panel>
"""
DOCKERFILE = """\
# The image that grades every question of this kit. Build it, push it to your registry, and name it in info.json.
#     docker build --build-arg TORCH_INDEX=... -t @IMAGE@ .
FROM python:3.12-slim-bookworm
ARG TORCH_INDEX=""
COPY kit /opt/kit
RUN TORCH_INDEX="$TORCH_INDEX" sh /opt/kit/install.sh /opt/grader-env
"""
README = """\
# @TITLE@ on PrairieLearn

1. In `image/`, build the image once for all questions and push it to your registry:
   `docker build --build-arg TORCH_INDEX=... -t @IMAGE@ .` (`TORCH_INDEX` is PyTorch's index for the CPU.) It holds the
   kit and torch, and no answer.
2. Copy `questions/@ASSIGNMENT@/` into the course's `questions/`, and set `image` in `info.json` to the image's name.
3. The question is worth what its assessment says; the score is the share of @POINTS@ points.

- **Isolation**: containers run under Docker's default rules, without namespaces: tier `landlock`, or `no-open` on
  an older kernel. Each run proves its tier first; the job's log says which it was.
- **If no tier can be proven** nothing is graded: the result is `"gradable": false`, which gives no score and uses
  no attempt. The student reads one sentence, and the job's log says the reason to staff.
- **Limits**: the timeout is @SECONDS@ s, the most there is. The network stays off.

`questions/@ASSIGNMENT@/tests/` holds the solution and the hidden checks. PrairieLearn gives it to no student; keep the
course's repository among staff.
"""


def files(content: Content) -> dict[str, bytes]:
    """Return the files of the zip file."""
    folder = f"questions/{content.assignment.id}"
    course = {f"{folder}/tests/{name}": data for name, data in content.files.items() if name.startswith("course/")}
    kit = {f"image/{name}": data for name, data in content.files.items() if name.startswith("kit/")}
    return {
        "README.md": content.text(README, IMAGE=IMAGE, SECONDS=str(SECONDS)),
        "image/Dockerfile": content.text(DOCKERFILE, IMAGE=IMAGE),
        f"{folder}/info.json": _info(content),
        f"{folder}/question.html": content.text(QUESTION),
        f"{folder}/tests/grade.sh": content.text(GRADE),
        **course,
        **kit,
    }


def _info(content: Content) -> bytes:
    settings = {
        "uuid": str(uuid.uuid5(SPACE, content.assignment.id)),
        "title": content.assignment.title,
        "topic": "Attention",
        "type": "v3",
        "gradingMethod": "External",
        "externalGradingOptions": {
            "enabled": True,
            "image": IMAGE,
            "entrypoint": "/grade/tests/grade.sh",
            "timeout": SECONDS,
            "enableNetworking": False,
        },
    }
    return (json.dumps(settings, indent=2, ensure_ascii=False) + "\n").encode()
