"""One wrong answer to `softmax_naive` that students might write."""

from grader.course.variants import mistake


@mistake(hint="The exponential is missing.", ko="지수 함수가 빠졌습니다.")
def no_exponential(x):
    return x / x.sum()
