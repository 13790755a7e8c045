"""A transformer block is judged whatever its parameters are named, and its mistake is named by what its parts do."""

import itertools
from types import SimpleNamespace

import pytest
import torch

from grader.errors import CourseError
from grader.suite import checks
from grader.suite.core.context import CheckState, current_check
from grader.suite.core.draw import Draw
from grader.suite.core.failures import CheckFailed
from grader.suite.library.modules.free_names import built, tokens_weigh_each_other

from ...support.workers.open_workers import close_sessions, open_student
from ..blocks import (
    BLOCK,
    FAULTS,
    REFERENCE,
    RIGHT,
    SIZES,
    block_dropout,
    block_properties,
    block_twin,
    edited,
    faulty,
    local,
    named_by_parts,
    random_block,
    values_match,
)


@pytest.fixture(autouse=True)
def known_mistakes():
    mistakes = [
        SimpleNamespace(name=name, exercise="Block", hint=name, ko=name, make=local(faulty(name, BLOCK)).Block)
        for name in FAULTS
    ]
    current_check.set(CheckState(course=SimpleNamespace(mistakes={"Block": mistakes}, device="cpu")))
    yield
    close_sessions()


COUNTING = (
    "    def forward(self, x):\n",
    "    def forward(self, x):\n        global calls\n        calls += 1\n",
)


def test_what_the_parts_of_a_block_do_is_found_out_once_for_each_kind_on_each_worker():
    student = open_student("calls = 0\ndef count(): return calls\n" + edited(BLOCK, COUNTING))
    counts, numbers = [0], set()
    for options in ({}, {"causal": False}, {"dropout": 0.5}) * 2:
        draw = Draw(3)
        handle, module = block_twin(student, REFERENCE, draw, "Block", *SIZES, **options)
        numbers.add(draw.seed())
        handle.handle.eval()
        checks.module_matches(handle, module.eval(), Draw(5).normal(2, 5, 15))
        counts.append(student.count())
    first, *others = [now - before for before, now in itertools.pairwise(counts)]
    assert first > 12 and others == [first, first, 1, 1, 1]
    assert len(numbers) == 1  # what a check draws afterwards does not depend on whether the parts were known
    student._session.close()
    block_twin(student, REFERENCE, Draw(3), "Block", *SIZES)
    assert student.count() == first - 1


def test_blocks_of_other_sizes_have_the_same_parts_and_those_of_other_looks_are_found_out_by_themselves():
    line = "        self.dropout = nn.Dropout(dropout)\n"
    more = f"{line}        if num_heads == 1: self.idle = nn.Parameter(torch.zeros(d_model))\n"
    student = open_student("calls = 0\ndef count(): return calls\n" + edited(BLOCK, COUNTING, (line, more)))
    block_twin(student, REFERENCE, Draw(3), "Block", *SIZES)
    before = student.count()
    for sizes in ((12, 2, 7), (16, 4, 9)):
        handle, module = block_twin(student, REFERENCE, Draw(3), "Block", *sizes)
        checks.module_matches(handle, module, Draw(5).normal(2, 5, sizes[0]))
    assert student.count() == before + 2
    block_twin(student, REFERENCE, Draw(3), "Block", 12, 1, 7)
    assert student.count() > before + 12


def test_a_size_in_which_a_bias_would_act_as_a_shift_is_never_asked():
    with pytest.raises(CourseError, match="d_model 4 hides what its biases do"):
        block_twin(open_student(BLOCK), REFERENCE, Draw(3), "Block", 4, 1, 7)


NOT_ATTENDING = {
    "only a bias": "return x + self.narrow.bias",
    "no attention": "return x + self.narrow(torch.relu(self.widen(self.norm2(x))))",
    "fixed shares": "return x + self.W_o(self.W_v(self.norm1(x)).cumsum(1))",
    "not a number": "return x * float('nan')",
    "of another shape": "return torch.zeros(100_000, 1, 1, 1, dtype=torch.uint8)",
}


