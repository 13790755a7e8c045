"""The trusted side of isolation: opens a jail that was proven, and hands out workers in it."""

from grader.jail.branch import Branch, Kept, Lease, LeaseFailed
from grader.jail.probe import Attempt
from grader.jail.tiers import TIERS, Isolation, Jail, open_jail

__all__ = ["TIERS", "Attempt", "Branch", "Isolation", "Jail", "Kept", "Lease", "LeaseFailed", "open_jail"]
