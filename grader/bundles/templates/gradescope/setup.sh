#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}
sh "$root/source/kit/install.sh" "$root/grader-env"
