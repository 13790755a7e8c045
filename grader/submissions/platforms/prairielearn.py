"""PrairieLearn, after `assessment_instance_files` in `instructorAssessmentDownloads.sql` of its source.

`ann@example.edu_1_attention_1_3_4711_simple_attention.py`: the user, the number of the assessment's instance, the
question, the variant, which submission it is, the submission's id, and the file. The student is called by the user's
name. Of each question the submission with the largest id counts.
"""

import re

from .handed_in import HandedIn, Listing

NAMED = re.compile(r"(?P<who>[^/@]+@[^_/@]+)_\d+_(?P<question>.+?)_\d+_\d+_(?P<id>\d+)_(?P<file>.+)")


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each file is."""
    return [
        HandedIn(part["who"], name, listing.entries[name], part["file"], part["question"], number=int(part["id"]))
        for name, part in listing.named(NAMED).items()
    ]
