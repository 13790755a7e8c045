"""Runs a command as a container's default profile would: no namespaces, no mounts, no tracing, few capabilities.

Not a container, but what such a one leaves of the kernel: the system calls that the common runtimes refuse by default
answer EPERM (clone3 ENOSYS, so that libraries fall back to clone), and root keeps only the fourteen usual capabilities.
Usage: `python container_profile.py COMMAND...`, before it `--without-landlock` for an older kernel.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

# fmt: off
X86_64 = {
    "acct": 163, "add_key": 248, "bpf": 321, "delete_module": 176, "finit_module": 313, "fsconfig": 431, "fsmount": 432,
    "fsopen": 430, "fspick": 433, "init_module": 175, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "ioperm": 173, "iopl": 172, "kcmp": 312, "kexec_load": 246, "keyctl": 250,
    "lookup_dcookie": 212, "mount": 165, "move_mount": 429, "move_pages": 279, "open_by_handle_at": 304,
    "open_tree": 428, "perf_event_open": 298, "pivot_root": 155, "process_vm_readv": 310, "process_vm_writev": 311,
    "ptrace": 101, "quotactl": 179, "reboot": 169, "request_key": 249, "sethostname": 170, "setns": 308, "swapon": 167,
    "umount2": 166, "unshare": 272, "userfaultfd": 323,
}
AARCH64 = {
    "acct": 89, "add_key": 217, "bpf": 280, "delete_module": 106, "finit_module": 273, "fsconfig": 431, "fsmount": 432,
    "fsopen": 430, "fspick": 433, "init_module": 105, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "kcmp": 272, "kexec_load": 104, "keyctl": 219, "mount": 40, "move_mount": 429,
    "move_pages": 239, "open_by_handle_at": 265, "open_tree": 428, "perf_event_open": 241, "pivot_root": 41,
    "process_vm_readv": 270, "process_vm_writev": 271, "ptrace": 117, "quotactl": 60, "reboot": 142,
    "request_key": 218, "sethostname": 161, "setns": 268, "swapon": 224, "umount2": 39, "unshare": 97,
    "userfaultfd": 282,
}
# fmt: on
NUMBERS = {"x86_64": X86_64, "aarch64": AARCH64}
CLONE = {"x86_64": 56, "aarch64": 220}
CLONE3 = 435
LANDLOCK = (444, 445, 446)
NEW_NAMESPACES = 0x7E020000
ALLOW, FAIL = 0x7FFF0000, 0x00050000
KEPT_CAPABILITIES = (0, 1, 3, 4, 5, 6, 7, 8, 10, 13, 18, 27, 29, 31)
LAST_CAPABILITY = 40
PR_CAPBSET_DROP, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, FILTER_MODE = 24, 22, 38, 2
CAPABILITY_VERSION_3 = 0x20080522


def line(code: int, if_true: int, if_false: int, value: int) -> bytes:
    """Return one instruction of a classic BPF program."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def program(machine: str, older_kernel: bool) -> bytes:
    """Return the filter: a plain list, since nobody measures it."""
    refused = [*NUMBERS[machine].values(), *(LANDLOCK if older_kernel else ())]
    lines = [line(0x20, 0, 0, 0)]
    for number in refused:
        lines += [line(0x15, 0, 1, number), line(0x06, 0, 0, FAIL | errno.EPERM)]
    lines += [line(0x15, 0, 1, CLONE3), line(0x06, 0, 0, FAIL | errno.ENOSYS)]
    lines += [line(0x15, 0, 3, CLONE[machine]), line(0x20, 0, 0, 16), line(0x45, 0, 1, NEW_NAMESPACES)]
    lines += [line(0x06, 0, 0, FAIL | errno.EPERM), line(0x06, 0, 0, ALLOW)]
    return b"".join(lines)


def install(text: bytes) -> None:
    """Install a filter on this process and all that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    code = ctypes.create_string_buffer(text)
    head = ctypes.create_string_buffer(struct.pack("@HP", len(text) // 8, ctypes.addressof(code)))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, FILTER_MODE, head, 0, 0):
        raise OSError(ctypes.get_errno(), "the filter was not accepted")


def drop_capabilities() -> None:
    """Keep the usual capabilities; an ordinary user has nothing to drop."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() != 0:
        return
    for capability in range(LAST_CAPABILITY + 1):
        if capability not in KEPT_CAPABILITIES:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    low = sum(1 << capability for capability in KEPT_CAPABILITIES)
    sets = struct.pack("=6I", low, low, 0, 0, 0, 0)
    if libc.capset(ctypes.create_string_buffer(struct.pack("=Ii", CAPABILITY_VERSION_3, 0)), sets):
        raise OSError(ctypes.get_errno(), "the capabilities could not be dropped")


def main(arguments: list[str]) -> None:
    """Enter the profile and become the command."""
    older_kernel = arguments[0] == "--without-landlock"
    command = arguments[older_kernel:]
    drop_capabilities()
    install(program(platform.machine(), older_kernel))
    os.execv(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
