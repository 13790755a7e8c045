"""Hidden checks of `Seq2SeqWithAttention`: the note's sizes, and a single decoder step."""

import torch

from grader.suite import checks, exercise

from .steered import steered

seq2seq = exercise("Seq2SeqWithAttention")
seq2seq.contract(
    init="d_in h d_out",
    encoder_input="B T d_in",
    decoder_input="B T_dec d_in",
    result="B T_dec d_out",
)

DIMS = (3, 5, 4)  # input_dim, hidden_dim, output_dim


def inputs(draw, B=2, T=4, T_dec=3, features=3):
    """Return a random (encoder_input, decoder_input)."""
    return draw.normal(B, T, features), draw.normal(B, T_dec, features)


@seq2seq.check("document", ko="노트의 크기에서 노트의 모양이 나오고, 값은 넣은 매개변수가 만드는 값입니다.")
def test_shape_of_the_note(twin, golden, draw):
    """The note's sizes give the note's shape, and what the loaded parameters make of the inputs."""
    B, T_dec, output_dim = golden("N1 In[9]").shape
    submitted, solution = twin(10, 20, output_dim)
    output = checks.matches(submitted, solution, *inputs(draw, B, 5, T_dec, 10))
    checks.has_shape(output, (B, T_dec, output_dim))


@seq2seq.check("value", ko="디코더 단계가 하나이거나 인코더의 토큰보다 많아도 출력이 정의와 같습니다.")
def test_one_decoder_step_or_many(twin, draw):
    """With a single decoder step, or more than the encoder has tokens, the output is right, in every call."""
    submitted, solution = twin(*DIMS)
    for sizes in ((2, 4, 1), (6, 3, 1), (2, 3, 5)):
        for _ in range(2):
            checks.matches(submitted, solution, *inputs(draw, *sizes))


@seq2seq.check(
    "value", ko="어텐션의 점수가 모두 크거나 모두 아주 작아도, 한 배치나 한 항목 안에서 달라도 출력이 맞습니다."
)
def test_far_scores(twin, draw):
    """Where the attention's scores lie far above or below zero, or both in one batch or item, the output is right."""
    for far in (60.0, -60.0):  # small enough for a plain exponential in float32
        values = {"attention.attn.weight": draw.normal(5, 10) * 0.2, "attention.attn.bias": torch.full((5,), 1.5)}
        values["attention.v"] = torch.full((5,), far / 5)
        checks.matches(*twin(*DIMS, values=values), *inputs(draw))
    # Without an update gate each state of the encoder is the tanh of 3 times the token's first feature.
    of_state, rows = torch.zeros(15, 3), torch.arange(15)
    of_state[10:, 0] = 3
    values = {"encoder.weight_ih_l0": of_state, "encoder.weight_hh_l0": torch.zeros(15, 5)}
    values |= {"encoder.bias_ih_l0": -20.0 * ((rows >= 5) & (rows < 10)), "encoder.bias_hh_l0": torch.zeros(15)}
    values |= {"attention.attn.weight": torch.cat([torch.zeros(5, 5), torch.full((5, 5), 0.3)], dim=1)}
    values |= {"attention.attn.bias": torch.zeros(5), "attention.v": torch.full((5,), 12.0)}
    checks.matches(*twin(*DIMS, values=values), steered(draw, 3), draw.normal(4, 3, 3), kind="extreme")
