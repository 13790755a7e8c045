"""Hidden checks of `ScaledDotProductAttention`: the note's heads, masks, and what dropout does to the weights.

Dropout is tried with a probability away from 0.5, where keeping and dropping look the same, and on so many weights that
the measured share is known to a few hundredths.
"""

from grader.suite import checks, exercise

from .inputs import masks_of, scored, triple, visible

DROPOUT = 0.3


scaled_dot_product_attention_module = exercise("ScaledDotProductAttention")
scaled_dot_product_attention_module.contract(
    init="dropout=p",
    Q="B Tq d",
    K="B Tk d",
    V="B Tk dv",
    result=("B Tq dv", "B Tq Tk"),
    options={"mask": "Tq Tk"},
    draws={"mask": visible},
)


@scaled_dot_product_attention_module.check("document", ko="노트의 두 헤드에서 노트에 찍힌 결과가 나옵니다.")
def test_heads_of_the_note(twin, golden):
    """The note's two heads, taken as a batch, give the weights and the outputs that the note prints."""
    heads = [golden(f"N2 In[39] {name}h transposed").float32 for name in "QKV"]
    submitted, _ = twin()
    checks.matches_figure(submitted(*heads), golden("N2 In[42] transposed"), golden("N2 In[41]"))
    masked = submitted(*heads, mask=golden("N2 In[61]").value == 0)
    checks.matches_figure(masked, golden("N2 In[64] transposed"), golden("N2 In[63]"))


@scaled_dot_product_attention_module.check("value", ko="0 또는 False로 가린 키는 가중치를 받지 못합니다.")
def test_masks(twin, draw):
    """A key that the mask hides gets no weight, whatever the mask is broadcast from, bools or numbers."""
    submitted, solution = twin()
    asked = (  # from the second on a mask of pairs looks like one of items, and the other way round
        (2, 3, 5, ((2, 3, 5), (2, 1, 5), (5,))),
        (3, 3, 5, ((3, 5), (3, 1, 5))),
        (1, 3, 5, ((1, 3, 5),)),
        (4, 4, 4, ((4, 4), (4, 1, 4), (4,))),
    )
    masks = iter(masks_of(draw, [shape for *_, shapes in asked for shape in shapes]))
    cases = [
        checks.given(*triple(draw, B, Tq=Tq, Tk=Tk), mask=next(masks)) for B, Tq, Tk, shapes in asked for _ in shapes
    ]
    checks.matches(submitted, solution, *cases)


@scaled_dot_product_attention_module.check("purity", ko="0과 1로 된 마스크도 호출 뒤에 그대로입니다.")
def test_mask_of_numbers_unchanged(student, draw):
    """A mask of the numbers 0 and 1 is the same after the call."""
    mask = visible(draw, 3, 5).float()
    checks.inputs_unchanged(student.ScaledDotProductAttention.built(), *triple(draw, 2), mask=mask)


@scaled_dot_product_attention_module.check(
    "stability", ko="점수가 아무리 크거나 작아도 가중치가 맞고 가려진 키는 0입니다."
)
def test_far_scores(twin, draw):
    """Where scores lie far from zero, at 2000 or -2000, the weights are right and a hidden key gets none."""
    mask = visible(draw, 2, 6, 5)
    masked = checks.given(*scored(draw, draw.far_scores(2, 6, 5, hidden=~mask)), mask=mask)
    plain = checks.given(*scored(draw, draw.far_scores(2, 6, 5)))
    checks.matches(*twin(), masked, plain, kind="extreme", dtype="float32")


@scaled_dot_product_attention_module.check(
    "property", weight=8, ko="학습 중에는 가중치가 하나하나 dropout 비율만큼 0이 됩니다."
)
def test_dropout_in_training(student, draw):
    """In training the asked share of eval's weights is dropped, the others grow, and the output is made with them.

    A hidden key gets no weight then, either.
    """
    submitted, shapes = student.ScaledDotProductAttention.built(dropout=DROPOUT), ((4, 16, 6), (4, 16, 18))
    for mask in (None, visible(draw, 4, 1, 18)):
        Q, K, V = triple(draw, 4, Tq=16, Tk=18)
        answers = submitted.in_both_modes(Q, K, V, mask=mask)
        (output, weights), (_, expected) = (checks.has_shape(answer, *shapes) for answer in answers)
        right = expected.double() * (1 if mask is None else mask)
        checks.weights_are_dropped(weights, right, DROPOUT, apart=mask is None)
        checks.close(output, weights.double() @ V.double())


@scaled_dot_product_attention_module.check(
    "gradient", weight=3, ko="학습 중에 dropout이 켜져 있어도 기울기가 올바릅니다."
)
def test_gradients_with_dropout(twin, draw):
    """In training with dropout the gradients of the output with respect to Q, K and V are right too."""
    submitted, solution = twin(dropout=DROPOUT)
    solution.eval()

    def dropped(results):
        return checks.has_shape(results, (2, 12, 6), (2, 12, 10))[1]

    checks.gradients_match(submitted, solution, *triple(draw, 2, Tq=12, Tk=10), dropped=dropped)
