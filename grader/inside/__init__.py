"""Everything that runs in the student's process; shipped there as text and imported as `runtime`.

Modules here import the standard library, torch, numpy, msgspec and each other (relatively), never the rest of the kit.
"""
