"""The trusted side of isolation: opens a jail that was proven, and hands out workers in it."""

from .branch import Branch, Kept, Lease, LeaseFailed
from .probe import Attempt
from .tiers import TIERS, Isolation, Jail, open_jail

__all__ = ["TIERS", "Attempt", "Branch", "Isolation", "Jail", "Kept", "Lease", "LeaseFailed", "open_jail"]
