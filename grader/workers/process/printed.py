"""What the calls of one check printed, kept up to a limit."""

from grader.inside.protocol.answers import Answer, Loaded, Reply

MOST_OUTPUT = 4  # a check keeps the print of so many calls at the limit of one


class Printed:
    """The printed text of a check.

    Args:
        limit: Characters that one call may keep; a check may keep some times as many.
    """

    def __init__(self, limit: int) -> None:
        self._limit = MOST_OUTPUT * limit
        self._kept: list[str] = []
        self._size = self._dropped = 0

    def keep(self, reply: Answer) -> None:
        """Keep what still fits of what a call printed; what a source prints while it is loaded is no call's."""
        if not isinstance(reply, Reply) or isinstance(reply, Loaded):
            return
        kept = reply.output[: max(0, self._limit - self._size)]
        self._kept.append(kept)
        self._size += len(kept)
        self._dropped += reply.dropped + len(reply.output) - len(kept)

    def take(self) -> tuple[str, int]:
        """Return the text and how much more was dropped, and forget both."""
        taken = "".join(self._kept), self._dropped
        self._kept, self._size, self._dropped = [], 0, 0
        return taken
