"""What a course's rules make of raw points: lateness, extensions, attempts, who is missing, what is dropped.

Nothing here grades and no report is changed. `policy` reads the rules, `given` keeps what else a teacher said (times,
who is in the class), `count` applies them to the journal, `files` writes the gradebook, and `current` reads it for an
export.
"""
