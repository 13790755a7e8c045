"""Sentences for students, in English and in Korean: those of verdicts and of copies of reports.

What is said of files, and what pages and a student's own check say, is in the catalogues of `grader.language`. Others
are beside what says them: what each status means in `grader.results.sentences`, the sentences of checks and hints in
`grader.suite`, those of mistakes in the course. Both languages are side by side, so that neither can be forgotten: a
test asks for the same fields in both.
"""

from typing import Any, Literal

Language = Literal["en", "ko"]

SENTENCES: dict[str, tuple[str, str]] = {
    "missing_stub": (
        "{name} is not written yet: it still raises {exception}.",
        "아직 작성되지 않았습니다: {name}. {exception} 예외를 내는 줄이 아직 있습니다.",
    ),
    "error": (
        "Your code raised {exception} in line {line}: {text}",
        "{line}번째 줄에서 {exception} 예외가 났습니다: {text}",
    ),
    "error_nowhere": ("Your code raised {exception}: {text}", "{exception} 예외가 났습니다: {text}"),
    "differs": ("The answer is not what this check asks for.", "결과가 이 검사가 요구하는 것과 다릅니다."),
    "unusable": (
        "The result could not be checked; does it have the type and shape that the text asks for?",
        "결과를 검사할 수 없습니다. 요구된 자료형과 모양인지 확인하세요.",
    ),
    "stumbled": (
        "This check could not use what your code returned. {text}",
        "코드가 돌려준 값으로는 이 검사를 할 수 없습니다. {text}",
    ),
    "too_large": (
        "There is not enough memory to compare your answer; does it have the shape that the text asks for?",
        "결과를 비교할 메모리가 모자랍니다. 요구된 모양인지 확인하세요.",
    ),
    "needs": (
        "Not run, because this must hold first: {sentence}",
        "먼저 다음이 성립해야 하므로 실행하지 않았습니다: {sentence}",
    ),
    "hang": (
        "Not run: a check of this exercise had already run into the time limit.",
        "이 문제의 다른 검사가 이미 시간 제한을 넘어서 실행하지 않았습니다.",
    ),
    # The student's copy of a report, on a learning platform or below a cell of a graded notebook.
    "copy_points": ("{score} of {max_score} points", "{max_score}점 중 {score}점"),
    "copy_passed": ("passed", "통과"),
    "copy_not_passed": ("not passed", "통과하지 못함"),
    "copy_skipped": ("not run", "실행하지 않음"),
    "copy_hidden": ("hidden check", "숨은 검사"),
    "copy_hint": ("Hint: {text}", "힌트: {text}"),
    "copy_line": ("Line {number}: {text}", "{number}번째 줄: {text}"),
    "copy_cell_line": ("Cell {cell}, line {number}: {text}", "{cell}번째 셀, {number}번째 줄: {text}"),
    "copy_only_text": ("Your line: {text}", "해당 줄: {text}"),
    "copy_printed": ("Your code printed:", "코드가 출력한 내용:"),
    "copy_notes": ("Notes of the grader", "채점기의 알림"),
    "copy_problem": ("This submission could not be graded: {text}", "이 제출물은 채점할 수 없었습니다: {text}"),
    "copy_by_hand": (
        "Nothing of it was graded, and it got no points: a person has to look at it.",
        "채점하지 못해서 점수를 주지 않았습니다. 사람이 확인해야 합니다.",
    ),
    "by_hand": (
        "Points by hand: {points} of {most}{reason}. Graded: {graded}.",
        "교사가 정한 점수: {most}점 만점에 {points}점{reason}. 채점 결과: {graded}.",
    ),
    "by_hand_nothing": ("no points", "점수 없음"),
}


def say(key: str, language: str, **values: Any) -> str:
    """Return a sentence in a language, with its gaps filled."""
    return filled(SENTENCES[key], language, **values)


def filled(words: tuple[str, str], language: str, **values: Any) -> str:
    """Return one of words in English and in Korean, with its gaps filled."""
    return words[language == "ko"].format(**values)
