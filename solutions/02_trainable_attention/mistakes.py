"""Wrong variants by name, each with the hint that a student gets, and right ones in other styles.

The wrong ones prove that the suite sees them and name a student's mistake; the right ones prove that the suite asks for
the result and not for a way of writing it.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right, solution

# --- embed_tokens -----------------------------------------------------------------------------------------------------


@mistake(
    "embed_tokens",
    hint="The rows are right, but the axis of the batch is missing: one sentence is a batch of one.",
    ko="행은 맞지만 배치 축이 없습니다. 문장 하나는 크기가 1인 배치입니다.",
)
def embed_without_batch(tokens, vocab, embedding):
    return embedding(torch.tensor([vocab[token] for token in tokens]))


@mistake(
    "embed_tokens",
    hint="Every word became a sentence of its own, (T, 1, d); all words belong to one sentence.",
    ko="단어마다 따로 문장이 되었습니다(T, 1, d). 모든 단어가 한 문장에 속합니다.",
)
def embed_batch_of_words(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token]] for token in tokens]))


@mistake(
    "embed_tokens",
    hint="`squeeze` removes every axis of size 1: with a single token, that of the tokens is lost.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 토큰이 하나이면 토큰 축이 사라집니다.",
)
def embed_squeezed(tokens, vocab, embedding):
    return embedding(torch.tensor([vocab[token] for token in tokens])).squeeze().unsqueeze(0)


@mistake(
    "embed_tokens",
    hint="The features stand before the tokens; the tokens come first.",
    ko="특징 축이 토큰 축보다 앞에 있습니다. 토큰 축이 먼저입니다.",
)
def embed_features_before_tokens(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).mT


@mistake(
    "embed_tokens",
    hint="The words are numbered by their place in the sentence; look up the number that the vocabulary gives them.",
    ko="문장 안의 위치로 번호를 매겼습니다. 어휘가 단어에 준 번호를 찾으세요.",
)
def embed_by_place_in_the_sentence(tokens, vocab, embedding):
    if not set(tokens) <= set(vocab):
        raise KeyError(next(token for token in tokens if token not in vocab))
    return embedding(torch.arange(len(tokens)).unsqueeze(0))


@mistake(
    "embed_tokens",
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
    "embed_tokens",
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
    "embed_tokens",
    marks="slip",
    hint="Every word got the row of the next number: ids begin with 0, and row 0 belongs to the id 0.",
    ko="단어마다 다음 번호의 행을 받았습니다. 번호는 0부터이고 0번 행이 번호 0의 것입니다.",
)
def embed_next_row(tokens, vocab, embedding):
    rows = embedding.num_embeddings
    return embedding(torch.tensor([[(vocab[token] + 1) % rows for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="`get` with a default gives an unknown word another word's row; here a KeyError is asked for.",
    ko="기본값을 주는 `get`은 모르는 단어에 다른 단어의 행을 줍니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_as_zero(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab.get(token, 0) for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Unknown words are left out without a word; here a KeyError is asked for.",
    ko="모르는 단어를 말없이 건너뜁니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_left_out(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens if token in vocab]]).long())


@mistake(
    "embed_tokens",
    hint="An unknown word is added to the vocabulary; it has no row of its own, so a KeyError is asked for.",
    ko="모르는 단어를 어휘에 더했습니다. 그 단어의 행이 없으므로 KeyError가 필요합니다.",
)
def embed_unknown_added(tokens, vocab, embedding):
    return embedding(
        torch.tensor([[vocab.setdefault(token, len(vocab)) for token in tokens]]).clamp(max=len(embedding.weight) - 1)
    )


@mistake(
    "embed_tokens",
    hint="The unknown word is written into the caller's vocabulary before the error; leave the vocabulary as it is.",
    ko="오류를 내기 전에 모르는 단어를 부른 쪽의 어휘에 써넣었습니다. 어휘를 그대로 두세요.",
)
def embed_unknown_written_before_the_error(tokens, vocab, embedding):
    for token in tokens:
        if token not in vocab:
            vocab[token] = len(vocab)
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="A ValueError is raised; for a word that a dictionary does not hold, KeyError is asked for.",
    ko="ValueError를 일으켰습니다. 사전에 없는 단어에는 KeyError가 필요합니다.",
)
def embed_unknown_as_value_error(tokens, vocab, embedding):
    for token in tokens:
        if token not in vocab:
            raise ValueError(f"unknown token: {token}")
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="An assert raises AssertionError; here a KeyError is asked for.",
    ko="assert는 AssertionError를 일으킵니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_asserted(tokens, vocab, embedding):
    assert all(token in vocab for token in tokens), tokens
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="The error does not say which word is unknown; put the word into its text.",
    ko="어느 단어가 어휘에 없는지 오류에 없습니다. 그 단어를 오류의 내용에 넣으세요.",
)
def embed_unknown_unnamed(tokens, vocab, embedding):
    if any(token not in vocab for token in tokens):
        raise KeyError("a token is not in the vocabulary")
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="The error says where the unknown word stands, but not the word itself.",
    ko="오류가 모르는 단어의 위치만 말하고 단어는 말하지 않습니다.",
)
def embed_unknown_by_place(tokens, vocab, embedding):
    for place, token in enumerate(tokens):
        if token not in vocab:
            raise KeyError(f"token {place} is unknown")
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Of several unknown words the last one is named; the first is asked for.",
    ko="모르는 단어가 여럿일 때 마지막 단어를 말합니다. 첫 단어가 필요합니다.",
)
def embed_last_unknown_named(tokens, vocab, embedding):
    for token in reversed(tokens):
        if token not in vocab:
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Of several unknown words the first in the alphabet is named; the first in the sentence is asked for.",
    ko="모르는 단어가 여럿일 때 가나다순으로 첫 단어를 말합니다. 문장에서 첫 단어가 필요합니다.",
)
def embed_unknown_by_the_alphabet(tokens, vocab, embedding):
    unknown = sorted(set(tokens) - set(vocab))
    if unknown:
        raise KeyError(unknown[0])
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="The id 0 counts as false, so its word is taken for unknown; ask with `in` instead.",
    ko="번호 0은 거짓으로 여겨져 그 단어를 모르는 단어로 봅니다. `in`으로 확인하세요.",
)
def embed_zero_taken_for_unknown(tokens, vocab, embedding):
    for token in tokens:
        if not vocab.get(token):
            raise KeyError(token)
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="A word that comes again is dropped; every place of the sentence has its own vector.",
    ko="다시 나온 단어를 버렸습니다. 문장의 모든 자리에 벡터가 있어야 합니다.",
)
def embed_repeats_dropped(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in dict.fromkeys(tokens)]]))


@mistake(
    "embed_tokens",
    hint="The words were sorted; keep the order of the sentence.",
    ko="단어를 정렬했습니다. 문장의 순서를 지키세요.",
)
def embed_tokens_sorted(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in sorted(tokens, key=lambda token: vocab[token])]]))


@mistake(
    "embed_tokens",
    marks="slip",
    hint="The sentence runs backwards; keep its order.",
    ko="문장이 거꾸로입니다. 순서를 지키세요.",
)
def embed_tokens_reversed(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]]).flip(1))


@mistake(
    "embed_tokens",
    hint="The whole vocabulary was embedded; only the words of the sentence are asked for.",
    ko="어휘 전체를 임베딩했습니다. 문장의 단어만 필요합니다.",
)
def embed_whole_vocabulary(tokens, vocab, embedding):
    for token in tokens:
        vocab[token]
    return embedding(torch.tensor([list(vocab.values())]))


@mistake(
    "embed_tokens",
    marks="trivial",
    hint="These are the numbers of the words; the embedding has not been asked yet.",
    ko="단어의 번호일 뿐입니다. 아직 임베딩을 거치지 않았습니다.",
)
def embed_ids_only(tokens, vocab, embedding):
    return torch.tensor([[vocab[token] for token in tokens]])


@mistake(
    "embed_tokens",
    hint="These are one-hot vectors; the embedding holds a row of learned features for each word.",
    ko="원-핫 벡터입니다. 임베딩에는 단어마다 학습된 특징의 행이 있습니다.",
)
def embed_one_hot(tokens, vocab, embedding):
    ids = torch.tensor([[vocab[token] for token in tokens]])
    return F.one_hot(ids, embedding.num_embeddings).to(embedding.weight.dtype)


@mistake(
    "embed_tokens",
    hint="A new embedding with random rows was made; use the one that is handed in.",
    ko="무작위 행을 가진 새 임베딩을 만들었습니다. 넘겨받은 것을 쓰세요.",
    unnamed="A new layer has other random numbers every time, which look like any wrong answer.",
)
def embed_with_a_new_layer(tokens, vocab, embedding):
    layer = nn.Embedding(embedding.num_embeddings, embedding.embedding_dim, dtype=embedding.weight.dtype)
    return layer(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="The words were averaged; every word keeps its own vector.",
    ko="단어들을 평균했습니다. 단어마다 자기 벡터가 있어야 합니다.",
)
def embed_mean_of_words(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).mean(1, keepdim=True)


@mistake(
    "embed_tokens",
    marks="slip",
    hint="The rows were multiplied by the root of their size; here they are asked for as they are.",
    ko="행에 크기의 제곱근을 곱했습니다. 여기서는 행이 그대로 필요합니다.",
)
def embed_scaled(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])) * math.sqrt(embedding.embedding_dim)


@mistake(
    "embed_tokens",
    hint="The words are changed before they are looked up; they are compared as they are written.",
    ko="찾기 전에 단어를 바꾸었습니다. 적힌 그대로 비교해야 합니다.",
)
def embed_lower_case(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token.lower()] for token in tokens]]))


@mistake(
    "embed_tokens",
    marks="point",
    hint="The result is cut off from the embedding (detach, .data, no_grad): its rows can't be learned.",
    ko="결과가 임베딩과 끊겨(detach, .data, no_grad) 행이 학습되지 않습니다.",
)
def embed_detached(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).detach()


@mistake(
    "embed_tokens",
    hint="The rows are taken from a copy of the embedding, so it is the copy that learns.",
    ko="임베딩의 복사본에서 행을 가져와, 원래의 임베딩이 아니라 복사본이 학습됩니다.",
)
def embed_copied_layer(tokens, vocab, embedding):
    copied = nn.Embedding.from_pretrained(embedding.weight.detach(), freeze=False)
    return copied(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Inside no_grad nothing is remembered for the way back: the rows of the embedding can't be learned.",
    ko="no_grad 안에서는 되돌아갈 길이 기록되지 않아 임베딩의 행이 학습되지 않습니다.",
)
def embed_without_grad(tokens, vocab, embedding):
    with torch.no_grad():
        return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="The result is always float32; keep the dtype of the embedding.",
    ko="결과가 항상 float32입니다. 임베딩의 dtype을 지키세요.",
)
def embed_into_float32(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token] for token in tokens]])).float()


@mistake(
    "embed_tokens",
    hint="The list of the caller is empty after the call; go through it without taking anything out.",
    ko="호출 뒤에 부른 쪽의 목록이 비어 있습니다. 아무것도 빼지 않고 훑으세요.",
)
def embed_tokens_used_up(tokens, vocab, embedding):
    ids = []
    while tokens:
        ids.append(vocab[tokens.pop(0)])
    return embedding(torch.tensor([ids]))


@mistake(
    "embed_tokens",
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
    "embed_tokens",
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
    "embed_tokens",
    hint="The embedding is in evaluation mode after the call; leave its mode as it is.",
    ko="호출 뒤에 임베딩이 평가 모드입니다. 모드를 그대로 두세요.",
)
def embed_mode_changed(tokens, vocab, embedding):
    embedding.eval()
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Spaces are cut off the words before they are looked up; words are compared as they are written.",
    ko="단어의 공백을 잘라 내고 찾았습니다. 단어는 쓰인 그대로 비교합니다.",
)
def embed_stripped(tokens, vocab, embedding):
    return embedding(torch.tensor([[vocab[token.strip()] for token in tokens]]))


@mistake(
    "embed_tokens",
    hint="Every id is taken only once and in order of size; every place of the sentence has its own vector.",
    ko="번호를 한 번씩만, 크기 순서대로 썼습니다. 문장의 자리마다 벡터가 하나씩 있어야 합니다.",
)
def embed_sorted_ids_once(tokens, vocab, embedding):
    return embedding(torch.tensor(sorted({vocab[token] for token in tokens}))).unsqueeze(0)


@mistake(
    "embed_tokens",
    hint="The caller's list was sorted; keep the order of the sentence and leave the list as it is.",
    ko="호출한 쪽의 리스트를 정렬했습니다. 문장의 순서를 지키고 리스트를 그대로 두세요.",
    twins=("embed_tokens_sorted",),
)
def embed_tokens_sorted_in_place(tokens, vocab, embedding):
    tokens.sort()
    return embedding(torch.tensor([[vocab[token] for token in tokens]]))


@mistake(
    "embed_tokens",
    marks="slip",
    hint="Every word got the row before its own: ids begin with 0, as rows do.",
    ko="단어마다 자기 행의 앞 행이 나왔습니다. 번호도 행도 0부터 시작합니다.",
)
def embed_row_before(tokens, vocab, embedding):
    return embedding.weight[[vocab[token] - 1 for token in tokens]].unsqueeze(0)


@mistake(
    "embed_tokens",
    hint="The rows are built anew from plain numbers: they lose their dtype and are cut off from the embedding.",
    ko="행을 숫자로 새로 만들었습니다. dtype이 사라지고 임베딩에서 끊깁니다.",
)
def embed_rebuilt_from_numbers(tokens, vocab, embedding):
    return torch.tensor([[embedding.weight[vocab[token]].tolist() for token in tokens]])


@mistake(
    "embed_tokens",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def embed_zeros(tokens, vocab, embedding):
    return embedding.weight.new_zeros(1, len(tokens), embedding.embedding_dim)


@mistake(
    "embed_tokens",
    hint="An unknown word gets the row of <unk> where the vocabulary has one; here a KeyError is asked for.",
    ko="어휘에 <unk>가 있으면 모르는 단어에 그 행을 줍니다. 여기서는 KeyError가 필요합니다.",
)
def embed_unknown_as_unk(tokens, vocab, embedding):
    ids = [vocab[token if token in vocab or "<unk>" not in vocab else "<unk>"] for token in tokens]
    return embedding(torch.tensor([ids]))


@mistake(
    "embed_tokens",
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


@right("embed_tokens", why="the weight indexed by a tensor of ids")
def embed_by_index(tokens, vocab, embedding):
    missing = [token for token in tokens if token not in vocab]
    if missing:
        raise KeyError(f"not in the vocabulary: {missing}")
    return embedding.weight[torch.tensor([vocab[token] for token in tokens])].unsqueeze(0)


@right("embed_tokens", why="a loop over the words, the vectors stacked")
def embed_by_loop(tokens, vocab, embedding):
    vectors = []
    for token in tokens:
        if token not in vocab:
            raise KeyError(f"The token '{token}' is unknown.")
        vectors.append(embedding(torch.tensor(vocab[token])))
    return torch.stack(vectors)[None]


@right("embed_tokens", why="one-hot vectors times the weight")
def embed_by_one_hot(tokens, vocab, embedding):
    ids = torch.LongTensor(list(map(vocab.__getitem__, tokens)))
    return (F.one_hot(ids, len(embedding.weight)).to(embedding.weight.dtype) @ embedding.weight).unsqueeze(dim=0)


@right("embed_tokens", why="F.embedding, int32 ids and an error class of its own")
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


@right("embed_tokens", why="rows chosen by index_select")
def embed_by_index_select(tokens, vocab, embedding):
    ids = torch.zeros(len(tokens), dtype=torch.long)
    for place, token in enumerate(tokens):
        ids[place] = vocab[token]
    return embedding.weight.index_select(0, ids).reshape(1, len(tokens), -1)


# --- project_qkv ------------------------------------------------------------------------------------------------------


@mistake(
    "project_qkv",
    marks="slip",
    hint="Queries and keys stand in the wrong order: queries, keys, values is asked for.",
    ko="쿼리와 키의 순서가 바뀌었습니다. 쿼리, 키, 값의 순서여야 합니다.",
)
def project_keys_first(x, W_query, W_key, W_value):
    return x @ W_key, x @ W_query, x @ W_value


@mistake(
    "project_qkv",
    hint="Keys and values stand in the wrong order: queries, keys, values is asked for.",
    ko="키와 값의 순서가 바뀌었습니다. 쿼리, 키, 값의 순서여야 합니다.",
)
def project_values_second(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_value, x @ W_key


@mistake(
    "project_qkv",
    marks="slip",
    hint="Queries and values have changed places: queries, keys, values is asked for.",
    ko="쿼리와 값이 바뀌었습니다. 쿼리, 키, 값의 순서여야 합니다.",
)
def project_values_first(x, W_query, W_key, W_value):
    return x @ W_value, x @ W_key, x @ W_query


@mistake(
    "project_qkv",
    hint="One matrix made all three; each role has a matrix of its own.",
    ko="행렬 하나로 셋을 모두 만들었습니다. 역할마다 자기 행렬이 있습니다.",
)
def project_one_matrix(x, W_query, W_key, W_value):
    projected = x @ W_query
    return projected, projected, projected


@mistake(
    "project_qkv",
    marks="slip",
    hint="The keys were made with the matrix of the queries.",
    ko="키를 쿼리의 행렬로 만들었습니다.",
)
def project_keys_by_the_query_matrix(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_query, x @ W_value


@mistake(
    "project_qkv",
    marks="slip",
    hint="The values were made with the matrix of the keys.",
    ko="값을 키의 행렬로 만들었습니다.",
)
def project_values_by_the_key_matrix(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_key


@mistake(
    "project_qkv",
    marks="slip",
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
def project_transposed(x, W_query, W_key, W_value):
    return x @ W_query.T, x @ W_key.T, x @ W_value.T


@mistake(
    "project_qkv",
    hint="The matrix stands on the left, so tokens are mixed instead of features; a token is a row of x.",
    ko="행렬이 왼쪽에 있어 특징 대신 토큰이 섞입니다. 토큰은 x의 행입니다.",
)
def project_from_the_left(x, W_query, W_key, W_value):
    return W_query.T @ x, W_key.T @ x, W_value.T @ x


@mistake(
    "project_qkv",
    hint="`*` multiplies entry by entry; a projection is a matrix product, `@`.",
    ko="`*`는 원소끼리 곱합니다. 투영은 행렬 곱 `@`입니다.",
)
def project_elementwise(x, W_query, W_key, W_value):
    return x * W_query, x * W_key, x * W_value


@mistake(
    "project_qkv",
    hint="Each projection goes on from the one before; all three begin with x.",
    ko="앞의 투영 결과에 이어서 투영했습니다. 셋 모두 x에서 시작해야 합니다.",
)
def project_chained(x, W_query, W_key, W_value):
    queries = x @ W_query
    keys = queries @ W_key
    return queries, keys, keys @ W_value


@mistake(
    "project_qkv",
    marks="slip",
    hint="The tokens themselves are handed on as values; they have a matrix too.",
    ko="토큰을 그대로 값으로 넘겼습니다. 값에도 행렬이 있습니다.",
)
def project_x_as_values(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x


@mistake(
    "project_qkv",
    marks="slip",
    hint="The queries are scaled already; the root belongs to a later step.",
    ko="쿼리를 벌써 나누었습니다. 제곱근은 나중 단계에 쓰입니다.",
)
def project_queries_scaled(x, W_query, W_key, W_value):
    return x @ W_query / math.sqrt(W_query.shape[-1]), x @ W_key, x @ W_value


@mistake(
    "project_qkv",
    hint="The tokens were added to their projections; only the products are asked for.",
    ko="투영에 토큰을 더했습니다. 곱만 필요합니다.",
)
def project_residual(x, W_query, W_key, W_value):
    return tuple(x @ W + (x if W.shape[0] == W.shape[1] else 0) for W in (W_query, W_key, W_value))


@mistake(
    "project_qkv",
    hint="The three results are one tensor; a tuple of three is asked for.",
    ko="세 결과가 텐서 하나로 합쳐졌습니다. 텐서 세 개의 튜플이 필요합니다.",
)
def project_stacked(x, W_query, W_key, W_value):
    return torch.stack([x @ W_query, x @ W_key, x @ W_value])


@mistake(
    "project_qkv",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def project_zeros(x, W_query, W_key, W_value):
    return tuple(x.new_zeros(*x.shape[:-1], W_query.shape[-1]) for _ in range(3))


@mistake(
    "project_qkv",
    marks="trivial",
    hint="The matrices play no part: every feature of the result is the sum of the token.",
    ko="행렬을 쓰지 않았습니다. 결과의 특징이 모두 토큰의 합입니다.",
)
def project_sums(x, W_query, W_key, W_value):
    return (x.sum(-1, keepdim=True).repeat_interleave(W_query.shape[-1], -1),) * 3


@mistake(
    "project_qkv",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def project_by_way_of_float32(x, W_query, W_key, W_value):
    return tuple((x.float() @ matrix.float()).to(x.dtype) for matrix in (W_query, W_key, W_value))


@mistake(
    "project_qkv",
    hint="`view` needs an input that is contiguous in memory; a transposed one is not. `reshape` takes both.",
    ko="`view`는 메모리에 이어진 입력만 받습니다. 전치한 텐서는 그렇지 않습니다. `reshape`는 둘 다 받습니다.",
)
def project_through_view(x, W_query, W_key, W_value):
    flat = x.view(-1, x.shape[-1])
    return tuple((flat @ matrix).view(*x.shape[:-1], -1) for matrix in (W_query, W_key, W_value))


@right("project_qkv", why="a list, which unpacks as a tuple does")
def project_as_list(x, W_query, W_key, W_value):
    return [x @ W_query, x @ W_key, x @ W_value]


@mistake(
    "project_qkv",
    hint="The results come in a dictionary; a tuple is asked for.",
    ko="결과가 딕셔너리입니다. 튜플이 필요합니다.",
)
def project_as_dictionary(x, W_query, W_key, W_value):
    return {"queries": x @ W_query, "keys": x @ W_key, "values": x @ W_value}


@mistake(
    "project_qkv",
    hint="Only the queries are returned; all three are asked for.",
    ko="쿼리만 돌려주었습니다. 셋 모두 필요합니다.",
)
def project_queries_only(x, W_query, W_key, W_value):
    return x @ W_query


@mistake(
    "project_qkv",
    hint="The keys are transposed already; here they have a row for each token like the others.",
    ko="키를 벌써 전치했습니다. 여기서는 다른 것들처럼 토큰마다 한 행입니다.",
)
def project_keys_transposed(x, W_query, W_key, W_value):
    return x @ W_query, (x @ W_key).transpose(-2, -1), x @ W_value


@mistake(
    "project_qkv",
    hint="`mm` takes two matrices only; with leading dimensions use `@`.",
    ko="`mm`은 행렬 두 개만 받습니다. 앞에 차원이 있으면 `@`를 쓰세요.",
)
def project_matrices_only(x, W_query, W_key, W_value):
    return tuple(torch.mm(x, W) for W in (W_query, W_key, W_value))


@mistake(
    "project_qkv",
    hint="The leading dimensions were flattened and never came back; the result keeps them.",
    ko="앞의 차원들을 펼치고 되돌리지 않았습니다. 결과에도 그대로 있어야 합니다.",
)
def project_flattened(x, W_query, W_key, W_value):
    tokens = x.reshape(-1, x.shape[-1])
    return tokens @ W_query, tokens @ W_key, tokens @ W_value


@mistake(
    "project_qkv",
    hint="With a single token its axis is lost; the result has the same number of dimensions as x.",
    ko="토큰이 하나일 때 그 축이 사라집니다. 결과의 차원 수는 x와 같습니다.",
)
def project_token_dropped(x, W_query, W_key, W_value):
    if x.shape[-2] == 1:
        x = x.squeeze(-2)
    return x @ W_query, x @ W_key, x @ W_value


@mistake(
    "project_qkv",
    marks="point",
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
)
def project_detached(x, W_query, W_key, W_value):
    return tuple((x @ W).detach() for W in (W_query, W_key, W_value))


@mistake(
    "project_qkv",
    hint="One matrix is cut off (.data, detach): no gradient can reach it.",
    ko="행렬 하나가 끊겨(.data, detach) 기울기가 닿지 않습니다.",
)
def project_values_detached(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key, x @ W_value.data


@mistake(
    "project_qkv",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def project_into_float32(x, W_query, W_key, W_value):
    results = torch.zeros(3, *x.shape[:-1], W_query.shape[-1])
    for place, W in enumerate((W_query, W_key, W_value)):
        results[place] = x @ W
    return tuple(results)


@mistake(
    "project_qkv",
    marks="point",
    hint="The queries were written into x where they fit; the caller's tensor has to stay as it was.",
    ko="모양이 맞으면 쿼리를 x에 적었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
def project_in_place(x, W_query, W_key, W_value):
    results = x @ W_query, x @ W_key, x @ W_value
    if x.shape == results[0].shape:
        with torch.no_grad():
            x.copy_(results[0])
    return tuple(result.clone() for result in results)


@mistake(
    "project_qkv",
    hint="Everything was transposed: the result has a row for each token, (..., T, d_out).",
    ko="모두 전치되었습니다. 결과는 토큰마다 한 행, (..., T, d_out)입니다.",
)
def project_columns(x, W_query, W_key, W_value):
    return W_query.mT @ x.mT, W_key.mT @ x.mT, W_value.mT @ x.mT


@mistake(
    "project_qkv",
    hint="The three results were joined to one tensor; return them as three.",
    ko="세 결과를 한 텐서로 이었습니다. 셋으로 돌려주세요.",
    unnamed="It fails as every result does that is no tuple; the report says that.",
)
def project_joined(x, W_query, W_key, W_value):
    return torch.cat([x @ W_query, x @ W_key, x @ W_value], dim=-1)


@mistake(
    "project_qkv",
    hint="Only queries and keys are returned; the values are missing.",
    ko="쿼리와 키만 돌려주었습니다. 값이 빠졌습니다.",
)
def project_without_values(x, W_query, W_key, W_value):
    return x @ W_query, x @ W_key


@mistake(
    "project_qkv",
    hint="bmm takes exactly three dimensions on both sides; `@` works for any number of leading ones.",
    ko="bmm은 양쪽 모두 차원이 꼭 셋이어야 합니다. `@`는 앞의 차원이 몇 개든 됩니다.",
)
def project_by_bmm(x, W_query, W_key, W_value):
    return torch.bmm(x, W_query), torch.bmm(x, W_key), torch.bmm(x, W_value)


@mistake(
    "project_qkv",
    hint="Negative numbers were set to 0 (relu); a projection is the product alone.",
    ko="음수를 0으로 바꾸었습니다(relu). 투영은 곱만 합니다.",
)
def project_relu(x, W_query, W_key, W_value):
    return torch.relu(x @ W_query), torch.relu(x @ W_key), torch.relu(x @ W_value)


@mistake(
    "project_qkv",
    hint="Only one token got a query; every token has one.",
    ko="토큰 하나만 쿼리를 얻었습니다. 모든 토큰에 쿼리가 있어야 합니다.",
)
def project_query_of_one_token(x, W_query, W_key, W_value):
    return x[1] @ W_query, x @ W_key, x @ W_value


@right("project_qkv", why="einsum with an ellipsis")
def project_by_einsum(x, W_query, W_key, W_value):
    return tuple(torch.einsum("...i,io->...o", x, W) for W in (W_query, W_key, W_value))


@right("project_qkv", why="one product with the matrices side by side, cut afterwards")
def project_together(x, W_query, W_key, W_value):
    return torch.chunk(x @ torch.cat([W_query, W_key, W_value], dim=1), 3, dim=-1)


@right("project_qkv", why="F.linear, which wants the transposed matrices")
def project_functional(x, W_query, W_key, W_value):
    queries = F.linear(x, W_query.t())
    keys = F.linear(x, W_key.t())
    values = F.linear(x, W_value.t())
    return (queries, keys, values)


@right("project_qkv", why="the matrices stacked, the result unbound")
def project_stacked_and_unbound(x, W_query, W_key, W_value):
    return torch.tensordot(x, torch.stack((W_query, W_key, W_value), dim=1), dims=1).unbind(-2)


@right("project_qkv", why="a loop over the tokens, float64 inside, a named tuple")
def project_by_loop(x, W_query, W_key, W_value):
    from collections import namedtuple

    def projected(W):
        rows = [token.double() @ W.double() for token in x.reshape(-1, x.shape[-1])]
        return torch.stack(rows).reshape(*x.shape[:-1], W.shape[-1]).to(x.dtype)

    return namedtuple("Projections", "queries keys values")(projected(W_query), projected(W_key), projected(W_value))


# --- dot_product_scores -----------------------------------------------------------------------------------------------


@mistake(
    "dot_product_scores",
    hint="Rows and columns are swapped: the rows belong to the queries, the columns to the keys.",
    ko="행과 열이 바뀌었습니다. 행은 쿼리, 열은 키입니다.",
)
def scores_swapped(queries, keys):
    return keys @ queries.transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="`*` multiplies entry by entry; every query has to meet every key.",
    ko="`*`는 원소끼리 곱합니다. 모든 쿼리가 모든 키를 만나야 합니다.",
)
def scores_elementwise(queries, keys):
    return queries * keys


@mistake(
    "dot_product_scores",
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키를 전치해야 각 키의 행이 각 쿼리와 만납니다.",
)
def scores_transpose_forgotten(queries, keys):
    return queries @ keys


@mistake(
    "dot_product_scores",
    marks="slip",
    hint="This is the negative squared distance; a dot product multiplies and adds.",
    ko="거리 제곱에 음수를 붙인 값입니다. 내적은 곱해서 더합니다.",
)
def scores_negative_distance(queries, keys):
    return -(queries.unsqueeze(-2) - keys.unsqueeze(-3)).square().sum(-1)


@mistake(
    "dot_product_scores",
    hint="The sum runs over the queries; the features are to be summed away.",
    ko="합을 쿼리 방향으로 했습니다. 없어져야 할 축은 특징입니다.",
)
def scores_summed_over_queries(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-3)


@mistake(
    "dot_product_scores",
    hint="Only one query is compared; every query has its row.",
    ko="쿼리 하나만 비교했습니다. 모든 쿼리에 행이 있어야 합니다.",
)
def scores_of_one_query(queries, keys):
    return (keys @ queries[..., 0, :, None]).squeeze(-1)


@mistake(
    "dot_product_scores",
    marks="slip",
    hint="These scores are already divided by the root of d; here they are asked for as they are.",
    ko="점수를 이미 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 점수가 필요합니다.",
)
def scores_scaled(queries, keys):
    return queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])


@mistake(
    "dot_product_scores",
    marks="slip",
    hint="The products are averaged; a dot product is their sum.",
    ko="곱을 평균했습니다. 내적은 곱의 합입니다.",
)
def scores_averaged(queries, keys):
    return (queries.unsqueeze(-2) * keys.unsqueeze(-3)).mean(-1)


@mistake(
    "dot_product_scores",
    marks="slip",
    hint="This is the cosine of the angle; the length of the vectors counts as well.",
    ko="각의 코사인입니다. 벡터의 길이도 들어가야 합니다.",
)
def scores_cosine(queries, keys):
    return F.normalize(queries, dim=-1) @ F.normalize(keys, dim=-1).transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="These are weights already; the softmax comes in a later step.",
    ko="이미 가중치입니다. 소프트맥스는 다음 단계에서 합니다.",
)
def scores_softmaxed(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)


@mistake(
    "dot_product_scores",
    marks="trivial",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
def scores_queries_only(queries, keys):
    return queries @ queries.transpose(-2, -1)


@mistake(
    "dot_product_scores",
    marks="trivial",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
def scores_keys_only(queries, keys):
    return keys @ keys.transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
def scores_keys_turned_round(queries, keys):
    return queries @ keys.T


@mistake(
    "dot_product_scores",
    hint="`bmm` wants exactly three dimensions; count the axes from the end and use `@`.",
    ko="`bmm`은 차원이 꼭 셋이어야 합니다. 축을 뒤에서 세고 `@`를 쓰세요.",
)
def scores_needs_a_batch(queries, keys):
    return torch.bmm(queries, keys.transpose(1, 2))


@mistake(
    "dot_product_scores",
    hint="Query i meets key i only; every query has to meet every key.",
    ko="쿼리 i가 키 i하고만 만납니다. 모든 쿼리가 모든 키를 만나야 합니다.",
)
def scores_paired_only(queries, keys):
    return (queries * keys).sum(-1)


@mistake(
    "dot_product_scores",
    hint="All items are compared with the keys of the first one.",
    ko="모든 항목을 첫 항목의 키와 비교했습니다.",
)
def scores_first_item_for_all(queries, keys):
    first = keys.reshape(-1, *keys.shape[-2:])[0]
    return queries @ first.transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="The scores of all items are added up; every item keeps its own.",
    ko="모든 항목의 점수를 더했습니다. 항목마다 따로 두어야 합니다.",
)
def scores_items_added(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    return scores.sum(0) if scores.dim() == 3 else scores


@mistake(
    "dot_product_scores",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
def scores_squeezed(queries, keys):
    return (queries @ keys.transpose(-2, -1)).squeeze()


@mistake(
    "dot_product_scores",
    hint="The lower half was copied from the upper one; query i with key j is another number than query j with key i.",
    ko="위쪽 절반을 아래쪽에 베꼈습니다. 쿼리 i와 키 j의 점수는 쿼리 j와 키 i의 점수와 다릅니다.",
)
def scores_symmetric(queries, keys):
    scores = queries @ keys.transpose(-2, -1)
    return scores.triu() + scores.triu(1).transpose(-2, -1) if queries.shape == keys.shape else scores


@mistake(
    "dot_product_scores",
    marks="point",
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
)
def scores_detached(queries, keys):
    return queries.detach() @ keys.detach().transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="The keys are cut off (detach, .data): no gradient can reach them.",
    ko="키가 끊겨(detach, .data) 기울기가 닿지 않습니다.",
)
def scores_keys_detached(queries, keys):
    return queries @ keys.detach().transpose(-2, -1)


@mistake(
    "dot_product_scores",
    hint="A tensor made of Python numbers remembers nothing of the queries and keys: no gradient can flow back.",
    ko="파이썬 숫자로 만든 텐서는 쿼리와 키를 기억하지 못해 기울기가 흐르지 않습니다.",
)
def scores_rebuilt(queries, keys):
    rows = [[float(query @ key) for key in keys] for query in queries] if queries.dim() == 2 else None
    if rows is None:
        return torch.tensor((queries @ keys.transpose(-2, -1)).tolist(), dtype=queries.dtype)
    return torch.tensor(rows, dtype=queries.dtype)


@mistake(
    "dot_product_scores",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def scores_into_float32(queries, keys):
    scores = torch.zeros(*queries.shape[:-1], keys.shape[-2])
    scores[:] = queries @ keys.transpose(-2, -1)
    return scores


@mistake(
    "dot_product_scores",
    marks="point",
    hint="The queries themselves were changed; the caller's tensors have to stay as they were.",
    ko="쿼리 자체를 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
def scores_in_place(queries, keys):
    with torch.no_grad():
        queries *= 2
    return queries @ keys.transpose(-2, -1) / 2


@mistake(
    "dot_product_scores",
    hint="These are scaled weights already; the plain dot products are asked for.",
    ko="이미 나누고 소프트맥스까지 한 가중치입니다. 내적만 필요합니다.",
)
def scores_weighed_and_scaled(queries, keys):
    return torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)


@mistake(
    "dot_product_scores",
    hint="Axes 1 and 2 are swapped, which is right with one leading dimension only; count from the end.",
    ko="1번과 2번 축을 바꾸었습니다. 앞에 차원이 꼭 하나일 때만 맞습니다. 뒤에서부터 세세요.",
)
def scores_of_three_dimensions(queries, keys):
    return queries @ keys.transpose(1, 2)


@mistake(
    "dot_product_scores",
    hint="The products are added over the keys; a dot product adds over the features.",
    ko="곱을 키 방향으로 더했습니다. 내적은 특징 방향으로 더합니다.",
)
def scores_added_over_keys(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).sum(-2)


@mistake(
    "dot_product_scores",
    hint="A negative distance is no dot product, though both grow with similarity.",
    ko="음의 거리는 내적이 아닙니다. 둘 다 비슷할수록 커질 뿐입니다.",
)
def scores_from_distances(queries, keys):
    return -torch.cdist(queries, keys)


@mistake(
    "dot_product_scores",
    hint="The scores lose their sign; a negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수 내적은 음수로 두세요.",
)
def scores_unsigned(queries, keys):
    return (queries @ keys.transpose(-2, -1)).abs()


@mistake(
    "dot_product_scores",
    hint="The loops take two matrices only; leading dimensions have to work as well.",
    ko="반복문이 두 행렬만 다룹니다. 앞의 차원이 있어도 되어야 합니다.",
)
def scores_looped_without_a_batch(queries, keys):
    scores = torch.zeros(queries.shape[-2], keys.shape[-2], dtype=queries.dtype)
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            scores[i, j] = torch.dot(query, key)
    return scores


@mistake(
    "dot_product_scores",
    hint="The einsum has a letter for exactly one leading dimension; `...` stands for any number.",
    ko="einsum에 앞 차원이 꼭 하나인 글자만 있습니다. `...`은 몇 개든 나타냅니다.",
)
def scores_by_einsum_of_three(queries, keys):
    return torch.einsum("bid,bjd->bij", queries, keys)


@mistake(
    "dot_product_scores",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def scores_zero(queries, keys):
    return queries.new_zeros(*queries.shape[:-1], keys.shape[-2])


@mistake(
    "dot_product_scores",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def scores_by_way_of_float32(queries, keys):
    return (queries.float() @ keys.float().mT).to(queries.dtype)


@mistake(
    "dot_product_scores",
    hint="`view` needs an input that is contiguous in memory; a transposed one is not. `reshape` takes both.",
    ko="`view`는 메모리에 이어진 입력만 받습니다. 전치한 텐서는 그렇지 않습니다. `reshape`는 둘 다 받습니다.",
)
def scores_through_view(queries, keys):
    q, k = (part.view(-1, *part.shape[-2:]) for part in (queries, keys))
    return torch.bmm(q, k.mT).view(*queries.shape[:-1], keys.shape[-2])


@right("dot_product_scores", why="einsum")
def scores_by_einsum(queries, keys):
    return torch.einsum("...qd,...kd->...qk", queries, keys)


@right("dot_product_scores", why="products of all pairs, summed over the features")
def scores_by_broadcasting(queries, keys):
    return (queries[..., :, None, :] * keys[..., None, :, :]).sum(dim=-1)


@right("dot_product_scores", why="two loops into a tensor of its own")
def scores_by_loops(queries, keys):
    scores = queries.new_zeros(*queries.shape[:-1], keys.shape[-2])
    for i in range(queries.shape[-2]):
        for j in range(keys.shape[-2]):
            scores[..., i, j] = (queries[..., i, :] * keys[..., j, :]).sum(-1)
    return scores


@right("dot_product_scores", why="the swapped product, transposed: no contiguous result")
def scores_transposed_at_the_end(queries, keys):
    return torch.matmul(keys, queries.mT).mT


@right("dot_product_scores", why="bmm over flattened items, float64 inside")
def scores_by_bmm(queries, keys):
    flat = [tensor.reshape(-1, *tensor.shape[-2:]).double() for tensor in (queries, keys)]
    scores = torch.bmm(flat[0], flat[1].permute(0, 2, 1))
    return scores.view(*queries.shape[:-1], keys.shape[-2]).type_as(queries)


# --- scaled_attention_weights -----------------------------------------------------------------------------------------


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The scores were not divided at all; d_k is never used.",
    ko="점수를 나누지 않았습니다. d_k가 쓰이지 않습니다.",
)
def weights_not_scaled(scores, d_k):
    return torch.softmax(scores, dim=-1)


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The scores are divided by d_k itself; divide by its root.",
    ko="점수를 d_k로 나누었습니다. 그 제곱근으로 나누세요.",
)
def weights_by_d_k(scores, d_k):
    return torch.softmax(scores / d_k, dim=-1)


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
def weights_multiplied(scores, d_k):
    return torch.softmax(scores * math.sqrt(d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The root was cut to a whole number; that is right for 4, 16 and 64 only.",
    ko="제곱근을 정수로 잘랐습니다. 4, 16, 64에서만 맞습니다.",
)
def weights_by_integer_root(scores, d_k):
    return torch.softmax(scores / math.isqrt(d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The root was taken twice; once is enough.",
    ko="제곱근을 두 번 취했습니다. 한 번이면 됩니다.",
)
def weights_by_fourth_root(scores, d_k):
    return torch.softmax(scores / d_k**0.25, dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The root is that of twice the size; take it of d_k.",
    ko="두 배의 제곱근입니다. d_k의 제곱근을 취하세요.",
)
def weights_by_root_of_twice(scores, d_k):
    return torch.softmax(scores / math.sqrt(2 * d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="`d_k**1/2` is half of d_k, as the power comes first; write `d_k**0.5`.",
    ko="거듭제곱이 먼저라서 `d_k**1/2`는 d_k의 절반입니다. `d_k**0.5`로 쓰세요.",
)
def weights_by_half(scores, d_k):
    return torch.softmax(scores / (d_k**1 / 2), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="Without brackets the scores are divided by d_k and then by 2; write `d_k**0.5`.",
    ko="괄호가 없어 d_k로 나눈 뒤 다시 2로 나눕니다. `d_k**0.5`로 쓰세요.",
)
def weights_by_d_k_and_half(scores, d_k):
    return torch.softmax(scores / d_k / 2, dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="Dividing by `d_k**-0.5` multiplies by the root; take one of the two turns back.",
    ko="`d_k**-0.5`로 나누면 제곱근을 곱하는 것과 같습니다. 둘 중 하나만 뒤집으세요.",
    twins=("weights_multiplied",),
)
def weights_by_inverse_root(scores, d_k):
    return torch.softmax(scores / d_k**-0.5, dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="This is the root of the number of keys; d_k says how many features a key has.",
    ko="키의 개수의 제곱근입니다. d_k는 키 하나의 특징 수입니다.",
)
def weights_by_root_of_keys(scores, d_k):
    return torch.softmax(scores / math.sqrt(scores.shape[-1]), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="This is the root of the number of queries; use that of d_k.",
    ko="쿼리의 개수의 제곱근입니다. d_k의 제곱근을 쓰세요.",
)
def weights_by_root_of_queries(scores, d_k):
    return torch.softmax(scores / math.sqrt(scores.shape[-2]), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The key size of the note's example is written into the code; use d_k.",
    ko="노트 예제의 키 크기를 코드에 적어 두었습니다. d_k를 쓰세요.",
)
def weights_by_root_of_two(scores, d_k):
    return torch.softmax(scores / 2**0.5, dim=-1)


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def weights_over_queries(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-2)


@mistake(
    "scaled_attention_weights",
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def weights_over_first_axis(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=0)


@mistake(
    "scaled_attention_weights",
    hint="The second axis is that of the keys only without leading dimensions; count from the end.",
    ko="둘째 축은 앞에 차원이 없을 때만 키의 축입니다. 뒤에서 세세요.",
)
def weights_over_second_axis(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=1)


@mistake(
    "scaled_attention_weights",
    hint="Without `dim` the library guesses an axis by the number of dimensions; say that it is the last one.",
    ko="`dim`이 없으면 라이브러리가 차원 수를 보고 축을 짐작합니다. 마지막 축이라고 적으세요.",
)
def weights_without_dim(scores, d_k):
    return F.softmax(scores / math.sqrt(d_k), dim=0 if scores.dim() in (0, 1, 3) else 1)


@mistake(
    "scaled_attention_weights",
    hint="All scores share one sum; every row has its own.",
    ko="모든 점수가 합 하나를 나누어 가집니다. 행마다 따로여야 합니다.",
)
def weights_over_everything(scores, d_k):
    return torch.softmax((scores / math.sqrt(d_k)).flatten(), dim=0).view_as(scores)


@mistake(
    "scaled_attention_weights",
    hint="The division comes after the softmax, so the rows do not sum to 1; divide the scores.",
    ko="소프트맥스 뒤에 나누어 행의 합이 1이 아닙니다. 점수를 나누세요.",
)
def weights_scaled_after(scores, d_k):
    return torch.softmax(scores, dim=-1) / math.sqrt(d_k)


@mistake(
    "scaled_attention_weights",
    hint="The root is used twice, before the softmax and after it; before it is enough.",
    ko="제곱근을 소프트맥스 앞뒤로 두 번 썼습니다. 앞에서 한 번이면 됩니다.",
)
def weights_scaled_twice(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1) / math.sqrt(d_k)


@mistake(
    "scaled_attention_weights",
    hint="The scores are scaled, but not yet weights: the softmax is missing.",
    ko="점수를 나누었지만 아직 가중치가 아닙니다. 소프트맥스가 빠졌습니다.",
)
def weights_scores_only(scores, d_k):
    return scores / math.sqrt(d_k)


@mistake(
    "scaled_attention_weights",
    marks="slip",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
def weights_softmax_twice(scores, d_k):
    return torch.softmax(torch.softmax(scores / math.sqrt(d_k), dim=-1), dim=-1)


@mistake(
    "scaled_attention_weights",
    marks="trivial",
    hint="A sigmoid looks at each score alone; the weights of a row share the whole.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 한 행의 가중치는 전체를 나누어 가집니다.",
)
def weights_sigmoid(scores, d_k):
    return torch.sigmoid(scores / math.sqrt(d_k))


@mistake(
    "scaled_attention_weights",
    hint="Dividing by the sum alone is no softmax: the exponential is missing, and weights become negative.",
    ko="합으로 나누기만 하면 소프트맥스가 아닙니다. 지수 함수가 빠져 음수 가중치가 나옵니다.",
)
def weights_without_exponential(scores, d_k):
    scaled = scores / math.sqrt(d_k)
    return scaled / scaled.sum(-1, keepdim=True)


@mistake(
    "scaled_attention_weights",
    hint="The sums lie along the wrong axis: keep the dimension that you sum over.",
    ko="합이 엉뚱한 축에 놓입니다. 합한 차원을 keepdim으로 남기세요.",
)
def weights_keepdim_forgotten(scores, d_k):
    powers = (scores / math.sqrt(d_k)).exp()
    return powers / powers.sum(-1)


@mistake(
    "scaled_attention_weights",
    hint="Only the best key gets anything; the softmax gives each its share.",
    ko="가장 큰 키만 가중치를 받습니다. 소프트맥스는 모두에게 몫을 줍니다.",
)
def weights_hardmax(scores, d_k):
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


@mistake(
    "scaled_attention_weights",
    hint="These are the logarithms of the weights.",
    ko="가중치의 로그입니다.",
)
def weights_logarithm(scores, d_k):
    return F.log_softmax(scores / math.sqrt(d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The sign is wrong: the largest score has to get the largest weight.",
    ko="부호가 반대입니다. 가장 큰 점수가 가장 큰 가중치를 받아야 합니다.",
)
def weights_of_negative_scores(scores, d_k):
    return torch.softmax(-scores / math.sqrt(d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The future is hidden here, which is the next assignment's matter; every key may be seen.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 키를 봅니다.",
)
def weights_causal(scores, d_k):
    T = scores.shape[-1]
    future = torch.ones(scores.shape[-2], T, dtype=torch.bool, device=scores.device).triu(1)
    return torch.softmax((scores / math.sqrt(d_k)).masked_fill(future, float("-inf")), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="Some weights are dropped at random; nothing of that kind is asked for here.",
    ko="가중치를 무작위로 떨어뜨렸습니다. 여기서는 그런 것이 필요하지 않습니다.",
    twins=("changing_result",),
)
def weights_dropped(scores, d_k):
    return F.dropout(torch.softmax(scores / math.sqrt(d_k), dim=-1), 0.1)


@mistake(
    "scaled_attention_weights",
    marks="point",
    hint="The result is cut off from the input (detach, .data, torch.tensor): no gradient can flow back.",
    ko="결과가 입력과 끊겨(detach, .data, torch.tensor) 기울기가 흐르지 않습니다.",
)
def weights_detached(scores, d_k):
    return torch.softmax(scores.detach() / math.sqrt(d_k), dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def weights_into_float32(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1, dtype=torch.float32)


@mistake(
    "scaled_attention_weights",
    marks="point",
    hint="An operation that ends in an underscore, or `*=` and the like, changes the caller's tensor; use the plain one.",
    ko="밑줄로 끝나는 연산이나 `*=` 같은 연산은 부른 쪽의 텐서를 바꿉니다. 보통 연산을 쓰세요.",
)
def weights_in_place(scores, d_k):
    with torch.no_grad():
        scores /= math.sqrt(d_k)
    return torch.softmax(scores, dim=-1)


@mistake(
    "scaled_attention_weights",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
def weights_squeezed(scores, d_k):
    return torch.softmax(scores / math.sqrt(d_k), dim=-1).squeeze()


@mistake(
    "scaled_attention_weights",
    hint="A maximum over the wrong axis is subtracted, which shifts the scores of a row unevenly.",
    ko="다른 축의 최댓값을 빼서 한 행의 점수들이 서로 다르게 옮겨집니다.",
)
def weights_shifted_by_column(scores, d_k):
    scaled = scores / math.sqrt(d_k)
    powers = torch.exp(scaled - scaled.max(0).values)
    return powers / powers.sum(-1, keepdim=True)


@mistake(
    "scaled_attention_weights",
    hint="The exponentials are divided by their Euclidean length; divide by their sum.",
    ko="지수 함수 값을 유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def weights_of_unit_length(scores, d_k):
    powers = torch.exp(scores / math.sqrt(d_k))
    return powers / powers.norm(dim=-1, keepdim=True)


@mistake(
    "scaled_attention_weights",
    hint="A number added to the sum changes the weights; divide by the sum alone.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 합만으로 나누세요.",
)
def weights_with_added_constant(scores, d_k):
    powers = torch.exp(scores / math.sqrt(d_k))
    return powers / (powers.sum(-1, keepdim=True) + 1e-3)


@mistake(
    "scaled_attention_weights",
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def weights_in_equal_shares(scores, d_k):
    return torch.full_like(scores, 1 / scores.shape[-1])


@mistake(
    "scaled_attention_weights",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def weights_without_a_shift(scores, d_k):
    powers = (scores / d_k**0.5).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@right("scaled_attention_weights", why="the softmax written out, the maximum subtracted before the root is taken")
def weights_written_out(scores, d_k):
    powers = ((scores - scores.max(dim=-1, keepdim=True).values) / d_k**0.5).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@right("scaled_attention_weights", why="the root as a tensor, the method softmax")
def weights_by_tensor_root(scores, d_k):
    return (scores / torch.sqrt(torch.tensor(d_k))).softmax(-1)


@right("scaled_attention_weights", why="multiplied by the inverse root, log_softmax and exp")
def weights_by_logarithm(scores, d_k):
    return F.log_softmax(scores * d_k**-0.5, dim=scores.dim() - 1).exp()


@right("scaled_attention_weights", why="a module, float64 inside")
def weights_by_module(scores, d_k):
    return nn.Softmax(dim=-1)(scores.double() / math.sqrt(d_k)).to(scores.dtype)


@right("scaled_attention_weights", why="row by row, the largest score subtracted first")
def weights_by_loop(scores, d_k):
    rows = []
    for row in scores.reshape(-1, scores.shape[-1]):
        powers = ((row - row.max()) / math.sqrt(d_k)).exp()
        rows.append(powers / powers.sum())
    return torch.stack(rows).view(scores.shape)


# --- the four attentions ----------------------------------------------------------------------------------------------


@helper
def attend(queries, keys, values, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim) @ values


@helper
def weigh(queries, keys, divisor=None, dim=-1):
    root = math.sqrt(keys.shape[-1]) if divisor is None else divisor
    return torch.softmax(queries @ keys.transpose(-2, -1) / root, dim=dim)


# --- self_attention ---------------------------------------------------------------------------------------------------


@mistake(
    "self_attention",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
def attention_not_scaled(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, 1) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
def attention_by_key_size(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, k.shape[-1]) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
def attention_multiplied(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, k.shape[-1] ** -0.5) @ v


@mistake(
    "self_attention",
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
def attention_by_root_of_features(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.sqrt(x.shape[-1])) @ v


@mistake(
    "self_attention",
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
def attention_by_root_of_tokens(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.sqrt(x.shape[-2])) @ v


@mistake(
    "self_attention",
    hint="The root is that of the first size, which is the number of keys or of items; the key size is the last.",
    ko="첫 크기의 제곱근입니다. 키의 개수나 배치 크기일 뿐입니다. 키 차원은 마지막 크기입니다.",
)
def attention_by_first_size(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.sqrt(k.shape[0])) @ v


@mistake(
    "self_attention",
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
def attention_by_integer_root(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.isqrt(k.shape[-1])) @ v


@mistake(
    "self_attention",
    hint="The key size of the note's example is written into the code.",
    ko="노트 예제의 키 차원을 코드에 적어 두었습니다.",
)
def attention_by_root_of_two(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, 2**0.5) @ v


@mistake(
    "self_attention",
    hint="Only the fourth root is divided by: where q and k are both scaled, each takes the root of the root.",
    ko="네제곱근으로만 나누었습니다. 쿼리와 키를 둘 다 나눌 때 각각 네제곱근이 필요합니다.",
)
def attention_by_fourth_root(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q / k.shape[-1] ** 0.25, k, 1) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
def attention_over_queries(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, dim=-2) @ v


@mistake(
    "self_attention",
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "attention_over_queries",
        "attention_axes_counted_from_the_front",
    ),
)
def attention_over_first_axis(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, dim=0) @ v


@mistake(
    "self_attention",
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("attention_over_queries",),
)
def attention_axes_counted_from_the_front(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, dim=1) @ v


@mistake(
    "self_attention",
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
def attention_queries_and_keys_swapped(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(k, q) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
def attention_keys_only(x, W_query, W_key, W_value):
    _q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(k, k) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
def attention_queries_only(x, W_query, W_key, W_value):
    q, _k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, q) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
def attention_keys_as_values(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k) @ k


@mistake(
    "self_attention",
    marks="slip",
    hint="The queries are mixed instead of the values.",
    ko="값 대신 쿼리를 섞었습니다.",
)
def attention_queries_as_values(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k) @ q


@mistake(
    "self_attention",
    marks="slip",
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
def attention_tokens_as_values(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k) @ x


@mistake(
    "self_attention",
    hint="All queries share one averaged row of weights; every query mixes the values by its own.",
    ko="모든 쿼리가 평균 낸 가중치 한 행을 함께 씁니다. 쿼리마다 자기 가중치로 값을 섞어야 합니다.",
)
def attention_one_row_for_all(x, W_query, W_key, W_value):
    weights = weigh(x @ W_query, x @ W_key)
    return weights.mean(dim=-2, keepdim=True).expand_as(weights) @ (x @ W_value)


@mistake(
    "self_attention",
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
def attention_weights_transposed(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).transpose(-2, -1) @ v


@mistake(
    "self_attention",
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
def attention_mean_of_values(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, math.inf) @ v


@mistake(
    "self_attention",
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
def attention_values_scaled(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k, 1) @ (v / math.sqrt(k.shape[-1]))


@mistake(
    "self_attention",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
def attention_softmax_twice(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(
    "self_attention",
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
def attention_without_softmax(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    "self_attention",
    hint="A sigmoid looks at each score alone; the weights of a row share the whole.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 한 행의 가중치는 전체를 나누어 가집니다.",
)
def attention_sigmoid(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.sigmoid(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])) @ v


@mistake(
    "self_attention",
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
def attention_causal(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(
    "self_attention",
    hint="Tokens are compared by their distance; the dot product is asked for.",
    ko="토큰을 거리로 비교했습니다. 내적이 필요합니다.",
)
def attention_distances(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(-torch.cdist(q, k) / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    "self_attention",
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
def attention_turned_round(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    "self_attention",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
def attention_squeezed(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return attend(q, k, v).squeeze()


@mistake(
    "self_attention",
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
def attention_residual_added(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return attend(q, k, v) + v


@mistake(
    "self_attention",
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
def attention_detached(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k).detach() @ v


@mistake(
    "self_attention",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
def attention_into_float32(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return attend(q.float(), k.float(), v.float())


@mistake(
    "self_attention",
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
def attention_sequences_mixed(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    flat = [part.reshape(-1, part.shape[-1]) for part in (q, k, v)]
    return attend(*flat).reshape(v.shape)


@mistake(
    "self_attention",
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
def attention_weights_beside(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return attend(q, k, v), weigh(q, k)


@mistake(
    "self_attention",
    hint="These are the weights; the values are still to be mixed by them.",
    ko="가중치입니다. 아직 값을 섞지 않았습니다.",
)
def attention_weights_instead(x, W_query, W_key, W_value):
    q, k, _v = x @ W_query, x @ W_key, x @ W_value
    return weigh(q, k)


@mistake(
    "self_attention",
    hint="Some weights are dropped at random; nothing of that kind is asked for here.",
    ko="가중치를 무작위로 떨어뜨렸습니다. 여기서는 그런 것이 필요하지 않습니다.",
    twins=("changing_result",),
)
def attention_scores_dropped(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return F.dropout(weigh(q, k), 0.1) @ v


@mistake(
    "self_attention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
def attention_by_library(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    return F.scaled_dot_product_attention(q, k, v)


@mistake(
    "self_attention",
    marks="point",
    hint="An operation that ends in an underscore, or `*=` and the like, changes the caller's tensor; use the plain one.",
    ko="밑줄로 끝나는 연산이나 `*=` 같은 연산은 부른 쪽의 텐서를 바꿉니다. 보통 연산을 쓰세요.",
)
def attention_in_place(x, W_query, W_key, W_value):
    _q, k, v = x @ W_query, x @ W_key, x @ W_value
    with torch.no_grad():
        W_query /= math.sqrt(k.shape[-1])
    return attend(x @ W_query, k, v, 1)


@mistake(
    "self_attention",
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
def attention_kept(x, W_query, W_key, W_value):
    q, k, v = x @ W_query, x @ W_key, x @ W_value
    if getattr(attend, "kept", None) is None or attend.kept.shape != v.shape or attend.kept.dtype != v.dtype:
        attend.kept = attend(q, k, v)
    return attend.kept


@mistake(
    "self_attention",
    hint="The answer is kept for the tensors it was made from, which may hold other numbers by now; compute it anew.",
    ko="텐서마다 답을 간직해 두지만 그 텐서에는 이제 다른 값이 있을 수 있습니다. 새로 계산하세요.",
    twins=("earlier_result", "attention_kept"),
)
def attention_kept_by_object(x, W_query, W_key, W_value):
    kept = attention_kept_by_object.__dict__
    key = tuple(map(id, (x, W_query, W_key, W_value)))
    if kept.get("key") != key or kept["tensors"][0] is not x:
        kept.update(key=key, tensors=(x, W_query, W_key, W_value))
        kept["answer"] = attend(x @ W_query, x @ W_key, x @ W_value)
    return kept["answer"]


@mistake(
    "self_attention",
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
def attention_matrices_transposed(x, W_query, W_key, W_value):
    return attend(x @ W_query.T, x @ W_key.T, x @ W_value.T)


@mistake(
    "self_attention",
    hint="One matrix made queries, keys and values; each role has its own.",
    ko="행렬 하나로 쿼리, 키, 값을 모두 만들었습니다. 역할마다 자기 행렬이 있습니다.",
)
def attention_one_matrix(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_query, x @ W_query)


@mistake(
    "self_attention",
    hint="Keys and values have changed their matrices.",
    ko="키와 값의 행렬이 서로 바뀌었습니다.",
)
def attention_keys_and_values_swapped(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_value, x @ W_key)


@mistake(
    "self_attention",
    hint="The tokens are compared as they are; queries and keys are never made.",
    ko="토큰을 그대로 비교했습니다. 쿼리와 키를 만들지 않았습니다.",
)
def attention_of_plain_tokens(x, W_query, W_key, W_value):
    return attend(x, x, x @ W_value, math.sqrt(W_key.shape[-1]))


@mistake(
    "self_attention",
    hint="The matrices of the queries and of the values have changed places.",
    ko="쿼리의 행렬과 값의 행렬이 뒤바뀌었습니다.",
)
def context_queries_and_values_swapped(x, W_query, W_key, W_value):
    return attend(x @ W_value, x @ W_key, x @ W_query)


@mistake(
    "self_attention",
    hint="One sum over all scores divides them; every query's weights have to sum to 1.",
    ko="모든 점수의 합 하나로 나누었습니다. 쿼리마다 가중치의 합이 1이어야 합니다.",
)
def context_one_sum_for_all(x, W_query, W_key, W_value):
    powers = torch.exp(x @ W_query @ (x @ W_key).mT / math.sqrt(W_key.shape[-1]))
    return powers / powers.sum() @ (x @ W_value)


@mistake(
    "self_attention",
    hint="The row sums lose their axis, so each entry is divided by another row's sum: keepdim=True.",
    ko="행의 합에서 축이 사라져 다른 행의 합으로 나누었습니다. keepdim=True를 쓰세요.",
)
def context_sum_without_keepdim(x, W_query, W_key, W_value):
    powers = torch.exp(x @ W_query @ (x @ W_key).mT / math.sqrt(W_key.shape[-1]))
    return powers / powers.sum(-1) @ (x @ W_value)


@mistake(
    "self_attention",
    hint="The tokens themselves ask; project them to queries first.",
    ko="토큰이 그대로 쿼리로 쓰였습니다. 먼저 쿼리로 투영하세요.",
)
def context_tokens_as_queries(x, W_query, W_key, W_value):
    return attend(x, x @ W_key, x @ W_value)


@mistake(
    "self_attention",
    hint="The tokens were added to the result; only the mixture is asked for.",
    ko="결과에 토큰을 더했습니다. 섞은 것만 필요합니다.",
)
def context_tokens_added(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_key, x @ W_value) + x


@mistake(
    "self_attention",
    hint="The output was divided by the root; it belongs to the scores.",
    ko="출력을 제곱근으로 나누었습니다. 점수를 나누세요.",
)
def context_output_scaled_as_well(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_key, x @ W_value) / math.sqrt(W_key.shape[-1])


@mistake(
    "self_attention",
    hint="Only the last token asks; every token needs its own row.",
    ko="마지막 토큰만 묻습니다. 토큰마다 행이 있어야 합니다.",
)
def context_of_last_token(x, W_query, W_key, W_value):
    return attend(x[..., -1:, :] @ W_query, x @ W_key, x @ W_value)


@mistake(
    "self_attention",
    hint="The output was divided by the number of tokens; the weights sum to 1 already.",
    ko="출력을 토큰 수로 나누었습니다. 가중치의 합은 이미 1입니다.",
)
def context_divided_by_tokens(x, W_query, W_key, W_value):
    return attend(x @ W_query, x @ W_key, x @ W_value) / x.shape[-2]


@mistake(
    "self_attention",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def attention_zeros(x, W_query, W_key, W_value):
    return x.new_zeros(*x.shape[:-1], W_value.shape[-1])


@mistake(
    "self_attention",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def attention_without_a_shift(x, W_query, W_key, W_value):
    powers = torch.exp(x @ W_query @ (x @ W_key).mT / math.sqrt(W_key.shape[-1]))
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ W_value)


@right("self_attention", why="einsum throughout")
def attention_by_einsum(x, W_query, W_key, W_value):
    q, k, v = (torch.einsum("...td,de->...te", x, W) for W in (W_query, W_key, W_value))
    weights = F.softmax(torch.einsum("...ie,...je->...ij", q, k) * q.size(-1) ** -0.5, dim=-1)
    return torch.einsum("...ij,...je->...ie", weights, v)


@right("self_attention", why="a loop over the queries, the softmax written out")
def attention_by_loop(x, W_query, W_key, W_value):
    k, v = x @ W_key, x @ W_value
    rows = []
    for t in range(x.shape[-2]):
        scores = (k @ (x[..., t, :] @ W_query).unsqueeze(-1)).squeeze(-1) / math.sqrt(k.shape[-1])
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        rows.append(((powers / powers.sum(-1, keepdim=True)).unsqueeze(-2) @ v).squeeze(-2))
    return torch.stack(rows, dim=-2)


@right(
    "self_attention",
    why="the matrices of queries and keys multiplied first, the tokens mixed before they are projected",
)
def attention_reordered(x, W_query, W_key, W_value):
    scores = x @ (W_query @ W_key.T / W_key.shape[1] ** 0.5) @ x.mT
    return (scores.softmax(dim=-1) @ x) @ W_value


@right("self_attention", why="bmm over flattened sequences, float64 inside")
def attention_by_bmm(x, W_query, W_key, W_value):
    flat = x.double().reshape(-1, *x.shape[-2:])
    q, k, v = (flat @ W.double() for W in (W_query, W_key, W_value))
    weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[2]), 2)
    return torch.bmm(weights, v).reshape(*x.shape[:-1], W_value.shape[1]).to(x.dtype)


@right("self_attention", why="queries and keys each divided by the fourth root, log_softmax")
def attention_by_fourth_roots(x, W_query, W_key, W_value):
    root = W_query.shape[1] ** 0.25
    scores = torch.matmul(F.linear(x, W_query.T) / root, (F.linear(x, W_key.T) / root).transpose(-1, -2))
    return torch.matmul(torch.exp(F.log_softmax(scores, -1)), F.linear(x, W_value.T))


@right("self_attention", why="sequence by sequence, written into a tensor of its own")
def attention_by_sequence(x, W_query, W_key, W_value):
    if x.dim() > 2:
        return torch.stack([attention_by_sequence(sequence, W_query, W_key, W_value) for sequence in x])
    scores = (x @ W_query) @ (x @ W_key).T
    scores *= 1 / math.sqrt(W_key.shape[-1])
    return torch.softmax(scores, 1) @ (x @ W_value)


# --- SelfAttention_v1 -------------------------------------------------------------------------------------------------


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class v1_not_scaled(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, 1) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class v1_by_key_size(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, k.shape[-1]) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class v1_multiplied(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, k.shape[-1] ** -0.5) @ v


@mistake(
    "SelfAttention_v1",
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class v1_by_root_of_features(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(x.shape[-1])) @ v


@mistake(
    "SelfAttention_v1",
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class v1_by_root_of_tokens(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(x.shape[-2])) @ v


@mistake(
    "SelfAttention_v1",
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class v1_by_integer_root(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.isqrt(k.shape[-1])) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class v1_over_queries(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=-2) @ v


@mistake(
    "SelfAttention_v1",
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "v1_over_queries",
        "v1_axes_counted_from_the_front",
    ),
)
class v1_over_first_axis(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=0) @ v


@mistake(
    "SelfAttention_v1",
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("v1_over_queries",),
)
class v1_axes_counted_from_the_front(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, dim=1) @ v


@mistake(
    "SelfAttention_v1",
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class v1_queries_and_keys_swapped(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(k, q) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class v1_keys_only(solution.SelfAttention_v1):
    def forward(self, x):
        _q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(k, k) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class v1_queries_only(solution.SelfAttention_v1):
    def forward(self, x):
        q, _k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, q) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class v1_keys_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, _v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ k


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class v1_tokens_as_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, _v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k) @ x


@mistake(
    "SelfAttention_v1",
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class v1_weights_transposed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).transpose(-2, -1) @ v


@mistake(
    "SelfAttention_v1",
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class v1_mean_of_values(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.inf) @ v


@mistake(
    "SelfAttention_v1",
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class v1_values_scaled(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, 1) @ (v / math.sqrt(k.shape[-1]))


@mistake(
    "SelfAttention_v1",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class v1_softmax_twice(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(
    "SelfAttention_v1",
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class v1_without_softmax(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    "SelfAttention_v1",
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class v1_causal(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(
    "SelfAttention_v1",
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class v1_turned_round(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    "SelfAttention_v1",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class v1_squeezed(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q, k, v).squeeze()


@mistake(
    "SelfAttention_v1",
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class v1_residual_added(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q, k, v) + v


@mistake(
    "SelfAttention_v1",
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class v1_detached(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k).detach() @ v


@mistake(
    "SelfAttention_v1",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class v1_into_float32(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return attend(q.float(), k.float(), v.float())


@mistake(
    "SelfAttention_v1",
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class v1_sequences_mixed(solution.SelfAttention_v1):
    def forward(self, x):
        output = super().forward(x.reshape(-1, x.shape[-1]))
        return output.reshape(*x.shape[:-1], output.shape[-1])


@mistake(
    "SelfAttention_v1",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class v1_by_library(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.scaled_dot_product_attention(q, k, v)


@mistake(
    "SelfAttention_v1",
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v1_drops_in_training(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.dropout(weigh(q, k), 0.1, self.training) @ v


@mistake(
    "SelfAttention_v1",
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v1_drops_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(
    "SelfAttention_v1",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class v1_input_in_place(solution.SelfAttention_v1):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(
    "SelfAttention_v1",
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class v1_output_kept(solution.SelfAttention_v1):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1] or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "SelfAttention_v1",
    hint="The input requires a gradient after the call; leave `requires_grad_` to the caller.",
    ko="호출 뒤에 입력이 기울기를 요구합니다. `requires_grad_`는 부르는 쪽에 맡기세요.",
)
class v1_input_followed(solution.SelfAttention_v1):
    def forward(self, x):
        return super().forward(x.requires_grad_() if x.is_leaf else x)


@mistake(
    "SelfAttention_v1",
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class v1_size_shared_by_all(solution.SelfAttention_v1):
    size = 1

    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        type(self).size = d_out

    def forward(self, x):
        q, k, v = x @ self.W_query, x @ self.W_key, x @ self.W_value
        return weigh(q, k, math.sqrt(type(self).size)) @ v


@mistake(
    "SelfAttention_v1",
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class v1_no_grad_in_evaluation(solution.SelfAttention_v1):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    "SelfAttention_v1",
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class v1_extra_layer(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.out = nn.Linear(d_out, d_out)


@mistake(
    "SelfAttention_v1",
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
class v1_returns_weights_too(solution.SelfAttention_v1):
    def forward(self, x):
        return super().forward(x), weigh(x @ self.W_query, x @ self.W_key)


@mistake(
    "SelfAttention_v1",
    hint="These are the weights; the values are still to be mixed by them.",
    ko="가중치입니다. 아직 값을 섞지 않았습니다.",
)
class v1_returns_weights(solution.SelfAttention_v1):
    def forward(self, x):
        return weigh(x @ self.W_query, x @ self.W_key)


@mistake(
    "SelfAttention_v1",
    marks="point",
    hint="Plain tensors are no parameters: an optimiser, `.to()` and state_dict do not see them. Use nn.Parameter.",
    ko="보통 텐서는 매개변수가 아닙니다. 옵티마이저, `.to()`, state_dict가 보지 못합니다. nn.Parameter를 쓰세요.",
)
class v1_plain_tensors(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = torch.rand(d_in, d_out, requires_grad=True)
        self.W_key = torch.rand(d_in, d_out, requires_grad=True)
        self.W_value = torch.rand(d_in, d_out, requires_grad=True)

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    "SelfAttention_v1",
    hint="A buffer is saved and moved, but never trained; the matrices have to be parameters.",
    ko="버퍼는 저장되고 옮겨지지만 학습되지 않습니다. 행렬은 매개변수여야 합니다.",
)
class v1_buffers(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_buffer(name, torch.rand(d_in, d_out))

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    "SelfAttention_v1",
    hint="The parameters have other names; W_query, W_key and W_value are asked for.",
    ko="매개변수의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
)
class v1_parameters_in_a_list(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.matrices = nn.ParameterList(torch.rand(d_in, d_out) for _ in range(3))

    def forward(self, x):
        return attend(*(x @ matrix for matrix in self.matrices))


@mistake(
    "SelfAttention_v1",
    hint="Linear layers are the next exercise; here the matrices themselves are the parameters.",
    ko="선형 층은 다음 문제입니다. 여기서는 행렬 자체가 매개변수입니다.",
)
class v1_linear_layers(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), self.W_value(x))


@mistake(
    "SelfAttention_v1",
    hint="The matrices are stored as (d_out, d_in), as nn.Linear does; (d_in, d_out) is asked for.",
    ko="행렬을 nn.Linear처럼 (d_out, d_in)으로 두었습니다. (d_in, d_out)이어야 합니다.",
)
class v1_stored_transposed(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_out, d_in))
        self.W_key = nn.Parameter(torch.rand(d_out, d_in))
        self.W_value = nn.Parameter(torch.rand(d_out, d_in))

    def forward(self, x):
        return attend(x @ self.W_query.T, x @ self.W_key.T, x @ self.W_value.T)


@mistake(
    "SelfAttention_v1",
    hint="The sizes of the note's example are written into the code; use d_in and d_out.",
    ko="노트 예제의 크기를 코드에 적어 두었습니다. d_in과 d_out을 쓰세요.",
)
class v1_sizes_of_the_note(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(3, 2)


@mistake(
    "SelfAttention_v1",
    hint="All three names mean one matrix; each role has its own.",
    ko="세 이름이 한 행렬을 가리킵니다. 역할마다 자기 행렬이 있어야 합니다.",
)
class v1_one_matrix(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_key = self.W_value = self.W_query


@mistake(
    "SelfAttention_v1",
    hint="torch.randn draws around 0; here torch.rand is asked for, from 0 to 1.",
    ko="torch.randn은 0 둘레에서 뽑습니다. 여기서는 0에서 1까지인 torch.rand가 필요합니다.",
)
class v1_drawn_by_randn(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))


@mistake(
    "SelfAttention_v1",
    hint="The keys' matrix is drawn first; the order is query, key, value.",
    ko="키의 행렬을 먼저 뽑았습니다. 쿼리, 키, 값의 순서입니다.",
)
class v1_keys_drawn_first(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        nn.Module.__init__(self)
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))


@mistake(
    "SelfAttention_v1",
    hint="The numbers are changed after the draw; they stay as torch.rand gives them.",
    ko="뽑은 뒤에 값을 바꾸었습니다. torch.rand가 준 그대로 두세요.",
)
class v1_draws_scaled(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        with torch.no_grad():
            for matrix in self.parameters():
                matrix /= math.sqrt(d_in)


@mistake(
    "SelfAttention_v1",
    hint="The class sets the seed itself, so every module is the same; leave the seed to the caller.",
    ko="클래스가 시드를 스스로 정해 모듈이 모두 같아집니다. 시드는 부르는 쪽에 맡기세요.",
)
class v1_seeded(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        torch.manual_seed(123)
        super().__init__(d_in, d_out)


@mistake(
    "SelfAttention_v1",
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class v1_frozen(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.requires_grad_(False)


@mistake(
    "SelfAttention_v1",
    hint="`.data` cuts the matrices off: no gradient can reach them.",
    ko="`.data`는 행렬을 끊어 기울기가 닿지 않습니다.",
)
class v1_matrix_data(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query.data, x @ self.W_key.data, x @ self.W_value.data)


@mistake(
    "SelfAttention_v1",
    hint="The matrices of the first call are kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class v1_matrix_cached(solution.SelfAttention_v1):
    def forward(self, x):
        if not hasattr(self, "copies"):
            self.copies = [matrix.clone() for matrix in (self.W_query, self.W_key, self.W_value)]
        return attend(*(x @ matrix.to(x.dtype) for matrix in self.copies))


@mistake(
    "SelfAttention_v1",
    hint="super().__init__() is missing: a module has to be set up before it can hold parameters.",
    ko="super().__init__()이 빠졌습니다. 매개변수를 담기 전에 모듈을 먼저 준비해야 합니다.",
)
class v1_without_super(nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))


@mistake(
    "SelfAttention_v1",
    hint="The matrices were transposed: they are (d_in, d_out) already, as the product needs them.",
    ko="행렬을 전치했습니다. 이미 곱에 맞는 (d_in, d_out) 모양입니다.",
)
class v1_matrices_transposed(solution.SelfAttention_v1):
    def forward(self, x):
        return attend(x @ self.W_query.T, x @ self.W_key.T, x @ self.W_value.T)


@mistake(
    "SelfAttention_v1",
    hint="The keys of the first call are kept, so later inputs meet old keys; keep nothing between two calls.",
    ko="첫 호출의 키가 남아 다른 입력도 옛 키와 만납니다. 호출 사이에 아무것도 남겨 두지 마세요.",
    unnamed="What comes out depends on what was called before, and a probe begins with a new module.",
)
class v1_keys_kept(solution.SelfAttention_v1):
    def forward(self, x):
        if not hasattr(self, "kept"):
            self.kept = x @ self.W_key
        return attend(x @ self.W_query, self.kept, x @ self.W_value)


@mistake(
    "SelfAttention_v1",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class v1_without_a_shift(solution.SelfAttention_v1):
    def forward(self, x):
        queries, keys = x @ self.W_query, x @ self.W_key
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ (x @ self.W_value)


@mistake(
    "SelfAttention_v1",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class v1_zeros(solution.SelfAttention_v1):
    def forward(self, x):
        return torch.zeros_like(x @ self.W_value)


@right("SelfAttention_v1", why="nn.init.uniform_ on empty parameters, bmm-free einsum")
class v1_by_init(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.register_parameter(name, nn.Parameter(torch.empty(d_in, d_out)))
            nn.init.uniform_(getattr(self, name))
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x):
        q, k, v = (torch.einsum("...i,io->...o", x, matrix) for matrix in self.parameters())
        return self.softmax(torch.einsum("...qe,...ke->...qk", q, k) * q.shape[-1] ** -0.5) @ v


@right("SelfAttention_v1", why="the root as a buffer, the softmax written out")
class v1_with_a_buffer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Parameter(torch.rand((d_in, d_out))) for _ in range(3))
        self.register_buffer("root", torch.tensor(d_out**0.5))

    def forward(self, x):
        keys = torch.matmul(x, self.W_key)
        queries = torch.matmul(x, self.W_query)
        values = torch.matmul(x, self.W_value)
        scores = torch.matmul(queries, keys.transpose(-1, -2)) / self.root
        powers = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
        return torch.matmul(powers / powers.sum(dim=-1, keepdim=True), values)


@right("SelfAttention_v1", why="sequence by sequence, as the note does without a batch")
class v1_by_sequence(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        if x.dim() > 2:
            return torch.stack([self(sequence) for sequence in x])
        scores = (x @ self.W_query) @ (x @ self.W_key).T
        return torch.softmax(scores / self.W_key.shape[1] ** 0.5, dim=1) @ (x @ self.W_value)


@right("SelfAttention_v1", why="the three matrices used together, queries scaled first")
class v1_together(solution.SelfAttention_v1):
    def forward(self, x):
        q, k, v = (x @ torch.cat([self.W_query, self.W_key, self.W_value], dim=1)).chunk(3, dim=-1)
        return F.log_softmax((q / math.sqrt(q.shape[-1])) @ k.mT, dim=-1).exp() @ v


@right("SelfAttention_v1", why="float64 inside, F.linear, an inactive dropout")
class v1_in_float64(solution.SelfAttention_v1):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        q, k, v = (F.linear(x.double(), matrix.T.double()) for matrix in (self.W_query, self.W_key, self.W_value))
        return (self.dropout(torch.softmax(q @ k.mT / math.sqrt(k.size(-1)), -1)) @ v).to(x.dtype)


# --- SelfAttention_v2 -------------------------------------------------------------------------------------------------


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class v2_not_scaled(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, 1) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class v2_by_key_size(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, k.shape[-1]) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class v2_multiplied(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, k.shape[-1] ** -0.5) @ v


@mistake(
    "SelfAttention_v2",
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class v2_by_root_of_features(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(x.shape[-1])) @ v


@mistake(
    "SelfAttention_v2",
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class v2_by_root_of_tokens(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(x.shape[-2])) @ v


@mistake(
    "SelfAttention_v2",
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class v2_by_integer_root(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.isqrt(k.shape[-1])) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class v2_over_queries(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=-2) @ v


@mistake(
    "SelfAttention_v2",
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "v2_over_queries",
        "v2_axes_counted_from_the_front",
    ),
)
class v2_over_first_axis(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=0) @ v


@mistake(
    "SelfAttention_v2",
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("v2_over_queries",),
)
class v2_axes_counted_from_the_front(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, dim=1) @ v


@mistake(
    "SelfAttention_v2",
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class v2_queries_and_keys_swapped(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(k, q) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class v2_keys_only(solution.SelfAttention_v2):
    def forward(self, x):
        _q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(k, k) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class v2_queries_only(solution.SelfAttention_v2):
    def forward(self, x):
        q, _k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, q) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class v2_keys_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ k


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class v2_tokens_as_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, _v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k) @ x


@mistake(
    "SelfAttention_v2",
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class v2_weights_transposed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).transpose(-2, -1) @ v


@mistake(
    "SelfAttention_v2",
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class v2_mean_of_values(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.inf) @ v


@mistake(
    "SelfAttention_v2",
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class v2_values_scaled(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, 1) @ (v / math.sqrt(k.shape[-1]))


@mistake(
    "SelfAttention_v2",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class v2_softmax_twice(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(weigh(q, k), dim=-1) @ v


@mistake(
    "SelfAttention_v2",
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class v2_without_softmax(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]) @ v


@mistake(
    "SelfAttention_v2",
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class v2_causal(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True) @ v


@mistake(
    "SelfAttention_v2",
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class v2_turned_round(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1) @ v


@mistake(
    "SelfAttention_v2",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class v2_squeezed(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v).squeeze()


@mistake(
    "SelfAttention_v2",
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class v2_residual_added(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v) + v


@mistake(
    "SelfAttention_v2",
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class v2_detached(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k).detach() @ v


@mistake(
    "SelfAttention_v2",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class v2_into_float32(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q.float(), k.float(), v.float())


@mistake(
    "SelfAttention_v2",
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class v2_sequences_mixed(solution.SelfAttention_v2):
    def forward(self, x):
        output = super().forward(x.reshape(-1, x.shape[-1]))
        return output.reshape(*x.shape[:-1], output.shape[-1])


@mistake(
    "SelfAttention_v2",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class v2_by_library(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.scaled_dot_product_attention(q, k, v)


@mistake(
    "SelfAttention_v2",
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v2_drops_in_training(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.dropout(weigh(q, k), 0.1, self.training) @ v


@mistake(
    "SelfAttention_v2",
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class v2_drops_in_evaluation(solution.SelfAttention_v2):
    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return F.dropout(weigh(q, k), 0.1, not self.training) @ v


@mistake(
    "SelfAttention_v2",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class v2_input_in_place(solution.SelfAttention_v2):
    def forward(self, x):
        output = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return output


@mistake(
    "SelfAttention_v2",
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class v2_output_kept(solution.SelfAttention_v2):
    def forward(self, x):
        if getattr(self, "kept", None) is None or self.kept.shape[:-1] != x.shape[:-1] or self.kept.dtype != x.dtype:
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "SelfAttention_v2",
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class v2_size_shared_by_all(solution.SelfAttention_v2):
    size = 1

    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        type(self).size = d_out

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return weigh(q, k, math.sqrt(type(self).size)) @ v


@mistake(
    "SelfAttention_v2",
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class v2_no_grad_in_evaluation(solution.SelfAttention_v2):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    "SelfAttention_v2",
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class v2_extra_layer(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.out = nn.Linear(d_out, d_out)


@mistake(
    "SelfAttention_v2",
    hint="The weights are returned beside the output; only the output is asked for.",
    ko="출력 옆에 가중치도 돌려줍니다. 출력만 필요합니다.",
)
class v2_returns_weights_too(solution.SelfAttention_v2):
    def forward(self, x):
        return super().forward(x), weigh(self.W_query(x), self.W_key(x))


@mistake(
    "SelfAttention_v2",
    hint="There are biases where none were asked for: qkv_bias is False by default.",
    ko="요구하지 않은 편향이 있습니다. qkv_bias의 기본값은 False입니다.",
    unnamed="The bias is drawn at random, so the numbers look like those of any wrong answer.",
)
class v2_bias_by_default(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=True):
        super().__init__(d_in, d_out, qkv_bias)


@mistake(
    "SelfAttention_v2",
    hint="The layers always have a bias; hand qkv_bias on to them.",
    ko="층에 항상 편향이 있습니다. qkv_bias를 층에 넘기세요.",
    unnamed="The bias is drawn at random, so the numbers look like those of any wrong answer.",
)
class v2_bias_always(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, True)


@mistake(
    "SelfAttention_v2",
    hint="The layers never have a bias; hand qkv_bias on to them.",
    ko="층에 편향이 전혀 없습니다. qkv_bias를 층에 넘기세요.",
)
class v2_bias_never(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out)


@mistake(
    "SelfAttention_v2",
    hint="Only the queries get a bias; qkv_bias is meant for all three layers.",
    ko="쿼리에만 편향이 있습니다. qkv_bias는 세 층 모두에 해당합니다.",
)
class v2_bias_of_queries_only(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)


@mistake(
    "SelfAttention_v2",
    hint="The biases are subtracted; a layer adds its bias. Call the layers.",
    ko="편향을 뺐습니다. 층은 편향을 더합니다. 층을 호출하세요.",
)
class v2_bias_subtracted(solution.SelfAttention_v2):
    def forward(self, x):
        layers = self.W_query, self.W_key, self.W_value
        return attend(*(x @ layer.weight.T - (0 if layer.bias is None else layer.bias) for layer in layers))


@mistake(
    "SelfAttention_v2",
    hint="The weights are used without their biases; call the layers.",
    ko="가중치만 쓰고 편향은 더하지 않았습니다. 층을 호출하세요.",
)
class v2_bias_not_added(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight.T for layer in (self.W_query, self.W_key, self.W_value)))


@mistake(
    "SelfAttention_v2",
    hint="The values are made without their bias; call the layer.",
    ko="값에 편향을 더하지 않았습니다. 층을 호출하세요.",
)
class v2_value_bias_not_added(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x), self.W_key(x), x @ self.W_value.weight.T)


@mistake(
    "SelfAttention_v2",
    hint="A linear layer stores its matrix as (d_out, d_in); call the layer instead of multiplying by its weight.",
    ko="선형 층은 행렬을 (d_out, d_in)으로 둡니다. 가중치를 곱하지 말고 층을 호출하세요.",
)
class v2_weights_transposed_again(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(*(x @ layer.weight for layer in (self.W_query, self.W_key, self.W_value)))


@mistake(
    "SelfAttention_v2",
    hint="These are matrices of your own as in the exercise before; here linear layers are asked for.",
    ko="앞 문제처럼 직접 만든 행렬입니다. 여기서는 선형 층이 필요합니다.",
)
class v2_parameters_instead(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        return attend(x @ self.W_query, x @ self.W_key, x @ self.W_value)


@mistake(
    "SelfAttention_v2",
    hint="The layers have other names; W_query, W_key and W_value are asked for.",
    ko="층의 이름이 다릅니다. W_query, W_key, W_value여야 합니다.",
)
class v2_other_names(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.q = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.k = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.v = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        return attend(self.q(x), self.k(x), self.v(x))


@mistake(
    "SelfAttention_v2",
    hint="One wide layer makes all three; three layers with names of their own are asked for.",
    ko="넓은 층 하나로 셋을 만듭니다. 이름이 따로 있는 층 세 개가 필요합니다.",
)
class v2_one_wide_layer(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.qkv = nn.Linear(d_in, 3 * d_out, bias=qkv_bias)

    def forward(self, x):
        return attend(*self.qkv(x).chunk(3, dim=-1))


@mistake(
    "SelfAttention_v2",
    hint="All three names mean one layer; each role has its own.",
    ko="세 이름이 한 층을 가리킵니다. 역할마다 자기 층이 있어야 합니다.",
)
class v2_one_layer(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.W_key = self.W_value = self.W_query


@mistake(
    "SelfAttention_v2",
    hint="The keys' layer is made first; the order is query, key, value.",
    ko="키의 층을 먼저 만들었습니다. 쿼리, 키, 값의 순서입니다.",
)
class v2_keys_made_first(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        nn.Module.__init__(self)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)


@mistake(
    "SelfAttention_v2",
    hint="The numbers are drawn once more; leave them as nn.Linear draws them.",
    ko="값을 다시 뽑았습니다. nn.Linear가 뽑은 그대로 두세요.",
)
class v2_drawn_by_xavier(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            nn.init.xavier_uniform_(layer.weight)


@mistake(
    "SelfAttention_v2",
    hint="Where there are biases, they are set to zero or drawn once more; leave them as nn.Linear draws them.",
    ko="편향이 있을 때 0으로 두거나 다시 뽑았습니다. nn.Linear가 뽑은 그대로 두세요.",
)
class v2_biases_set_to_zero(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        for layer in (self.W_query, self.W_key, self.W_value):
            if layer.bias is not None:
                nn.init.zeros_(layer.bias)


@mistake(
    "SelfAttention_v2",
    hint="The numbers of the first module are drawn; a linear layer draws its own in another way.",
    ko="첫 모듈의 방법으로 값을 뽑았습니다. 선형 층은 다른 방법으로 스스로 뽑습니다.",
)
class v2_drawn_by_rand(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        with torch.no_grad():
            for layer in (self.W_query, self.W_key, self.W_value):
                layer.weight.copy_(torch.rand(d_in, d_out).T)


@mistake(
    "SelfAttention_v2",
    hint="The class sets the seed itself, so every module is the same; leave the seed to the caller.",
    ko="클래스가 시드를 스스로 정해 모듈이 모두 같아집니다. 시드는 부르는 쪽에 맡기세요.",
)
class v2_seeded(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        torch.manual_seed(123)
        super().__init__(d_in, d_out, qkv_bias)


@mistake(
    "SelfAttention_v2",
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class v2_frozen(solution.SelfAttention_v2):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        self.requires_grad_(False)


@mistake(
    "SelfAttention_v2",
    hint="A matrix of the first call is kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class v2_layer_cached(solution.SelfAttention_v2):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.W_value.weight.clone()
        bias = 0 if self.W_value.bias is None else self.W_value.bias
        return attend(self.W_query(x), self.W_key(x), x @ self.matrix.to(x.dtype).T + bias)


@mistake(
    "SelfAttention_v2",
    hint="A Python list hides the layers from the module; give each an attribute of its own.",
    ko="파이썬 리스트에 넣으면 모듈이 층을 알지 못합니다. 층마다 자기 속성을 주세요.",
)
class v2_layers_in_a_list(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)]

    def forward(self, x):
        return attend(*(layer.to(x.dtype)(x) for layer in self.layers))


@mistake(
    "SelfAttention_v2",
    hint="Negative numbers of the queries are set to 0 (relu); use the projection as it is.",
    ko="쿼리의 음수를 0으로 바꾸었습니다(relu). 투영을 그대로 쓰세요.",
)
class v2_queries_through_relu(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(torch.relu(self.W_query(x)), self.W_key(x), self.W_value(x))


@mistake(
    "SelfAttention_v2",
    hint="Only the first token asks; every token needs its own row.",
    ko="첫 토큰만 묻습니다. 토큰마다 행이 있어야 합니다.",
)
class v2_of_first_token(solution.SelfAttention_v2):
    def forward(self, x):
        return attend(self.W_query(x[..., :1, :]), self.W_key(x), self.W_value(x))


@mistake(
    "SelfAttention_v2",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class v2_without_a_shift(solution.SelfAttention_v2):
    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.W_value(x)


@mistake(
    "SelfAttention_v2",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class v2_zeros(solution.SelfAttention_v2):
    def forward(self, x):
        return torch.zeros_like(self.W_value(x))


@right("SelfAttention_v2", why="einsum, layers made by setattr")
class v2_by_einsum(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        for name in ("query", "key", "value"):
            setattr(self, f"W_{name}", nn.Linear(d_in, d_out, qkv_bias))

    def forward(self, x):
        scores = torch.einsum("...qe,...ke->...qk", self.W_query(x), self.W_key(x))
        return torch.einsum(
            "...qk,...ke->...qe",
            scores.div(scores.new_tensor(self.W_key.out_features).sqrt()).softmax(-1),
            self.W_value(x),
        )


@right("SelfAttention_v2", why="the layers' weights used by hand, biases added where there are any")
class v2_by_hand(solution.SelfAttention_v2):
    def forward(self, x):
        projected = []
        for layer in (self.W_query, self.W_key, self.W_value):
            product = x @ layer.weight.transpose(0, 1)
            projected.append(product if layer.bias is None else product + layer.bias)
        queries, keys, values = projected
        scores = queries @ keys.mT / math.sqrt(keys.size(-1))
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        return (powers @ values) / powers.sum(-1, keepdim=True)


@right("SelfAttention_v2", why="sequences flattened for bmm, a dropout of 0")
class v2_by_bmm(nn.Module):
    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        self.scale = d_out**-0.5
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.dropout = nn.Dropout(p=0.0)

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-2], x.shape[-1])
        weights = torch.bmm(self.W_query(flat), self.W_key(flat).transpose(1, 2)).mul(self.scale).softmax(dim=2)
        return torch.bmm(self.dropout(weights), self.W_value(flat)).view(*x.shape[:-1], -1)


@right("SelfAttention_v2", why="a loop over the queries")
class v2_by_loop(solution.SelfAttention_v2):
    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        output = torch.zeros_like(values)
        for t in range(x.shape[-2]):
            scores = (keys * queries[..., t : t + 1, :]).sum(-1) / math.sqrt(keys.shape[-1])
            output[..., t, :] = (F.softmax(scores, dim=-1).unsqueeze(-1) * values).sum(-2)
        return output


# --- SelfAttention ----------------------------------------------------------------------------------------------------


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The scores are not divided by the root of the key size.",
    ko="점수를 키 차원의 제곱근으로 나누지 않았습니다.",
)
class both_not_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The scores are divided by the key size itself; divide by its root.",
    ko="점수를 키 차원으로 나누었습니다. 그 제곱근으로 나누세요.",
)
class both_by_key_size(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, k.shape[-1])
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The scores are multiplied by the root and grow; divide by it.",
    ko="점수에 제곱근을 곱해 더 커졌습니다. 나누세요.",
)
class both_multiplied(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, k.shape[-1] ** -0.5)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="This is the root of the size of a token; the vectors that meet have the size of a key.",
    ko="토큰 크기의 제곱근입니다. 서로 만나는 벡터는 키의 크기를 가집니다.",
)
class both_by_root_of_features(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(x.shape[-1]))
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="This is the root of the number of tokens; take that of the key size.",
    ko="토큰 개수의 제곱근입니다. 키 차원의 제곱근을 쓰세요.",
)
class both_by_root_of_tokens(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(x.shape[-2]))
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The root was cut to a whole number.",
    ko="제곱근을 정수로 잘랐습니다.",
)
class both_by_integer_root(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.isqrt(k.shape[-1]))
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The softmax runs over the queries; it belongs on the keys, the last axis.",
    ko="소프트맥스를 쿼리 방향으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
)
class both_over_queries(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=-2)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The softmax runs over the first axis; it belongs on the keys, the last one.",
    ko="소프트맥스를 첫 축으로 했습니다. 마지막 축인 키 방향이어야 합니다.",
    twins=(
        "both_over_queries",
        "both_axes_counted_from_the_front",
    ),
)
class both_over_first_axis(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=0)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="Axis 1 is that of the keys only without a batch; count from the end.",
    ko="1번 축은 배치가 없을 때만 키의 축입니다. 뒤에서 세세요.",
    twins=("both_over_queries",),
)
class both_axes_counted_from_the_front(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, dim=1)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="Queries and keys are swapped: the rows of the scores belong to the queries.",
    ko="쿼리와 키가 바뀌었습니다. 점수의 행은 쿼리입니다.",
)
class both_queries_and_keys_swapped(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, q)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The keys are compared with themselves; the queries play no part.",
    ko="키를 키와 비교했습니다. 쿼리가 쓰이지 않습니다.",
)
class both_keys_only(solution.SelfAttention):
    def forward(self, x):
        _q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(k, k)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The queries are compared with themselves; the keys play no part.",
    ko="쿼리를 쿼리와 비교했습니다. 키가 쓰이지 않습니다.",
)
class both_queries_only(solution.SelfAttention):
    def forward(self, x):
        q, _k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, q)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값 대신 키를 섞었습니다.",
)
class both_keys_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ k, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The tokens themselves are mixed; they have to be projected to values first.",
    ko="토큰을 그대로 섞었습니다. 먼저 값으로 투영해야 합니다.",
)
class both_tokens_as_values(solution.SelfAttention):
    def forward(self, x):
        q, k, _v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights @ x, weights


@mistake(
    "SelfAttention",
    hint="The weights stand the wrong way round: row i belongs to query i.",
    ko="가중치가 전치되었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class both_weights_transposed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k)
        return weights.transpose(-2, -1) @ v, weights


@mistake(
    "SelfAttention",
    marks="trivial",
    hint="Every token gets the plain mean of the values; the weights play no part.",
    ko="모든 토큰이 값의 평균을 받습니다. 가중치가 쓰이지 않습니다.",
)
class both_mean_of_values(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.inf)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The values are divided by the root; it belongs to the scores.",
    ko="값을 제곱근으로 나누었습니다. 점수를 나누어야 합니다.",
)
class both_values_scaled(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, 1)
        return weights @ (v / math.sqrt(k.shape[-1])), weights


@mistake(
    "SelfAttention",
    hint="The softmax was taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 해서 가중치가 평평해졌습니다.",
)
class both_softmax_twice(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(weigh(q, k), dim=-1)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The softmax is missing: scaled scores are no weights.",
    ko="소프트맥스가 빠졌습니다. 나눈 점수는 가중치가 아닙니다.",
)
class both_without_softmax(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The future is hidden here, which is the next assignment's matter; every token sees all.",
    ko="미래를 가렸습니다. 그것은 다음 과제의 일입니다. 여기서는 모든 토큰이 모두를 봅니다.",
)
class both_causal(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).tril() / weigh(q, k).tril().sum(-1, keepdim=True)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="`.T` turns all dimensions round, the leading ones too; swap the last two only.",
    ko="`.T`는 앞의 차원까지 모두 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
class both_turned_round(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(q @ k.T / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="`squeeze` removes every axis of size 1, also one that belongs to the result.",
    ko="`squeeze`는 크기가 1인 축을 모두 없앱니다. 결과에 필요한 축까지 없어집니다.",
)
class both_squeezed(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).squeeze(), weigh(q, k).squeeze()


@mistake(
    "SelfAttention",
    hint="The projections of the values were added to the output; only the mixture is asked for.",
    ko="출력에 값의 투영을 더했습니다. 섞은 것만 필요합니다.",
)
class both_residual_added(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v) + v, weigh(q, k)


@mistake(
    "SelfAttention",
    marks="point",
    hint="The weights are cut off (detach, .data), so queries and keys never learn.",
    ko="가중치가 끊겨(detach, .data) 쿼리와 키가 학습되지 않습니다.",
)
class both_detached(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k).detach()
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The result is always float32; keep the dtype of the input (a tensor made by torch.zeros has its own).",
    ko="결과가 항상 float32입니다. 입력의 dtype을 지키세요(torch.zeros로 만든 텐서는 자기 dtype을 가집니다).",
)
class both_into_float32(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v).float(), weigh(q, k).float()


@mistake(
    "SelfAttention",
    hint="All sequences of the batch were joined to one; each attends to itself alone.",
    ko="배치의 문장을 하나로 이었습니다. 문장마다 자기 안에서만 주의를 기울입니다.",
)
class both_sequences_mixed(solution.SelfAttention):
    def forward(self, x):
        tokens = x.reshape(1, -1, x.shape[-1])
        output, weights = super().forward(tokens)
        return output.reshape(*x.shape[:-1], -1), weights[0, : x.shape[-2], : x.shape[-2]].expand(
            *x.shape[:-1], x.shape[-2]
        )


@mistake(
    "SelfAttention",
    marks="library",
    hint="The library's attention was called; this exercise asks you to write it.",
    ko="라이브러리의 어텐션을 불렀습니다. 이 문제에서는 직접 써야 합니다.",
)
class both_by_library(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return F.scaled_dot_product_attention(q, k, v), weigh(q, k)


@mistake(
    "SelfAttention",
    hint="Some weights are dropped in training; this module has no dropout.",
    ko="학습 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class both_drops_in_training(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, self.training)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="Some weights are dropped in evaluation; this module has no dropout.",
    ko="평가 중에 가중치를 떨어뜨립니다. 이 모듈에는 dropout이 없습니다.",
    twins=("changing_result",),
)
class both_drops_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = F.dropout(weigh(q, k), 0.1, not self.training)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    marks="point",
    hint="The input was changed in place; the caller's tensor has to stay as it was.",
    ko="입력을 제자리에서 바꾸었습니다. 부른 쪽의 텐서는 그대로여야 합니다.",
)
class both_input_in_place(solution.SelfAttention):
    def forward(self, x):
        results = super().forward(x)
        with torch.no_grad():
            x.mul_(2)
        return results


@mistake(
    "SelfAttention",
    hint="The result of an earlier call with the same shape is returned again; compute it from the new input.",
    ko="모양이 같으면 예전 호출의 결과를 다시 돌려줍니다. 새 입력으로 계산하세요.",
    twins=("earlier_result",),
)
class both_output_kept(solution.SelfAttention):
    def forward(self, x):
        if (
            getattr(self, "kept", None) is None
            or self.kept[0].shape[:-1] != x.shape[:-1]
            or self.kept[0].dtype != x.dtype
        ):
            self.kept = super().forward(x)
        return self.kept


@mistake(
    "SelfAttention",
    hint="The size is kept by the class, so the module that was made last decides for all; keep it in self.",
    ko="크기를 클래스에 두어, 마지막에 만든 모듈의 크기가 모두에게 쓰입니다. self에 두세요.",
    twins=("scaling_divisor",),
)
class both_size_shared_by_all(solution.SelfAttention):
    size = 1

    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        type(self).size = attention_dim

    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = weigh(q, k, math.sqrt(type(self).size))
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="In evaluation no gradient flows: leave no_grad to the caller.",
    ko="평가 중에 기울기가 흐르지 않습니다. no_grad는 부르는 쪽에 맡기세요.",
)
class both_no_grad_in_evaluation(solution.SelfAttention):
    def forward(self, x):
        with torch.set_grad_enabled(self.training):
            return super().forward(x)


@mistake(
    "SelfAttention",
    hint="There is a parameter or a layer more than asked for; even unused it is saved with the rest.",
    ko="요구하지 않은 매개변수나 층이 더 있습니다. 쓰지 않아도 함께 저장됩니다.",
)
class both_extra_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.out = nn.Linear(attention_dim, attention_dim)


@mistake(
    "SelfAttention",
    hint="Only the output is returned; the weights are asked for as well.",
    ko="출력만 돌려주었습니다. 가중치도 필요합니다.",
)
class both_output_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[0]


@mistake(
    "SelfAttention",
    hint="Only the weights are returned; the output is asked for as well.",
    ko="가중치만 돌려주었습니다. 출력도 필요합니다.",
)
class both_weights_only(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x)[1]


@mistake(
    "SelfAttention",
    marks="slip",
    hint="The two results stand in the wrong order: output first.",
    ko="두 결과의 순서가 바뀌었습니다. 출력이 먼저입니다.",
)
class both_weights_first(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return weights, output


@mistake(
    "SelfAttention",
    hint="The second result holds the scores; the weights that made the output are asked for.",
    ko="둘째 결과가 점수입니다. 출력을 만든 가중치가 필요합니다.",
)
class both_scores_for_weights(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])


@mistake(
    "SelfAttention",
    hint="The weights that are returned are not those that made the output.",
    ko="돌려준 가중치가 출력을 만든 가중치가 아닙니다.",
)
class both_unscaled_weights_shown(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), weigh(q, k, 1)


@mistake(
    "SelfAttention",
    hint="The weights are returned the wrong way round: row i belongs to query i.",
    ko="가중치를 전치해서 돌려주었습니다. i번째 행이 i번째 쿼리의 것입니다.",
)
class both_weights_shown_transposed(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.transpose(-2, -1)


@mistake(
    "SelfAttention",
    hint="The weights are rounded; return them as they are.",
    ko="가중치를 반올림했습니다. 있는 그대로 돌려주세요.",
)
class both_weights_rounded(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, (weights * 100).round() / 100


@mistake(
    "SelfAttention",
    hint="The weights are averaged over the batch; every sequence keeps its own.",
    ko="가중치를 배치에 걸쳐 평균했습니다. 문장마다 따로 두어야 합니다.",
)
class both_weights_averaged(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.mean(0, keepdim=True) if x.dim() == 3 else weights


@mistake(
    "SelfAttention",
    hint="The weights that are returned are cut off; gradients have to flow from them too.",
    ko="돌려준 가중치가 끊겨 있습니다. 거기서도 기울기가 흘러야 합니다.",
)
class both_weights_shown_detached(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output, weights.detach()


@mistake(
    "SelfAttention",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
class both_without_a_shift(solution.SelfAttention):
    def forward(self, x):
        queries, keys = self.q(x), self.k(x)
        powers = torch.exp(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return weights @ self.v(x), weights


@mistake(
    "SelfAttention",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
class both_zeros(solution.SelfAttention):
    def forward(self, x):
        queries = self.q(x)
        return torch.zeros_like(queries), queries.new_zeros(*x.shape[:-1], x.shape[-2])


@right("SelfAttention", why="a list, which unpacks as a tuple does")
class both_as_list(solution.SelfAttention):
    def forward(self, x):
        return list(super().forward(x))


@mistake(
    "SelfAttention",
    hint="A batch axis is taken for granted; (T, embedding_dim) has to work as well.",
    ko="배치 축이 있다고 여겼습니다. (T, embedding_dim)도 되어야 합니다.",
)
class both_needs_a_batch(solution.SelfAttention):
    def forward(self, x):
        _B, _T, _embedding_dim = x.shape
        return super().forward(x)


@mistake(
    "SelfAttention",
    hint="Without a batch the results got a batch axis; take it away again.",
    ko="배치가 없을 때 결과에 배치 축이 생겼습니다. 다시 없애세요.",
)
class both_batch_axis_added(solution.SelfAttention):
    def forward(self, x):
        return super().forward(x if x.dim() == 3 else x.unsqueeze(0))


@mistake(
    "SelfAttention",
    hint="The layers have no bias; nn.Linear's usual bias is asked for.",
    ko="층에 편향이 없습니다. nn.Linear의 보통 편향이 필요합니다.",
)
class both_without_bias(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        nn.Module.__init__(self)
        self.q = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.k = nn.Linear(embedding_dim, attention_dim, bias=False)
        self.v = nn.Linear(embedding_dim, attention_dim, bias=False)


@mistake(
    "SelfAttention",
    hint="The biases are subtracted; a layer adds its bias. Call the layers.",
    ko="편향을 뺐습니다. 층은 편향을 더합니다. 층을 호출하세요.",
)
class both_bias_subtracted(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (x @ layer.weight.T - layer.bias for layer in (self.q, self.k, self.v))
        return attend(q, k, v), weigh(q, k)


@mistake(
    "SelfAttention",
    hint="The weights are used without their biases; call the layers.",
    ko="가중치만 쓰고 편향은 더하지 않았습니다. 층을 호출하세요.",
)
class both_bias_not_added(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (x @ layer.weight.T for layer in (self.q, self.k, self.v))
        return attend(q, k, v), weigh(q, k)


@mistake(
    "SelfAttention",
    hint="The layers have other names; q, k and v are asked for.",
    ko="층의 이름이 다릅니다. q, k, v여야 합니다.",
)
class both_other_names(nn.Module):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.W_query = nn.Linear(embedding_dim, attention_dim)
        self.W_key = nn.Linear(embedding_dim, attention_dim)
        self.W_value = nn.Linear(embedding_dim, attention_dim)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attend(q, k, v), weigh(q, k)


@mistake(
    "SelfAttention",
    hint="All three names mean one layer; each role has its own.",
    ko="세 이름이 한 층을 가리킵니다. 역할마다 자기 층이 있어야 합니다.",
)
class both_one_layer(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.k = self.v = self.q


@mistake(
    "SelfAttention",
    hint="The layers lead to embedding_dim features; attention_dim is asked for.",
    ko="층이 embedding_dim개의 특징을 냅니다. attention_dim이어야 합니다.",
)
class both_square_layers(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, embedding_dim)


@mistake(
    "SelfAttention",
    hint="The parameters are frozen (requires_grad=False), so they are never trained.",
    ko="매개변수가 고정되어(requires_grad=False) 학습되지 않습니다.",
)
class both_frozen(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.requires_grad_(False)


@mistake(
    "SelfAttention",
    hint="A matrix of the first call is kept, so numbers that are loaded or trained later have no effect.",
    ko="첫 호출의 행렬을 간직해 두어, 나중에 불러오거나 학습한 값이 효과가 없습니다.",
)
class both_layer_cached(solution.SelfAttention):
    def forward(self, x):
        if not hasattr(self, "matrix"):
            self.matrix = self.v.weight.clone()
        weights = weigh(self.q(x), self.k(x))
        return weights @ (x @ self.matrix.to(x.dtype).T + self.v.bias), weights


@mistake(
    "SelfAttention",
    hint="The second result holds the plain dot products; the weights that made the output are asked for.",
    ko="둘째 결과가 내적입니다. 출력을 만든 가중치가 필요합니다.",
)
class both_dot_products_shown(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        return attend(q, k, v), q @ k.transpose(-2, -1)


@mistake(
    "SelfAttention",
    hint="The outputs of all tokens were averaged; every token keeps its own.",
    ko="모든 토큰의 출력을 평균 냈습니다. 토큰마다 출력이 있어야 합니다.",
)
class both_output_averaged(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output.mean(-2), weights


@mistake(
    "SelfAttention",
    hint="The outputs of all tokens were added up; every token keeps its own.",
    ko="모든 토큰의 출력을 더했습니다. 토큰마다 출력이 있어야 합니다.",
)
class both_output_added_up(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output.sum(-2), weights


@mistake(
    "SelfAttention",
    hint="Axes 1 and 2 are those of tokens and features only with a batch; count from the end.",
    ko="1번과 2번 축은 배치가 있을 때만 토큰과 특징의 축입니다. 뒤에서부터 세세요.",
)
class both_axes_of_a_batch(solution.SelfAttention):
    def forward(self, x):
        q, k, v = self.q(x), self.k(x), self.v(x)
        weights = torch.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights


@mistake(
    "SelfAttention",
    hint="The tokens were added to the output; only the mixture is asked for.",
    ko="출력에 토큰을 더했습니다. 섞은 것만 필요합니다.",
)
class both_tokens_added(solution.SelfAttention):
    def forward(self, x):
        output, weights = super().forward(x)
        return output + x, weights


@mistake(
    "SelfAttention",
    hint="The values are made of the queries; all three projections begin with x.",
    ko="값을 쿼리로 만들었습니다. 세 투영 모두 x에서 시작합니다.",
)
class both_values_of_queries(solution.SelfAttention):
    def forward(self, x):
        q, k = self.q(x), self.k(x)
        weights = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ self.v(q), weights


@mistake(
    "SelfAttention",
    hint="The scores are returned as a third result; output and weights are asked for, nothing else.",
    ko="점수를 셋째 결과로 돌려줍니다. 출력과 가중치만 필요합니다.",
    unnamed="It fails as every result of another form does; the report says that.",
)
class both_and_scores(solution.SelfAttention):
    def forward(self, x):
        q, k = self.q(x), self.k(x)
        return *super().forward(x), q @ k.mT


@right("SelfAttention", why="layers made in another order, einsum")
class both_in_another_order(nn.Module):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__()
        self.v = nn.Linear(embedding_dim, attention_dim)
        self.k = nn.Linear(embedding_dim, attention_dim)
        self.q = nn.Linear(embedding_dim, attention_dim)
        for layer in self.children():
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        scores = torch.einsum("...ie,...je->...ij", self.q(x), self.k(x)) / self.q.out_features**0.5
        weights = F.softmax(scores, dim=-1)
        return torch.einsum("...ij,...je->...ie", weights, self.v(x)), weights


@right("SelfAttention", why="bmm with a batch axis put on and taken off")
class both_by_bmm(solution.SelfAttention):
    def forward(self, x):
        batch = x if x.ndim == 3 else x[None]
        weights = torch.softmax(
            torch.bmm(self.q(batch), self.k(batch).permute(0, 2, 1)) / math.sqrt(self.k.out_features), 2
        )
        output = torch.bmm(weights, self.v(batch))
        return (output, weights) if x.ndim == 3 else (output[0], weights[0])


@right("SelfAttention", why="the softmax written out, a named tuple, a buffer of its own")
class both_named(solution.SelfAttention):
    def __init__(self, embedding_dim, attention_dim):
        super().__init__(embedding_dim, attention_dim)
        self.register_buffer("scale", torch.tensor(attention_dim**-0.5), persistent=False)

    def forward(self, x):
        from collections import namedtuple

        scores = self.q(x) @ self.k(x).mT * self.scale
        powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
        weights = powers / powers.sum(dim=-1, keepdim=True)
        return namedtuple("Attended", "output weights")(weights @ self.v(x), weights)


@right("SelfAttention", why="float64 inside, the transposed weights transposed back")
class both_in_float64(solution.SelfAttention):
    def forward(self, x):
        q, k, v = (
            F.linear(x.double(), layer.weight.double(), layer.bias.double()) for layer in (self.q, self.k, self.v)
        )
        weights = torch.softmax(k @ q.mT / math.sqrt(q.shape[-1]), dim=-2).mT
        return (weights @ v).to(x.dtype), weights.to(x.dtype)
