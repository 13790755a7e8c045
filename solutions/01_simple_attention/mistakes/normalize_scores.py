"""Wrong answers to `normalize_scores`, each with the hint that a student with this answer gets."""

import torch

from grader.course.variants import helper, mistake


@helper
def remembered(compute):
    """Return a function that computes once for each shape and dtype and gives the same result ever after."""
    kept = {}

    def answer(*parts, **options):
        key = (*((part.shape, part.dtype) for part in parts), *options.items())
        if key not in kept:
            kept[key] = compute(*parts, **options)
        return kept[key]

    return answer


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


@mistake(
    hint="The scores are divided by how many they are. Divide by their sum.",
    ko="점수의 개수로 나누었습니다. 합으로 나누세요.",
)
def divided_by_count(scores):
    return scores / len(scores)


@mistake(
    hint="The scores are divided by the mean. Divide by their sum.",
    ko="평균으로 나누었습니다. 합으로 나누세요.",
)
def divided_by_mean(scores):
    return scores / scores.mean()


@mistake(
    marks="slip",
    hint="The scores are divided by their Euclidean length. Divide by their sum.",
    ko="유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def divided_by_length(scores):
    return scores / scores.norm()


@mistake(
    hint="The scores are moved and stretched to lie between 0 and 1. Only a division by the sum is asked for.",
    ko="점수를 0과 1 사이로 옮겼습니다. 합으로 나누기만 하면 됩니다.",
)
def stretched_to_unit_range(scores):
    return (scores - scores.min()) / (scores.max() - scores.min())


@mistake(
    marks="slip",
    hint="The smallest score is subtracted first. Divide the scores as they are by their sum.",
    ko="가장 작은 점수를 먼저 뺐습니다. 점수를 그대로 합으로 나누세요.",
)
def smallest_subtracted_first(scores):
    shifted = scores - scores.min()
    return shifted / shifted.sum()


@mistake(
    hint="Negative scores are set to 0. They keep their sign here.",
    ko="음수 점수를 0으로 바꾸었습니다. 여기서는 부호가 남습니다.",
)
def negative_scores_cut(scores):
    positive = scores.clamp(min=0)
    return positive / positive.sum()


@mistake(
    hint="A negative sum loses its sign. Divide by the sum as it is.",
    ko="음수인 합의 부호가 사라졌습니다. 합을 그대로 써서 나누세요.",
)
def sign_of_sum_lost(scores):
    return scores / scores.sum().abs()


@mistake(
    marks="trivial",
    hint="Nothing is divided yet.",
    ko="아직 나누지 않았습니다.",
)
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
    hint="The sum is turned into a Python number, so the gradient misses the part that runs through it.",
    ko="합을 파이썬 숫자로 바꾸어, 합을 거치는 그래디언트가 빠집니다.",
    twins=("sum_detached",),
)
def sum_as_python_number(scores):
    return scores / scores.sum().item()


@mistake(
    hint="The sum is detached, so the gradient misses the part that runs through it.",
    ko="합을 detach해서, 합을 거치는 그래디언트가 빠집니다.",
    twins=("sum_as_python_number",),
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
    hint="The shares are rounded to printed digits. Return them as they are.",
    ko="나눈 값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_shares(scores):
    return torch.round(scores / scores.sum(), decimals=4)


first_shares_remembered = mistake(
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda scores: scores / scores.sum()))


@mistake(
    hint="The absolute values are divided. The scores keep their signs, above and below.",
    ko="절댓값을 나누었습니다. 분자와 분모 모두 부호를 그대로 두세요.",
)
def absolute_values_throughout(scores):
    return scores.abs() / scores.abs().sum()


@mistake(
    hint="The sum is subtracted. Divide by it.",
    ko="합을 뺐습니다. 합으로 나누세요.",
)
def sum_subtracted(scores):
    return scores - scores.sum()


@mistake(
    hint="The sum is kept from being negative, but it may be: divide by it as it is.",
    ko="합이 음수가 되지 않게 막았습니다. 합은 음수일 수 있으니 그대로 나누세요.",
)
def negative_sum_prevented(scores):
    return scores / scores.sum().clamp(min=1e-9)


@mistake(
    hint="This is the sum itself. The scores divided by it are asked for.",
    ko="합 자체입니다. 점수를 합으로 나눈 값이 필요합니다.",
)
def sum_alone(scores):
    return scores.sum()


@mistake(
    hint="The division is the wrong way round: the sum belongs below.",
    ko="나눗셈이 거꾸로입니다. 합이 분모입니다.",
)
def sum_over_scores(scores):
    return scores.sum() / scores


@mistake(
    hint="The scores are standardised by mean and standard deviation. Only a division by their sum is asked for.",
    ko="평균과 표준편차로 표준화했습니다. 합으로 나누기만 하면 됩니다.",
)
def standardised_scores(scores):
    return (scores - scores.mean()) / scores.std()


@mistake(
    hint="A number added to the sum changes the shares. Divide by the sum alone.",
    ko="합에 더한 수 때문에 몫이 달라집니다. 합만으로 나누세요.",
)
def constant_added_to_sum(scores):
    return scores / (scores.sum() + 1e-3)


@mistake(
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def shares_by_way_of_float32(scores):
    return (scores.float() / scores.float().sum()).to(scores.dtype)


@mistake(
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def equal_shares(scores):
    return torch.full_like(scores, 1 / len(scores))
