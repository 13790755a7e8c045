"""What the calls of one check printed, kept up to a limit."""

from grader.inside.protocol.answers import Answer, Loaded, Reply

MOST_OUTPUT = 4  # a check keeps as much printed text as this many calls may print


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
        """Keep what a call printed as far as it fits; ignore what the source prints while it is loaded."""
        if not isinstance(reply, Reply) or isinstance(reply, Loaded):
            return
        kept = reply.output[: max(0, self._limit - self._size)]
        self._kept.append(kept)
        self._size += len(kept)
        self._dropped += reply.dropped + len(reply.output) - len(kept)

    def drain(self) -> tuple[str, int]:
        """Return and clear the text and the number of dropped characters."""
        taken = "".join(self._kept), self._dropped
        self._kept, self._size, self._dropped = [], 0, 0
        return taken
