"""Wrong answers to `embed_tokens`, each with the hint that a student with this answer gets."""

import math

import torch
from torch import nn
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
    hint="The features stand before the tokens; the tokens come first.",
    ko="특징 축이 토큰 축보다 앞에 있습니다. 토큰 축이 먼저입니다.",
)
def embed_features_before_tokens(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).mT


@mistake(
    hint="The words are numbered by their place in the sentence; look up the number that the vocabulary gives them.",
    ko="문장 안의 위치로 번호를 매겼습니다. 어휘가 단어에 준 번호를 찾으세요.",
)
def embed_by_place_in_the_sentence(tokens, vocab, embedding):
    if not set(tokens) <= set(vocab):
        raise KeyError(next(token for token in tokens if token not in vocab))
    return embedding(torch.arange(len(tokens)).unsqueeze(0))


@mistake(
    hint="The ids are counted by the order of the dictionary; use the numbers that it holds.",
    ko="사전에 적힌 순서로 번호를 셌습니다. 사전에 담긴 번호를 쓰세요.",
)
def embed_by_place_in_the_vocabulary(tokens, vocab, embedding):
    words = list(vocab)
    for token in tokens:
        if token not in vocab:
            raise KeyError(token)
    return embedding(torch.tensor([[words.index(token) for token in tokens]]))


@mistake(
    hint="The words were sorted and numbered anew; the vocabulary already has a number for each of them.",
    ko="단어를 정렬해 번호를 새로 매겼습니다. 어휘에 이미 단어마다 번호가 있습니다.",
)
def embed_by_sorted_words(tokens, vocab, embedding):
    words = sorted(vocab)
    for token in tokens:
        if token not in vocab:
            raise KeyError(token)
    return embedding(torch.tensor([[words.index(token) for token in tokens]]))


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
    hint="Unknown words are left out without a word; here a KeyError is asked for.",
    ko="모르는 단어를 말없이 건너뜁니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_left_out(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens if token in vocab]]).long())


@mistake(
    hint="An unknown word is added to the vocabulary; it has no row of its own, so a KeyError is asked for.",
    ko="모르는 단어를 어휘에 더했습니다. 그 단어의 행이 없으므로 KeyError가 필요합니다.",
)
def embed_unknown_added(tokens, vocab, embedding):
    return embedding(
        torch.tensor([[vocab.setdefault(token, len(vocab)) for token in tokens]]).clamp(max=len(embedding.weight) - 1)
    )


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
    hint="An assert raises AssertionError; here a KeyError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_asserted(tokens, vocab, embedding):
    assert all(token in vocab for token in tokens), tokens
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
    hint="The error says where the unknown word stands, but not the word itself.",
    ko="오류가 모르는 단어의 위치만 말하고 단어는 말하지 않습니다.",
)
def embed_unknown_by_place(tokens, vocab, embedding):
    for place, token in enumerate(tokens):
        if token not in vocab:
            raise KeyError(f"token {place} is unknown")
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
    hint="Of several unknown words the first in the alphabet is named; the first in the sentence is asked for.",
    ko="모르는 단어가 여럿일 때 가나다순으로 첫 단어를 말합니다. 문장에서 첫 단어가 필요합니다.",
)
def embed_unknown_by_the_alphabet(tokens, vocab, embedding):
    unknown = sorted(set(tokens) - set(vocab))
    if unknown:
        raise KeyError(unknown[0])
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="The id 0 counts as false, so its word is taken for unknown; ask with `in` instead.",
    ko="번호 0은 거짓으로 여겨져 그 단어를 모르는 단어로 봅니다. `in`으로 확인하세요.",
)
def embed_zero_taken_for_unknown(tokens, vocab, embedding):
    for token in tokens:
        if not vocab.get(token):
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="A word that comes again is dropped; every place of the sentence has its own vector.",
    ko="다시 나온 단어를 버렸습니다. 문장의 모든 자리에 벡터가 있어야 합니다.",
)
def embed_repeats_dropped(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in dict.fromkeys(tokens)]]))


@mistake(
    hint="The words were sorted; keep the order of the sentence.",
    ko="단어를 정렬했습니다. 문장의 순서를 지키세요.",
)
def embed_tokens_sorted(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in sorted(tokens, key=lambda token: vocab[token])]]))


@mistake(
    marks="slip",
    hint="The sentence runs backwards; keep its order.",
    ko="문장이 거꾸로입니다. 순서를 지키세요.",
)
def embed_tokens_reversed(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]]).flip(1))


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
    hint="A new embedding with random rows was made; use the one that is handed in.",
    ko="무작위 행을 가진 새 임베딩을 만들었습니다. 넘겨받은 것을 쓰세요.",
    unnamed="A new layer has other random numbers every time, which look like any wrong answer.",
)
def embed_with_a_new_layer(tokens, vocab, embedding):
    layer = nn.Embedding(embedding.num_embeddings, embedding.embedding_dim, dtype=embedding.weight.dtype)
    return layer(torch.tensor([[vocab[token] for token in tokens]]))


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
    hint="The words are changed before they are looked up; they are compared as they are written.",
    ko="찾기 전에 단어를 바꾸었습니다. 적힌 그대로 비교해야 합니다.",
)
def embed_lower_case(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token.lower()] for token in tokens]]))


