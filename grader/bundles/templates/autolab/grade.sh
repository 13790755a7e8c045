#!/bin/sh
# grade.sh FOLDER: grades the handin in FOLDER; the last line printed is what Autolab reads.
python=${GRADER_PYTHON:-/opt/grader-env/bin/python}
mkdir -p "$1/handin" || exit 2
for name in @NAME@.py @NAME@.ipynb; do
    if [ -f "$1/$name" ] && [ ! -L "$1/$name" ]; then mv "$1/$name" "$1/handin/$name"; fi
done
HANDIN="$1/handin" exec "$python" -I -m grader.bundles autolab "$1/autograde"
