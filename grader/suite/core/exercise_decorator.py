"""The decorator that makes a pytest function a check of an exercise.

Everything that the score needs to know about a check (its exercise, category, weight, the sentence for the student) is
written where the check is written, so a new one is registered nowhere else.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from grader.errors import CourseError
from grader.faults import did_you_mean
from grader.results.verdict import Category, Visibility

from .contract import Contract, Maker, drawn, layer, named_part, require_consistent
from .marks import ROW_OF, ROWS, Row

Test = TypeVar("Test", bound=Callable[..., None])
ATTRIBUTE = "__attention_check__"


class CheckSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What an author says of a check.

    Attributes:
        weight: Its share of the exercise's points, against the weights of the other checks; with a contract its share
            of its row.
        row: Its row of the table of marks; None for the rule that looks for forbidden calls, which has no weight.
        sentence: What is asked of the student, in English; shown also for a hidden check.
        needs: Functions of the same file that must have passed; otherwise this check says nothing new and is skipped.
        visibility: Set only where it differs from what the folder says.
        is_rule: Whether no suite writes it out: a rule of a contract, or a check of the examples.
        contract: That contract, where it is known.
    """

    exercise: str
    category: Category
    weight: int
    row: Row | None
    sentence: str
    sentence_ko: str
    needs: tuple[str, ...] = ()
    visibility: Visibility | None = None
    is_rule: bool = False
    contract: Contract | None = None


class exercise:
    """Name the exercise of a suite file: `softmax_naive = exercise("softmax_naive")`.

    Attributes:
        marked: What was said of its checks, and their functions.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.declared: Contract | None = None
        self.marked: list[tuple[CheckSpec, Any]] = []

    def contract(
        self,
        *,
        result: str | Sequence[str],
        draws: Mapping[str, Maker] | None = None,
        items: tuple[int, ...] = (1, 2, 3),
        without: Mapping[str, str] | None = None,
        init: str | None = None,
        further: Mapping[str, Any] | None = None,
        options: Mapping[str, str] | None = None,
        causal: bool = False,
        ignorable: Sequence[str] = (),
        **inputs: str | layer | drawn | float,
    ) -> None:
        """Say what the exercise is given and returns, from which the checks follow that every exercise needs.

        Args:
            result: The shape of the result in letters, or those of several results.
            draws: By input, what draws it where it is not standard normal: `maker(draw, *shape, dtype=dtype)`.
            items: The leading dimensions that are asked for, where the text allows only so many.
            without: By rule, why it is left out (`grader/suite/rules`).
            init: For a module, what its class is called with, in letters: `"d_in d_out T+ dropout=p"`; `T+` is at
                least T, and `p` the probability of dropout. `""` for nothing.
            further: What its class, or the function, is called with by keyword where its other options are asked for.
            options: What it is given by keyword in some calls (`{"mask": "T T"}`); `draws` says what draws it.
            causal: Whether no token `T` of a module's result depends on a later one.
            ignorable: The inputs of a module that a plain slip makes its answer ignore. Any other has to matter, or the
                answer earns nothing; of three or more inputs one may be ignored anyway.
            **inputs: By argument, in the order of the function's, the shape of a tensor in letters (`query="... T d"`),
                a size itself (`num_heads="=H"`), a layer (`norm=layer("LayerNorm", "d")`), what a function draws
                (`tokens=drawn(sentence, "T")`), or a number that is always given.

        Raises:
            CourseError: A letter, an input or a rule is not known, or a check of the exercise stands above.
        """
        contract = Contract(
            {name: tuple(text.split()) if isinstance(text, str) else text for name, text in inputs.items()},
            [tuple(text.split()) for text in ([result] if isinstance(result, str) else result)],
            draws or {},
            items,
            without or {},
            None if init is None else [named_part(part) for part in init.split()],
            further or {},
            {name: tuple(text.split()) for name, text in (options or {}).items()},
            causal,
            ignorable,
        )
        require_consistent(self.name, contract)
        if self.marked:
            raise CourseError(f"The contract of {self.name} stands below a check of it.", "Move it above all checks.")
        self.declared = contract

    def check(
        self,
        category: Category,
        *,
        weight: int = 1,
        row: Row | None = None,
        ko: str = "",
        needs: str | tuple[str, ...] = (),
    ) -> Callable[[Test], Test]:
        """Make the decorated pytest function a check of this exercise.

        Args:
            weight: A positive whole number.
            row: Its row of the table of marks (`core/marks.py`), where that is not the one of its category.
            ko: The function's docstring in Korean; without it the English is read.
            needs: Name of a function in the same file that has to pass first, or a tuple of such names. Below
                a contract each check needs its gate, `uses_inputs`, too.

        Raises:
            CourseError: The category is unknown, the weight is not positive, or there is no docstring.
        """

        def mark(function: Test) -> Test:
            sentence = inspect.cleandoc(function.__doc__ or "")
            where = f"The check {function.__name__} of {self.name}"
            if not sentence:
                raise CourseError(f"{where} has no docstring.", hint="Say in one sentence what it asks of the student.")
            if category not in ROW_OF:
                hint = did_you_mean(str(category), ROW_OF)
                raise CourseError(f"{where} has the unknown category {category!r}.", hint=hint)
            if row is not None and row not in ROWS:
                raise CourseError(f"{where} has the unknown row {row!r}.", hint=did_you_mean(str(row), ROWS))
            if not isinstance(weight, int | float) or weight < 1 or int(weight) != weight:
                raise CourseError(f"{where} has the weight {weight!r}.", hint="Give a whole number of at least 1.")
            english = " ".join(sentence.split("\n\n")[0].split())
            first = () if self.declared is None else self.declared.gate
            spec = CheckSpec(
                exercise=self.name,
                category=category,
                weight=weight,
                row=row or ROW_OF[category],
                sentence=english,
                sentence_ko=ko or english,
                needs=(*first, needs) if isinstance(needs, str) else (*first, *needs),
            )
            setattr(function, ATTRIBUTE, spec)
            self.marked.append((spec, function))
            return function

        return mark


def spec_of(function: Any) -> CheckSpec | None:
    """Return what the decorator noted on a test function, or None for a function without it."""
    spec = getattr(function, ATTRIBUTE, None)
    return spec if isinstance(spec, CheckSpec) else None
