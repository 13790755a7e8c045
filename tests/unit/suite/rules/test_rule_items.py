"""The checks that follow from a contract: which there are, what they need, and what they weigh beside others."""

import pytest

from grader.errors import CourseError
from grader.suite.core.context import AssignmentContext
from grader.suite.rules import layer_rules, module_rules
from grader.suite.rules.items import RULES
from grader.suite.runner.collect import Collection

LEADING, PLAIN = 'scores="... T", tokens="... T d", result="... d"', 'scores="T", tokens="T d", result="d"'
SUITE = """
from grader.suite import exercise, layer
mix = exercise("mix")
mix.contract({contract})
"""
CHECK = '''
@mix.check("{category}", ko="하나"{marks})
def test_{name}(student):
    """It is asked."""

'''
OF_MODULES, OF_LAYERS = ({name for name in RULES if name in vars(rules)} for rules in (module_rules, layer_rules))
OF_OPTIONS = {"options"}
ALL = set(RULES) - OF_MODULES - OF_LAYERS - OF_OPTIONS
MODULE = 'init="d_in d_out", x="... T d_in", result="... T d_out"'
CAUSAL = 'init="d T+ p", x="B T d", result="B T d", causal=True'


@pytest.fixture
def checks_of(tmp_path):
    """Return what collects a suite, and gives its checks by the name of their function."""

    def collected(contract, more="", forbids=()):
        file = tmp_path / "hidden" / "test_mix.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(SUITE.format(contract=contract) + more, encoding="utf-8")
        course = AssignmentContext(assignment="01_a", module_name="a", exercises=["mix"], solution=None, mistakes={},
                                   forbids={"mix": list(forbids)}, figures={}, secret=b"s" * 32)  # fmt: skip
        checks = {}

        def use(all_checks):
            checks.update({check.id.partition(".")[2]: check for check in all_checks})

        (tmp_path / "visible").mkdir(exist_ok=True)
        Collection(course, tmp_path / "visible", file.parent, use).run()
        return checks

    return collected


@pytest.mark.parametrize(
    ("contract", "forbids", "lacking"),
    [
        (LEADING, ["softmax"], set()),
        (LEADING, [], {"written_by_hand"}),
        (PLAIN, ["softmax"], {"leading_dimensions"}),
        (PLAIN, [], {"leading_dimensions", "written_by_hand"}),
    ],
)
def test_a_contract_brings_the_rules_that_hold_for_it(checks_of, contract, forbids, lacking):
    assert set(checks_of(contract, forbids=forbids)) == ALL - lacking


@pytest.mark.parametrize(
    "more",
    ['further={"causal": True}', 'options={"mask": "... T"}, draws={"mask": lambda draw, *shape: draw.mask(*shape)}'],
)
def test_a_contract_of_a_function_with_options_asks_for_them(checks_of, more):
    assert set(checks_of(f"{LEADING}, {more}")) == (ALL | OF_OPTIONS) - {"written_by_hand"}


@pytest.mark.parametrize(
    ("contract", "lacking"),
    [
        (MODULE, {"written_by_hand", "causality", "dropout", "items_apart"}),
        (CAUSAL, {"written_by_hand", "leading_dimensions"}),
        (
            'init="", x="N d", result="N d"',
            OF_MODULES - {"evaluation", "eval_draws_nothing", "parameters", "state_dict"}
            | {"written_by_hand", "leading_dimensions"},
        ),
    ],
)
def test_a_contract_of_a_module_brings_its_rules_as_well(checks_of, contract, lacking):
    assert set(checks_of(contract)) == (ALL | OF_MODULES) - lacking


@pytest.mark.parametrize(("result", "of_layers"), [("... d", OF_LAYERS), ("... h", set())])
def test_a_contract_with_layers_brings_theirs_and_more_where_any_layers_fit(checks_of, result, of_layers):
    contract = f'x="... d", inner=layer("Linear", "d h"), count="=h", result="{result}"'
    assert set(checks_of(contract)) & OF_LAYERS == of_layers


def test_every_rule_is_a_hidden_check_with_a_sentence_in_both_languages(checks_of):
    for check in checks_of(LEADING, forbids=["softmax"]).values():
        assert check.visibility == "hidden" and check.spec.is_rule
        assert check.spec.sentence.endswith(".") and check.spec.sentence_ko != check.spec.sentence


def test_uses_inputs_comes_first_and_each_rule_behind_the_one_that_it_needs(checks_of):
    checks = checks_of(LEADING, forbids=["softmax"])
    order = list(checks)
    assert order[0] == "uses_inputs"
    needed = {name: [need.removeprefix("test_") for need in check.spec.needs] for name, check in checks.items()}
    assert needed.pop("uses_inputs") == [] == needed.pop("written_by_hand")
    assert needed == {name: ["uses_inputs", *[RULES[name].needs] * bool(RULES[name].needs)] for name in needed}
    assert all(order.index(need) < order.index(name) for name in needed for need in needed[name])


def test_a_rule_is_left_out_with_a_reason_and_what_needs_it_is_asked_all_the_same(checks_of):
    without = 'without={"value": "It is drawn at random.", "float64": "It counts."}'
    checks = checks_of(f"{LEADING}, {without}")
    assert set(checks) == ALL - {"value", "float64", "written_by_hand"}
    assert checks["sizes"].spec.needs == checks["shape"].spec.needs == ("test_uses_inputs",)


def test_a_rule_that_there_is_not_cannot_be_left_out(checks_of):
    with pytest.raises(CourseError, match=r"leaves out the rule `float46`.*Did you mean `float64`\?"):
        checks_of(f'{LEADING}, without={{"float46": "It counts."}}')


def test_a_broken_contract_is_told_with_the_line_of_the_suite(checks_of):
    with pytest.raises(CourseError, match=r"test_mix\.py.*The contract of mix has `q` in its result"):
        checks_of('tokens="T d", result="q"')


def test_the_table_of_marks_says_what_rules_and_other_checks_weigh(checks_of):
    more = CHECK.format(category="stability", name="huge", marks="") + CHECK.format(
        category="value", name="rows", marks=', row="point"'
    )
    checks = checks_of(LEADING, more, forbids=["softmax"])
    weight = {name: check.spec.weight for name, check in checks.items()}
    whole = sum(weight.values())
    assert weight["written_by_hand"] == 0 and all(
        mark > 0 for name, mark in weight.items() if name != "written_by_hand"
    )
    assert 100 * (weight["value"] + weight["leading_dimensions"]) == 30 * whole
    assert 100 * (weight["huge"] + weight["rows"]) == 15 * whole and weight["huge"] == weight["rows"]
    assert 100 * weight["inputs_unchanged"] == 15 * whole and 100 * weight["another_device"] == 5 * whole


def test_without_a_contract_the_weights_are_those_of_the_author(checks_of):
    more = CHECK.format(category="value", name="one", marks=", weight=7")
    checks = checks_of(LEADING, "mix.declared = None\n" + more)
    assert {name: check.spec.weight for name, check in checks.items()} == {"one": 7}


def test_forbidden_calls_are_judged_before_any_other_rule_but_the_gate_can_hang() -> None:
    assert [*RULES][:2] == ["uses_inputs", "written_by_hand"]
