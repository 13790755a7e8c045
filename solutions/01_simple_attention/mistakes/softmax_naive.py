"""Wrong answers to `softmax_naive`, each with the hint that a student with this answer gets."""

import math

import torch

from grader.course.variants import mistake


@mistake(
    marks="slip",
    hint="The exponential is missing: the scores themselves are divided by their sum.",
    ko="지수 함수가 빠졌습니다. 점수를 그대로 합으로 나누었습니다.",
)
def no_exponential(x):
    return x / x.sum()


@mistake(
    hint="The exponentials are not divided by anything yet, so they do not sum to 1.",
    ko="지수 값을 아직 나누지 않아 합이 1이 아닙니다.",
)
def no_division(x):
    return torch.exp(x)


@mistake(
    hint="The sum is taken before the exponential. Sum the exponentials instead.",
    ko="합을 먼저 구한 뒤 지수를 취했습니다. 지수 값들을 더하세요.",
)
def exponential_of_the_sum(x):
    return torch.exp(x) / torch.exp(x.sum())


@mistake(
    hint="The denominator is the sum of the scores. It has to be the sum of their exponentials.",
    ko="분모가 점수의 합입니다. 지수 값의 합이어야 합니다.",
)
def divided_by_sum_of_scores(x):
    return torch.exp(x) / x.sum()


@mistake(
    marks="trivial",
    hint="The sigmoid looks at each score alone. Softmax weights share one sum.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 소프트맥스는 하나의 합을 나눕니다.",
)
def sigmoid_of_each(x):
    return torch.sigmoid(x)


@mistake(
    hint="Squares make the scores positive, but they are not the exponential: a score and its negative become equal.",
    ko="제곱은 양수를 만들지만 지수 함수가 아닙니다. 부호만 다른 점수가 같아집니다.",
)
def squares_for_exponentials(x):
    return x**2 / (x**2).sum()


@mistake(
    hint="The exponentials are divided by the largest one. Divide by their sum.",
    ko="가장 큰 지수 값으로 나누었습니다. 합으로 나누세요.",
)
def largest_weight_is_one(x):
    powers = torch.exp(x)
    return powers / powers.max()


@mistake(
    marks="slip",
    hint="The base is 2. Softmax uses the exponential function, with the base e.",
    ko="밑이 2입니다. 소프트맥스는 밑이 e인 지수 함수를 씁니다.",
)
def powers_of_two(x):
    powers = 2**x
    return powers / powers.sum()


@mistake(
    marks="slip",
    hint="The sign is turned round, so the smallest score gets the largest weight.",
    ko="부호가 뒤집혀 가장 작은 점수가 가장 큰 가중치를 받습니다.",
)
def sign_turned_round(x):
    powers = torch.exp(-x)
    return powers / powers.sum()


@mistake(hint="A second softmax flattens the weights.", ko="소프트맥스를 두 번 해 가중치가 평평합니다.", marks="slip")
def softmax_taken_twice(x):
    once = torch.exp(x) / torch.exp(x).sum()
    return torch.exp(once) / torch.exp(once).sum()


@mistake(
    hint="All weight goes to the largest score. Softmax leaves every score a share.",
    ko="가장 큰 점수가 가중치를 모두 가져갑니다. 소프트맥스는 모든 점수에 몫을 줍니다.",
)
def winner_takes_all(x):
    return (torch.arange(len(x)) == x.argmax()).to(x.dtype)


@mistake(
    hint="This is the logarithm of the weights. The weights themselves are asked for.",
    ko="가중치의 로그를 돌려줍니다. 가중치 자체가 필요합니다.",
)
def logarithm_of_weights(x):
    return x - torch.log(torch.exp(x).sum())


@mistake(
    hint="The largest value is subtracted after the exponential. If you shift at all, shift the scores before it.",
    ko="지수 뒤에 최댓값을 뺐습니다. 빼려면 지수를 취하기 전에 점수에서 빼세요.",
)
def shifted_after_exponential(x):
    powers = torch.exp(x)
    shifted = powers - powers.min()
    return shifted / shifted.sum()


