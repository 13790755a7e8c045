"""Hidden checks of `softmax_stable`: along any dimension, and finite where the naive form is not."""

import torch

from grader.suite import checks, exercise

softmax_stable = exercise("softmax_stable")

DTYPES = (torch.float32, torch.float64, torch.bfloat16)

SHAPES = ((5,), (4, 4), (4, 4), (2, 3, 4), (2, 2, 3, 4), (2, 1, 3, 2, 4))


@softmax_stable.check(
    "property",
    weight=3,
    ko="결과에 든 수의 개수가 맞고, 주어진 것이 바뀌면 결과도 따라 바뀝니다. 값은 아직 묻지 않습니다.",
)
def test_the_gate(student, reference, draw):
    """The result holds as many numbers as asked for and changes with everything that is given; values come later."""
    checks.uses_every_input(student, reference, "softmax_stable", draw.normal(3, 4), draw=draw)


@softmax_stable.check(
    "shape", weight=2, needs=("test_the_gate",), ko="하나뿐인 크기가 있어도 결과의 모양은 글에 적힌 그대로입니다."
)
def test_shape(student, draw):
    """The result has the shape that the text says, also where a size is 1."""
    cases = [checks.given(draw.normal(*shape)) for shape in ((3, 4), (2, 3, 4), (1,), (2, 1))]
    for answer, case in zip(checks.answers(student.softmax_stable, cases), cases, strict=True):
        checks.has_shape(answer, case.args[0].shape)


@softmax_stable.check(
    "dtype",
    weight=2,
    needs=("test_the_gate",),
    ko="결과의 dtype은 입력의 dtype과 같습니다: float32, float64, bfloat16.",
)
def test_keeps_the_dtype(student, draw):
    """The result has the dtype of what is given: float32, float64 or bfloat16."""
    cases = [checks.given(draw.normal(3, 5, dtype=dtype)) for dtype in DTYPES]
    checks.have_dtypes(checks.answers(student.softmax_stable, cases), DTYPES)


@softmax_stable.check("property", weight=3, needs=("test_the_gate",), ko="가중치는 음수가 아니고 합이 1입니다.")
def test_sums_to_one(student, draw):
    """No weight is negative, and the weights sum to 1."""
    checks.rows_sum_to_one(student.softmax_stable(2 * draw.normal(3, 4)))


@softmax_stable.check(
    "gradient", weight=7, needs=("test_the_gate",), ko="결과에서 모든 입력으로 그래디언트가 흐릅니다."
)
def test_gradients_flow(student, reference, draw):
    """From the result a gradient flows to everything that is given."""
    checks.gradients_flow(student, reference, "softmax_stable", draw.normal(3, 5))


@softmax_stable.check(
    "purity", weight=15, needs=("test_the_gate",), ko="호출한 뒤에도 주어진 것은 그대로이고 기울기를 요구하지 않습니다."
)
def test_inputs_unchanged(student, draw):
    """What is given is the same after the call."""
    scores = 10 + draw.normal(3, 5)
    scores[1, 2] = -torch.inf
    checks.input_unchanged(student, "softmax_stable", scores)
    checks.input_unchanged(student, "softmax_stable", draw.normal(3, 5), dim=0)


@softmax_stable.check("document", weight=1, ko="노트의 점수에서 노트에 찍힌 가중치가 나옵니다.")
def test_matches_the_note(student, golden):
    """The note's scores give the weights that the note prints, and their printed sum."""
    inputs = golden("N0 inputs").float32

    weights = student.softmax_stable(inputs @ inputs[1], dim=0)
    checks.matches_figure(weights, golden("N0 In[9]"))
    checks.matches_figure(weights.sum(), golden("N0 In[9] sum"))


@softmax_stable.check("value", weight=4, ko="dim을 주지 않으면 마지막 차원을 따라 소프트맥스를 계산합니다.")
def test_last_dimension(student, reference, draw):
    """Without `dim`, random tensors of one to five dimensions are taken along their last one."""
    cases = [checks.given(2 * draw.normal(*shape)) for shape in SHAPES]
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases)


