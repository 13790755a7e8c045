"""Wrong answers to `embed_tokens`, each with the hint that a student with this answer gets."""

import math

import torch
from torch.nn import functional as F

from grader.course.variants import mistake


@mistake(
    hint="The rows are right, but the axis of the batch is missing: one sentence is a batch of one.",
    ko="행은 맞지만 배치 축이 없습니다. 문장 하나는 크기가 1인 배치입니다.",
)
def embed_without_batch(tokens, vocab, embedding):
    return embedding(torch.tensor([vocab[token] for token in tokens]))


@mistake(
    hint="Every word became a sentence of its own, (T, 1, d); all words belong to one sentence.",
    ko="단어마다 따로 문장이 되었습니다(T, 1, d). 모든 단어가 한 문장에 속합니다.",
)
def embed_batch_of_words(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token]] for token in tokens]))


@mistake(
    hint="`squeeze` removes every axis of size 1: with a single token, that of the tokens is lost.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 토큰이 하나이면 토큰 축이 사라집니다.",
)
def embed_squeezed(tokens, vocab, embedding):
    return embedding(torch.tensor([vocab[token] for token in tokens])).squeeze().unsqueeze(0)


@mistake(
    hint="The words are numbered by their place in the sentence; look up the number that the vocabulary gives them.",
    ko="문장 안의 위치로 번호를 매겼습니다. 어휘가 단어에 준 번호를 찾으세요.",
)
def embed_by_place_in_the_sentence(tokens, vocab, embedding):
    if not set(tokens) <= set(vocab):
        raise KeyError(next(token for token in tokens if token not in vocab))
    return embedding(torch.arange(len(tokens)).unsqueeze(0))


@mistake(
    marks="slip",
    hint="Every word got the row of the next number: ids begin with 0, and row 0 belongs to the id 0.",
    ko="단어마다 다음 번호의 행을 받았습니다. 번호는 0부터이고 0번 행이 번호 0의 것입니다.",
)
def embed_next_row(tokens, vocab, embedding):
    rows = embedding.num_embeddings
    return embedding(torch.tensor([[(vocab[token] + 1) % rows for token in tokens]]))


@mistake(
    hint="`get` with a default gives an unknown word another word's row; here a KeyError is asked for.",
    ko="기본값을 주는 `get`은 모르는 단어에 다른 단어의 행을 줍니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_as_zero(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab.get(token, 0) for token in tokens]]))


@mistake(
    hint="A ValueError is raised; for a word that a dictionary does not hold, KeyError is asked for.",
    ko="ValueError를 일으켰습니다. 사전에 없는 단어에는 KeyError가 필요합니다.",
)
def embed_unknown_as_value_error(tokens, vocab, embedding):
    for token in tokens:
        if token not in vocab:
            raise ValueError(f"unknown token: {token}")
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="The error does not say which word is unknown; put the word into its text.",
    ko="어느 단어가 어휘에 없는지 오류에 없습니다. 그 단어를 오류의 내용에 넣으세요.",
)
def embed_unknown_unnamed(tokens, vocab, embedding):
    if any(token not in vocab for token in tokens):
        raise KeyError("a token is not in the vocabulary")
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="Of several unknown words the last one is named; the first is asked for.",
    ko="모르는 단어가 여럿일 때 마지막 단어를 말합니다. 첫 단어가 필요합니다.",
)
def embed_last_unknown_named(tokens, vocab, embedding):
    for token in reversed(tokens):
        if token not in vocab:
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="The whole vocabulary was embedded; only the words of the sentence are asked for.",
    ko="어휘 전체를 임베딩했습니다. 문장의 단어만 필요합니다.",
)
def embed_whole_vocabulary(tokens, vocab, embedding):
    for token in tokens:
        vocab[token]
    return embedding(torch.tensor([list(vocab.values())]))


@mistake(
    marks="trivial",
    hint="These are the numbers of the words; the embedding has not been asked yet.",
    ko="단어의 번호일 뿐입니다. 아직 임베딩을 거치지 않았습니다.",
)
def embed_ids_only(tokens, vocab, embedding):
    return torch.tensor([[vocab[token] for token in tokens]])


