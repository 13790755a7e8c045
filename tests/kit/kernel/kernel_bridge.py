"""Runs the cells that come as lines of JSON in a Jupyter kernel, for `vscode_kernel/`, and answers with a line each."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from .kernels import kernel

with kernel(Path.cwd()) as running:
    for line in sys.stdin:
        shown = running.run(json.loads(line))
        print(json.dumps({"ok": shown.status == "ok", "outputs": shown.outputs}), flush=True)
