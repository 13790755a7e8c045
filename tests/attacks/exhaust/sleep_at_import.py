"""Sleeps while it is imported, in every fresh worker; would cost a time limit for each exercise."""

import time


# %%
time.sleep(3600)


# %%
def normalize_scores(scores):
    return scores / scores.sum()
