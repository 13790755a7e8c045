"""Sleeps while it is imported, in every fresh worker; would cost a time limit for each exercise."""

import time


def attention_scores_for_query(inputs, query):
    return inputs @ query


# %%
time.sleep(3600)


# %%
def normalize_scores(scores):
    return scores / scores.sum()