@mistake(
    marks="library",
    hint="The library does the work here. This exercise asks you to write the softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 소프트맥스를 직접 쓰세요.",
)
def library_softmax(x):
    return torch.softmax(x, dim=0)


@mistake(
    marks="point",
    hint="The exponentials are written into the caller's scores. Make a new tensor: exp() instead of exp_().",
    ko="지수 값을 호출한 쪽의 점수에 덮어썼습니다. exp_() 대신 exp()로 새 텐서를 만드세요.",
)
def exponentials_in_place(x):
    x.exp_()
    return x / x.sum()


@mistake(
    marks="point",
    hint="The exponentials are made of Python numbers, so no gradient reaches the scores. Use torch.exp.",
    ko="파이썬 숫자로 지수를 계산해 그래디언트가 점수까지 흐르지 않습니다. torch.exp를 쓰세요.",
)
def exponentials_by_math(x):
    powers = torch.tensor([math.exp(score) for score in x.tolist()], dtype=x.dtype)
    return powers / powers.sum()


@mistake(
    hint="The weights stay in float64. Turn them back to the dtype that you were given.",
    ko="가중치가 float64로 남았습니다. 받은 dtype으로 되돌리세요.",
)
def weights_stay_in_float64(x):
    powers = x.double().exp()
    return powers / powers.sum()


@mistake(
    hint="With a single score squeeze() removes the only dimension. The shape (T,) is asked for, also for T = 1.",
    ko="점수가 하나이면 squeeze()가 하나뿐인 차원까지 없앱니다. T = 1이어도 모양은 (T,)입니다.",
)
def naive_weights_squeezed(x):
    powers = torch.exp(x.unsqueeze(0))
    return (powers / powers.sum(dim=1, keepdim=True)).squeeze()


@mistake(
    hint="A number added to the sum changes the weights. Divide by the sum alone.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 합만으로 나누세요.",
)
def constant_added_to_exponentials(x):
    return x.exp() / (x.exp().sum() + 1e-2)


@mistake(hint="float64 loses digits by way of float32.", ko="float32를 거쳐 float64의 자릿수를 잃습니다.")
def naive_by_way_of_float32(x):
    powers = x.float().exp()
    return (powers / powers.sum()).to(x.dtype)


@mistake(hint="All get the same share, whatever their scores.", ko="점수와 상관없이 몫이 같습니다.", marks="trivial")
def naive_in_equal_shares(x):
    return torch.full_like(x, 1 / len(x))


@mistake(hint="Divide by the sum, not by the Euclidean length.", ko="유클리드 길이가 아니라 합으로 나누세요.")
def exponentials_by_length(x):
    return torch.exp(x) / torch.exp(x).norm()


@mistake(hint="Subtract the maximum before the exponential.", ko="최댓값은 지수를 취하기 전에 빼세요.")
def maximum_taken_off_powers(x):
    powers = torch.exp(x) - torch.exp(x).max()
    return powers / powers.sum()


@mistake(hint="Divide by the sum, not by the mean.", ko="평균이 아니라 합으로 나누세요.")
def exponentials_by_mean(x):
    return torch.exp(x) / torch.exp(x).mean()


@mistake(hint="Take the exponential first, then divide.", ko="먼저 지수를 취하고 그다음에 나누세요.")
def exponential_of_shares(x):
    return torch.exp(x / x.sum())


@mistake(
    marks="device",
    hint="The base e is a tensor that is made on the CPU; torch.exp needs none.",
    ko="밑 e를 CPU에서 텐서로 만들었습니다. torch.exp에는 필요 없습니다.",
)
def naive_base_on_the_cpu(x):
    powers = torch.full(x.shape, math.e, dtype=x.dtype) ** x
    return powers / powers.sum()
