"""Hidden checks of `embed_tokens`: every word gets its own row, and an unknown one an error that names it.

The ids are shuffled and leave gaps, so an answer that counts the words instead of looking them up shows. The layer lies
on the CPU wherever the grading runs: the numbers of the words are made there.
"""

import torch

from grader.suite import checks, exercise
from grader.suite.core.compare import as_tensor, lowest_precision, require_all_close
from grader.suite.core.context import device
from grader.suite.core.failures import CheckFailed
from grader.suite.core.gradients import require_gradients, uneven
from grader.suite.diagnosis.by_answer import diagnose, diagnosing_exceptions

embed_tokens = exercise("embed_tokens")

TWINS = ("time", "Time", "one", " one")
"""Words that are others as they are written; whoever changes words before looking them up takes one for the other."""
WORDS = ("tide", "wait", "for", "no", "나는", "학교에", "간다", "<pad>", "<unk>")
PLAIN = (*TWINS, "tide", "나는")
SPECIAL = (*TWINS, "<pad>", "<unk>")
"""Words of a small vocabulary, and of one that has an entry for words that it does not know."""


def shuffled(draw, items):
    """Return the items in a random order."""
    order = draw.permutation(len(items))
    return [items[place] for place in order.tolist()]


def numbered(draw, words, rows, *, zero=True):
    """Return a dictionary of these words in a random order, with shuffled ids below `rows`, that of 0 among them.

    Properties are asked without the id 0, so that who takes it for a missing word keeps what is right.
    """
    others = shuffled(draw, list(range(1, rows)))
    ids = shuffled(draw, [0, *others[: len(words) - 1]] if zero else others[: len(words)])
    return dict(zip(shuffled(draw, words), ids, strict=True))


def vocabulary(draw, size, rows):
    """Return such a dictionary of `size` words, the twins first."""
    return numbered(draw, [*shuffled(draw, TWINS), *shuffled(draw, WORDS)][:size], rows)


def layer(student, weight):
    """Return an nn.Embedding in the student's process that holds the weight in its dtype."""
    made = student.torch_nn("Embedding", *weight.shape)
    if weight.dtype != torch.float32 or device() != "cpu":
        made.to(dtype=weight.dtype, device="cpu")
    made.load({"weight": weight})
    return made


def same_tensors(one, other):
    """Tell whether two dictionaries hold equal tensors."""
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def ask_rows(student, tokens, vocab, weight, embedding=None):
    """Ask for the tokens' rows of the weight, which the embedding holds if one is given, and return the answer."""

    def run_mistake(mistake):
        known = torch.nn.Embedding.from_pretrained(weight.double(), freeze=False)
        return mistake.make(list(tokens), dict(vocab), known)

    with diagnosing_exceptions(run_mistake, "embed_tokens"):
        answer = student.embed_tokens(tokens, vocab, embedding or layer(student, weight))
    expected = weight.double()[[vocab[token] for token in tokens]].unsqueeze(0)
    dtype = lowest_precision(weight)
    try:
        require_all_close(answer, expected, "value", dtype, device())
    except CheckFailed as failure:
        failure.diagnosis = diagnose(answer, expected, dtype, run_mistake, "embed_tokens")
        raise
    return answer


def ask_named(student, tokens, vocab, embedding, unknown):
    """Ask for a KeyError whose text holds the unknown token."""
    raised = checks.raises(student.embed_tokens, "KeyError", tokens, vocab, embedding)
    checks.is_true(
        unknown in raised.text,
        f"The KeyError's text does not hold the first unknown token, {unknown}.",
        f"KeyError의 내용에 어휘에 없는 첫 토큰 {unknown}이 없습니다.",
    )


