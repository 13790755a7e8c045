"""The commands for students, on their own work: check, watch, hint, status, reset."""

from .check import check
from .hint import hint
from .reset import reset
from .status import status
from .watch import watch

__all__ = ["check", "hint", "reset", "status", "watch"]