@mistake(
    hint="These are one-hot vectors; the embedding holds a row of learned features for each word.",
    ko="원-핫 벡터입니다. 임베딩에는 단어마다 학습된 특징의 행이 있습니다.",
)
def embed_one_hot(tokens, vocab, embedding):
    ids = torch.tensor([[vocab[token] for token in tokens]])
    return F.one_hot(ids, embedding.num_embeddings).to(embedding.weight.dtype)


@mistake(
    hint="The words were averaged; every word keeps its own vector.",
    ko="단어들을 평균했습니다. 단어마다 자기 벡터가 있어야 합니다.",
)
def embed_mean_of_words(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).mean(1, keepdim=True)


@mistake(
    marks="slip",
    hint="The rows were multiplied by the root of their size; here they are asked for as they are.",
    ko="행에 크기의 제곱근을 곱했습니다. 여기서는 행이 그대로 필요합니다.",
)
def embed_scaled(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])) * math.sqrt(embedding.embedding_dim)


@mistake(
    marks="point",
    hint="The result is cut off from the embedding (detach, .data, no_grad): its rows can't be learned.",
    ko="결과가 임베딩과 끊겨(detach, .data, no_grad) 행이 학습되지 않습니다.",
)
def embed_detached(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).detach()


@mistake(hint="Always float32: keep the embedding's dtype.", ko="항상 float32입니다. 임베딩의 dtype을 지키세요.")
def embed_into_float32(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).float()


@mistake(
    hint="The list of the caller is empty after the call; go through it without taking anything out.",
    ko="호출 뒤에 부른 쪽의 목록이 비어 있습니다. 아무것도 빼지 않고 훑으세요.",
)
def embed_tokens_used_up(tokens, vocab, embedding):
    ids = []
    while tokens:
        ids.append(vocab[tokens.pop(0)])
    return embedding(torch.tensor([ids]))


@mistake(
    marks="point",
    hint="The embedding's own weight was changed; leave it as it is.",
    ko="임베딩의 가중치를 바꾸었습니다. 그대로 두세요.",
)
def embed_weight_changed(tokens, vocab, embedding):
    vectors = embedding(torch.tensor([[vocab[token] for token in tokens]])).clone()
    with torch.no_grad():
        embedding.weight.div_(embedding.weight.norm(dim=-1, keepdim=True))
    return vectors


@mistake(
    hint="The unknown word is written into the caller's vocabulary before the error; leave the vocabulary as it is.",
    ko="오류를 내기 전에 모르는 단어를 부른 쪽의 어휘에 써넣었습니다. 어휘를 그대로 두세요.",
)
def embed_unknown_written_before_the_error(tokens, vocab, embedding):
    for token in tokens:
        if token not in vocab:
            vocab[token] = len(vocab)
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(hint="Words are compared as written, without lower().", ko="단어를 소문자로 바꾸지 마세요.")
def lower_case_words(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token.lower()] for token in tokens]]))


@mistake(hint="Take the ids of the vocabulary as they are.", ko="어휘 사전의 id를 그대로 쓰세요.")
def places_in_the_sorted_vocabulary(tokens, vocab, embedding):
    return embedding(torch.tensor([[sorted(vocab).index(token) for token in tokens]]))


@mistake(hint="A word that occurs twice needs two rows.", ko="두 번 나온 단어는 행도 둘입니다.")
def repeated_words_once(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in dict.fromkeys(tokens)]]))


@mistake(hint="Do not clear the caller's gradients.", ko="받은 임베딩의 그래디언트를 지우지 마세요.")
def embed_gradients_cleared(tokens, vocab, embedding):
    embedding.zero_grad()
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    marks="slip",
    hint="The id 0 is a word's like any other; ask whether the word is in the vocabulary.",
    ko="번호 0도 여느 단어의 번호입니다. 단어가 어휘에 있는지를 물으세요.",
)
def embed_zero_taken_for_unknown(tokens, vocab, embedding):
    for token in tokens:
        if not vocab.get(token):
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    marks="slip",
    hint="An embedding may have more rows than there are words, and an id may be any of them.",
    ko="임베딩의 행은 단어보다 많을 수 있고, 번호는 그 가운데 어느 것이든 될 수 있습니다.",
)
def embed_one_hot_of_the_words(tokens, vocab, embedding):
    ids = torch.tensor([[vocab[token] for token in tokens]])
    return F.one_hot(ids, len(vocab)).to(embedding.weight.dtype) @ embedding.weight[: len(vocab)]
