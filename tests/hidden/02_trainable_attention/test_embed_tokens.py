"""Hidden checks of `embed_tokens`: every word gets its own row, and an unknown one an error that names it.

The ids are shuffled and leave gaps, so an answer that counts the words instead of looking them up shows. Of short
sentences only those of five words hold the word with the id 0, and the one whose id is beyond the number of words: so a
student who takes 0 for a missing word, or the number of words for the number of rows, loses only in those.
"""

import torch

from grader.suite import checks, drawn, exercise, layer

TWINS = ("Time", "time", " one", "one")
"""Words that differ by case or a leading space only: who changes words before looking them up mixes them up."""
WORDS = (*TWINS, "no.", "wait", "for", "no", "나는", "학교에", "<unk>", "간다")
ID_ZERO, ROWS = "<pad>", 15


def shuffled(draw, items):
    """Return the items in a random order."""
    return [items[place] for place in draw.permutation(len(items)).tolist()]


def numbered(draw, words=WORDS, rows=ROWS):
    """Return a dictionary of `ID_ZERO` with the id 0, the last word with the last id, and others with small ones."""
    others = shuffled(draw, range(1, min(len(words) + 1, rows - 1)))
    ids = {ID_ZERO: 0, **dict(zip(words[::-1], [rows - 1, *others], strict=False))}
    return {word: ids[word] for word in shuffled(draw, [*ids])}


def sentence(draw, count):
    """Return so many words in a random order: the twins and others; of five, the two that only these hold."""
    first = [*TWINS[:3], ID_ZERO, WORDS[-1]] if count == 5 else [*TWINS, TWINS[0]]
    return shuffled(draw, [*first, *(draw.choice(WORDS[:-1]) for _ in range(count))][:count])


embed_tokens = exercise("embed_tokens")
embed_tokens.contract(
    tokens=drawn(sentence, "T"),
    vocab=drawn(numbered),
    embedding=layer("Embedding", f"{ROWS} d", device="cpu"),
    result="1 T d",
    without={
        "float64": "rows are copied, so nothing is computed",
        "another_device": "the layer lies on the CPU wherever the grading runs, as the text says",
    },
)


def embedding(student, weight):
    """Return an nn.Embedding in the student's process that holds the weight, and the solution's."""
    made = student.torch_nn("Embedding", *weight.shape, loads={"weight": weight}).to(device="cpu")
    return made, torch.nn.Embedding.from_pretrained(weight.double(), freeze=False)


def ask_rows(student, reference, tokens, vocab, weight, layers=None):
    """Ask for the tokens' rows of the weight, which the layers hold if they are given, and return the answer."""
    theirs, ours = layers or embedding(student, weight)
    answer = student.embed_tokens(tokens, vocab, theirs)
    checks.close(answer, reference.embed_tokens(tokens, vocab, ours))
    return answer


def ask_named(student, draw, sentences):
    """Ask for a KeyError whose text holds the first unknown token of each sentence, which is its key."""
    made, _ = embedding(student, draw.normal(ROWS, 3))
    cases = [checks.given(tokens, numbered(draw), made) for tokens in sentences.values()]
    for unknown, raised in zip(sentences, checks.raises(student.embed_tokens, "KeyError", *cases), strict=True):
        checks.is_true(
            unknown in raised.text,
            f"The KeyError's text does not hold the first unknown token, {unknown}.",
            f"KeyError의 내용에 어휘에 없는 첫 토큰 {unknown}이 없습니다.",
        )


@embed_tokens.check("errors", ko="어휘에 없는 토큰은 그 토큰이 적힌 KeyError입니다. 어휘에 <unk>가 있어도 같습니다.")
def test_unknown_token(student, draw):
    """An unknown token raises a KeyError whose text holds it, also where the vocabulary has <unk>."""
    sentences = {unknown: shuffled(draw, WORDS[:5]) for unknown in ("TIME", "wait ", "집에", "for!")}
    for (unknown, tokens), place in zip(sentences.items(), (0, 2, 5, 3), strict=True):
        tokens.insert(place, unknown)
    ask_named(student, draw, sentences)