@pytest.mark.parametrize("case", NOT_ATTENDING)
def test_a_block_whose_tokens_do_not_weigh_each_other_is_refused(case):
    student = open_student(
        edited(BLOCK, ("    def forward(self, x):\n", f"    def forward(self, x):\n        {NOT_ATTENDING[case]}\n"))
    )
    with pytest.raises(CheckFailed, match="has the shape" if case == "of another shape" else "do not weigh each other"):
        tokens_weigh_each_other(random_block(student), Draw(6).normal(4, 6, 15), Draw(9).normal(4, 6, 15), SIZES[2])


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_right_block_passes_whatever_its_layout(text):
    student = open_student(text)
    for causal in (True, False):
        values_match(student, causal=causal)
    x = Draw(6).normal(4, 6, 15)
    tokens_weigh_each_other(random_block(student), x, Draw(9).normal(4, 6, 15), SIZES[2])
    block_properties.residual_paths_pass(built(student, "Block", *SIZES), x)
    block_properties.has_so_many_numbers(built(student, "Block", *SIZES), *SIZES)
    block_properties.heads_weigh_for_themselves(random_block(student), x[:, :2], SIZES[2])
    block_properties.maps_are_four(random_block(student), x, SIZES[2])
    block_properties.every_parameter_learns(random_block(student), x, SIZES[2])
    block_dropout.drops_anew(random_block(student, dropout=0.5), x[:1].repeat(32, 1, 1))
    handle, module = block_twin(student, REFERENCE, Draw(7), "Block", *SIZES)
    block_properties.part_gradients_match(handle, module, x)
    block_dropout.draws_are_apart(block_twin(student, REFERENCE, Draw(7), "Block", *SIZES, dropout=0.5)[0], Draw(8))
    block_dropout.the_asked_share_is_dropped(dropping(student, 0.6), 0.6)


def dropping(student, p):
    """Return a block with one head and dropout p whose parts are known."""
    return block_twin(student, REFERENCE, Draw(7), "Block", 5, 1, 7, dropout=p)[0]


PLACES = {
    "after the sublayers": (),
    "on the weights alone": (
        ("x + self.dropout(self.attend(self.norm1(x)))", "x + self.attend(self.norm1(x))"),
        (
            "x + self.dropout(self.narrow(torch.relu(self.widen(self.norm2(x)))))",
            "x + self.narrow(torch.relu(self.widen(self.norm2(x))))",
        ),
        ("torch.softmax(scores, dim=-1)", "self.dropout(torch.softmax(scores, dim=-1))"),
    ),
    "in the network alone": (("x + self.dropout(self.attend(self.norm1(x)))", "x + self.attend(self.norm1(x))"),),
}


@pytest.mark.parametrize("edits", PLACES.values(), ids=PLACES)
def test_the_probability_is_seen_wherever_a_block_drops(edits):
    student = open_student(edited(BLOCK, *edits))
    for _ in range(6):
        block_dropout.the_asked_share_is_dropped(dropping(student, 0.6), 0.6)
    for other in (0.36, 0.5, 0.3, 0.1):
        with pytest.raises(CheckFailed, match="falls of what a sublayer adds"):
            block_dropout.the_asked_share_is_dropped(dropping(student, other), 0.6)


def test_survivors_that_do_not_grow_are_seen():
    kept = "x * (torch.rand_like(x) >= 0.6) if self.training else x"
    student = open_student(BLOCK.replace("self.dropout = nn.Dropout(dropout)", f"self.dropout = lambda x: {kept}"))
    with pytest.raises(CheckFailed, match="multiplied by 1"):
        block_dropout.the_asked_share_is_dropped(dropping(student, 0.6), 0.6)


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
@pytest.mark.parametrize("name", ["no_relu", "no_scaling", "post_norm"])
def test_a_wrong_block_is_named_whatever_its_layout(text, name):
    with pytest.raises(CheckFailed) as failed:
        values_match(open_student(faulty(name, text)))
    assert failed.value.diagnosis.mistakes == [name]


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_keys_in_the_place_of_values_are_seen_and_named(text):
    student = open_student(faulty("keys_as_values", text))
    with (
        pytest.raises(CheckFailed, match="as many as 3 maps") as failed,
        named_by_parts(student, REFERENCE, Draw(4), "Block", *SIZES),
    ):
        block_properties.maps_are_four(random_block(student), Draw(6).normal(4, 6, 15), SIZES[2])
    assert failed.value.diagnosis.mistakes == ["keys_as_values"]


def test_a_fault_that_no_mistake_has_is_told_by_its_half_alone():
    with pytest.raises(CheckFailed) as failed:
        values_match(open_student(edited(BLOCK, ("torch.relu", "torch.tanh"))))
    assert failed.value.diagnosis.mistakes == ["place"]


