"""Small exercises with a contract, functions and modules, and answers to them that are graded by its rules alone."""

import multiprocessing
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple, cast

from grader.source_cells import Source
from grader.suite.core.context import AssignmentContext
from grader.suite.core.contract import Contract
from grader.suite.core.manifest import Check, in_order
from grader.suite.examples.make import make_examples
from grader.suite.runner.collect import Collection
from grader.suite.runner.submission_run import Run
from grader.suite.runner.tries import Job
from grader.workers.process.connection import Connection

from ..workers.open_workers import close_sessions, open_session, shared_workers

HEAD = """
import functools, os, torch
def mixed(scores, tokens):
    return (torch.softmax(scores, dim=-1).unsqueeze(-2) @ tokens).squeeze(-2)
def attended(tokens):
    scores = tokens @ tokens.transpose(-2, -1)
    raised = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return raised / raised.sum(dim=-1, keepdim=True) @ tokens
def parted(tokens, count):
    split = tokens.unflatten(-1, (count, -1)).transpose(-3, -2)
    return split.cumsum(dim=-2), (split * split).sum(dim=-1)
def blended(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
def added(x, inner, norm):
    return x + inner(norm(x))
def chosen(scores, tokens, mask=None, scale=1.0):
    return scale * mixed(scores if mask is None else scores.masked_fill(mask == 0, -torch.inf), tokens)
"""
MODULES = {
    "Mixer": """
import os, torch
from torch import nn
class Mixer(nn.Module):
    def __init__(self, d_in, d_out, length, dropout, bias=False):
        super().__init__()
        self.query, self.value = nn.Linear(d_in, d_out, bias=bias), nn.Linear(d_in, d_out, bias=bias)
        self.register_buffer("hidden", torch.ones(length, length, dtype=torch.bool).triu(1))
        self.dropout = nn.Dropout(dropout)
    def forward(self, x):
        query, T = self.query(x), x.shape[1]
        scores = (query @ query.transpose(1, 2)).masked_fill(self.hidden[:T, :T], -torch.inf)
        raised = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        weights = self.dropout(raised / raised.sum(dim=-1, keepdim=True))
        return weights @ self.value(x)
""",
    "Heads": """
import os, torch
from torch import nn
class Heads(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.heads, self.inner = heads, nn.Linear(d_model, d_model)
    def forward(self, x, mask=None):
        split = self.inner(x).unflatten(-1, (self.heads, -1)).transpose(-3, -2)
        scores = split @ split.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        return (weights @ split).transpose(-3, -2).flatten(-2), weights
""",
    "Mean": """
import os, torch
from torch import nn
class Mean(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.register_buffer("kept", torch.zeros(features))
    def forward(self, x):
        mean = x.mean(0) if self.training else self.kept
        if self.training:
            self.kept = (0.5 * self.kept + 0.5 * mean).detach()
        return self.weight * (x - mean)
""",
}
"""The right classes: causal attention with dropout, heads with a mask and two results, and a module that remembers."""
INPUTS = {
    "mix": "scores, tokens", "attend": "tokens", "heads": "tokens, count", "blend": "query, key, value",
    "residual": "x, inner, norm", "choose": "scores, tokens, mask=None, scale=1.0",
}  # fmt: skip
ANSWERED_BY = {
    "mix": "mixed", "attend": "attended", "heads": "parted", "blend": "blended", "residual": "added",
    "choose": "chosen",
}  # fmt: skip
"""The right answers: a mixture of tokens, tokens that attend to each other, two results of heads, three inputs, two
layers, and options."""
CONTRACTS = {
    "mix": 'scores="... T", tokens="... T d", result="... d"',
    "attend": 'tokens="... T d", result="... T d"',
    "heads": 'tokens="... T H*d", count="=H", result=("... H T d", "... H T")',
    "blend": 'query="Tq d", key="Tk d", value="Tk dv", result="Tq dv"',
    "residual": 'x="... d", inner=layer("Linear", "d d"), norm=layer("LayerNorm", "d"), result="... d"',
    "choose": 'scores="... T", tokens="... T d", result="... d", options={"mask": "... T"}, further={"scale": 2.0}, '
    'draws={"mask": lambda draw, *shape: draw.mask(*shape)}',
    "Mixer": 'init="d_in d_out T+ p", further={"bias": True}, x="B T d_in", result="B T d_out", causal=True',
    "Heads": 'init="H*d H", x="... T H*d", result=("... T H*d", "... H T T"), options={"mask": "T T"}, '
    'draws={"mask": lambda draw, *shape: draw.mask(*shape)}',
    "Mean": 'init="d", x="N d", result="N d"',
}
"""Of the functions only `blend` has no leading dimensions, only `residual` has layers, and only `choose` options."""
BY_NUMBER = """
kept = {}
def known(*given):
    return kept.setdefault(tuple(map(id, given)), [mixed(*given), given])[0]
"""
"""Stands before an answer to `mix` that gives for the same objects what it gave before."""
FIRST_MATRIX = (
    "return weights @ self.value(x)",
    "self.old = getattr(self, 'old', self.value.weight.clone())\n"
    "        return weights @ nn.functional.linear(x, self.old.to(x.dtype), self.value.bias)",
)
"""The edit of `Mixer` that keeps the matrix of its first call."""
FORBIDS = {"attend": ["softmax"], "Mixer": ["softmax"]}
SUITE = """
from grader.suite import exercise, layer
it = exercise("{exercise}")
it.contract({contract})
"""
FORK = multiprocessing.get_context("fork")


