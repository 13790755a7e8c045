"""What an Autolab lab needs: `autograde-Makefile`, `autograde.tar`, and the image that it runs in.

Autolab starts `make` in the image beside the handin, as an ordinary user, and reads the scores from the last line
of what was printed. All of that output is the student's feedback, so nothing is printed that a student may not read.
"""

from .archive import tar_of
from .content import Content

IMAGE = "attention_grader"
MAKEFILE = """\
# Autolab runs this for every submission; the student's file is beside it.
all:
	@tar -xf autograde.tar
	@sh autograde/grade.sh "$(CURDIR)"
"""
GRADE = """\
#!/bin/sh
# grade.sh FOLDER: grades the handin in FOLDER; the last line printed is what Autolab reads.
python=${GRADER_PYTHON:-/opt/grader-env/bin/python}
mkdir -p "$1/handin" || exit 2
for name in @NAME@.py @NAME@.ipynb; do
    if [ -f "$1/$name" ] && [ ! -L "$1/$name" ]; then mv "$1/$name" "$1/handin/$name"; fi
done
HANDIN="$1/handin" exec "$python" -I -m grader.bundles autolab "$1/autograde"
"""
DOCKERFILE = """\
# The image that grades every lab of this kit: Autolab's usual users and folders, and an environment with the kit.
#     docker build --build-arg TORCH_INDEX=... -t @IMAGE@ .
# Autolab's driver has to be in it too; its documentation on autograding images says how to add it.
FROM python:3.12-slim-bookworm
ARG TORCH_INDEX=""
RUN apt-get update && apt-get install -y --no-install-recommends gcc make && rm -rf /var/lib/apt/lists/*
RUN useradd autolab && useradd autograde && mkdir -p /home/autolab /home/autograde/autolab /home/output \\
    && chown autolab:autolab /home/autolab && chown autograde:autograde /home/autograde /home/output
COPY kit /opt/kit
RUN TORCH_INDEX="$TORCH_INDEX" sh /opt/kit/install.sh /opt/grader-env
"""
README = """\
# @TITLE@ on Autolab

1. In `image/`, build the image once for all labs and add Autolab's driver to it, as Autolab's documentation on
   autograding images says: `docker build --build-arg TORCH_INDEX=... -t @IMAGE@ .`
2. Make a lab whose handin is called `@NAME@.py` (or `@NAME@.ipynb`), with these problems, named exactly so:

@PROBLEMS@
3. *Edit Autograder*: image `@IMAGE@`, timeout 600, and upload `autograde-Makefile` and `autograde.tar`.

- **Isolation**: the container may not make namespaces, and `make` runs as an ordinary user: tier `landlock`, or
  `no-open` on an older kernel. As Autolab's limits hold for every process together, let it allow 100 processes, and
  files of 100 MB.
- **If no tier can be proven** nothing is graded: no line of scores is printed, so Autolab gives no score. The
  feedback has one sentence for the student, and the reason for staff.

`autograde.tar` holds the solution and the hidden checks: keep it among staff.
"""


def files(content: Content) -> dict[str, bytes]:
    """Return the files of the zip file."""
    course = {f"autograde/{name}": data for name, data in content.files.items() if name.startswith("course/")}
    kit = {f"image/{name}": data for name, data in content.files.items() if name.startswith("kit/")}
    problems = [f"   | {each.id} | {each.points.normalize():f} |" for each in content.assignment.exercises]
    table = "\n".join(["   | problem | points |", "   |---|---|", *problems, ""])
    return {
        "README.md": content.text(README, IMAGE=IMAGE, PROBLEMS=table),
        "autograde-Makefile": content.text(MAKEFILE),
        "autograde.tar": tar_of({**course, "autograde/grade.sh": content.text(GRADE)}),
        "image/Dockerfile": content.text(DOCKERFILE, IMAGE=IMAGE),
        **kit,
    }
