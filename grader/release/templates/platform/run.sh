#!/bin/sh
# Runs for every submission. Where nothing can be graded there is no result, and so no score; the output says why.
root=${GRADER_ROOT:-@ROOT@}
python=${GRADER_PYTHON:-/opt/grader-env/bin/python}
GRADER_SECRET=$(cat "$root/@FOLDER@/secret") && export GRADER_SECRET || exit 2
reports=$(mktemp -d)
"$python" -P -m grader --course "$root/@FOLDER@/course" grade "$root/@SUBMITTED@" --student submission \
    --assignment @ASSIGNMENT@ --output "$reports" --jobs 1 --fresh --no-pages
code=$?
[ "$code" -le 1 ] || exit "$code"
mkdir -p "$root/results"
"$python" -P -m grader export @PLATFORM@ "$reports" --student submission --assignment @ASSIGNMENT@ \
    --output "$root/results/results.json"
[ -s "$root/results/results.json" ]
