"""What students read when a bundle could not grade: in English and in Korean.

It says nothing of the reason, which is for staff: a reason can name files of the course.
"""

NOT_GRADED: dict[str, str] = {
    "en": (
        "Your submission was not graded, and it has no score. This is not your mistake: the machine that grades has to"
        " be put right first. Please tell the staff of your course; you need not hand in again."
    ),
    "ko": (
        "제출물이 채점되지 않았으며 점수도 없습니다. 학생의 잘못이 아닙니다. 채점하는 컴퓨터를 먼저 고쳐야 합니다. 담당"
        " 교수나 조교에게 알려 주세요. 다시 제출하지 않아도 됩니다."
    ),
}
