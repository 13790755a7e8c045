"""Right answers to `embed_tokens` in other styles than the solution's, which must have full marks."""

import torch
from torch.nn import functional as F

from grader.course.variants import right


@right(why="the weight indexed by a tensor of ids")
def embed_by_index(tokens, vocab, embedding):
    missing = [token for token in tokens if token not in vocab]
    if missing:
        raise KeyError(f"not in the vocabulary: {missing}")
    return embedding.weight[torch.tensor([vocab[token] for token in tokens])].unsqueeze(0)


@right(why="a loop over the words, the vectors stacked")
def embed_by_loop(tokens, vocab, embedding):
    vectors = []
    for token in tokens:
        if token not in vocab:
            raise KeyError(f"The token '{token}' is unknown.")
        vectors.append(embedding(torch.tensor(vocab[token])))
    return torch.stack(vectors)[None]


@right(why="one-hot vectors times the weight")
def embed_by_one_hot(tokens, vocab, embedding):
    ids = torch.LongTensor(list(map(vocab.__getitem__, tokens)))
    return (F.one_hot(ids, len(embedding.weight)).to(embedding.weight.dtype) @ embedding.weight).unsqueeze(dim=0)


@right(why="F.embedding, int32 ids and an error class of its own")
def embed_functional(tokens, vocab, embedding):
    class UnknownToken(KeyError):
        pass

    try:
        ids = [vocab[token] for token in tokens]
    except KeyError as error:
        raise UnknownToken(f"{error.args[0]} is not in the vocabulary") from None
    return F.embedding(
        torch.tensor(ids, dtype=torch.int32, device=embedding.weight.device).view(1, -1), embedding.weight
    )


@right(why="rows chosen by index_select")
def embed_by_index_select(tokens, vocab, embedding):
    ids = torch.zeros(len(tokens), dtype=torch.long)
    for place, token in enumerate(tokens):
        ids[place] = vocab[token]
    return embedding.weight.index_select(0, ids).reshape(1, len(tokens), -1)
