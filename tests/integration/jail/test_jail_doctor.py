"""What `grader doctor` finds and says; no jail is built."""

from grader.jail import tiers

from ...support.jails.raw_jails import run_program


def test_the_doctors_modules_can_be_imported_where_unix_modules_are_missing():
    """On Windows there is neither fcntl nor resource, and `grader doctor` must still say so in a sentence."""
    program = "import sys, json; sys.modules.update(fcntl=None, resource=None, termios=None); import grader.jail.doctor"
    assert run_program(f"{program}; print(json.dumps(sorted(grader.jail.TIERS)))") == sorted(tiers.TIERS)
