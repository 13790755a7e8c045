"""The words of the pages, in English and in Korean; templates hold none of their own, which a test asks for."""

from typing import Any

from grader.results.report import ExerciseStatus
from grader.results.verdict import Language
from grader.words import filled

SIGNS: dict[ExerciseStatus, str] = {
    "passed": "\u2713",
    "partial": "\u25d0",
    "failed": "\u2717",
    "error": "!",
    "timeout": "\u221e",
    "memory": "\u25b2",
    "crash": "\u2020",
    "forbidden": "\u2298",
    "missing": "\u2013",
    "skipped": "\u00b7",
    "ungraded": "?",
}
"""A state is a sign, a word and a colour, so that nobody needs the colour."""
TONES = {"passed": "good", "partial": "part", "missing": "none", "skipped": "none", "ungraded": "none"}

WORDS: dict[str, tuple[str, str]] = {
    "is_passed": ("passed", "통과"),
    "is_partial": ("partly right", "일부 통과"),
    "is_failed": ("wrong", "틀림"),
    "is_error": ("raised an exception", "예외 발생"),
    "is_timeout": ("took too long", "시간 초과"),
    "is_memory": ("too much memory", "메모리 초과"),
    "is_crash": ("process ended", "프로세스 종료"),
    "is_forbidden": ("not allowed", "허용되지 않음"),
    "is_missing": ("not written", "미작성"),
    "is_skipped": ("not run", "실행 안 함"),
    "is_ungraded": ("not graded", "채점 안 됨"),
    # A student's page.
    "skip": ("Skip to the results", "결과로 건너뛰기"),
    "points": ("{score} of {most} points", "{most}점 중 {score}점"),
    "exercises": ("Exercises", "문제"),
    "next": ("What to do next", "다음에 할 일"),
    "all_done": (
        "Every exercise has passed. There is nothing left to do.",
        "모든 문제를 통과했습니다. 더 할 일이 없습니다.",
    ),
    "not_graded": ("This submission could not be graded", "이 제출물은 채점할 수 없었습니다"),
    "go": ("See {title}", "{title} 보기"),
    "asks": ("What is asked", "요구 사항"),
    "happened": ("What happened", "결과"),
    "hint": ("Hint", "힌트"),
    "call": ("Try it yourself", "직접 실행해 볼 호출"),
    "your_line": ("Your line", "해당 줄"),
    "line": ("Your line {number}", "{number}번째 줄"),
    "cell_line": ("Your line {number} in cell {cell}", "셀 {cell}의 {number}번째 줄"),
    "printed": ("Your code printed", "코드가 출력한 내용"),
    "shapes": ("Shapes, with marks where they differ", "모양 비교(다른 축에 표시)"),
    "pictured": ("Your answer beside the expected one", "결과와 기대값 비교"),
    "pictured_at": ("Your answer beside the expected one, at {place}", "{place} 위치의 결과와 기대값 비교"),
    "pictured_yours": ("yours", "결과"),
    "pictured_expected": ("expected", "기대값"),
    "pictured_difference": ("difference", "차이"),
    "other_broken": ("Other checks that did not pass ({count})", "통과하지 못한 다른 검사 ({count})"),
    "what_passed": ("Checks that passed ({count})", "통과한 검사 ({count})"),
    "hidden": ("hidden check", "숨은 검사"),
    "notes": ("Notes of the grader", "채점기의 알림"),
    "footer": ("Graded {when} (UTC) by attention-grader {kit}.", "attention-grader {kit}, {when} (UTC) 채점."),
    "files": ("Files that were graded", "채점한 파일"),
    # The class page.
    "class": ("The class in {assignment}", "{assignment}: 전체 수강생 결과"),
    "class_line": (
        "{graded} of {handed_in} submissions graded. Mean {mean}, median {median} of {most} points.",
        "제출물 {handed_in}개 중 {graded}개 채점. {most}점 만점에 평균 {mean}, 중앙값 {median}.",
    ),
    "nothing_graded": (
        "None of {handed_in} submissions could be graded.",
        "제출물 {handed_in}개를 모두 채점하지 못했습니다.",
    ),
    "ran": ("Run of {when} (UTC), {seconds} s, on {device}.", "{when} (UTC) 실행, {seconds}초, {device}."),
    "unsafe": (
        "Some of it was graded without isolation: do not use these grades.",
        "일부를 격리 없이 채점했습니다. 이 점수는 사용하지 마세요.",
    ),
    "missed": ("What the class missed", "수강생들이 놓친 것"),
    "nothing_missed": ("Nobody missed anything.", "아무도 놓친 것이 없습니다."),
    "missed_line": ("{count} of {all} did not pass", "{all}명 중 {count}명이 통과하지 못함"),
    "commonest": ("Commonest mistake ({count}):", "가장 흔한 실수 ({count}명):"),
    "scores": ("Distribution of scores", "점수 분포"),
    "range": ("Points", "점수"),
    "students": ("Students", "학생"),
    "exercise": ("Exercise", "문제"),
    "passed_share": ("Passed", "통과"),
    "mean": ("Mean", "평균"),
    "median": ("Median", "중앙값"),
    "states": ("States", "상태"),
    "mistakes": ("Commonest mistakes", "흔한 실수"),
    "unknown": ("no known mistake", "알려지지 않은 실수"),
    "who": ("Who", "누구"),
    "checks": ("Checks", "검사"),
    "check": ("Check", "검사"),
    "kind": ("Kind", "종류"),
    "to_visible": ("visible", "공개"),
    "to_hidden": ("hidden", "숨김"),
    "of_document": ("document", "노트의 값"),
    "of_value": ("value", "값"),
    "of_shape": ("shape", "모양"),
    "of_dtype": ("dtype", "자료형(dtype)"),
    "of_gradient": ("gradient", "기울기"),
    "of_property": ("property", "성질"),
    "of_stability": ("stability", "수치 안정성"),
    "of_purity": ("purity", "부작용"),
    "of_parameters": ("parameters", "매개변수"),
    "of_errors": ("errors", "예외"),
    "of_policy": ("policy", "금지된 호출"),
    "of_device": ("device", "장치"),
    "discrimination": ("Discrimination", "변별도"),
    "flags": ("Look at", "확인할 점"),
    "all_pass": ("all pass", "모두 통과"),
    "nobody_passes": ("nobody passes", "아무도 통과 못 함"),
    "good_fail": ("good students fail", "잘하는 학생이 틀림"),
    "discrimination_note": (
        "Discrimination: how passing a check goes with the points of all other checks (point-biserial, -1 to 1); empty"
        " where all or none passed. Below -0.1, good students fail it.",
        "변별도: 검사 통과와 나머지 검사 점수의 상관(점이연, -1에서 1). 모두 통과하거나 모두 실패하면 비어 있습니다."
        " -0.1보다 작으면 잘하는 학생이 틀리는 검사입니다.",
    ),
    "map": ("Students by exercises", "학생별 문제 결과"),
    "map_note": ("A cell holds the points and the sign of the state.", "칸에는 점수와 상태 기호가 있습니다."),
    "student": ("Student", "학생"),
    "total": ("Total", "합계"),
    "name_filter": ("Name contains", "이름 포함"),
    "who_filter": ("Show", "보기"),
    "everybody": ("everybody", "모두"),
    "not_passed": ("did not pass: {title}", "통과하지 못함: {title}"),
    "shown": ("{count} shown", "{count}명 표시"),
    "sort": ("sort by {what}", "{what} 순으로 정렬"),
    "left_out": ("Not graded, absent, untouched", "채점 안 됨, 미제출, 손대지 않음"),
    "by_hand": ("Points by hand ({count})", "직접 정한 점수 ({count})"),
    "by_hand_mark": ("* marks points by hand.", "* 표시는 직접 정한 점수입니다."),
    "problems": ("Not graded", "채점 안 됨"),
    "reason": ("Why", "이유"),
    "absent": ("Handed nothing in ({count})", "제출하지 않음 ({count})"),
    "untouched": ("Handed in without an answer ({count})", "답 없이 제출함 ({count})"),
    "since": ("What changed since the run before", "지난 실행 이후 달라진 점"),
    "lowered": ("Lower than before ({count})", "이전보다 낮아짐 ({count})"),
    "raised": ("Higher than before ({count})", "이전보다 높아짐 ({count})"),
    "first_graded": ("Graded for the first time ({count})", "처음으로 채점됨 ({count})"),
    "newly_passed": ("Newly passed: {title} ({count})", "새로 통과함: {title} ({count})"),
    "from_to": ("{before} to {after}", "{before}점에서 {after}점으로"),
    "none": ("none", "없음"),
    # The page of a check that a student asks about.
    "appeal": ("A student asks about {check}", "{check}에 대한 재채점 요청"),
    "appeal_private": (
        "For the teacher alone: this page may hold inputs and answers of a hidden check. Do not give it to students.",
        "교사 전용: 이 페이지에는 숨은 검사의 입력과 답이 있을 수 있습니다. 학생에게 주지 마세요.",
    ),
    "appeal_unchanged": (
        "Nothing was changed by this: the report and the points are what they were.",
        "보고서와 점수는 바뀌지 않았습니다.",
    ),
    "appeal_verdicts": ("In the report and now", "보고서의 판정과 지금의 판정"),
    "appeal_before": ("In the report", "보고서"),
    "appeal_now": ("Run again", "다시 실행"),
    "appeal_same": ("The verdict is the same.", "판정이 같습니다."),
    "appeal_other": ("The verdict is different.", "판정이 다릅니다."),
    "appeal_no_report": ("The report has no such check.", "보고서에 이 검사가 없습니다."),
    "appeal_since": ("What is different now", "지금 달라진 것"),
    "since_submission": ("The student's file was changed.", "학생의 파일이 바뀌었습니다."),
    "since_suite": (
        "The suite, the solution or what else the course brings to this assignment was changed.",
        "검사, 풀이 등 이 과제의 과목 파일이 바뀌었습니다.",
    ),
    "since_kit": ("The grader was changed.", "채점기가 바뀌었습니다."),
    "since_inputs": (
        "The inputs are different: the report does not say what this check's were drawn from.",
        "입력이 다릅니다. 보고서에 이 검사의 입력을 만든 시드가 없습니다.",
    ),
    "since_conditions": (
        "The machine, its libraries or the course's secret are different.",
        "컴퓨터, 라이브러리 또는 과목의 비밀 값이 다릅니다.",
    ),
    "since_unknown": (
        "The journal does not have this report, so it is not known whether the suite or the grader was changed.",
        "저널에 이 보고서가 없어 검사나 채점기가 바뀌었는지 알 수 없습니다.",
    ),
    "since_nothing": ("Nothing that decides a verdict.", "판정을 정하는 것 중 달라진 것이 없습니다."),
    "since_chance": (
        "So the code draws random numbers of its own, or it is near a limit on time or memory: run it once more.",
        "코드가 스스로 난수를 쓰거나 시간 또는 메모리 제한에 가까운 것입니다. 다시 한번 실행해 보세요.",
    ),
    "appeal_calls": ("What the check asked ({count})", "검사가 실행한 호출 ({count})"),
    "appeal_no_calls": ("It called nothing.", "호출이 없었습니다."),
    "appeal_input": ("Input", "입력"),
    "appeal_answer": ("The student's answer", "학생의 답"),
    "appeal_expected": ("Expected", "기대값"),
    "appeal_no_answer": ("No answer came.", "답이 오지 않았습니다."),
    "appeal_solution": ("the course's solution on these inputs", "같은 입력에 대한 과목 풀이의 답"),
    "appeal_computed": ("Computed by the check from the answers", "검사가 답에서 계산한 값"),
    "appeal_source": ("The student's code of {exercise}", "{exercise}에 대한 학생의 코드"),
    "appeal_file": ("The whole file", "파일 전체"),
    "appeal_seed": ("Inputs drawn from {seed}.", "입력의 시드: {seed}"),
}


def say(key: str, language: Language, **values: Any) -> str:
    """Return words in a language, their gaps filled.

    Raises:
        KeyError: There are no such words.
    """
    return filled(WORDS[key], language, **values)


def tone(status: str) -> str:
    """Return the colour class of a state: good, part, none or bad."""
    return TONES.get(status, "bad")
