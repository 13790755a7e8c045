"""The seal on what is kept of gradings: only the course's secret makes one, and no damage leaves it whole."""

import hmac

LENGTH = 64


class Seal:
    """Seals texts of one kind.

    Args:
        secret: The course's.
        purpose: What the texts are, so that none can stand for one of another kind.
    """

    def __init__(self, secret: bytes, purpose: str) -> None:
        self._key = hmac.digest(secret, f"seal of {purpose}".encode(), "sha256")

    def of(self, text: bytes) -> str:
        """Return the seal of a text, LENGTH hexadecimal digits."""
        return hmac.digest(self._key, text, "sha256").hex()

    def holds(self, seal: str | bytes, text: bytes) -> bool:
        """Return whether a seal is that of a text."""
        given = seal if isinstance(seal, bytes) else seal.encode("utf-8", "replace")
        return hmac.compare_digest(given, self.of(text).encode())
