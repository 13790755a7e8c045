"""The trusted side of isolation: opens a proven jail and leases workers in it."""

from .branch import Branch, Lease, LeaseFailed
from .probe import EscapeAttempt
from .tiers import TIERS, Isolation, Jail, open_jail

__all__ = ["TIERS", "Branch", "EscapeAttempt", "Isolation", "Jail", "Lease", "LeaseFailed", "open_jail"]
