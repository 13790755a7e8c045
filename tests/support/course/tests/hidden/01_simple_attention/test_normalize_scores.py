"""Hidden checks of `normalize_scores`: what comes right after an attack that spoils its worker."""

from grader.suite import checks, exercise

normalize_scores = exercise("normalize_scores")


@normalize_scores.check("value", weight=6, ko="합으로 나눈 값이 나옵니다.")
def test_random_scores(student, reference, draw):
    """Random scores are divided by their sum, also a second time with the same length."""
    cases = [checks.given(draw.uniform(length) + 0.5) for length in (6, 6)]
    checks.matches(student.normalize_scores, reference.normalize_scores, *cases)


@normalize_scores.check("property", weight=3, needs=("test_random_scores",), ko="주어진 것이 바뀌면 결과도 바뀝니다.")
def test_uses_every_input(student, draw):
    """The result holds as many numbers as asked for and changes with what is given."""
    first, second = (student.normalize_scores(draw.uniform(5) + 0.5) for _ in range(2))
    checks.is_true(bool((first != second).all()), "Another input gives the same.", "입력이 달라도 결과가 같습니다.")