@embed_tokens.check(
    "property", weight=8, ko="토큰, 어휘, 임베딩이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다."
)
def test_the_gate(student, draw):
    """The result changes with the embedding, and with the tokens or the vocabulary at least."""
    words, others = (numbered(draw, PLAIN, 9, zero=False) for _ in range(2))
    while [others[word] for word in words] == list(words.values()) or list(others) == list(words):
        others = numbered(draw, PLAIN, 9, zero=False)
    tokens, weights = shuffled(draw, PLAIN), [draw.normal(9, 3) for _ in range(2)]
    ways = ((tokens, words, 0), ([*tokens[1:], tokens[0]], words, 0), (tokens, others, 0), (tokens, words, 1))
    embeddings = [layer(student, weight) for weight in weights]
    results = [as_tensor(student.embed_tokens(*asked, embeddings[way])) for *asked, way in ways]
    changes = [not torch.equal(results[0], other) for other in results[1:]]
    checks.is_true(
        any(changes[:2]) and changes[2] and len(torch.unique(results[0])) > 1,
        "Your answer stays the same when what it is given changes.",
        "주어진 것이 바뀌어도 결과가 그대로입니다.",
        for_students=True,
    )


@embed_tokens.check(
    "shape", weight=5, needs=("test_the_gate",), ko="토큰이 하나이거나 특징이 하나여도 모양은 (1, T, d)입니다."
)
def test_shape(student, draw):
    """The result has the shape (1, T, d), also with a single token or feature."""
    for rows, features, tokens in ((9, 3, PLAIN), (7, 1, PLAIN), (8, 4, PLAIN[:1])):
        answer = student.embed_tokens(
            [*tokens], numbered(draw, PLAIN, rows, zero=False), layer(student, draw.normal(rows, features))
        )
        checks.has_shape(answer, (1, len(tokens), features))


