#!/bin/sh
# Makes the environment that grades. With the address of PyTorch's index for the CPU behind :- it is several GB smaller.
TORCH_INDEX="${TORCH_INDEX:-}"
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:-/opt/grader-env}
for version in 3.12 3.13 3.11; do
    "python$version" -c 'import ensurepip' 2>/dev/null && break
    command -v apt-get >/dev/null && apt-get update -q &&
        apt-get install -q -y --no-install-recommends "python$version" "python$version-venv" && break
done
"python$version" -m venv "$target"
"$target/bin/pip" install --no-cache-dir ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} torch==@TORCH@
"$target/bin/pip" install --no-cache-dir "$here"/@WHEEL@ @EXTRA@
