"""What is kept of every grading, so that nothing is done twice, lost or changed in silence.

`cache_key` says by which hash two gradings are the same, `store` keeps what came of each under that hash, `journal` is
the output folder's own account of what was written when, and `changes` compares two such accounts.
"""