@softmax_stable.check(
    "value", weight=7, ko="dim으로 준 차원을 따라 소프트맥스를 계산합니다. 음수로 센 차원도 같습니다."
)
def test_other_dimensions(student, reference, draw):
    """With `dim`, the softmax runs along that dimension, counted from either end."""
    cases = [
        checks.given(2 * draw.normal(*shape), dim=dim)
        for shape, dim in (
            *(((3, 5), 0), ((4, 4), 0), ((3, 4), 1), ((2, 3, 5), 1), ((2, 4, 3), -2), ((4, 3, 2), 0), ((2, 3, 4), -3)),
            *(((2, 3, 5), 2), ((2, 3, 2, 4), 1), ((2, 3, 2, 4), 2), ((3, 3, 3, 3), -4), ((2, 3, 2, 4), -1)),
        )
    ]
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases)


@softmax_stable.check(
    "shape",
    weight=1,
    needs=("test_last_dimension",),
    ko="어느 차원의 크기가 1이어도, 노트보다 훨씬 커도 모양은 그대로이고 가중치가 맞습니다.",
)
def test_few_and_many(student, reference, draw):
    """Dimensions of size 1, along which every weight is 1, and far larger ones than in the note keep their shape."""
    many = 1025 + draw.large()
    shapes = ((1,), (many, 1), (3, many))
    cases = [*(checks.given(draw.normal(*shape)) for shape in shapes), checks.given(draw.normal(many, 3), dim=0)]
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases)


@softmax_stable.check(
    "stability",
    weight=11,
    needs=("test_last_dimension",),
    ko="아주 큰 양수나 음수 점수에서도 올바르고 유한한 가중치가 나옵니다.",
)
def test_huge_scores(student, reference, draw):
    """Huge scores of either sign give finite and right weights, also where they lie close together."""
    near = draw.normal(3, 5)
    scores = [centre + each for centre in (200.0, 1e4, -1e4) for each in (near, near.double())]
    steps = torch.stack([draw.permutation(5) for _ in range(3)]).float()
    scores += [1e5 + steps, steps - 1e5, steps.double() + 1e8, steps.double() - 1e8]
    cases = [checks.given(each) for each in scores]

    answers = checks.matches_reference_on_each(student, reference, "softmax_stable", cases, kind="extreme")
    for answer in answers:
        checks.stays_finite(answer)


@softmax_stable.check(
    "stability",
    weight=7,
    needs=("test_last_dimension",),
    ko="한 행 안의 점수가 멀리 흩어져 있어도 올바른 가중치가 나옵니다.",
)
def test_wide_rows(student, reference, draw):
    """A row whose scores lie far apart gives finite and right weights."""
    cases = []
    for spread in (1e3, 1e4):
        steps = spread * torch.tensor([[-1.0, -0.5, 0.0, 0.5, 1.0], [-1.0, -1.0, -1.0, -1.0, 1.0]])
        rows = steps[:, draw.permutation(5)]
        cases.append(checks.given(rows + draw.normal(2, 5)))
    ties = torch.tensor([[1e4, 1e4, -1e4, 0.0], [-1e4, 50.0, 50.0, 50.0]])
    cases.append(checks.given(ties))
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases, kind="extreme")


@softmax_stable.check(
    "stability",
    weight=7,
    needs=("test_last_dimension",),
    ko="크기가 아주 다른 행이 섞여 있어도 행마다 따로 올바른 가중치가 나옵니다.",
)
def test_rows_of_different_size(student, reference, draw):
    """Rows of very different size in one tensor each get their own right weights."""
    levels = torch.tensor([[1e4], [-1e4], [0.0], [300.0]])
    rows = levels + draw.normal(4, 6)
    columns = levels.T + draw.normal(5, 4)
    cases = [checks.given(rows), checks.given(columns, dim=0)]
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases, kind="extreme")