def test_heads_whose_results_are_averaged_are_seen():
    student = open_student(
        edited(BLOCK, ("(weights @ v).transpose(1, 2).flatten(2)", "(weights @ v).mean(1).repeat(1, 1, 3)"))
    )
    with pytest.raises(CheckFailed, match="reads the same numbers several times"):
        block_properties.maps_are_four(random_block(student), Draw(6).normal(4, 6, 15), SIZES[2])


def test_a_divisor_that_no_mistake_has_is_measured():
    with pytest.raises(CheckFailed) as failed:
        values_match(open_student(edited(BLOCK, ("math.sqrt(q.shape[-1])", "math.sqrt(q.shape[1])"))))
    assert "sqrt(num_heads)" in failed.value.diagnosis.hint


def test_a_failure_of_a_right_block_is_not_named():
    with (
        pytest.raises(CheckFailed) as failed,
        named_by_parts(open_student(BLOCK), REFERENCE, Draw(4), "Block", *SIZES),
    ):
        raise CheckFailed("Something else.", "다른 것.")
    assert failed.value.diagnosis is None


SHARED = "self.dropout(torch.ones_like(x[:1]))"


@pytest.mark.parametrize(
    ("change", "ask", "words"),
    [
        (("nn.LayerNorm(d_model), nn", "nn.Identity(), nn"), "value", "of the norm before the attention"),
        (("self.dropout(self.attend", "F.dropout(self.attend"), "value", "Two calls in eval give different results"),
        (("x = x + self.dropout(", "x = self.dropout("), "residual", "entries differ"),
        (("weights = torch.softmax(scores, dim=-1)", "weights = torch.softmax(scores, -1).mean(1, True)"), "heads",
         "All heads weigh"),
        (("nn.Dropout(dropout)", "nn.Dropout(dropout); self.more = nn.Embedding(9, d_model)"), "numbers", "to learn"),
        (("nn.Dropout(dropout)", "nn.Dropout(dropout); self.more = nn.Embedding(3, d_model)"), "learns", "more.weight"),
        (("x = x + self.dropout(self.attend(self.norm1(x)))", f"x = x + {SHARED} * self.attend(self.norm1(x))"),
         "apart",
         "One draw"),
        (("return x + self.dropout(self.narrow(", f"return x + {SHARED} * (self.narrow("), "apart", "One draw"),
    ],
)  # fmt: skip
def test_each_fault_has_its_sentence(change, ask, words):
    student, x = open_student(edited(BLOCK, change)), Draw(6).normal(4, 6, 15)

    def apart():
        handle, _ = block_twin(student, REFERENCE, Draw(7), "Block", *SIZES, dropout=0.5)
        block_dropout.draws_are_apart(handle, Draw(8))

    asked = {
        "value": lambda: values_match(student, dropout=0.2),
        "residual": lambda: block_properties.residual_paths_pass(built(student, "Block", *SIZES), x),
        "heads": lambda: block_properties.heads_weigh_for_themselves(random_block(student), x[:, :2], SIZES[2]),
        "numbers": lambda: block_properties.has_so_many_numbers(built(student, "Block", *SIZES), *SIZES),
        "learns": lambda: block_properties.every_parameter_learns(random_block(student), x, SIZES[2]),
        "apart": apart,
    }
    with pytest.raises(CheckFailed, match=words):
        asked[ask]()


def test_dropout_that_is_the_same_in_every_call_is_seen():
    student = open_student(
        edited(BLOCK, ("    def forward(self, x):\n", "    def forward(self, x):\n        torch.manual_seed(0)\n"))
    )
    x = Draw(6).normal(1, 6, 15).repeat(2, 1, 1)
    with pytest.raises(CheckFailed, match="drawn anew"):
        block_dropout.drops_anew(random_block(student, dropout=0.2), x)
    once = open_student(
        edited(
            BLOCK,
            (
                "self.dropout = nn.Dropout(dropout)",
                "self.dropout = lambda y: F.dropout(y[:1], 0.2, self.training).expand_as(y)",
            ),
        )
    )
    with pytest.raises(CheckFailed, match="every item needs a draw"):
        block_dropout.drops_anew(random_block(once, dropout=0.2), x)


def test_gradients_that_are_cut_off_are_seen():
    student = open_student(edited(BLOCK, ("self.widen(self.norm2(x))", "self.widen(self.norm2(x)).detach()")))
    handle, module = block_twin(student, REFERENCE, Draw(7), "Block", *SIZES)
    with pytest.raises(CheckFailed, match="entries differ"):
        block_properties.part_gradients_match(handle, module, torch.ones(1, 2, 15) * torch.arange(15.0))
