"""The checks that you can see and run while you work on trainable attention.

The numbers are those of the notes, or small enough to work out by hand. The examples in `examples.json` are checked
beside them. More checks, with other numbers and sizes, grade your work later; each of them says in a sentence what it
asks.
"""

import torch

from grader.suite import checks, exercise

embed_tokens = exercise("embed_tokens")
project_qkv = exercise("project_qkv")
dot_product_scores = exercise("dot_product_scores")
scaled_attention_weights = exercise("scaled_attention_weights")
self_attention = exercise("self_attention")
self_attention_v1 = exercise("SelfAttention_v1")
self_attention_v2 = exercise("SelfAttention_v2")
self_attention_module = exercise("SelfAttention")

# The six tokens of the first study note, and the output of the module that it makes with seed 123.
INPUTS = torch.tensor(
    [
        [0.43, 0.15, 0.89],
        [0.55, 0.87, 0.66],
        [0.57, 0.85, 0.64],
        [0.22, 0.58, 0.33],
        [0.77, 0.25, 0.10],
        [0.05, 0.80, 0.55],
    ]
)
CONTEXT = """
    0.2996 0.8053
    0.3061 0.8210
    0.3058 0.8203
    0.2948 0.7939
    0.2927 0.7891
    0.2990 0.8040
    """

# The whole numbers of the third study note: three tokens of four features, matrices (4, 3).
X = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 2.0, 0.0, 2.0], [1.0, 1.0, 1.0, 1.0]])
X_QUERY = torch.tensor([[1.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 1.0]])
X_KEY = torch.tensor([[0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
X_VALUE = torch.tensor([[0.0, 2.0, 0.0], [0.0, 3.0, 0.0], [1.0, 0.0, 3.0], [1.0, 1.0, 0.0]])
X_QUERIES = torch.tensor([[1.0, 0.0, 2.0], [2.0, 2.0, 2.0], [2.0, 1.0, 3.0]])
X_KEYS = torch.tensor([[0.0, 1.0, 1.0], [4.0, 4.0, 0.0], [2.0, 3.0, 1.0]])
X_VALUES = torch.tensor([[1.0, 2.0, 3.0], [2.0, 8.0, 0.0], [2.0, 6.0, 3.0]])
X_SCORES = torch.tensor([[2.0, 4.0, 4.0], [4.0, 16.0, 12.0], [4.0, 12.0, 10.0]])
X_WEIGHTS = """
    1.3613e-01 4.3194e-01 4.3194e-01
    8.9045e-04 9.0884e-01 9.0267e-02
    7.4449e-03 7.5471e-01 2.3785e-01
    """
X_CONTEXT = """
    1.8639 6.3194 1.7042
    1.9991 7.8141 0.2735
    1.9926 7.4796 0.7359
    """

VOCAB = {"나는": 0, "학교에": 1, "간다": 2, "<pad>": 3}
ROWS = torch.tensor([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [0.0, 0.0, 0.0, 0.0]])


def embedding(student):
    """Return an nn.Embedding in the student's process whose rows are `ROWS`."""
    return student.torch_nn("Embedding", 4, 4, loads={"weight": ROWS}).to(device="cpu")


@embed_tokens.check("document", ko="노트의 세 단어에서 모양이 (1, 3, 4)인 벡터가 나옵니다.")
def test_three_words(student):
    """The note's three words give their rows of the embedding, as a batch of one sentence."""
    words = ["나는", "학교에", "간다"]
    checks.close(student.embed_tokens(words, VOCAB, embedding(student)), ROWS[:3].unsqueeze(0))


@embed_tokens.check("errors", needs=("test_three_words",), ko="어휘에 없는 단어는 그 단어를 말하는 KeyError입니다.")
def test_word_out_of_the_vocabulary(student):
    """A word that is not in the vocabulary raises a KeyError that names it."""
    raised = checks.raises(student.embed_tokens, "KeyError", ["나는", "집에", "간다"], VOCAB, embedding(student))
    checks.is_true(
        "집에" in raised.text,
        "The KeyError's text does not hold the unknown token.",
        "KeyError의 내용에 어휘에 없는 토큰이 없습니다.",
    )


@project_qkv.check("document", ko="노트의 토큰과 행렬에서 노트에 찍힌 쿼리, 키, 값이 나옵니다.")
def test_projections_of_whole_numbers(student):
    """The third note's tokens and matrices give its queries, keys and values."""
    checks.close(student.project_qkv(X, X_QUERY, X_KEY, X_VALUE), (X_QUERIES, X_KEYS, X_VALUES))


@dot_product_scores.check("document", ko="노트의 쿼리와 키에서 노트에 찍힌 점수가 나옵니다.")
def test_scores_of_whole_numbers(student):
    """The third note's queries and keys give its scores."""
    checks.close(student.dot_product_scores(X_QUERIES, X_KEYS), X_SCORES)


@scaled_attention_weights.check("document", ko="노트의 점수와 키의 크기 3에서 노트에 찍힌 가중치가 나옵니다.")
def test_weights_of_whole_numbers(student):
    """The third note's scores, with keys of three features, give its weights."""
    checks.matches_figure(student.scaled_attention_weights(X_SCORES, 3), X_WEIGHTS)


@self_attention.check("document", ko="노트의 토큰과 행렬에서 노트에 찍힌 출력이 나옵니다.")
def test_context_of_whole_numbers(student):
    """The third note's tokens and matrices give its output."""
    checks.matches_figure(student.self_attention(X, X_QUERY, X_KEY, X_VALUE), X_CONTEXT)


@self_attention_v1.check("document", ko="시드 123으로 만든 모듈은 노트의 행렬을 가지고, 노트에 찍힌 출력을 냅니다.")
def test_first_module_with_seed_123(student):
    """Made after torch.manual_seed(123), the module gives the output that the note prints."""
    checks.matches_figure(student.SelfAttention_v1.built(3, 2, seed=123)(INPUTS), CONTEXT)


@self_attention_v2.check("document", ko="시드 123으로 만든 모듈은 노트에 찍힌 출력을 냅니다.")
def test_second_module_with_seed_123(student):
    """Made after torch.manual_seed(123), the module gives the output that the note prints."""
    figure = """
        -0.5337 -0.1051
        -0.5323 -0.1080
        -0.5323 -0.1079
        -0.5297 -0.1076
        -0.5311 -0.1066
        -0.5299 -0.1081
        """
    checks.matches_figure(student.SelfAttention_v2.built(3, 2, seed=123)(INPUTS), figure)


def loaded(student):
    """Return a module `SelfAttention` that holds the third note's matrices, without biases."""
    values = {f"{name}.weight": W.T for name, W in {"q": X_QUERY, "k": X_KEY, "v": X_VALUE}.items()}
    return student.SelfAttention.built(4, 3, loads=values | {f"{name}.bias": torch.zeros(3) for name in "qkv"})


@self_attention_module.check("document", ko="노트의 행렬을 넣으면 노트의 출력과 가중치가 나옵니다.")
def test_output_and_weights(student):
    """With the third note's matrices loaded by name, the output and the weights of that note come out."""
    checks.matches_figure(loaded(student)(X), X_CONTEXT, X_WEIGHTS)