@embed_tokens.check(
    "dtype",
    weight=5,
    needs=("test_the_gate",),
    ko="결과의 dtype은 임베딩 가중치의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of the embedding's weight: float32, float64 or bfloat16."""
    for dtype in (torch.float32, torch.float64, torch.bfloat16):
        embedding = layer(student, draw.normal(7, 3, dtype=dtype))
        checks.has_dtype(student.embed_tokens([*PLAIN], numbered(draw, PLAIN, 7, zero=False), embedding), dtype)


@embed_tokens.check(
    "gradient", weight=8, needs=("test_the_gate",), ko="결과에서 넘겨받은 임베딩으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, draw):
    """From the result a gradient flows back to the embedding that was handed in."""
    embedding = layer(student, draw.normal(7, 3))
    weigher = uneven((1, len(PLAIN), 3)).float()
    vocab = numbered(draw, PLAIN, 7, zero=False)
    seen = student.embed_tokens.observe([*PLAIN], vocab, embedding, cotangent=weigher)
    gradient = seen.parameter_gradients.get("2.weight")
    checks.is_true(
        gradient is not None and bool((checks.has_shape(gradient, (7, 3)) != 0).any()),
        "No gradient reaches the embedding: the result was cut off from it.",
        "임베딩에 그래디언트가 전달되지 않습니다. 결과가 임베딩과 끊겼습니다.",
        for_students=True,
    )


@embed_tokens.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 토큰, 어휘, 임베딩은 그대로입니다."
)
def test_inputs_unchanged(student, draw):
    """The tokens, the vocabulary and the embedding are the same after the call."""
    vocab, weight = numbered(draw, PLAIN, 8), 3 * draw.normal(8, 3)
    embedding = layer(student, weight)
    tokens, held = shuffled(draw, list(vocab)), embedding.gradients({"weight": draw.normal(8, 3)})
    seen = student.embed_tokens.observe(tokens, vocab, embedding, echo=True)
    for unchanged, what, korean in (
        (seen.inputs_after[0] == tokens, "The list of tokens was changed", "토큰의 목록이 바뀌었습니다"),
        (seen.inputs_after[1] == vocab, "The vocabulary was changed", "어휘가 바뀌었습니다"),
        (torch.equal(embedding.parameters()["weight"], weight), "The rows were changed", "임베딩의 행이 바뀌었습니다"),
        (
            same_tensors(embedding.gradients(), held),
            "The embedding's `.grad` was changed",
            "임베딩의 `.grad`가 바뀌었습니다",
        ),
        (embedding.is_training(), "The embedding was put into evaluation mode", "임베딩이 평가 모드가 되었습니다"),
    ):
        checks.is_true(unchanged, f"{what} by the call.", f"호출 뒤에 {korean}.", for_students=True)
    # A vocabulary that stays in the student's process; what a missing key raises there may be another exception.
    vocab = student.torch_nn("ParameterDict", numbered(draw, PLAIN, 8))
    raised = [student.embed_tokens.error(["Time", "nobody"], vocab, embedding) for _ in range(2)]
    checks.is_true(
        None in raised[:1] or None not in raised,
        "The unknown token was written into the vocabulary: a second call does not raise any more.",
        "어휘에 없는 토큰을 어휘에 써넣었습니다. 두 번째 호출에서는 오류가 나지 않습니다.",
        for_students=True,
    )


@embed_tokens.check(
    "errors",
    weight=8,
    needs=("test_the_gate",),
    ko="어휘에 없는 토큰은 그 토큰이 적힌 KeyError입니다. 어휘에 <unk>가 있어도 같습니다.",
)
def test_unknown_token(student, draw):
    """An unknown token raises a KeyError whose text holds it, also where the vocabulary has <unk>."""
    embedding = layer(student, draw.normal(9, 3))
    for place, words, unknown in ((0, PLAIN, "TIME"), (2, SPECIAL, "nobody"), (5, SPECIAL, "집에"), (3, PLAIN, "Tide")):
        vocab = numbered(draw, words, 9, zero=False)
        tokens = shuffled(draw, words[:5])
        tokens.insert(place, unknown)
        ask_named(student, tokens, vocab, embedding, unknown)


@embed_tokens.check(
    "errors",
    weight=5,
    needs=("test_unknown_token",),
    ko="어휘에 없는 토큰이 여럿이면 그 가운데 첫 토큰이 KeyError에 있습니다.",
)
def test_first_unknown_token(student, draw):
    """Of several unknown tokens the KeyError's text holds the first."""
    strangers, embedding = shuffled(draw, ["nobody", "집에", "moon"]), layer(student, draw.normal(9, 3))
    for turn in range(3):  # each of them is the first one once
        vocab = numbered(draw, SPECIAL, 9, zero=False)
        words, unknown = shuffled(draw, list(vocab)), [*strangers[turn:], *strangers[:turn]]
        tokens = [words[0], unknown[0], *words[1:3], unknown[1], words[3], unknown[2]]
        ask_named(student, tokens, vocab, embedding, unknown[0])


@embed_tokens.check("document", weight=3, ko="노트의 단어에서 노트의 모양이 나오고, 단어마다 자기 행이 나옵니다.")
def test_words_of_the_notes(student, golden, draw):
    """The notes' words give vectors of the notes' shapes, and every word its own row."""
    vocab = {"나는": 0, "학교에": 1, "간다": 2, "<pad>": 3}
    answer = ask_rows(student, ["나는", "학교에", "간다"], vocab, draw.normal(4, 4))
    checks.has_shape(answer, tuple(golden("N1 In[5] query").value.int().tolist()))
    words = ["I", "love", "you", "all"]
    batch, tokens, _ = golden("N4 attention output shape").value.int().tolist()
    answer = ask_rows(student, words, {word: place for place, word in enumerate(words)}, draw.normal(4, 20))
    checks.has_shape(answer, (batch, tokens, 20))


@embed_tokens.check(
    "value", weight=12, ko="어휘의 번호가 뒤섞여 있어도, 단어가 여러 번 나와도 단어마다 자기 행이 나옵니다."
)
def test_random_words(student, draw):
    """With shuffled ids and words that come several times, every word gets its own row, in the order of the list."""
    for size, rows, features, extra in ((5, 9, 3, 2), (5, 9, 3, 2), (7, 8, 7, 0), (4, 4, 4, 0), (12, 15, 6, 5)):
        vocab = vocabulary(draw, size, rows)
        tokens = shuffled(draw, [*vocab, *[draw.choice(list(vocab)) for _ in range(extra)]])
        ask_rows(student, tokens, vocab, draw.normal(rows, features))


@embed_tokens.check("value", weight=6, ko="어휘의 일부만 쓰는 문장에서도 쓰인 단어의 행만 순서대로 나옵니다.")
def test_part_of_the_vocabulary(student, draw):
    """A sentence that uses a part of the vocabulary gives the rows of its own words only."""
    for size, rows, features in ((9, 12, 5), (6, 6, 2)):
        vocab = vocabulary(draw, size, rows)
        first, other = (next(word for word in vocab if vocab[word] == 0), draw.choice(list(vocab)))
        tokens = shuffled(draw, list(dict.fromkeys(("Time", " one", first, other))))
        ask_rows(student, [*tokens, tokens[0]], vocab, draw.normal(rows, features))


@embed_tokens.check(
    "value",
    weight=3,
    needs=("test_random_words",),
    ko="문장이 길어도, 임베딩의 행과 특징이 많아도, 어휘의 단어가 하나뿐이어도 단어마다 자기 행이 나옵니다.",
)
def test_few_and_many(student, draw):
    """A long sentence, many rows or features, and a vocabulary of one word give every word its own row."""
    many = 1025 + draw.large()
    for size, extra, rows, features in (
        (12, many, 14, 3),
        (12, 3, many, 3),
        (12, 3, 14, many),
        (1, 0, 1, 3),
        (4, 0, 4, 1),
    ):
        vocab = vocabulary(draw, size, rows)
        tokens = shuffled(draw, [*vocab, *[draw.choice(list(vocab)) for _ in range(extra)]])
        ask_rows(student, tokens, vocab, draw.normal(rows, features))


@embed_tokens.check(
    "value",
    weight=4,
    needs=("test_random_words",),
    ko="같은 임베딩에 다른 단어를 물어도, 그 사이 임베딩이 학습되어도 그때의 행이 나옵니다.",
)
def test_the_same_embedding_again(student, draw):
    """The same embedding gives other words their own rows, and the rows that it holds by then after it has learned."""
    weights, vocab = [draw.normal(9, 3) for _ in range(2)], numbered(draw, PLAIN, 9)
    embedding, tokens = layer(student, weights[0]), shuffled(draw, PLAIN)
    for asked in (tokens[::-1], tokens):
        ask_rows(student, asked, vocab, weights[0], embedding)
    embedding.load({"weight": weights[1]})
    ask_rows(student, tokens, vocab, weights[1], embedding)


@embed_tokens.check(
    "gradient", weight=7, needs=("test_random_words",), ko="결과에서 임베딩의 각 행으로 올바른 그래디언트가 흐릅니다."
)
def test_gradients_flow_back(student, draw):
    """The right gradients flow from the result back to the embedding's own rows."""
    vocab, weight = vocabulary(draw, 5, 7), draw.normal(7, 3)
    tokens, wide = [*vocab, next(iter(vocab))], weight.double().requires_grad_()
    expected = wide[[vocab[token] for token in tokens]].unsqueeze(0)
    uneven_rows = uneven(expected.shape)
    wanted = torch.autograd.grad((expected * uneven_rows).sum(), [wide])
    seen = student.embed_tokens.observe(tokens, vocab, layer(student, weight), cotangent=uneven_rows.float())
    name = "embedding.weight"
    require_gradients([seen.parameter_gradients.get("2.weight")], list(wanted), "float32", [name], [name])