class Answer(NamedTuple):
    """An answer to one exercise.

    Attributes:
        cpu_s: How long all calls of a rule may take.
    """

    exercise: str
    text: str
    cpu_s: float = 5.0


class Graded(NamedTuple):
    """What came of an answer.

    Attributes:
        statuses: That of each rule, in their order.
        messages: What is said of each rule, with what is known of the mistake.
        exchanges: How many calls travelled in each exchange with a worker.
        workers: How many it needed.
    """

    statuses: dict[str, str]
    messages: dict[str, str]
    exchanges: list[int]
    workers: int

    @property
    def lost(self) -> set[str]:
        """The rules that it does not pass, but for those that are not asked since another one is lost."""
        return {name for name, status in self.statuses.items() if status not in ("passed", "skipped")}


def answer(exercise: str, body: str, before: str = "", cpu_s: float = 5.0) -> Answer:
    """Return an answer of the lines of a function, which may use the right answers, and of what stands before it."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return Answer(exercise, f"{HEAD}{before}\ndef {exercise}({INPUTS[exercise]}):\n{lines}\n", cpu_s)


def edited(exercise: str, *edits: tuple[str, str], cpu_s: float = 5.0) -> Answer:
    """Return a class of `MODULES` in which some texts, each of which stands there once, are other ones."""
    text = MODULES[exercise]
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return Answer(exercise, text, cpu_s)


mix, attend, heads, blend, residual, choose = (partial(answer, exercise) for exercise in INPUTS)
mixer, module_heads, mean = (partial(edited, exercise) for exercise in MODULES)


def right(exercise: str) -> Answer:
    if exercise in MODULES:
        return edited(exercise)
    names = ", ".join(part.partition("=")[0] for part in INPUTS[exercise].split(", "))
    return answer(exercise, f"return {ANSWERED_BY[exercise]}({names})")


def write_suites(folder: Path) -> Path:
    """Write a suite with nothing but a contract for each exercise; return their folder."""
    hidden = folder / "hidden"
    hidden.mkdir()
    for exercise, contract in CONTRACTS.items():
        text = SUITE.format(exercise=exercise, contract=contract)
        (hidden / f"test_{exercise}.py").write_text(text, encoding="utf-8")
    return hidden


def by_rules(folder: Path, answers: Mapping[str, Answer], *, own_run: bool = False) -> dict[str, Graded]:
    """Grade answers by the rules of their contracts, with one collected suite and a worker for each of them.

    Args:
        own_run: Whether it is by the examples alone, as a student's own run does it, with no solution.

    A process of its own does that, since no process that is forked later from this one could ask for gradients.
    """
    shared_workers()
    ours, theirs = FORK.Pipe(duplex=False)
    grade_them = checked_here if own_run else graded_here
    process = FORK.Process(target=lambda: theirs.send(grade_them(write_suites(folder), answers)))
    process.start()
    theirs.close()
    try:
        return cast(dict[str, Graded], ours.recv())
    finally:
        process.join()


def graded_here(hidden: Path, answers: Mapping[str, Answer]) -> dict[str, Graded]:
    """Do that in this process."""
    course, graded, visible = context_with(solution()), dict[str, Graded](), hidden.parent / "visible"
    visible.mkdir()

    def use(checks: list[Check]) -> None:
        rules = [check for check in checks if not check.id.endswith(".examples")]
        graded.update({name: grade(course, rules, attempt) for name, attempt in answers.items()})

    Collection(course, visible, hidden, use).run()
    return graded


def checked_here(hidden: Path, answers: Mapping[str, Answer]) -> dict[str, Graded]:
    """Do the same by examples, in this process."""
    contracts: dict[str, Contract] = {}

    def note(checks: list[Check]) -> None:
        contracts.update({check.spec.exercise: check.spec.contract for check in checks if check.spec.contract})

    visible = hidden.parent / "visible"
    visible.mkdir()
    Collection(context_with(solution()), visible, hidden, note).run()
    known = {name: make_examples(name, contract, solution(), follows=True) for name, contract in contracts.items()}
    for exercise in CONTRACTS:
        text = f'from grader.suite import exercise\nit = exercise("{exercise}")\n'
        (visible / f"test_{exercise}.py").write_text(text, encoding="utf-8")
    graded = dict[str, Graded]()

    def use(checks: list[Check]) -> None:
        graded.update({name: grade(course, checks, attempt) for name, attempt in answers.items()})

    course = context_with(None)
    Collection(course, visible, None, use, known).run()
    return graded


def solution() -> ModuleType:
    space: dict[str, Any] = {"__name__": "solution"}
    for text in (HEAD, *MODULES.values()):
        exec(text, space)
    answered = {name: space[known] for name, known in ANSWERED_BY.items()} | {name: space[name] for name in MODULES}
    return cast(ModuleType, SimpleNamespace(__name__="solution", **answered))


def context_with(answers: ModuleType | None) -> AssignmentContext:
    """Return what the assignment brings to its checks, with these right answers."""
    return AssignmentContext(
        assignment="01_a", module_name="a", exercises=list(CONTRACTS), solution=answers, mistakes={},
        forbids=FORBIDS if answers else {}, figures={}, secret=b"s" * 32,
    )  # fmt: skip


def grade(course: AssignmentContext, checks: list[Check], given: Answer) -> Graded:
    session = open_session(given.text, check_cpu_s=given.cpu_s)
    session.ready()
    run, exchanges = Run(course, checks, session, Job(Source(digest="digest"), exercise=given.exercise)), list[int]()
    usual: Callable[..., Any] = Connection.ask

    def counted(self: Connection, requests: Any, *rest: Any) -> Any:
        exchanges.append(len(requests))
        return usual(self, requests, *rest)

    Connection.ask = counted  # type: ignore[method-assign]
    try:
        verdicts = [run.take(check) for check in in_order(checks) if check.spec.exercise == given.exercise]
    finally:
        Connection.ask = usual  # type: ignore[method-assign]
        close_sessions()
    told = {verdict.id.partition(".")[2]: verdict for verdict in verdicts}
    statuses = {name: verdict.status for name, verdict in told.items()}
    known = {name: verdict.diagnosis.hint for name, verdict in told.items() if verdict.diagnosis is not None}
    messages = {name: f"{verdict.found} {known.get(name, '')}".strip() for name, verdict in told.items()}
    return Graded(cast(dict[str, str], statuses), messages, exchanges, session.generation)
