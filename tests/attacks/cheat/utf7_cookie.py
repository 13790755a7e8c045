# coding: utf-7
"""Says it is UTF-7 and hides code in a comment, which is never run: a file is read as it stands, in UTF-8."""


def attention_scores_for_query(inputs, query):
    return inputs @ query


# +AAo-def softmax_naive(x):+AAo-    import torch+AAo-    return torch.softmax(x, 0)+AAo-
