"""Wrong answers to `normalize_scores`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import mistake


@mistake(
    hint="This is the softmax. Here the scores themselves are divided by their sum, without an exponential.",
    ko="소프트맥스를 계산했습니다. 여기서는 지수 함수 없이 점수를 합으로 나눕니다.",
)
def softmax_instead_of_division(scores):
    return torch.softmax(scores, dim=0)


@mistake(
    hint="The sum is taken of absolute values. Take the sum of the scores with their signs.",
    ko="절댓값의 합으로 나누었습니다. 부호를 그대로 둔 점수의 합으로 나누세요.",
)
def sum_of_absolute_values(scores):
    return scores / scores.abs().sum()


@mistake(
    marks="slip",
    hint="The scores are divided by the largest one. Divide by their sum.",
    ko="가장 큰 점수로 나누었습니다. 합으로 나누세요.",
)
def divided_by_largest(scores):
    return scores / scores.max()


@mistake(hint="Divide the scores by their sum, not by their count.", ko="점수의 개수로 나누었습니다. 합으로 나누세요.")
def divided_by_count(scores):
    return scores / len(scores)


@mistake(
    marks="slip",
    hint="The scores are divided by their Euclidean length. Divide by their sum.",
    ko="유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def divided_by_length(scores):
    return scores / scores.norm()


@mistake(
    marks="point",
    hint="A negative sum loses its sign. Divide by the sum as it is.",
    ko="음수인 합의 부호가 사라졌습니다. 합을 그대로 써서 나누세요.",
)
def sign_of_sum_lost(scores):
    return scores / scores.sum().abs()


@mistake(marks="trivial", hint="Nothing is divided yet.", ko="아직 나누지 않았습니다.")
def scores_as_they_are(scores):
    return scores.clone()


@mistake(
    marks="point",
    hint="The division is written into the caller's scores. Make a new tensor: `a / b` instead of `a /= b`.",
    ko="나눈 값을 호출한 쪽의 점수에 덮어썼습니다. `a /= b` 대신 `a / b`로 새 텐서를 만드세요.",
)
def divided_in_place(scores):
    scores /= scores.sum()
    return scores


@mistake(
    hint="The sum is detached, so the gradient misses the part that runs through it.",
    ko="합을 detach해서, 합을 거치는 그래디언트가 빠집니다.",
)
def sum_detached(scores):
    return scores / scores.sum().detach()


@mistake(
    hint="The scores are turned to float32. Keep the dtype that you are given.",
    ko="점수를 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def shares_in_float32(scores):
    return scores.float() / scores.float().sum()


@mistake(
    hint="This is the sum itself. The scores divided by it are asked for.",
    ko="합 자체입니다. 점수를 합으로 나눈 값이 필요합니다.",
)
def sum_alone(scores):
    return scores.sum()


@mistake(hint="The division is upside down: divide by the sum.", ko="나눗셈이 거꾸로입니다. 합으로 나누세요.")
def sum_over_scores(scores):
    return scores.sum() / scores


@mistake(
    hint="A number added to the sum changes the shares. Divide by the sum alone.",
    ko="합에 더한 수 때문에 몫이 달라집니다. 합만으로 나누세요.",
)
def constant_added_to_sum(scores):
    return scores / (scores.sum() + 1e-3)


@mistake(
    marks="point",
    hint="A small number is added to the sum. It does not keep a sum of 0 away, since sums may be negative.",
    ko="합에 작은 수를 더했습니다. 합은 음수일 수 있으므로 0을 막아 주지 못합니다.",
)
def tiny_number_added_to_sum(scores):
    return scores / (scores.sum() + 1e-12)


@mistake(hint="All get the same share, whatever their scores.", ko="점수와 상관없이 몫이 같습니다.", marks="trivial")
def equal_shares(scores):
    return torch.full_like(scores, 1 / len(scores))


@mistake(hint="Divide the scores by their sum, not their squares.", ko="제곱하지 말고 점수를 합으로 나누세요.")
def squares_by_their_sum(scores):
    return scores**2 / (scores**2).sum()


@mistake(hint="Divide the scores by their sum, not by their mean.", ko="점수를 평균이 아니라 합으로 나누세요.")
def divided_by_mean(scores):
    return scores / scores.mean()


@mistake(hint="Divide by the sum; don't stretch the range to 0..1.", ko="0~1로 늘리지 말고 합으로 나누세요.")
def stretched_between_zero_and_one(scores):
    return (scores - scores.min()) / (scores.max() - scores.min())


@mistake(
    marks="device",
    hint="The sum is moved to the CPU and the scores with it.",
    ko="합과 함께 점수도 CPU로 옮겼습니다.",
)
def normalize_on_the_cpu(scores):
    return scores.cpu() / scores.sum().cpu()
