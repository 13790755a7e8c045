"""Every limit on what one submission may use, in the one place where limits are set.

A course overrides single fields in course.toml; a report repeats them all, so that a verdict `timeout` or `memory` can
be understood years later. Nothing else in the kit holds a number of seconds or bytes that a student could run into.
"""

import msgspec

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a check, a submission and a file may use.

    Attributes:
        check_cpu_s: Seconds of processor time that one check may take, all its calls and threads together. A check
            that waits instead is ended after six times as long and ten seconds. Of the calls that all rules of a
            contract read each may take as long, and all together `SHARED_TIMES` as long.
        submission_cpu_s: The same for a whole submission, second tries included; what has no time left has no score.
        memory_bytes: Address space above what an idle worker maps.
        output_bytes: Printed text that is kept of one call; a check keeps four times as much. The rest is dropped.
        reply_bytes: Size of the tensors of one reply, or of all replies to calls that are made together.
        source_bytes: Size of a `.py` file, or of the code in a notebook.
        notebook_bytes: Size of an `.ipynb` file on disk.
        open_files: Descriptors that a worker may hold.
    """

    check_cpu_s: float = 5.0
    submission_cpu_s: float = 120.0
    memory_bytes: int = 1 * GIB
    output_bytes: int = 64 * KIB
    reply_bytes: int = 64 * MIB
    source_bytes: int = 1 * MIB
    notebook_bytes: int = 20 * MIB
    open_files: int = 32


DEFAULT_LIMITS = Limits()
MOST: dict[str, float | int] = {
    "check_cpu_s": 24 * 3600.0,
    "submission_cpu_s": 24 * 3600.0,
    "memory_bytes": 1024 * GIB,
    "output_bytes": 16 * MIB,
    "reply_bytes": 1024 * GIB,
    "source_bytes": 1 * GIB,
    "notebook_bytes": 1 * GIB,
    "open_files": 1_000_000,
}
"""The most that a course or the command line can allow: far above any use, and small enough for every system call."""
LEAST_MEMORY = 16 * MIB
SHARED_TIMES = 4
"""How many times a check's time all calls of a contract may take together: a dozen checks read them."""

JUDGING_S = 30.0
"""Seconds of processor time that the trusted process may compute on one check; it is ended then, as by a crash."""
JUDGING_BYTES = 2 * GIB
"""Address space that the trusted process may take for judging, above what it maps when it begins.

An answer is 64 MiB at most, and a comparison makes some copies of it in float64. What takes more multiplies an answer
by its shape. The course's own solution is proven under the same limit.
"""
