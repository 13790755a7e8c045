"""Every sentence that a student may read which is not written in an exercise, in English and in Korean.

Sentences of exercises and mistakes stand with them; these are the kit's own. Both languages stand side by side, so that
neither can be forgotten: a test asks for the same fields in both.
"""

from typing import Any, Literal

Language = Literal["en", "ko"]

SENTENCES: dict[str, tuple[str, str]] = {
    "missing": ("{sentence}", "{name}이(가) 제출물에 없습니다. 이름을 확인하세요."),
    "missing_stub": (
        "{name} is not written yet: it still raises {exception}.",
        "{name}이(가) 아직 작성되지 않았습니다({exception}).",
    ),
    "error": (
        "Your code raised {exception} in line {line}: {text}",
        "{line}번째 줄에서 {exception} 예외가 났습니다: {text}",
    ),
    "error_nowhere": ("Your code raised {exception}: {text}", "{exception} 예외가 났습니다: {text}"),
    "timeout": ("{sentence}", "시간 제한을 넘었습니다. 끝나지 않는 반복문이 없는지 확인하세요."),
    "memory": ("{sentence}", "메모리 제한을 넘었습니다. 필요 이상으로 큰 텐서를 만들지 않는지 확인하세요."),
    "crash": ("{sentence}", "코드를 실행하던 프로세스가 도중에 끝났습니다."),
    "forbidden": ("{sentence}", "채점기가 허용하지 않는 호출이 있습니다: {sentence}"),
    "failed": ("{sentence}", "{sentence}"),
    "differs": ("The answer is not what this check asks for.", "결과가 이 검사가 요구하는 것과 다릅니다."),
    "unusable": (
        "The result could not be checked; is it of the asked type and shape?",
        "결과를 검사할 수 없습니다. 요구된 자료형과 모양인지 확인하세요.",
    ),
    "needs": (
        "Not run, because this must hold first: {sentence}",
        "먼저 다음이 성립해야 하므로 실행하지 않았습니다: {sentence}",
    ),
    "submission_time": (
        "Not run: the submission had used up its {seconds:g} s.",
        "제출물 전체의 시간 제한 {seconds:g}초를 다 써서 실행하지 않았습니다.",
    ),
    "hangs": (
        "Not run: {count} checks of this exercise had already run into the time limit.",
        "이 문제의 검사 {count}개가 이미 시간 제한을 넘어서 실행하지 않았습니다.",
    ),
}


def say(key: str, language: str, **values: Any) -> str:
    """Return a sentence in a language.

    Args:
        key: Which sentence.
        language: `en` or `ko`.
        **values: What stands in its gaps.

    Raises:
        KeyError: There is no such sentence.
    """
    english, korean = SENTENCES[key]
    return (korean if language == "ko" else english).format(**values)
