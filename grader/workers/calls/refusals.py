"""The sentences, English and Korean, that say why a worker refuses a request; it sends which one, and its values."""

from grader.inside.protocol.answers import RaisedReply
from grader.inside.protocol.wire import ProtocolViolation
from grader.workers.process.failures import StudentFailure

SENTENCES: dict[str, tuple[str, str]] = {
    "other_names": (
        "The module {0} has no parameter or buffer named {1}; it has: {2}.",
        "모듈 {0}에 이름이 {1}인 매개변수나 버퍼가 없습니다. 있는 것: {2}.",
    ),
    "no_names": (
        "The module {0} has no parameter or buffer named {1}; it has: none at all.",
        "모듈 {0}에 이름이 {1}인 매개변수나 버퍼가 없습니다. 있는 것: 없음.",
    ),
    "other_parameter_shape": (
        "The parameter {1} of {0} has the shape {2}, but {3} is asked for.",
        "{0}의 매개변수 {1}의 모양이 {2}인데 {3}이어야 합니다.",
    ),
    "no_size": (
        "The parameter {1} of {0} has no size before the first call. Use a layer that is made with its sizes, such as "
        "nn.Linear.",
        "{0}의 매개변수 {1}에는 처음 호출할 때까지 크기가 없습니다. nn.Linear처럼 크기를 주어 만드는 층을 쓰세요.",
    ),
    "misspelt_method": (
        "{0} has no method `{1}`; there is `{2}`. Rename it.",
        "{0}에 `{1}` 메서드가 없습니다. `{2}`의 이름을 `{1}`에 맞추어 고치세요.",
    ),
    "no_forward": (
        "{0} has no method `forward`; is it written, and indented like `__init__`?",
        "{0}에 `forward` 메서드가 없습니다. 작성했는지, `__init__`과 같은 깊이로 들여 썼는지 확인하세요.",
    ),
    "too_few_outputs": (
        "Output {0} is asked for a gradient, but only {1} came back.",
        "{0}번째 출력의 그래디언트가 필요한데 출력이 {1}개뿐입니다.",
    ),
    "no_tensor": (
        "A tensor is asked for to take gradients of, but the result is {0}.",
        "그래디언트를 구할 텐서가 필요한데 결과가 텐서가 아닙니다({0}).",
    ),
    "too_much_together": (
        "The results of the calls of one check hold together more than the {0} bytes that are read.",
        "한 검사에서 호출한 결과를 모두 합하면 읽을 수 있는 {0}바이트를 넘습니다.",
    ),
    "lost": ("Module number {0} is not in this process any more.", "모듈 {0}번이 이 프로세스에 더는 없습니다."),
}


def refusal(answer: RaisedReply, name: str) -> StudentFailure:
    """Return the failure of a request that was refused.

    Raises:
        ProtocolViolation: No sentence is known by that name, or it has more gaps than values.
    """
    try:
        english, korean = (sentence.format(*answer.values) for sentence in SENTENCES[answer.text])
    except (KeyError, IndexError):
        raise ProtocolViolation("A refusal came that no worker of the kit sends.") from None
    code = " ".join([answer.text, *answer.values])
    return StudentFailure("failed", english, sentence_ko=korean, name=name, code=code)
