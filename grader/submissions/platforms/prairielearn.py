"""PrairieLearn, after `assessment_instance_files` in `instructorAssessmentDownloads.sql` of its source.

`ann@example.edu_1_attention_1_3_4711_simple_attention.py`: the user, the number of the assessment's instance, the
question, the variant, which submission it is, the submission's id, and the file. The student is called by the user's
name. Of each question the submission with the largest id counts. A question or a file that has numbers between
underscores itself leaves several readings: the one counts in which the file has a name of the course's, and where it is
not one only, nothing says which submission is the latest.
"""

import re

from grader.text import same_name_key

from .handed_in import HandedIn, Listing

WHO = re.compile(r"(?P<who>[^/@]+@[^_/@]+)_\d+_(?P<rest>.+)")
NUMBERS = re.compile(r"(?=_\d+_\d+_(\d+)_(.+))")


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each file is."""
    known = tuple(same_name_key(name) for pair in listing.stems.items() for name in pair)
    found = []
    for name, part in listing.named(WHO).items():
        readings = [(part["rest"][: at.start()], int(at[1]), at[2]) for at in NUMBERS.finditer(part["rest"])]
        readings = [one for one in readings if one[0]]
        named = [one for one in readings if same_name_key(one[2]).startswith(known)]
        sure = readings if len(readings) == 1 else named
        question, id, file = sure[0] if len(sure) == 1 else ("", None, part["rest"])
        if readings:
            found.append(HandedIn(part["who"], name, listing.entries[name], file, question, number=id))
    return found