@mistake(
    marks="point",
    hint="The result is cut off from the embedding (detach, .data, no_grad): its rows can't be learned.",
    ko="결과가 임베딩과 끊겨(detach, .data, no_grad) 행이 학습되지 않습니다.",
)
def embed_detached(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).detach()


@mistake(
    hint="The rows are taken from a copy of the embedding, so it is the copy that learns.",
    ko="임베딩의 복사본에서 행을 가져와, 원래의 임베딩이 아니라 복사본이 학습됩니다.",
)
def embed_copied_layer(tokens, vocab, embedding):
    copied = nn.Embedding.from_pretrained(embedding.weight.detach(), freeze=False)
    return copied(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="Inside no_grad nothing is remembered for the way back: the rows of the embedding can't be learned.",
    ko="no_grad 안에서는 되돌아갈 길이 기록되지 않아 임베딩의 행이 학습되지 않습니다.",
)
def embed_without_grad(tokens, vocab, embedding):
    with torch.no_grad():
        return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="The result is always float32; keep the dtype of the embedding.",
    ko="결과가 항상 float32입니다. 임베딩의 dtype을 지키세요.",
)
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
    hint="`pop` takes the words out of the caller's vocabulary; look them up with square brackets.",
    ko="`pop`은 부른 쪽의 어휘에서 단어를 빼냅니다. 대괄호로 찾으세요.",
)
def embed_vocabulary_used_up(tokens, vocab, embedding):
    seen = {}
    for token in tokens:
        if token not in seen:
            seen[token] = vocab.pop(token)
    return embedding(torch.tensor([[seen[token] for token in tokens]]))


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
    hint="The embedding is in evaluation mode after the call; leave its mode as it is.",
    ko="호출 뒤에 임베딩이 평가 모드입니다. 모드를 그대로 두세요.",
)
def embed_mode_changed(tokens, vocab, embedding):
    embedding.eval()
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    hint="Spaces are cut off the words before they are looked up; words are compared as they are written.",
    ko="단어의 공백을 잘라 내고 찾았습니다. 단어는 쓰인 그대로 비교합니다.",
)
def embed_stripped(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token.strip()] for token in tokens]]))


@mistake(
    hint="Every id is taken only once and in order of size; every place of the sentence has its own vector.",
    ko="번호를 한 번씩만, 크기 순서대로 썼습니다. 문장의 자리마다 벡터가 하나씩 있어야 합니다.",
)
def embed_sorted_ids_once(tokens, vocab, embedding):
    return embedding(torch.tensor(sorted({vocab[token] for token in tokens}))).unsqueeze(0)


@mistake(
    hint="The caller's list was sorted; keep the order of the sentence and leave the list as it is.",
    ko="호출한 쪽의 리스트를 정렬했습니다. 문장의 순서를 지키고 리스트를 그대로 두세요.",
    twins=("embed_tokens_sorted",),
)
def embed_tokens_sorted_in_place(tokens, vocab, embedding):
    tokens.sort()
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    marks="slip",
    hint="Every word got the row before its own: ids begin with 0, as rows do.",
    ko="단어마다 자기 행의 앞 행이 나왔습니다. 번호도 행도 0부터 시작합니다.",
)
def embed_row_before(tokens, vocab, embedding):
    return embedding.weight[[vocab[token] - 1 for token in tokens]].unsqueeze(0)


@mistake(
    hint="The rows are built anew from plain numbers: they lose their dtype and are cut off from the embedding.",
    ko="행을 숫자로 새로 만들었습니다. dtype이 사라지고 임베딩에서 끊깁니다.",
)
def embed_rebuilt_from_numbers(tokens, vocab, embedding):
    return torch.tensor([[embedding.weight[vocab[token]].tolist() for token in tokens]])


@mistake(
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def embed_zeros(tokens, vocab, embedding):
    return embedding.weight.new_zeros(1, len(tokens), embedding.embedding_dim)


@mistake(
    hint="An unknown word gets the row of <unk> where the vocabulary has one; here a KeyError is asked for.",
    ko="어휘에 <unk>가 있으면 모르는 단어에 그 행을 줍니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_as_unk(tokens, vocab, embedding):
    ids = [vocab[token if token in vocab or "<unk>" not in vocab else "<unk>"] for token in tokens]
    return embedding(torch.tensor([ids]))


@mistake(
    hint="The vectors of a sentence are kept with the embedding, so they stay the old ones when it has learned. Look them up anew.",
    ko="문장의 벡터를 임베딩에 간직해, 임베딩이 학습된 뒤에도 옛 벡터가 나옵니다. 새로 찾으세요.",
    unnamed="What is kept looks like any other wrong rows.",
)
def embed_kept_with_the_layer(tokens, vocab, embedding):
    sentence = (*tokens, *vocab.items())
    if getattr(embedding, "sentence", None) != sentence:
        embedding.sentence = sentence
        embedding.vectors = embedding(torch.tensor([[vocab[token] for token in tokens]]))
    return embedding.vectors
