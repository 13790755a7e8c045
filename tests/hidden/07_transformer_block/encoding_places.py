"""Where the mistake of a wrong table of positions lies, or of tokens to which it was added, whatever it is."""

from grader.suite.core import compare
from grader.suite.library.modules.places import near, place

ORDER = place(
    "Every row holds the right numbers in another order: which column has the sine of which pair, which the cosine?",
    "행마다 값은 맞지만 순서가 다릅니다. 어느 열이 어느 쌍의 사인이고 코사인인지 보세요.",
)
ODD = place(
    "The even columns are right; the odd ones are not: they share the angle of the column before.",
    "짝수 열은 맞고 홀수 열이 다릅니다. 홀수 열은 바로 앞 열과 각도가 같습니다.",
)
EVEN = place(
    "The odd columns are right; the even ones are not: what is the first of a pair?",
    "홀수 열은 맞고 짝수 열이 다릅니다. 쌍의 첫째가 무엇인지 보세요.",
)
LATER_PAIRS = place(
    "The first pair of columns is right; later pairs turn at another speed: look at the exponent and what is raised.",
    "첫 쌍의 열은 맞습니다. 뒤 쌍은 다른 빠르기로 돕니다. 지수와 밑을 보세요.",
)
FIRST_ROW = place(
    "Even the first row is wrong: at position 0 all angles are 0.",
    "첫 행부터 다릅니다. 위치 0에서는 모든 각도가 0입니다.",
)
LATER_ROWS = place(
    "The first row is right, but even the first pair of columns turns at the wrong speed: its angle is the position.",
    "첫 행은 맞지만 첫 쌍의 열부터 다른 빠르기로 돕니다. 첫 쌍의 각도는 위치 그 자체입니다.",
)
TOKENS = place(
    "To tokens of zeros the right numbers are added; it is x that does not come out as it went in.",
    "0인 토큰에는 맞는 값이 더해집니다. x가 그대로 나오지 않는 것이 문제입니다.",
)
UNEQUAL = place(
    "Items of the batch get different encodings: an encoding depends on the position alone.",
    "배치의 항목마다 다른 인코딩이 더해집니다. 인코딩은 위치에만 달려 있습니다.",
)
NEITHER = place(
    "Neither x nor its encoding comes out whole: the result is their sum and nothing else.",
    "x도 인코딩도 그대로 나오지 않습니다. 결과는 둘의 합일 뿐입니다.",
)
ADDED = place(
    "x is passed on as it is; what is added to it is not the encoding of the position.",
    "x는 그대로 더해집니다. 더해지는 값이 그 위치의 인코딩이 아닙니다.",
)


def table_place(answers, solution, *_):
    """Say of a wrong answer of `positional_encoding` which rows or columns are wrong."""
    right = solution(6, 8)
    table = compare.require_real(answers(6, 8), (6, 8))
    if near(table.sort(-1).values, right.sort(-1).values):
        return None if near(table, right) else ORDER
    even, odd = (near(table[:, start::2], right[:, start::2]) for start in (0, 1))
    if even or odd:
        return ODD if even else EVEN
    if near(table[:, :2], right[:, :2]):
        return LATER_PAIRS
    return LATER_ROWS if near(table[0], right[0]) else FIRST_ROW


def sum_place(answers, solution, x):
    """Say of a wrong answer of `add_positional_encoding` whether x or what is added to it is wrong."""
    zeros, sums = (compare.require_real(answers(each), x.shape) for each in (x * 0, x))
    if near(zeros, solution(x * 0)):
        return None if near(sums - zeros, x) else TOKENS
    if not near(zeros, zeros[:1].expand(zeros.shape)):
        return UNEQUAL
    return ADDED if near(sums - zeros, x) else NEITHER
