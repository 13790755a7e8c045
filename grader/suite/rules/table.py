"""What a rule is: a check that follows from a contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.results.verdict import Category
from grader.suite.core.contract import Contract
from grader.suite.core.marks import ROW_OF, Row

from .seen import Seen

Body = Callable[[Seen], None]
VALUE = "value"


@dataclass(frozen=True)
class Rule:
    """A check that follows from a contract.

    Attributes:
        sentence: What is asked of the student, in English; other languages are in the catalogues.
        needs: The rule that must have passed beside the gate; empty for none.
        holds: What has to be true of a contract, by the name of its property; empty for a rule of all.
        row: Its row of the table of marks; None for the one that looks for forbidden calls.
    """

    name: str
    category: Category
    sentence: str
    body: Body
    needs: str
    holds: str
    row: Row | None

    def is_asked_of(self, contract: Contract, forbids: Sequence[str] = ()) -> bool:
        """Tell whether it follows from a contract, of an exercise that forbids these groups of calls."""
        holds = self.name not in contract.without and (not self.holds or bool(getattr(contract, self.holds)))
        return holds and (self.category != "policy" or bool(forbids))


def rule(
    category: Category, sentence: str, needs: str = "", holds: str = "", row: Row | None = None
) -> Callable[[Body], Rule]:
    def made(body: Body) -> Rule:
        return Rule(body.__name__, category, sentence, body, needs, holds, row or ROW_OF.get(category))

    return made
