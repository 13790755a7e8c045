"""GitHub Classroom, after `clone/student-repos` in the source of its program `gh classroom`.

The folder `hw1-submissions` has a repository `hw1-LOGIN` for each. The student is called by the login. Under any other
name such a folder is a class of one's own folders, and so it is where most in it have other names.
"""

from .handed_in import HandedIn, Listing


def read(listing: Listing) -> list[HandedIn]:
    """Return whose each repository is."""
    begin = listing.title.removesuffix("submissions")
    if not begin.endswith("-") or begin == listing.title or listing.title in listing.folders:
        return []
    found = [
        HandedIn(name.removeprefix(begin), name, mode)
        for name, mode in listing.folders.items()
        if name.startswith(begin)
    ]
    return found if listing.asked or 2 * len(found) > len(listing.folders) else []