@embed_tokens.check(
    "errors", needs="test_unknown_token", ko="어휘에 없는 토큰이 여럿이면 그 가운데 첫 토큰이 KeyError에 있습니다."
)
def test_first_unknown_token(student, draw):
    """Of several unknown tokens the KeyError's text holds the first."""
    strangers, words = shuffled(draw, ["nobody", "집에", "moon"]), shuffled(draw, WORDS)
    turned = ([*strangers[turn:], *strangers[:turn]] for turn in range(3))  # each of them is the first one once
    sentences = {first: [words[0], first, *words[1:3], second, words[3], third] for first, second, third in turned}
    ask_named(student, draw, sentences)


@embed_tokens.check("errors", ko="어휘에 없는 토큰을 어휘에 써넣지 않습니다.")
def test_no_unknown_token_is_written(student, draw):
    """An unknown token that raises is not written into the vocabulary, so it raises again."""
    # A vocabulary that stays in the student's process; what a missing key raises there may be another exception.
    vocab = student.torch_nn("ParameterDict", numbered(draw))
    made, _ = embedding(student, draw.normal(ROWS, 3))
    raised = student.embed_tokens.errors([checks.given(["Time", "nobody"], vocab, made)] * 2)
    checks.is_true(
        raised[0] is None or raised[1] is not None,
        "The unknown token was written into the vocabulary: a second call does not raise any more.",
        "어휘에 없는 토큰을 어휘에 써넣었습니다. 두 번째 호출에서는 오류가 나지 않습니다.",
        for_students=True,
    )


@embed_tokens.check("document", ko="노트의 단어에서 노트의 모양이 나오고, 단어마다 자기 행이 나옵니다.")
def test_words_of_the_notes(student, reference, golden, draw):
    """The notes' words give vectors of the notes' shapes, and every word its own row."""
    vocab = {"나는": 0, "학교에": 1, "간다": 2, "<pad>": 3}
    answer = ask_rows(student, reference, ["나는", "학교에", "간다"], vocab, draw.normal(4, 4))
    checks.has_shape(answer, tuple(golden("N1 In[5] query").value.int().tolist()))
    words = ["I", "love", "you", "all"]
    batch, tokens, _ = golden("N4 attention output shape").value.int().tolist()
    answer = ask_rows(student, reference, words, {word: id for id, word in enumerate(words)}, draw.normal(4, 20))
    checks.has_shape(answer, (batch, tokens, 20))


@embed_tokens.check(
    "value",
    weight=2,
    ko="0번을 포함해 번호가 뒤섞인 어휘에서도, 문장이 어휘의 일부만 써도 단어마다 자기 행이 나옵니다.",
)
def test_other_vocabularies(student, reference, draw):
    """Vocabularies of other sizes, with gaps and without, give every word its own row, in the order of the sentence."""
    for size, rows, features in ((5, 9, 3), (4, 4, 4), (12, 1089, 6), (1, 1, 3)):
        words = WORDS[: size - 1]
        tokens = shuffled(draw, [ID_ZERO, *words[-1:], *(draw.choice([ID_ZERO, *words]) for _ in range(4))])
        for numbers in (numbered(draw, words, rows) for _ in range(2)):  # the same words by other numbers
            ask_rows(student, reference, tokens, numbers, draw.normal(rows, features))


@embed_tokens.check("value", ko="같은 임베딩에 다른 단어를 물어도, 그 사이 임베딩이 학습되어도 그때의 행이 나옵니다.")
def test_the_same_embedding_again(student, reference, draw):
    """The same embedding gives words in another order their own rows, and new rows after its weights have changed."""
    weights, vocab = [draw.normal(ROWS, 3) for _ in range(2)], numbered(draw)
    layers, tokens = embedding(student, weights[0]), shuffled(draw, WORDS)
    for asked in (tokens[::-1], tokens):
        ask_rows(student, reference, asked, vocab, weights[0], layers)
    layers[0].load({"weight": weights[1]})
    ask_rows(student, reference, tokens, vocab, weights[1], (layers[0], embedding(student, weights[1])[1]))
