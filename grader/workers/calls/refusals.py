"""Korean versions of the sentences with which a worker refuses a request; it sends them in English."""

import re

NAME = r"([^\s`]+)"
SENTENCES = [
    (
        rf"The module {NAME} has no parameter or buffer named (\S+); it has: (.*)\.",
        "모듈 {0}에 이름이 {1}인 매개변수나 버퍼가 없습니다. 있는 것: {2}.",
    ),
    (
        rf"The parameter {NAME} of (\S+) has the shape (.*), but (.*) is asked for\.",
        "{1}의 매개변수 {0}의 모양이 {2}인데 {3}이어야 합니다.",
    ),
    (
        rf"The parameter {NAME} of (\S+) has no size before the first call\. .*",
        "{1}의 매개변수 {0}에는 처음 호출할 때까지 크기가 없습니다. nn.Linear처럼 크기를 주어 만드는 층을 쓰세요.",
    ),
    (
        rf"{NAME} has no method `(.*)`; there is `(.*)`\. Rename it\.",
        "{0}에 `{1}` 메서드가 없습니다. `{2}`의 이름을 `{1}`에 맞추어 고치세요.",
    ),
    (
        r"Output (\d+) is asked for a gradient, but only (\d+) came back\.",
        "{0}번째 출력의 그래디언트가 필요한데 출력이 {1}개뿐입니다.",
    ),
    (
        r"A tensor is asked for to take gradients of, but the result is (.*)\.",
        "그래디언트를 구할 텐서가 필요한데 결과가 텐서가 아닙니다({0}).",
    ),
    (r"The result has the shape (.*), but (.*) is asked for\.", "결과의 모양이 {0}인데 {1}이어야 합니다."),
    (
        r"The results of the calls of one check hold together more than the (.*) bytes that are read\.",
        "한 검사에서 호출한 결과를 모두 합하면 읽을 수 있는 {0}바이트를 넘습니다.",
    ),
]


def in_korean(sentence: str) -> str:
    """Return the Korean version of a refusal; empty for any other sentence."""
    for pattern, korean in SENTENCES:
        found = re.fullmatch(pattern, sentence)
        if found is not None:
            return korean.format(*("없음" if group == "none at all" else group for group in found.groups()))
    return ""
