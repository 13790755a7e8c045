"""The zip file for Gradescope: `setup.sh` and `run_autograder` at its root, the rest in `/autograder/source`.

The container runs as root with Docker's default rules, which refuse namespaces: tier `landlock`, or `no-open` on a
kernel without Landlock.
"""

from .content import Content

SETUP = """\
#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
sh "$root/source/kit/install.sh" "$root/grader-env"
"""
RUN = """\
#!/usr/bin/env bash
# Gradescope runs this for every submission.
root=${AUTOGRADER_ROOT:-/autograder}
python=${GRADER_PYTHON:-$root/grader-env/bin/python}
exec "$python" -I -m grader.bundles gradescope "$root/source"
"""
README = """\
# @TITLE@ on Gradescope

Upload this zip file as it is: *Configure Autograder*, *Zip file upload*. Set the autograder's points to @POINTS@.

- **Base image**: Ubuntu 22.04 or newer. `setup.sh` takes Python 3.11, 3.12 or 3.13, and installs one if it finds none.
- **torch**: `kit/install.sh` gets torch @TORCH@ from the index in `TORCH_INDEX`. Without one, pip's usual torch
  with CUDA comes, which is several GB.
- **Container**: choose at least 2 GB of memory and a timeout of 10 minutes.
- **Isolation**: the container runs as root and may not make namespaces. Tier `landlock` works there, or `no-open` on an
  older kernel. Each run proves its tier first and says it in its output, which only staff see.
- **If no tier can be proven** nothing is graded. No results.json is written, so Gradescope gives no score and tells the
  student that the autograder failed; the output says the reason to staff.
- **Students** hand in `@NAME@.py` or `@NAME@.ipynb`.

Whoever can download this file can read the solution and the hidden checks: keep it among staff.
"""


def files(content: Content) -> dict[str, bytes]:
    """Return the files of the zip file."""
    return {
        "setup.sh": content.text(SETUP),
        "run_autograder": content.text(RUN),
        "README.md": content.text(README),
        **content.files,
    }
