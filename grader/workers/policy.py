"""Says which exercises a submission's text answers, and which forbidden call was made."""

import msgspec


class TextReading(msgspec.Struct, frozen=True):
    """What the reading of a submission's text came to; nothing where it could not be read through.

    Attributes:
        stubs: Exercises that can give no answer as they stand in the text.
        absent: Exercises that nothing in the text defines.
    """

    stubs: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()

    def is_unwritten(self, exercise: str) -> bool:
        """Tell whether nothing in the text can give an answer of an exercise, unless it comes about while it runs."""
        return exercise in self.stubs or exercise in self.absent


def called(name: str, what: str) -> str:
    """Return the sentence about a call that ran a forbidden operation.

    Args:
        name: What was called.
        what: The operation; empty where another one was put in its place meanwhile.
    """
    if what:
        return f"{what} was called while {name} ran; this exercise asks you to write that yourself."
    return (
        f"While {name} ran, something in your code registered its own kernels for operations that this exercise "
        "forbids, so nobody can tell what it computed with. Leave out torch.library."
    )
