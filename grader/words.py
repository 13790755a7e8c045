"""Sentences for students, in English and in Korean: for verdicts, their own checks and practice, and copies of reports.

Others are beside what says them: what each status means in `grader.results.sentences`, the words of the HTML pages in
`grader.pages.words`, the sentences of checks and hints in `grader.suite`, those of mistakes in the course. Both
languages are side by side, so that neither can be forgotten: a test asks for the same fields in both.
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
    "submission_time": (
        "Not run: the submission had used up its {seconds:g} s.",
        "제출물 전체의 시간 제한 {seconds:g}초를 다 써서 실행하지 않았습니다.",
    ),
    "overtime": (
        "This check was stopped, because the whole submission had used up its {seconds:g} s.",
        "제출물 전체의 시간 제한 {seconds:g}초를 다 써서 이 검사를 멈췄습니다.",
    ),
    "hangs": (
        "Not run: {count} checks of this exercise had already run into the time limit.",
        "이 문제의 검사 {count}개가 이미 시간 제한을 넘어서 실행하지 않았습니다.",
    ),
    "hang": (
        "Not run: a check of this exercise had already run into the time limit.",
        "이 문제의 다른 검사가 이미 시간 제한을 넘어서 실행하지 않았습니다.",
    ),
    # A student's own run.
    "own_ok": ("ok", "통과"),
    "own_not_yet": ("not yet", "아직"),
    "own_count": ("{good} of {total}", "{total}개 중 {good}개"),
    "own_done": ("{good} of {total} exercises done.", "문제 {total}개 중 {good}개를 마쳤습니다."),
    "own_passed": ("{good} / {total} visible checks passed.", "공개 검사 {total}개 중 {good}개를 통과했습니다."),
    "own_more": ("Grading runs more checks than these.", "채점할 때는 이보다 많은 검사를 실행합니다."),
    "own_note": ("note", "참고"),
    "own_hint": ("hint", "힌트"),
    "own_index": ("Index", "위치"),
    "own_yours": ("Yours", "결과"),
    "own_expected": ("Expected", "기대값"),
    "own_printed": ("your code printed:", "코드가 출력한 내용:"),
    "own_line": ("line {line}", "{line}번째 줄"),
    "own_cell_line": ("cell {cell}, line {line}", "셀 {cell}의 {line}번째 줄"),
    "own_sign_passed": ("passed", "통과"),
    "own_sign_failed": ("did not pass", "통과하지 못함"),
    "own_sign_skipped": ("was not run", "실행하지 않음"),
    "own_not_run": (
        "{name} is not defined here yet. Run the cell that defines it, then check again.",
        "아직 정의되지 않았습니다: {name}. 정의하는 셀을 실행한 뒤 다시 검사하세요.",
    ),
    "own_near": (
        "{name} is not defined here, but {near} is. Give it the name {name}, run its cell and check again.",
        "정의되지 않았습니다: {name}. 있는 것은 {near}입니다. 이름을 {name}에 맞추어 고치고 그 셀을 실행한 뒤 다시 "
        "검사하세요.",
    ),
    "own_held": (
        "{name} is a value of type {kind} here, not a function. Run the cell that defines it again, then check again.",
        "지금 함수가 아니라 자료형이 {kind}인 값입니다: {name}. 정의하는 셀을 다시 실행한 뒤 다시 검사하세요.",
    ),
    "own_threads": (
        "A thread that a cell started is still running. The check runs in a copy of the kernel without it, where a "
        "lock that the thread holds is never released. End the thread, or restart the kernel, and check again.",
        "셀에서 시작한 스레드가 아직 실행 중입니다. 검사는 그 스레드가 없는 커널의 복사본에서 실행되므로 스레드가 잡고 "
        "있는 잠금(lock)은 풀리지 않습니다. 스레드를 끝내거나 커널을 다시 시작한 뒤 다시 검사하세요.",
    ),
    "own_misspelt": (
        "There is no exercise `{name}` here. Did you mean `{near}`?",
        "이름이 `{name}`인 문제는 없습니다. `{near}`인가요? 이름을 확인하세요.",
    ),
    "own_unknown": (
        "There is no exercise `{name}` here. The exercises are: {known}.",
        "이름이 `{name}`인 문제는 없습니다. 문제는 다음과 같습니다: {known}.",
    ),
    "own_no_assignment": (
        "No assignment was found around {place}, so `{name}` cannot be checked. The notebook's folder must hold its "
        "tests and be named as it came, like 01_simple_attention with test_simple_attention.py in it.",
        "{place} 주위에서 과제를 찾지 못해 `{name}` 문제를 검사할 수 없습니다. 노트북의 폴더에는 검사 파일이 있어야 "
        "하고, 폴더 이름은 받은 그대로여야 합니다. 예: test_simple_attention.py가 있는 01_simple_attention",
    ),
    "own_elsewhere": (
        "{name} comes from another file ({module}). Only the notebook is handed in, so write it into a cell.",
        "다른 파일({module})에서 온 것입니다: {name}. 노트북만 제출되므로 셀 안에 직접 쓰세요.",
    ),
    "own_beside": (
        "No exercise is written in {empty}, so {names} was checked, as in grading. Hand in only the file with answers.",
        "답이 없는 파일: {empty}. 그래서 채점할 때처럼 답이 있는 파일을 검사했습니다: {names}. 그 파일만 제출하세요.",
    ),
    "own_several_beside": (
        "No exercise is written in {empty}, and more than one file beside it has answers: {names}. Keep one of them.",
        "답이 없는 파일: {empty}. 옆에 답이 있는 파일이 여러 개 있습니다: {names}. 그 가운데 하나만 두세요.",
    ),
    "both_files": (
        "{py} and {notebook} both hold answers. Each exercise counts from the file in which it is written. Work in one "
        "file, and hand in only that one.",
        "{py}, {notebook} 두 파일에 모두 답이 있습니다. 문제마다 답이 쓰여 있는 파일의 것이 채점됩니다. 한 파일에서만 "
        "작업하고 그 파일만 제출하세요.",
    ),
    "both_differ": (
        "{py} and {notebook} give different answers to {names}, so nobody can tell which of them counts. Hand in one "
        "file, or make these alike.",
        "{py}, {notebook} 두 파일의 답이 서로 다른 문제: {names}. 어느 것이 채점할 답인지 알 수 없습니다. 한 파일만 "
        "제출하거나 두 답을 같게 고치세요.",
    ),
    "both_one_read": ("{problem} So {main} was graded.", "{problem} 그래서 채점하는 파일: {main}."),
    "own_not_in_grading": (
        "Not installed in grading: {names}. Code that calls them fails there; names in annotations alone cost nothing.",
        "채점할 때는 없는 패키지: {names}. 이것을 호출하는 코드는 채점할 때 실패하며, 타입 표기에만 썼다면 괜찮습니다.",
    ),
    "own_language": ('The language {asked} is not known. Use "en" or "ko".', '언어는 "en"이나 "ko"로 쓰세요.'),
    "own_device": (
        'The device {asked} is not known here. Use "cpu" or "pretended".',
        '여기서 쓸 수 없는 장치입니다: {asked}. "cpu"나 "pretended"로 쓰세요.',
    ),
    "own_no_pretended": (
        "torch {version} does not support the pretended device. Install torch 2.13, or check without it.",
        "torch {version}에서는 pretended 장치를 쓸 수 없습니다. torch 2.13을 설치하거나 이 장치 없이 검사하세요.",
    ),
    "own_no_name": (
        'check() takes the name of an exercise, such as check("softmax_naive"), and got a value of type {kind}.',
        'check()에는 check("softmax_naive")처럼 문제의 이름을 쓰세요. 받은 값의 자료형은 {kind}입니다.',
    ),
    "own_broken": (
        "The check could not be run ({found}). Restart the kernel and try again. If that fails too, tell your teacher.",
        "검사를 실행하지 못했습니다({found}). 커널을 다시 시작하고 다시 해 보세요. 계속되면 선생님께 알리세요.",
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
    # `grader watch` and `hint`.
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
}


def say(key: str, language: str, **values: Any) -> str:
    """Return a sentence in a language, with its gaps filled."""
    return filled(SENTENCES[key], language, **values)


def filled(words: tuple[str, str], language: str, **values: Any) -> str:
    """Return one of words in English and in Korean, with its gaps filled."""
    return words[language == "ko"].format(**values)
