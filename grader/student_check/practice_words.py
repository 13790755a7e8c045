"""The words of `grader watch`, `status`, `hint` and `reset`, in English and in Korean."""

from typing import Any

from grader.words import filled

WORDS: dict[str, tuple[str, str]] = {
    "state_ignored": (
        "{path} is not as it was written, so what it says of your progress is ignored.",
        "{path} 파일이 기록된 그대로가 아니어서 진행 상황을 읽지 않았습니다.",
    ),
    "state_lost": ("Your progress could not be kept. {problem}", "진행 상황을 저장하지 못했습니다. {problem}"),
    "hint_level": ("{name}, hint {level} of 3: {text}", "{name}, 힌트 {level}/3: {text}"),
    "hint_last": ("That is the last hint.", "마지막 힌트입니다."),
    "hint_none": (
        "No further hints are written for {name}. Read the hints in its docstring, and what the check says.",
        "{name}에는 더 준비된 힌트가 없습니다. docstring의 힌트와 검사 결과를 보세요.",
    ),
    "state_done": ("done", "완료"),
    "state_begun": ("begun", "푸는 중"),
    "state_open": ("not begun", "시작 전"),
    "state_changed": ("changed since, not checked", "고친 뒤 검사하지 않음"),
    "done_of": ("{done} of {total} done", "{total}개 중 {done}개 완료"),
    "reset_ask": (
        "Put {name} in {file} back as it was handed out? A copy of the file as it is now is kept.",
        "{file}의 {name}을(를) 처음 받은 상태로 되돌릴까요? 지금 파일의 사본은 남겨 둡니다.",
    ),
    "reset_done": (
        "{name} in {file} is as it was handed out. The file as it was before is kept: {copy}",
        "{file}의 {name}을(를) 처음 받은 상태로 되돌렸습니다. 되돌리기 전의 파일은 여기에 있습니다: {copy}",
    ),
    "reset_kept": ("Nothing was changed.", "아무것도 바꾸지 않았습니다."),
    "watch_keys": (
        "h hint   l list   n next   r rerun   q quit",
        "h 힌트   l 목록   n 다음   r 다시 실행   q 끝내기",
    ),
    "watch_no_keys": (
        "This is not a terminal, so no keys are read. Ctrl-C ends it.",
        "터미널이 아니어서 키를 읽지 않습니다. Ctrl-C로 끝내세요.",
    ),
    "watch_all_done": (
        "Every exercise is done. Grading runs more checks than these.",
        "모든 문제를 완료했습니다. 채점할 때는 이보다 많은 검사를 실행합니다.",
    ),
    "watch_next": ("{name} is done. Press n for the next exercise.", "{name} 완료. n을 누르면 다음 문제로 갑니다."),
    "watch_ends": (
        "Your progress is kept. The next `grader watch` begins with {name}.",
        "진행 상황을 저장했습니다. 다음에 `grader watch`를 실행하면 {name}부터 시작합니다.",
    ),
    "watch_gone": (
        "The folder {place} cannot be watched: {problem}. Begin again with `grader watch` in the assignment's folder.",
        "{place} 폴더를 볼 수 없습니다: {problem}. 과제 폴더에서 `grader watch`를 다시 실행하세요.",
    ),
    "watch_needs": (
        "`grader watch` needs the package watchfiles. Install it with `python -m pip install watchfiles`.",
        "`grader watch`에는 watchfiles 패키지가 필요합니다. `python -m pip install watchfiles`로 설치하세요.",
    ),
}  # fmt: skip


def tell(key: str, language: str, **values: Any) -> str:
    """Return a sentence in a language, with its gaps filled."""
    return filled(WORDS[key], language, **values)
