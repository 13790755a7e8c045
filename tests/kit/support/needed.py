"""Skips tests whose packages are not installed, with the reason."""

from importlib.util import find_spec

import pytest


def skip_without(*packages: str) -> None:
    """Skip a module whose tests need packages that are not installed."""
    missing = [package for package in packages if find_spec(package) is None]
    if missing:
        pytest.skip(
            f"not installed: {', '.join(missing)} (the extra lms, or a peer of the tests)", allow_module_level=True
        )