@softmax_stable.check(
    "stability",
    weight=7,
    needs=("test_last_dimension",),
    ko="행에 -inf가 섞여 있으면 그 자리의 가중치는 0이고 나머지는 올바릅니다.",
)
def test_rows_with_minus_infinity(student, reference, draw):
    """Where a row holds -inf the weight is 0, and the others share the row rightly."""
    scores = draw.normal(4, 5)
    hidden = ~draw.mask(4, 5)
    hidden[0, 0] = True
    hidden[0, 1:] = False
    answer = checks.matches_reference(student, reference, "softmax_stable", scores.masked_fill(hidden, -torch.inf))
    checks.is_true(
        bool((answer[hidden] == 0).all()),
        "An entry of -inf has a weight that is not exactly 0.",
        "-inf인 값의 가중치가 정확히 0이 아닙니다.",
    )
    far = torch.tensor([[-torch.inf, -1e5, 1 - 1e5], [-torch.inf, -1e5, -1e5], [-1e4, -torch.inf, 3 - 1e4]])
    hides = torch.triu(torch.ones(4, 4, dtype=torch.bool), diagonal=1)
    causal = 1e3 * draw.normal(2, 4, 4).masked_fill(hides, -torch.inf)
    cases = [checks.given(far), checks.given(causal)]
    checks.matches_reference_on_each(student, reference, "softmax_stable", cases, kind="extreme")


@softmax_stable.check(
    "gradient",
    weight=8,
    needs=("test_last_dimension",),
    ko="어느 차원을 따르든, -inf가 있어도 점수로 올바른 그래디언트가 흐릅니다.",
)
def test_gradients(student, reference, draw):
    """The right gradients flow to the scores, along every dimension and beside -inf."""
    checks.gradient_matches(student, reference, "softmax_stable", draw.normal(3, 5))
    hidden = torch.eye(3, 5, dtype=torch.bool)
    checks.gradient_matches(student, reference, "softmax_stable", draw.normal(3, 5).masked_fill(hidden, -torch.inf))
    for dim in (0, 1, -2):
        checks.gradient_matches(student, reference, "softmax_stable", draw.normal(4, 3, 2), dim=dim)


@softmax_stable.check(
    "value",
    weight=1,
    needs=("test_last_dimension",),
    ko="입력이 메모리에 이어져 있지 않아도(전치, 간격을 둔 조각, expand) 결과가 맞습니다.",
)
def test_any_layout(student, reference, draw):
    """Inputs that are transposed, sliced or expanded views, not contiguous in memory, give the right result."""
    checks.any_layout(student, reference, "softmax_stable", draw.normal(2, 3, 4))


@softmax_stable.check(
    "property",
    weight=2,
    needs=("test_last_dimension",),
    ko="같은 텐서에 다른 값이 들어 있으면 새로 계산합니다.",
    guard="an answer that is kept for a tensor, as functools.cache keeps it",
)
def test_computed_anew(student, reference, draw):
    """A tensor that holds other numbers in a second call gives another answer: nothing is kept for an object."""
    checks.computed_anew(student, reference, "softmax_stable", draw.normal(3, 5), before=(draw.normal(3, 5),))


@softmax_stable.check(
    "device",
    weight=5,
    needs=("test_the_gate",),
    ko="CPU가 아닌 장치(GPU 등)에서도 결과가 그 장치에 있고 값과 그래디언트가 같습니다.",
)
def test_on_another_device(student, draw):
    """On another device than the CPU, such as a GPU, the result is there, with the same values and gradients."""
    checks.on_another_device(student, "softmax_stable", draw.normal(2, 3, 4))


@softmax_stable.check(
    "policy",
    needs=("test_last_dimension",),
    ko="라이브러리의 softmax 계열 함수를 쓰지 않고 직접 계산합니다.",
)
def test_written_by_hand(student, reference, draw):
    """The weights are computed without a softmax, log_softmax, softmin or logsumexp of a library."""
    scores = 2 * draw.normal(*draw.choice(SHAPES))
    wide = 1e4 * draw.normal(3, 5)
    also = [checks.given(2 * draw.normal(*shape), dim=dim) for shape in SHAPES for dim in (0, -1)]
    hidden = wide.masked_fill(wide < wide.amax(-1, keepdim=True), -torch.inf)
    also += [checks.given(each) for each in (wide, hidden, draw.normal(3, 5, dtype=torch.bfloat16))]
    checks.no_forbidden_call(student, reference, "softmax_stable", scores, also=also)
