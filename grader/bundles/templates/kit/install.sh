#!/bin/sh
# Makes the environment that grades: the packages of requirements.lock by version and hash, torch, and the kit.
#
#     install.sh FOLDER        FOLDER is where the environment goes
#
# TORCH_INDEX   where torch comes from; PyTorch's index for the CPU saves several GB. Empty: pip's own index.
# BASE_PYTHON   the Python to use; otherwise the first of 3.12, 3.13 and 3.11 that is found.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?"install.sh: say where the environment goes: install.sh FOLDER"}
index=${TORCH_INDEX:-@TORCH_INDEX@}
fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'

find_python() {
    for name in ${BASE_PYTHON:-} python3.12 python3.13 python3.11 python3; do
        if "$name" -c "$fits" >/dev/null 2>&1 && "$name" -c 'import ensurepip' >/dev/null 2>&1; then
            echo "$name"
            return 0
        fi
    done
    return 1
}

if ! python=$(find_python); then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        for version in 3.12 3.13 3.11; do
            apt-get install -q -y --no-install-recommends "python$version" "python$version-venv" && break
        done
    fi
    if ! python=$(find_python); then
        echo "install.sh: Python 3.11, 3.12 or 3.13 with venv is needed, and none was found." >&2
        echo "install.sh: choose an image that has one, or set BASE_PYTHON." >&2
        exit 2
    fi
fi
"$python" -m venv "$target"
install() {
    "$target/bin/python" -m pip --disable-pip-version-check --no-input install --quiet --no-cache-dir "$@"
}
install --require-hashes -r "$here/requirements.lock"
install ${index:+--index-url "$index"} "torch==@TORCH@"
@EXTRAS@install --no-index --no-deps "$here"/attention_grader-*.whl
# Compiled now: a student's run may not write, and would compile everything again each time.
"$target/bin/python" -m compileall -q "$target/lib" >/dev/null 2>&1 || true
"$target/bin/python" -I -c 'import grader, torch; print("attention-grader", grader.__version__, torch.__version__)'
