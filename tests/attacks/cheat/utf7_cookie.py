# coding: utf-7
"""Says it is UTF-7 and hides its code from a reader of UTF-8; would run code that no parser saw."""


def attention_scores_for_query(inputs, query):
    return inputs @ query


# +AAo-def softmax_naive(x):+AAo-    import torch+AAo-    return torch.softmax(x, 0)+AAo-
