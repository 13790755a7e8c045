"""What students write instead, and what they may write as well, for each exercise of `simple_attention`.

A wrong variant must lose points in its own exercise; its hint is shown to a student whose answer equals its answer. A
right variant must get full marks, however unusual its style.
"""

import functools
import math

import torch
from torch.nn import functional as F

from grader.course.variants import helper, mistake, right


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


# %% attention_scores_for_query
@mistake(
    "attention_scores_for_query",
    hint="A dot product multiplies feature by feature and then adds the products up; here the adding is missing.",
    ko="내적은 특징끼리 곱한 다음 모두 더합니다. 더하는 단계가 빠졌습니다.",
)
def products_not_added(inputs, query):
    return inputs * query


@mistake(
    "attention_scores_for_query",
    hint="The products are added over the tokens. Add them over the features: one number a token remains.",
    ko="곱을 토큰 방향으로 더했습니다. 토큰마다 숫자 하나가 남도록 특징 방향으로 더하세요.",
)
def added_over_tokens(inputs, query):
    return (inputs * query).sum(dim=0)


@mistake(
    "attention_scores_for_query",
    marks="slip",
    hint="A dot product is the sum of the products, not their mean.",
    ko="내적은 곱의 평균이 아니라 합입니다.",
)
def mean_of_products(inputs, query):
    return (inputs * query).mean(dim=-1)


@mistake(
    "attention_scores_for_query",
    marks="slip",
    hint="The scores are divided by the root of d. This exercise asks for plain dot products; scaling comes later.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적이 필요합니다.",
)
def scaled_scores_for_query(inputs, query):
    return inputs @ query / query.shape[-1] ** 0.5


@mistake(
    "attention_scores_for_query",
    hint="The vectors are brought to length 1 first, which gives the cosine. The plain dot product keeps the lengths.",
    ko="벡터의 길이를 1로 맞추어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosine_for_query(inputs, query):
    return F.cosine_similarity(inputs, query[None], dim=-1)


@mistake(
    "attention_scores_for_query",
    hint="This is a distance between vectors. A score is their dot product.",
    ko="벡터 사이의 거리를 계산했습니다. 점수는 내적입니다.",
)
def distance_for_query(inputs, query):
    return -((inputs - query) ** 2).sum(dim=-1)


@mistake(
    "attention_scores_for_query",
    hint="The result is a column of shape (T, 1). The shape (T,) is asked for.",
    ko="결과가 모양이 (T, 1)인 열입니다. (T,) 모양이 필요합니다.",
)
def column_of_scores(inputs, query):
    return inputs @ query.unsqueeze(-1)


@mistake(
    "attention_scores_for_query",
    hint="These are weights already. The scores are asked for as they are, before any normalisation.",
    ko="이미 가중치로 바꾸었습니다. 정규화하기 전의 점수가 필요합니다.",
)
def scores_already_normalized(inputs, query):
    return torch.softmax(inputs @ query, dim=0)


@mistake(
    "attention_scores_for_query",
    hint="The second token is used as the query, whatever query is given. Use the argument.",
    ko="어떤 쿼리가 주어지든 두 번째 토큰을 쿼리로 씁니다. 인자로 받은 쿼리를 쓰세요.",
)
def second_token_as_query(inputs, query):
    return inputs @ inputs[min(1, len(inputs) - 1)]


@mistake(
    "attention_scores_for_query",
    hint="The scores lose their sign. A negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수인 내적은 음수로 남아야 합니다.",
)
def unsigned_scores(inputs, query):
    return (inputs @ query).abs()


@mistake(
    "attention_scores_for_query",
    hint="The loop stops one token too early, so the last score stays 0.",
    ko="반복문이 한 토큰 일찍 끝나서 마지막 점수가 0으로 남습니다.",
)
def last_token_left_out(inputs, query):
    scores = inputs.new_zeros(len(inputs))
    for index in range(len(inputs) - 1):
        scores[index] = torch.dot(inputs[index], query)
    return scores


@mistake(
    "attention_scores_for_query",
    marks="slip",
    hint="The last feature is left out of the dot product.",
    ko="내적에서 마지막 특징이 빠졌습니다.",
)
def last_feature_left_out(inputs, query):
    return inputs[:, :-1] @ query[:-1]


@mistake(
    "attention_scores_for_query",
    hint="A new tensor is float32 unless you say otherwise, so float64 inputs lose digits. Give it their dtype.",
    ko="새 텐서는 따로 정하지 않으면 float32라서 float64 입력의 정밀도를 잃습니다. 입력의 dtype을 주세요.",
)
def buffer_of_default_dtype(inputs, query):
    scores = torch.empty(inputs.shape[0])
    for index, token in enumerate(inputs):
        scores[index] = torch.dot(token, query)
    return scores


@mistake(
    "attention_scores_for_query",
    hint="The result is built anew from Python numbers, so no gradient reaches the inputs. Compute with tensors.",
    ko="파이썬 숫자로 텐서를 새로 만들어 그래디언트가 입력까지 흐르지 않습니다. 텐서로 계산하세요.",
)
def scores_from_numbers(inputs, query):
    return torch.tensor([torch.dot(token, query).item() for token in inputs], dtype=inputs.dtype)


@mistake(
    "attention_scores_for_query",
    marks="point",
    hint="The result is cut off from the inputs by detach(), so no gradient reaches them.",
    ko="detach()로 결과가 입력과 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_scores_for_query(inputs, query):
    return (inputs @ query).detach()


@mistake(
    "attention_scores_for_query",
    marks="point",
    hint="The products are written into the caller's tokens. Work on a new tensor.",
    ko="곱을 호출한 쪽의 토큰에 덮어썼습니다. 새 텐서로 계산하세요.",
)
def tokens_overwritten(inputs, query):
    inputs *= query
    return inputs.sum(dim=-1)


@mistake(
    "attention_scores_for_query",
    hint="With a single token squeeze() removes the last dimension too. The shape is (T,), also for T = 1.",
    ko="토큰이 하나이면 squeeze()가 남은 차원까지 없앱니다. T = 1이어도 모양은 (T,)입니다.",
)
def squeezed_too_far(inputs, query):
    return (inputs @ query.unsqueeze(-1)).squeeze()


@mistake(
    "attention_scores_for_query",
    hint="The result is a Python list. A tensor is asked for; torch.stack makes one of a list of tensors.",
    ko="결과가 파이썬 리스트입니다. 텐서가 필요합니다. torch.stack으로 리스트를 텐서로 만들 수 있습니다.",
)
def list_of_scores(inputs, query):
    return [torch.dot(token, query) for token in inputs]


@mistake(
    "attention_scores_for_query",
    hint="The number of tokens is written into the code. Take it from the shape of the inputs.",
    ko="토큰의 개수를 코드에 적어 두었습니다. 입력의 모양에서 가져오세요.",
)
def six_scores_always(inputs, query):
    scores = torch.empty(6, dtype=inputs.dtype)
    for index in range(6):
        scores[index] = torch.dot(inputs[index], query)
    return scores


@mistake(
    "attention_scores_for_query",
    hint="The scores are rounded to printed digits. Return them as they are.",
    ko="점수를 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_scores_for_query(inputs, query):
    return torch.round(inputs @ query, decimals=4)


first_scores_for_query_remembered = mistake(
    "attention_scores_for_query",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda inputs, query: inputs @ query))


@mistake(
    "attention_scores_for_query",
    hint="The scores are divided by the length of the query. The plain dot product is asked for.",
    ko="점수를 쿼리의 길이로 나누었습니다. 나누지 않은 내적이 필요합니다.",
)
def divided_by_length_of_query(inputs, query):
    return inputs @ query / query.norm()


@mistake(
    "attention_scores_for_query",
    hint="Every token is compared with every token. Here only the given query asks.",
    ko="모든 토큰을 서로 비교했습니다. 여기서는 주어진 쿼리만 묻습니다.",
)
def all_pairs_for_one_query(inputs, query):
    return inputs @ inputs.T


@mistake(
    "attention_scores_for_query",
    hint="The tokens are transposed, so features meet the query. Tokens are rows already.",
    ko="토큰을 전치해서 특징이 쿼리와 만납니다. 토큰은 이미 행입니다.",
)
def tokens_transposed_for_query(inputs, query):
    return inputs.T @ query


@mistake(
    "attention_scores_for_query",
    marks="trivial",
    hint="Every token is compared with itself, and the query plays no part.",
    ko="토큰을 자기 자신과 비교했고 쿼리는 쓰지 않았습니다.",
)
def tokens_with_themselves(inputs, query):
    return (inputs * inputs).sum(dim=-1)


@mistake(
    "attention_scores_for_query",
    hint="The first token is left out. Every token gets a score.",
    ko="첫 토큰이 빠졌습니다. 모든 토큰에 점수가 있어야 합니다.",
)
def first_token_skipped(inputs, query):
    return inputs[1:] @ query


@mistake(
    "attention_scores_for_query",
    hint="The result is computed, but not returned. Write `return`.",
    ko="결과를 계산하기만 하고 돌려주지 않습니다. `return`을 쓰세요.",
)
def scores_not_returned(inputs, query):
    _scores = inputs @ query


@mistake(
    "attention_scores_for_query",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def scores_by_way_of_float32(inputs, query):
    return (inputs.float() @ query.float()).to(inputs.dtype)


@mistake(
    "attention_scores_for_query",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_every_token(inputs, query):
    return inputs.new_zeros(len(inputs))


@mistake(
    "attention_scores_for_query",
    marks="trivial",
    hint="The query plays no part: these are the sums of each token's features.",
    ko="쿼리를 쓰지 않았습니다. 토큰마다 특징을 더했을 뿐입니다.",
)
def sums_of_features(inputs, query):
    return inputs.sum(dim=-1)


@right("attention_scores_for_query", why="a loop that fills an empty tensor of the right dtype")
def loop_of_dots(inputs, query):
    scores = torch.empty(inputs.shape[0], dtype=inputs.dtype)
    for index, token in enumerate(inputs):
        scores[index] = torch.dot(token, query)
    return scores


@right("attention_scores_for_query", why="a comprehension, stacked")
def stacked_dots(inputs, query):
    return torch.stack([(token * query).sum() for token in inputs])


@right("attention_scores_for_query", why="einsum bound with partial, so that the name is no function")
def einsum_for_query(inputs, query):
    return functools.partial(torch.einsum, "td,d->t")(inputs, query)


partial_of_einsum = right("attention_scores_for_query", why="a partial object")(
    functools.partial(torch.einsum, "td,d->t")
)

lambda_for_query = right("attention_scores_for_query", why="a lambda")(lambda inputs, query: torch.mv(inputs, query))


@right("attention_scores_for_query", why="pure Python sums over the features")
def summed_by_python(inputs, query):
    return sum(inputs[:, feature] * query[feature] for feature in range(len(query)))


@right("attention_scores_for_query", why="other names for the arguments, which are passed by position")
def scores_with_other_names(tokens, q):
    return (tokens * q.unsqueeze(0)).sum(dim=1)


# %% normalize_scores
@mistake(
    "normalize_scores",
    hint="This is the softmax. Here the scores themselves are divided by their sum, without an exponential.",
    ko="소프트맥스를 계산했습니다. 여기서는 지수 함수 없이 점수를 합으로 나눕니다.",
)
def softmax_instead_of_division(scores):
    return torch.softmax(scores, dim=0)


@mistake(
    "normalize_scores",
    hint="The sum is taken of absolute values. Take the sum of the scores with their signs.",
    ko="절댓값의 합으로 나누었습니다. 부호를 그대로 둔 점수의 합으로 나누세요.",
)
def sum_of_absolute_values(scores):
    return scores / scores.abs().sum()


@mistake(
    "normalize_scores",
    marks="slip",
    hint="The scores are divided by the largest one. Divide by their sum.",
    ko="가장 큰 점수로 나누었습니다. 합으로 나누세요.",
)
def divided_by_largest(scores):
    return scores / scores.max()


@mistake(
    "normalize_scores",
    hint="The scores are divided by how many they are. Divide by their sum.",
    ko="점수의 개수로 나누었습니다. 합으로 나누세요.",
)
def divided_by_count(scores):
    return scores / len(scores)


@mistake(
    "normalize_scores",
    hint="The scores are divided by the mean. Divide by their sum.",
    ko="평균으로 나누었습니다. 합으로 나누세요.",
)
def divided_by_mean(scores):
    return scores / scores.mean()


@mistake(
    "normalize_scores",
    marks="slip",
    hint="The scores are divided by their Euclidean length. Divide by their sum.",
    ko="유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def divided_by_length(scores):
    return scores / scores.norm()


@mistake(
    "normalize_scores",
    hint="The scores are moved and stretched to lie between 0 and 1. Only a division by the sum is asked for.",
    ko="점수를 0과 1 사이로 옮겼습니다. 합으로 나누기만 하면 됩니다.",
)
def stretched_to_unit_range(scores):
    return (scores - scores.min()) / (scores.max() - scores.min())


@mistake(
    "normalize_scores",
    marks="slip",
    hint="The smallest score is subtracted first. Divide the scores as they are by their sum.",
    ko="가장 작은 점수를 먼저 뺐습니다. 점수를 그대로 합으로 나누세요.",
)
def smallest_subtracted_first(scores):
    shifted = scores - scores.min()
    return shifted / shifted.sum()


@mistake(
    "normalize_scores",
    hint="Negative scores are set to 0. They keep their sign here.",
    ko="음수 점수를 0으로 바꾸었습니다. 여기서는 부호가 남습니다.",
)
def negative_scores_cut(scores):
    positive = scores.clamp(min=0)
    return positive / positive.sum()


@mistake(
    "normalize_scores",
    hint="A negative sum loses its sign. Divide by the sum as it is.",
    ko="음수인 합의 부호가 사라졌습니다. 합을 그대로 써서 나누세요.",
)
def sign_of_sum_lost(scores):
    return scores / scores.sum().abs()


@mistake(
    "normalize_scores",
    marks="trivial",
    hint="Nothing is divided yet.",
    ko="아직 나누지 않았습니다.",
)
def scores_as_they_are(scores):
    return scores.clone()


@mistake(
    "normalize_scores",
    marks="point",
    hint="The division is written into the caller's scores. Make a new tensor: `a / b` instead of `a /= b`.",
    ko="나눈 값을 호출한 쪽의 점수에 덮어썼습니다. `a /= b` 대신 `a / b`로 새 텐서를 만드세요.",
)
def divided_in_place(scores):
    scores /= scores.sum()
    return scores


@mistake(
    "normalize_scores",
    hint="The sum is turned into a Python number, so the gradient misses the part that runs through it.",
    ko="합을 파이썬 숫자로 바꾸어, 합을 거치는 그래디언트가 빠집니다.",
    twins=("sum_detached",),
)
def sum_as_python_number(scores):
    return scores / scores.sum().item()


@mistake(
    "normalize_scores",
    hint="The sum is detached, so the gradient misses the part that runs through it.",
    ko="합을 detach해서, 합을 거치는 그래디언트가 빠집니다.",
    twins=("sum_as_python_number",),
)
def sum_detached(scores):
    return scores / scores.sum().detach()


@mistake(
    "normalize_scores",
    hint="The scores are turned to float32. Keep the dtype that you are given.",
    ko="점수를 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def shares_in_float32(scores):
    return scores.float() / scores.float().sum()


@mistake(
    "normalize_scores",
    hint="The shares are rounded to printed digits. Return them as they are.",
    ko="나눈 값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_shares(scores):
    return torch.round(scores / scores.sum(), decimals=4)


first_shares_remembered = mistake(
    "normalize_scores",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda scores: scores / scores.sum()))


@mistake(
    "normalize_scores",
    hint="The absolute values are divided. The scores keep their signs, above and below.",
    ko="절댓값을 나누었습니다. 분자와 분모 모두 부호를 그대로 두세요.",
)
def absolute_values_throughout(scores):
    return scores.abs() / scores.abs().sum()


@mistake(
    "normalize_scores",
    hint="The sum is subtracted. Divide by it.",
    ko="합을 뺐습니다. 합으로 나누세요.",
)
def sum_subtracted(scores):
    return scores - scores.sum()


@mistake(
    "normalize_scores",
    hint="The sum is kept from being negative, but it may be: divide by it as it is.",
    ko="합이 음수가 되지 않게 막았습니다. 합은 음수일 수 있으니 그대로 나누세요.",
)
def negative_sum_prevented(scores):
    return scores / scores.sum().clamp(min=1e-9)


@mistake(
    "normalize_scores",
    hint="This is the sum itself. The scores divided by it are asked for.",
    ko="합 자체입니다. 점수를 합으로 나눈 값이 필요합니다.",
)
def sum_alone(scores):
    return scores.sum()


@mistake(
    "normalize_scores",
    hint="The division is the wrong way round: the sum belongs below.",
    ko="나눗셈이 거꾸로입니다. 합이 분모입니다.",
)
def sum_over_scores(scores):
    return scores.sum() / scores


@mistake(
    "normalize_scores",
    hint="The scores are standardised by mean and standard deviation. Only a division by their sum is asked for.",
    ko="평균과 표준편차로 표준화했습니다. 합으로 나누기만 하면 됩니다.",
)
def standardised_scores(scores):
    return (scores - scores.mean()) / scores.std()


@mistake(
    "normalize_scores",
    hint="A number added to the sum changes the shares. Divide by the sum alone.",
    ko="합에 더한 수 때문에 몫이 달라집니다. 합만으로 나누세요.",
)
def constant_added_to_sum(scores):
    return scores / (scores.sum() + 1e-3)


@mistake(
    "normalize_scores",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def shares_by_way_of_float32(scores):
    return (scores.float() / scores.float().sum()).to(scores.dtype)


@mistake(
    "normalize_scores",
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def equal_shares(scores):
    return torch.full_like(scores, 1 / len(scores))


@right("normalize_scores", why="the sum by Python and a division in a comprehension")
def shares_one_by_one(scores):
    total = sum(scores)
    return torch.stack([score / total for score in scores])


@right("normalize_scores", why="torch.div, and a sum that keeps its dimension")
def shares_by_div(scores):
    return torch.div(scores, scores.sum(dim=0, keepdim=True))


@right("normalize_scores", why="in place on its own copy")
def shares_in_own_copy(scores):
    own = scores.clone()
    own /= scores.sum()
    return own


@right("normalize_scores", why="multiplied by the reciprocal")
def times_reciprocal(scores):
    return scores * scores.sum().reciprocal()


# %% softmax_naive
@mistake(
    "softmax_naive",
    marks="slip",
    hint="The exponential is missing: the scores themselves are divided by their sum.",
    ko="지수 함수가 빠졌습니다. 점수를 그대로 합으로 나누었습니다.",
)
def no_exponential(x):
    return x / x.sum()


@mistake(
    "softmax_naive",
    hint="The exponentials are not divided by anything yet, so they do not sum to 1.",
    ko="지수 값을 아직 나누지 않아 합이 1이 아닙니다.",
)
def no_division(x):
    return torch.exp(x)


@mistake(
    "softmax_naive",
    hint="The sum is taken before the exponential. Sum the exponentials instead.",
    ko="합을 먼저 구한 뒤 지수를 취했습니다. 지수 값들을 더하세요.",
)
def exponential_of_the_sum(x):
    return torch.exp(x) / torch.exp(x.sum())


@mistake(
    "softmax_naive",
    hint="The scores are divided by their sum first, and nothing divides the exponentials. Divide those by theirs.",
    ko="점수를 먼저 합으로 나누고 지수는 나누지 않았습니다. 지수 값을 지수 값들의 합으로 나누세요.",
)
def exponentials_of_shares(x):
    return torch.exp(x / x.sum())


@mistake(
    "softmax_naive",
    hint="The denominator is the sum of the scores. It has to be the sum of their exponentials.",
    ko="분모가 점수의 합입니다. 지수 값의 합이어야 합니다.",
)
def divided_by_sum_of_scores(x):
    return torch.exp(x) / x.sum()


@mistake(
    "softmax_naive",
    marks="trivial",
    hint="The sigmoid looks at each score alone. Softmax weights share one sum.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 소프트맥스는 하나의 합을 나눕니다.",
)
def sigmoid_of_each(x):
    return torch.sigmoid(x)


@mistake(
    "softmax_naive",
    hint="Squares make the scores positive, but they are not the exponential: a score and its negative become equal.",
    ko="제곱은 양수를 만들지만 지수 함수가 아닙니다. 부호만 다른 점수가 같아집니다.",
)
def squares_for_exponentials(x):
    return x**2 / (x**2).sum()


@mistake(
    "softmax_naive",
    hint="The exponentials are divided by the largest one. Divide by their sum.",
    ko="가장 큰 지수 값으로 나누었습니다. 합으로 나누세요.",
)
def largest_weight_is_one(x):
    powers = torch.exp(x)
    return powers / powers.max()


@mistake(
    "softmax_naive",
    marks="slip",
    hint="The exponentials are divided by their Euclidean length. Divide by their sum.",
    ko="지수 값을 유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def exponentials_of_length_one(x):
    powers = torch.exp(x)
    return powers / powers.norm()


@mistake(
    "softmax_naive",
    hint="The exponentials are divided by their mean. Divide by their sum.",
    ko="지수 값을 평균으로 나누었습니다. 합으로 나누세요.",
)
def exponentials_over_mean(x):
    powers = torch.exp(x)
    return powers / powers.mean()


@mistake(
    "softmax_naive",
    marks="slip",
    hint="The base is 2. Softmax uses the exponential function, with the base e.",
    ko="밑이 2입니다. 소프트맥스는 밑이 e인 지수 함수를 씁니다.",
)
def powers_of_two(x):
    powers = 2**x
    return powers / powers.sum()


@mistake(
    "softmax_naive",
    marks="slip",
    hint="The sign is turned round, so the smallest score gets the largest weight.",
    ko="부호가 뒤집혀 가장 작은 점수가 가장 큰 가중치를 받습니다.",
)
def sign_turned_round(x):
    powers = torch.exp(-x)
    return powers / powers.sum()


@mistake(
    "softmax_naive",
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def softmax_taken_twice(x):
    once = torch.exp(x) / torch.exp(x).sum()
    return torch.exp(once) / torch.exp(once).sum()


@mistake(
    "softmax_naive",
    hint="All weight goes to the largest score. Softmax leaves every score a share.",
    ko="가장 큰 점수가 가중치를 모두 가져갑니다. 소프트맥스는 모든 점수에 몫을 줍니다.",
)
def winner_takes_all(x):
    return (torch.arange(len(x)) == x.argmax()).to(x.dtype)


@mistake(
    "softmax_naive",
    hint="This is the logarithm of the weights. The weights themselves are asked for.",
    ko="가중치의 로그를 돌려줍니다. 가중치 자체가 필요합니다.",
)
def logarithm_of_weights(x):
    return x - torch.log(torch.exp(x).sum())


@mistake(
    "softmax_naive",
    hint="The largest value is subtracted after the exponential. If you shift at all, shift the scores before it.",
    ko="지수 뒤에 최댓값을 뺐습니다. 빼려면 지수를 취하기 전에 점수에서 빼세요.",
)
def shifted_after_exponential(x):
    powers = torch.exp(x)
    shifted = powers - powers.min()
    return shifted / shifted.sum()


@mistake(
    "softmax_naive",
    marks="library",
    hint="The library does the work here. This exercise asks you to write the softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 소프트맥스를 직접 쓰세요.",
)
def library_softmax(x):
    return torch.softmax(x, dim=0)


@mistake(
    "softmax_naive",
    marks="library",
    hint="The tensor's own softmax method does the work here. This exercise asks you to write it yourself.",
    ko="텐서의 softmax 메서드가 계산했습니다. 이 문제에서는 직접 쓰세요.",
)
def library_softmax_method(x):
    return x.softmax(-1)


@mistake(
    "softmax_naive",
    marks="library",
    hint="logsumexp is the softmax's denominator ready made. This exercise asks you to write it yourself.",
    ko="logsumexp는 소프트맥스의 분모를 그대로 줍니다. 이 문제에서는 직접 쓰세요.",
)
def library_logsumexp(x):
    return torch.exp(x - torch.logsumexp(x, dim=0))


@mistake(
    "softmax_naive",
    marks="point",
    hint="The exponentials are written into the caller's scores. Make a new tensor: exp() instead of exp_().",
    ko="지수 값을 호출한 쪽의 점수에 덮어썼습니다. exp_() 대신 exp()로 새 텐서를 만드세요.",
)
def exponentials_in_place(x):
    x.exp_()
    return x / x.sum()


@mistake(
    "softmax_naive",
    marks="point",
    hint="The exponentials are made of Python numbers, so no gradient reaches the scores. Use torch.exp.",
    ko="파이썬 숫자로 지수를 계산해 그래디언트가 점수까지 흐르지 않습니다. torch.exp를 쓰세요.",
)
def exponentials_by_math(x):
    powers = torch.tensor([math.exp(score) for score in x.tolist()], dtype=x.dtype)
    return powers / powers.sum()


@mistake(
    "softmax_naive",
    hint="The weights stay in float64. Turn them back to the dtype that you were given.",
    ko="가중치가 float64로 남았습니다. 받은 dtype으로 되돌리세요.",
)
def weights_stay_in_float64(x):
    powers = x.double().exp()
    return powers / powers.sum()


@mistake(
    "softmax_naive",
    hint="With a single score squeeze() removes the only dimension. The shape (T,) is asked for, also for T = 1.",
    ko="점수가 하나이면 squeeze()가 하나뿐인 차원까지 없앱니다. T = 1이어도 모양은 (T,)입니다.",
)
def naive_weights_squeezed(x):
    powers = torch.exp(x.unsqueeze(0))
    return (powers / powers.sum(dim=1, keepdim=True)).squeeze()


@mistake(
    "softmax_naive",
    hint="The weights are rounded to printed digits. Return them as they are.",
    ko="가중치를 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_naive_weights(x):
    return torch.round(torch.exp(x) / torch.exp(x).sum(), decimals=4)


first_naive_weights_remembered = mistake(
    "softmax_naive",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda x: torch.exp(x) / torch.exp(x).sum()))


@mistake(
    "softmax_naive",
    hint="This is exp(x) - 1 (expm1). The exponential itself is asked for.",
    ko="exp(x) - 1(expm1)을 썼습니다. 지수 함수 자체가 필요합니다.",
)
def exponentials_minus_one(x):
    return torch.expm1(x) / torch.expm1(x).sum()


@mistake(
    "softmax_naive",
    hint="The scores lose their sign. A negative score has a small weight, not a large one.",
    ko="점수의 부호가 사라졌습니다. 음수 점수의 가중치는 작아야 합니다.",
)
def exponentials_of_absolute_values(x):
    return x.abs().exp() / x.abs().exp().sum()


@mistake(
    "softmax_naive",
    hint="The base is 10. Softmax uses the exponential function, with the base e.",
    ko="밑이 10입니다. 소프트맥스는 밑이 e인 지수 함수를 씁니다.",
)
def powers_of_ten(x):
    return 10**x / (10**x).sum()


@mistake(
    "softmax_naive",
    hint="The base is 2.718, which is only nearly e. Use torch.exp.",
    ko="밑으로 쓴 2.718은 e와 조금 다릅니다. torch.exp를 쓰세요.",
)
def powers_of_nearly_e(x):
    return 2.718**x / (2.718**x).sum()


@mistake(
    "softmax_naive",
    hint="A 1 is added to the sum, so the weights sum to less than 1.",
    ko="분모에 1을 더해서 가중치의 합이 1보다 작습니다.",
)
def one_added_to_sum(x):
    return x.exp() / (1 + x.exp().sum())


@mistake(
    "softmax_naive",
    hint="A number added to the sum changes the weights. Divide by the sum alone.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 합만으로 나누세요.",
)
def constant_added_to_exponentials(x):
    return x.exp() / (x.exp().sum() + 1e-3)


@mistake(
    "softmax_naive",
    hint="Scores beyond 5 are cut off before the exponential, though they are moderate. Take them as they are.",
    ko="5를 넘는 점수를 지수 함수 전에 잘랐습니다. 크지 않은 점수이니 그대로 쓰세요.",
)
def moderate_scores_cut_off(x):
    return x.clamp(-5, 5).exp() / x.clamp(-5, 5).exp().sum()


@mistake(
    "softmax_naive",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def naive_by_way_of_float32(x):
    powers = x.float().exp()
    return (powers / powers.sum()).to(x.dtype)


@mistake(
    "softmax_naive",
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def naive_in_equal_shares(x):
    return torch.full_like(x, 1 / len(x))


@mistake("softmax_naive", marks="trivial", hint="The scores come back as they are.", ko="점수가 그대로 돌아옵니다.")
def scores_handed_back(x):
    return x.clone()


@right("softmax_naive", why="the library's function stands in a branch that never runs")
def naive_with_a_flag(x):
    def weights(by_library):
        if by_library:
            return torch.softmax(x, dim=0)
        powers = torch.exp(x)
        return powers / powers.sum()

    return weights(by_library=False)


@right("softmax_naive", why="the shift by the largest score is allowed, only not asked for")
def shifted_by_largest(x):
    powers = torch.exp(x - x.max())
    return powers / powers.sum()


@right("softmax_naive", why="the exponential of a difference of logarithms")
def difference_of_logarithms(x):
    return torch.exp(x - torch.log(torch.sum(torch.exp(x))))


@right("softmax_naive", why="a power of e, and Python's sum")
def power_of_e(x):
    powers = [math.e**score for score in x]
    return torch.stack([power / sum(powers) for power in powers])


@right("softmax_naive", why="float64 inside, the dtype given back")
def naive_in_float64(x):
    powers = x.double().exp()
    return (powers / powers.sum()).to(x.dtype)


@right("softmax_naive", why="prints, and a nested function that is called softmax")
def chatty_softmax(x):
    def softmax(scores):
        print("scores", scores)
        return scores.exp() / scores.exp().sum()

    weights = softmax(x)
    print("weights", weights)
    return weights


# %% softmax_stable
@mistake(
    "softmax_stable",
    hint="`dim` is ignored: the softmax always runs along the last dimension.",
    ko="`dim`을 무시하고 항상 마지막 차원을 따라 계산합니다.",
)
def dim_ignored(x, dim=-1):
    powers = (x - x.amax(dim=-1, keepdim=True)).exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The softmax always runs along dimension 0. Use `dim`, which is the last dimension if nothing is given.",
    ko="항상 0번 차원을 따라 계산합니다. `dim`을 쓰세요. 주어지지 않으면 마지막 차원입니다.",
)
def always_first_dimension(x, dim=-1):
    powers = (x - x.amax(dim=0, keepdim=True)).exp()
    return powers / powers.sum(dim=0, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The default of `dim` is another one than the signature's: without `dim` the last dimension counts.",
    ko="`dim`의 기본값이 주어진 시그니처와 다릅니다. `dim`이 없으면 마지막 차원입니다.",
)
def dimension_one_by_default(x, dim=1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The default of `dim` is the first dimension; without `dim` the last one counts.",
    ko="`dim`의 기본값이 첫 차원입니다. `dim`이 없으면 마지막 차원입니다.",
)
def first_dimension_by_default(x, dim=0):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The sum loses its dimension, so each entry is divided by the sum of another row. Keep it with keepdim=True.",
    ko="합에서 차원이 사라져 다른 행의 합으로 나눕니다. keepdim=True로 차원을 남기세요.",
)
def sum_without_keepdim(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim)


@mistake(
    "softmax_stable",
    hint="The maximum loses its dimension, so it is subtracted from other rows. Keep it with keepdim=True.",
    ko="최댓값에서 차원이 사라져 다른 행에서 뺍니다. keepdim=True로 차원을 남기세요.",
)
def maximum_without_keepdim(x, dim=-1):
    powers = (x - x.amax(dim=dim)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    marks="point",
    hint="Large scores overflow in the exponential, and infinity over infinity is NaN. Shift the scores first.",
    ko="큰 점수에서 지수가 넘쳐 무한대/무한대, 곧 NaN이 됩니다. 먼저 점수를 옮기세요.",
)
def still_naive(x, dim=-1):
    powers = torch.exp(x)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="Float64 only moves the overflow: exp(800) is infinite there too. Shift the scores first.",
    ko="float64는 넘침을 뒤로 미룰 뿐입니다. 거기서도 exp(800)은 무한대입니다. 먼저 점수를 옮기세요.",
)
def naive_in_double(x, dim=-1):
    powers = torch.exp(x.double())
    return (powers / powers.sum(dim=dim, keepdim=True)).to(x.dtype)


@mistake(
    "softmax_stable",
    hint="One maximum is taken of the whole tensor. Rows far below it vanish; take the maximum of each row.",
    ko="텐서 전체의 최댓값 하나를 썼습니다. 그보다 훨씬 작은 행은 사라집니다. 행마다 최댓값을 구하세요.",
)
def maximum_of_everything(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="Adding a small number hides that rows far below the overall maximum vanish. Use each row's maximum.",
    ko="분모에 더한 작은 수가, 전체 최댓값보다 훨씬 작은 행이 사라지는 것을 감춥니다. 행마다 최댓값을 쓰세요.",
)
def vanishing_rows_hidden(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-9)


@mistake(
    "softmax_stable",
    hint="The mean is subtracted. Where scores lie far apart, the largest still overflows.",
    ko="평균을 뺐습니다. 점수가 멀리 흩어져 있으면 가장 큰 점수가 여전히 넘칩니다.",
)
def mean_subtracted(x, dim=-1):
    powers = (x - x.mean(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The minimum is subtracted. Where scores lie far apart, the largest still overflows.",
    ko="최솟값을 뺐습니다. 점수가 멀리 흩어져 있으면 가장 큰 점수가 여전히 넘칩니다.",
)
def minimum_subtracted(x, dim=-1):
    powers = (x - x.amin(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The scores are cut off at a limit, so different large scores get the same weight. Shift them instead.",
    ko="점수를 한계에서 잘라 서로 다른 큰 점수가 같은 가중치를 받습니다. 자르지 말고 옮기세요.",
)
def large_scores_cut_off(x, dim=-1):
    powers = x.clamp(-80, 80).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The largest absolute value is subtracted. A row of negative scores then vanishes; take the largest score.",
    ko="가장 큰 절댓값을 뺐습니다. 음수 점수뿐인 행은 사라집니다. 가장 큰 점수를 쓰세요.",
)
def largest_absolute_value_subtracted(x, dim=-1):
    powers = (x - x.abs().amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The scores are divided by the largest one, which changes the weights. A shift does not; a division does.",
    ko="점수를 가장 큰 값으로 나누어 가중치가 달라집니다. 빼는 것은 괜찮지만 나누는 것은 안 됩니다.",
)
def divided_by_largest_score(x, dim=-1):
    powers = (x / x.abs().amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="NaN is replaced after the fact, so the largest scores end with the weight 0. Keep it from arising.",
    ko="NaN을 나중에 바꾸어 가장 큰 점수의 가중치가 0이 됩니다. NaN이 생기지 않게 하세요.",
)
def nan_replaced_afterwards(x, dim=-1):
    powers = torch.exp(x)
    return torch.nan_to_num(powers / powers.sum(dim=dim, keepdim=True))


@mistake(
    "softmax_stable",
    hint="The maximum is subtracted from the exponentials. Subtract it from the scores, before the exponential.",
    ko="지수 값에서 최댓값을 뺐습니다. 지수를 취하기 전에 점수에서 빼세요.",
)
def maximum_subtracted_too_late(x, dim=-1):
    powers = torch.exp(x)
    powers = powers - powers.amax(dim=dim, keepdim=True)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The maximum is always taken along dimension 0, so a row is shifted unevenly. Take it along `dim`.",
    ko="최댓값을 항상 0번 차원을 따라 구해 한 행이 서로 다른 수만큼 옮겨집니다. `dim`을 따라 구하세요.",
)
def maximum_along_first_dimension(x, dim=-1):
    powers = (x - x.amax(dim=0, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="All entries together sum to 1. Each row along `dim` has to.",
    ko="전체의 합이 1입니다. `dim`을 따라 각 행의 합이 1이어야 합니다.",
)
def whole_tensor_sums_to_one(x, dim=-1):
    powers = (x - x.max()).exp()
    return powers / powers.sum()


@mistake(
    "softmax_stable",
    hint="-inf is turned into 0, so a hidden entry takes part again. Its weight has to be 0.",
    ko="-inf를 0으로 바꾸어 가려진 자리가 다시 끼어듭니다. 그 자리의 가중치는 0이어야 합니다.",
)
def minus_infinity_becomes_zero(x, dim=-1):
    x = torch.where(torch.isinf(x), torch.zeros_like(x), x)
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    marks="point",
    hint="The scores of the caller are shifted as well: `x -= ...` works in place. Make a new tensor.",
    ko="`x -= ...`는 호출한 쪽의 점수까지 바꿉니다. 새 텐서를 만드세요.",
)
def shifted_in_place(x, dim=-1):
    x -= x.amax(dim=dim, keepdim=True)
    powers = x.exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    marks="library",
    hint="The library does the work here. This exercise asks you to write the stable softmax yourself.",
    ko="라이브러리가 계산했습니다. 이 문제에서는 안정적인 소프트맥스를 직접 쓰세요.",
)
def library_softmax_along_dim(x, dim=-1):
    return F.softmax(x, dim=dim)


@mistake(
    "softmax_stable",
    marks="library",
    hint="log_softmax is the softmax in another dress. This exercise asks you to write it yourself.",
    ko="log_softmax도 소프트맥스입니다. 이 문제에서는 직접 쓰세요.",
)
def library_log_softmax(x, dim=-1):
    return torch.log_softmax(x, dim=dim).exp()


@mistake(
    "softmax_stable",
    marks="library",
    hint="logsumexp does the stable part for you. This exercise asks you to write it yourself.",
    ko="logsumexp가 안정적인 계산을 대신합니다. 이 문제에서는 직접 쓰세요.",
)
def library_logsumexp_along_dim(x, dim=-1):
    return torch.exp(x - torch.logsumexp(x, dim=dim, keepdim=True))


@mistake(
    "softmax_stable",
    marks="library",
    hint="softmin of the negated scores is the library's softmax. This exercise asks you to write it yourself.",
    ko="부호를 바꾼 softmin은 라이브러리의 소프트맥스입니다. 이 문제에서는 직접 쓰세요.",
)
def library_softmin(x, dim=-1):
    return F.softmin(-x, dim=dim)


@mistake(
    "softmax_stable",
    marks="point",
    hint="The result is cut off from the scores by detach(), so no gradient reaches them.",
    ko="detach()로 결과가 점수와 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_stable_softmax(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return (powers / powers.sum(dim=dim, keepdim=True)).detach()


@mistake(
    "softmax_stable",
    hint="The weights are turned to float32. Keep the dtype that you are given.",
    ko="가중치를 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def stable_in_float32(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).float().exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="squeeze() removes every dimension of size 1, also those of the scores. The shape has to stay.",
    ko="squeeze()는 점수에 원래 있던 크기 1인 차원까지 모두 없앱니다. 모양이 그대로여야 합니다.",
)
def stable_weights_squeezed(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return (powers / powers.sum(dim=dim, keepdim=True)).squeeze()


@mistake(
    "softmax_stable",
    hint="-inf is replaced in the scores of the caller. Make a new tensor: masked_fill instead of masked_fill_.",
    ko="호출한 쪽의 점수에 있는 -inf를 덮어썼습니다. masked_fill_ 대신 masked_fill로 새 텐서를 만드세요.",
)
def minus_infinity_overwritten(x, dim=-1):
    with torch.no_grad():
        x.masked_fill_(torch.isneginf(x), -1e30)
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


@helper
def stable_weights(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / powers.sum(dim=dim, keepdim=True)


first_stable_weights_remembered = mistake(
    "softmax_stable",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(stable_weights))


@mistake(
    "softmax_stable",
    hint="The sum runs along the last dimension whatever `dim` says. Take it along `dim`.",
    ko="`dim`과 상관없이 합을 마지막 차원을 따라 구했습니다. `dim`을 따라 구하세요.",
)
def sum_along_last_dimension(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The maximum is taken along the last dimension whatever `dim` says, so a row along `dim` is shifted unevenly.",
    ko="`dim`과 상관없이 최댓값을 마지막 차원을 따라 구했습니다. `dim` 방향의 값들이 서로 다르게 옮겨집니다.",
)
def maximum_along_last_dimension(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=-1, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="unsqueeze(-1) puts the reduced dimension back at the end, also where `dim` is another one. Use keepdim=True.",
    ko="`dim`이 다른 차원이어도 unsqueeze(-1)이 줄어든 차원을 맨 뒤에 되돌립니다. keepdim=True를 쓰세요.",
)
def reduced_dimension_put_last(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim).unsqueeze(-1))
    return powers / powers.sum(dim=dim).unsqueeze(-1)


@mistake(
    "softmax_stable",
    marks="slip",
    hint="A number added to the sum changes the weights. The largest entry is exp(0) = 1, so the sum is never 0.",
    ko="합에 더한 수 때문에 가중치가 달라집니다. 가장 큰 값이 exp(0) = 1이므로 합은 0이 되지 않습니다.",
)
def constant_added_to_stable_sum(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-3)


@mistake(
    "softmax_stable",
    hint="The exponentials are computed in half precision and lose digits. Stay in the dtype of the scores.",
    ko="지수 함수를 반정밀도로 계산해 자릿수를 잃었습니다. 점수의 dtype을 유지하세요.",
)
def exponentials_in_half(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).half()).to(x.dtype)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="-inf is replaced by -100000, but scores may be that low themselves. Its weight has to be exactly 0.",
    ko="-inf를 -100000으로 바꾸었지만 점수 자체가 그만큼 작을 수 있습니다. 그 가중치는 정확히 0이어야 합니다.",
)
def minus_infinity_becomes_a_number(x, dim=-1):
    finite = x.masked_fill(torch.isinf(x), -1e5)
    powers = torch.exp(finite - finite.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The shifted scores are cut off from below, so a score of -inf gets a weight. After the shift nothing overflows.",
    ko="옮긴 점수를 아래에서 잘라서 -inf인 점수도 가중치를 얻습니다. 옮긴 뒤에는 넘치지 않습니다.",
)
def shifted_scores_cut_below(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).clamp(min=-80))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The shifted scores are cut off from below at a moderate number, which changes small weights.",
    ko="옮긴 점수를 크지 않은 수에서 잘라 작은 가중치가 달라집니다.",
)
def shifted_scores_cut_early(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)).clamp(min=-20))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    marks="slip",
    hint="The scores are divided by the root of the row's length. A shift changes no weight, a division does.",
    ko="점수를 행 길이의 제곱근으로 나누었습니다. 옮기는 것은 가중치를 바꾸지 않지만 나누면 바뀝니다.",
)
def stable_scores_scaled(x, dim=-1):
    powers = torch.exp((x - x.amax(dim=dim, keepdim=True)) / x.shape[dim] ** 0.5)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="This is the logarithm of the weights. The weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def logarithm_of_stable_weights(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return torch.log(powers / powers.sum(dim=dim, keepdim=True))


@mistake(
    "softmax_stable",
    hint="The exponentials are divided by their Euclidean length. Divide by their sum.",
    ko="지수 함수 값을 유클리드 길이로 나누었습니다. 합으로 나누세요.",
)
def stable_weights_of_length_one(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.norm(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The exponentials are not divided by their sum yet: every row's largest entry is 1.",
    ko="지수 함수 값을 아직 합으로 나누지 않았습니다. 행마다 가장 큰 값이 1입니다.",
)
def stable_without_division(x, dim=-1):
    return torch.exp(x - x.amax(dim=dim, keepdim=True))


@mistake(
    "softmax_stable",
    hint="The sigmoid stands where the exponential belongs.",
    ko="지수 함수가 있어야 할 곳에 시그모이드가 있습니다.",
)
def sigmoid_in_the_stable_form(x, dim=-1):
    powers = torch.sigmoid(x - x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def stable_softmax_twice(x, dim=-1):
    powers = torch.exp(x - x.amax(dim=dim, keepdim=True))
    again = torch.exp(powers / powers.sum(dim=dim, keepdim=True))
    return again / again.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="`max` along a dimension gives two things, values and indices. Subtract the values alone (or use amax).",
    ko="차원을 따라 구한 `max`는 값과 위치 두 가지를 줍니다. 값만 빼거나 amax를 쓰세요.",
)
def values_and_indices_subtracted(x, dim=-1):
    powers = torch.exp(x - x.max(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="A fixed number is subtracted, which fits some scores only. Subtract each row's own maximum.",
    ko="정해진 수를 뺐으므로 일부 점수에만 맞습니다. 행마다 그 최댓값을 빼세요.",
)
def fixed_number_subtracted(x, dim=-1):
    powers = torch.exp(x - 100)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The scores are divided by the row's maximum. Subtract it: a shift changes no weight, a division does.",
    ko="점수를 행의 최댓값으로 나누었습니다. 빼세요. 옮기는 것은 가중치를 바꾸지 않지만 나누면 바뀝니다.",
)
def divided_by_signed_maximum(x, dim=-1):
    powers = torch.exp(x / x.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The scores are turned to float32 before anything else, so float64 scores lose digits.",
    ko="처음부터 점수를 float32로 바꾸어 float64 점수의 자릿수가 사라집니다.",
)
def stable_scores_in_float32(x, dim=-1):
    powers = torch.exp(x.float() - x.float().amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="The scores are cut off at a limit that is only higher. Subtract the maximum instead; then none is needed.",
    ko="한계를 높였을 뿐 점수를 잘라 냅니다. 대신 최댓값을 빼면 한계가 필요 없습니다.",
)
def scores_cut_off_far_out(x, dim=-1):
    bounded = x.clamp(-20000, 20000)
    powers = torch.exp(bounded - bounded.amax(dim=dim, keepdim=True)) * (x > -torch.inf)
    return powers / powers.sum(dim=dim, keepdim=True)


@mistake(
    "softmax_stable",
    hint="Along another dimension than the last the result is cut off from the scores: its turned copy keeps no graph.",
    ko="마지막이 아닌 차원에서는 결과가 점수와 끊어집니다. 옮긴 사본에 계산 그래프가 없습니다.",
)
def cut_off_along_other_dimensions(x, dim=-1):
    last = dim in (-1, x.dim() - 1)
    turned = x if last else x.detach().transpose(dim, -1)
    powers = torch.exp(turned - turned.amax(dim=-1, keepdim=True))
    weights = powers / powers.sum(dim=-1, keepdim=True)
    return weights if last else weights.transpose(dim, -1)


@mistake(
    "softmax_stable",
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def stable_in_equal_shares(x, dim=-1):
    return torch.full_like(x, 1 / x.shape[dim])


@mistake(
    "softmax_stable",
    marks="trivial",
    hint="Every score is looked at alone: nothing is divided by a sum.",
    ko="점수를 하나씩만 보았습니다. 합으로 나누지 않았습니다.",
)
def exponentials_alone(x, dim=-1):
    return x.exp()


@right("softmax_stable", why="max().values, detached: the shift cancels, so its gradient does too")
def detached_maximum(x, dim=-1):
    powers = torch.exp(x - x.detach().max(dim=dim, keepdim=True).values)
    return powers / powers.sum(dim=dim, keepdim=True)


@right("softmax_stable", why="the logarithm of the sum, written out, subtracted after the shift")
def logarithm_written_out(x, dim=-1):
    shifted = x - x.amax(dim=dim, keepdim=True)
    return torch.exp(shifted - shifted.exp().sum(dim=dim, keepdim=True).log())


@right("softmax_stable", why="the whole logarithm of the sum at once, which costs digits at large scores")
def logarithm_at_once(x, dim=-1):
    largest = x.amax(dim=dim, keepdim=True)
    return torch.exp(x - (largest + (x - largest).exp().sum(dim=dim, keepdim=True).log()))


@right("softmax_stable", why="the dimension moved to the end and back")
def dimension_moved(x, dim=-1):
    rows = x.movedim(dim, -1)
    powers = torch.exp(rows - rows.max(-1, keepdim=True)[0])
    return (powers / powers.sum(-1, keepdim=True)).movedim(-1, dim)


@right("softmax_stable", why="unsqueeze instead of keepdim")
def unsqueezed_by_hand(x, dim=-1):
    powers = (x - torch.amax(x, dim).unsqueeze(dim)).exp()
    return powers / powers.sum(dim).unsqueeze(dim)


@right("softmax_stable", why="a tiny number in the denominator, far below what is measured")
def tiny_number_in_denominator(x, dim=-1):
    powers = (x - x.amax(dim=dim, keepdim=True)).exp()
    return powers / (powers.sum(dim=dim, keepdim=True) + 1e-12)


@right("softmax_stable", why="-inf replaced by -1e9 before, float64 inside, in place on its own tensors")
def minus_one_billion(x, dim=-1):
    own = x.to(torch.float64).masked_fill(x == -math.inf, -1e9)
    own = own - own.amax(dim=dim, keepdim=True)
    powers = own.exp()
    powers = powers / powers.sum(dim=dim, keepdim=True)
    return powers.to(x.dtype)


@right("softmax_stable", why="-inf replaced in place in its own copy")
def minus_infinity_in_own_copy(x, dim=-1):
    own = x.clone()
    own[torch.isneginf(x)] = torch.finfo(x.dtype).min / 2
    powers = torch.exp(own - own.amax(dim=dim, keepdim=True))
    return powers / powers.sum(dim=dim, keepdim=True)


@right("softmax_stable", why="torch.where for the entries of -inf")
def where_for_infinity(x, dim=-1):
    largest = x.amax(dim=dim, keepdim=True)
    powers = torch.where(torch.isneginf(x), torch.zeros_like(x), torch.exp(x - largest))
    return powers.div(powers.sum(dim=dim, keepdim=True))


@right("softmax_stable", why="one row after the other in a loop over slices")
def loop_over_rows(x, dim=-1):
    rows = x.movedim(dim, -1)
    flat = rows.reshape(-1, rows.shape[-1])
    done = [torch.exp(row - row.max()) / torch.exp(row - row.max()).sum() for row in flat]
    return torch.stack(done).reshape(rows.shape).movedim(-1, dim)


# %% context_vector
@mistake(
    "context_vector",
    marks="trivial",
    hint="This is the sum of all tokens; each of them has to be multiplied by its own weight first.",
    ko="모든 토큰의 합입니다. 더하기 전에 토큰마다 자기 가중치를 곱해야 합니다.",
)
def weights_ignored(weights, inputs):
    return inputs.sum(dim=0)


@mistake(
    "context_vector",
    hint="This is the mean of all tokens; each of them has to be multiplied by its own weight, and nothing divided.",
    ko="모든 토큰의 평균입니다. 토큰마다 자기 가중치를 곱해 더하고, 나누지는 않습니다.",
)
def plain_mean_of_tokens(weights, inputs):
    return inputs.mean(dim=0)


@mistake(
    "context_vector",
    hint="The weighted tokens are not added up yet: one row a token remains.",
    ko="가중치를 곱한 토큰들을 아직 더하지 않아 토큰마다 한 행이 남아 있습니다.",
)
def weighted_tokens_not_added(weights, inputs):
    return weights.unsqueeze(-1) * inputs


@mistake(
    "context_vector",
    hint="The sum runs over the features. Sum over the tokens, so that d numbers remain.",
    ko="특징 방향으로 더했습니다. 숫자 d개가 남도록 토큰 방향으로 더하세요.",
)
def added_over_features(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).sum(dim=1)


@mistake(
    "context_vector",
    hint="The weights line up with the features. Give them the shape (T, 1), so that they meet the tokens.",
    ko="가중치가 토큰이 아니라 특징에 맞추어 곱해집니다. (T, 1) 모양으로 바꾸거나 행렬곱을 쓰세요.",
)
def weights_along_features(weights, inputs):
    return (weights * inputs).sum(dim=0)


@mistake(
    "context_vector",
    hint="The product is the wrong way round: it multiplies the features by the weights.",
    ko="곱의 순서가 뒤바뀌어 특징에 가중치를 곱합니다.",
)
def product_turned_round(weights, inputs):
    return inputs @ weights


@mistake(
    "context_vector",
    marks="slip",
    hint="The weights are divided by their sum first. Use them as they are given.",
    ko="가중치를 먼저 그 합으로 나누었습니다. 주어진 그대로 쓰세요.",
)
def weights_divided_again(weights, inputs):
    return (weights / weights.sum()) @ inputs


@mistake(
    "context_vector",
    marks="slip",
    hint="A softmax is taken of the weights. They are weights already; use them as they are given.",
    ko="가중치에 소프트맥스를 적용했습니다. 이미 가중치이니 그대로 쓰세요.",
)
def softmax_of_weights(weights, inputs):
    return torch.softmax(weights, dim=0) @ inputs


@mistake(
    "context_vector",
    marks="slip",
    hint="The mean of the weighted tokens is taken. Their sum is asked for.",
    ko="가중치를 곱한 토큰의 평균을 구했습니다. 합이 필요합니다.",
)
def mean_of_weighted_tokens(weights, inputs):
    return (weights.unsqueeze(-1) * inputs).mean(dim=0)


@mistake(
    "context_vector",
    hint="Only the token with the largest weight is returned. Every token takes part.",
    ko="가중치가 가장 큰 토큰만 돌려줍니다. 모든 토큰이 참여해야 합니다.",
)
def heaviest_token_only(weights, inputs):
    return inputs[weights.argmax()].clone()


@mistake(
    "context_vector",
    hint="In the loop each token replaces the one before. Add it instead: += where there is =.",
    ko="반복문에서 토큰이 앞의 값을 덮어씁니다. = 대신 +=로 더하세요.",
)
def replaced_in_the_loop(weights, inputs):
    result = torch.zeros_like(inputs[0])
    for weight, token in zip(weights, inputs, strict=True):
        result = weight * token
    return result


@mistake(
    "context_vector",
    hint="The result has the shape (1, d). The shape (d,) is asked for.",
    ko="결과의 모양이 (1, d)입니다. (d,) 모양이 필요합니다.",
)
def context_as_a_row(weights, inputs):
    return weights.unsqueeze(0) @ inputs


@mistake(
    "context_vector",
    hint="Negative weights lose their sign. Use them as they are given.",
    ko="음수 가중치의 부호가 사라졌습니다. 주어진 그대로 쓰세요.",
)
def unsigned_weights(weights, inputs):
    return weights.abs() @ inputs


@mistake(
    "context_vector",
    hint="The zeros that the loop starts from are float32. Give them the dtype of the inputs.",
    ko="반복문이 시작하는 0 텐서가 float32입니다. 입력의 dtype을 주세요.",
)
def zeros_of_default_dtype(weights, inputs):
    result = torch.zeros(inputs.shape[1])
    for weight, token in zip(weights, inputs, strict=True):
        result += weight * token
    return result


@mistake(
    "context_vector",
    marks="point",
    hint="The caller's tokens are multiplied in place. Make a new tensor.",
    ko="호출한 쪽의 토큰에 곱을 덮어썼습니다. 새 텐서를 만드세요.",
)
def tokens_weighted_in_place(weights, inputs):
    inputs *= weights.unsqueeze(-1)
    return inputs.sum(dim=0)


@mistake(
    "context_vector",
    marks="point",
    hint="The weights are turned into Python numbers, so no gradient reaches them.",
    ko="가중치를 파이썬 숫자로 바꾸어 그래디언트가 가중치까지 흐르지 않습니다.",
)
def weights_as_python_numbers(weights, inputs):
    return sum(weight * token for weight, token in zip(weights.tolist(), inputs, strict=True))


@mistake(
    "context_vector",
    hint="With a single feature squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="특징이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def context_squeezed(weights, inputs):
    return (weights.unsqueeze(0) @ inputs).squeeze()


@mistake(
    "context_vector",
    hint="The numbers of tokens and features are written into the code. Take them from the shape of the inputs.",
    ko="토큰과 특징의 개수를 코드에 적어 두었습니다. 입력의 모양에서 가져오세요.",
)
def six_tokens_of_three_features(weights, inputs):
    result = torch.zeros(3, dtype=inputs.dtype)
    for index in range(6):
        result += weights[index] * inputs[index]
    return result


@mistake(
    "context_vector",
    hint="The numbers are rounded to printed digits. Return them as they are.",
    ko="값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_context(weights, inputs):
    return torch.round(weights @ inputs, decimals=4)


first_context_remembered = mistake(
    "context_vector",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda weights, inputs: weights @ inputs))


@helper
class Total:
    """A sum that lives longer than a call."""

    def __init__(self):
        self.sums = {}

    def __call__(self, weights, inputs):
        key = (inputs.shape[1:], inputs.dtype)
        self.sums[key] = self.sums.get(key, 0) + weights @ inputs
        return self.sums[key]


sum_never_reset = mistake(
    "context_vector",
    hint="The sum goes on where the last call ended. Start from zeros in every call, inside of the function.",
    ko="앞선 호출의 합에 이어서 더합니다. 함수 안에서 호출할 때마다 0에서 시작하세요.",
    twins=("changing_result",),
)(Total())


@mistake(
    "context_vector",
    hint="Negative weights are set to 0. Use them as they are given.",
    ko="음수 가중치를 0으로 바꾸었습니다. 주어진 그대로 쓰세요.",
)
def negative_weights_cut(weights, inputs):
    return weights.relu() @ inputs


@mistake(
    "context_vector",
    hint="The last token is left out of the sum.",
    ko="합에서 마지막 토큰이 빠졌습니다.",
)
def last_token_not_mixed(weights, inputs):
    return weights[:-1] @ inputs[:-1]


@mistake(
    "context_vector",
    hint="The largest of the weighted tokens is taken for every feature. Add the weighted tokens up.",
    ko="특징마다 가중치를 곱한 토큰 가운데 최댓값을 골랐습니다. 모두 더하세요.",
)
def largest_weighted_token(weights, inputs):
    return (weights[:, None] * inputs).max(dim=0).values


@mistake(
    "context_vector",
    hint="The weights stand in reverse order: weight i belongs to token i.",
    ko="가중치의 순서가 거꾸로입니다. i번째 가중치는 i번째 토큰의 것입니다.",
)
def weights_reversed(weights, inputs):
    return weights.flip(0) @ inputs


@mistake(
    "context_vector",
    hint="The partial sums are all returned. Only the whole sum, (d,), is asked for.",
    ko="중간 합까지 모두 돌려줍니다. 전체 합 (d,)만 필요합니다.",
)
def running_sums(weights, inputs):
    return (weights[:, None] * inputs).cumsum(dim=0)


@mistake(
    "context_vector",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_the_mixture(weights, inputs):
    return inputs.new_zeros(inputs.shape[-1])


@right("context_vector", why="a loop that adds to its own zeros")
def loop_of_weighted_tokens(weights, inputs):
    result = torch.zeros(inputs.shape[1], dtype=inputs.dtype)
    for index in range(len(weights)):
        result += weights[index] * inputs[index]
    return result


@right("context_vector", why="einsum")
def einsum_of_weights(weights, inputs):
    return torch.einsum("t,td->d", weights, inputs)


@right("context_vector", why="the transposed tokens times the weights")
def transposed_tokens(weights, inputs):
    return inputs.T @ weights


@right("context_vector", why="Python's sum over a comprehension")
def python_sum(weights, inputs):
    return sum(weight * token for weight, token in zip(weights, inputs, strict=True))


@right("context_vector", why="bmm with dimensions added and taken away, float64 inside")
def bmm_of_one(weights, inputs):
    wide = torch.bmm(weights.double()[None, None, :], inputs.double()[None])
    return wide[0, 0].to(inputs.dtype)


@right("context_vector", why="vecmat, products and a sum")
def broadcast_products(weights, inputs):
    return torch.mul(weights.view(-1, 1), inputs).sum(0)


@helper
class Mixer:
    """A callable object in place of a function."""

    def __init__(self, spread=0):
        self.spread = spread

    def __call__(self, weights, inputs):
        return torch.matmul(weights, inputs) + self.spread


callable_object = right("context_vector", why="an object that can be called")(Mixer())
bound_method = right("context_vector", why="a bound method")(Mixer(0).__call__)


# %% attention_scores
@mistake(
    "attention_scores",
    hint="The features are compared with each other: the result is (d, d). Turn the other factor round.",
    ko="특징끼리 비교해 결과가 (d, d)입니다. 다른 쪽을 전치하세요.",
)
def features_compared(inputs):
    return inputs.T @ inputs


@mistake(
    "attention_scores",
    hint="The tokens are multiplied without turning one side round. Tokens are rows; the right factor needs columns.",
    ko="전치하지 않고 곱했습니다. 토큰은 행이고, 오른쪽에는 열이 필요합니다.",
)
def nothing_transposed(inputs):
    return inputs @ inputs


@mistake(
    "attention_scores",
    hint="Each number is multiplied by itself. Every token has to meet every token.",
    ko="숫자마다 자기 자신과 곱했습니다. 모든 토큰이 모든 토큰과 만나야 합니다.",
)
def squares_of_numbers(inputs):
    return inputs * inputs


@mistake(
    "attention_scores",
    marks="slip",
    hint="The scores are divided by the root of d. This exercise asks for plain dot products.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적이 필요합니다.",
)
def scaled_scores(inputs):
    return inputs @ inputs.T / inputs.shape[-1] ** 0.5


@mistake(
    "attention_scores",
    marks="slip",
    hint="The mean of the products is taken. A dot product is their sum.",
    ko="곱의 평균을 구했습니다. 내적은 곱의 합입니다.",
)
def means_of_products(inputs):
    return (inputs[:, None] * inputs).mean(dim=-1)


@mistake(
    "attention_scores",
    marks="slip",
    hint="The tokens are brought to length 1 first, which gives cosines. Dot products keep the lengths.",
    ko="토큰의 길이를 1로 맞추어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosines_of_pairs(inputs):
    unit = inputs / inputs.norm(dim=-1, keepdim=True)
    return unit @ unit.T


@mistake(
    "attention_scores",
    hint="These are distances between tokens. Scores are dot products.",
    ko="토큰 사이의 거리를 계산했습니다. 점수는 내적입니다.",
)
def distances_of_pairs(inputs):
    return -((inputs[:, None] - inputs) ** 2).sum(dim=-1)


@mistake(
    "attention_scores",
    hint="These are distances between tokens, with a minus in front. Scores are dot products.",
    ko="토큰 사이의 거리에 음의 부호를 붙였습니다. 점수는 내적입니다.",
)
def rooted_distances_of_pairs(inputs):
    return -torch.cdist(inputs, inputs)


@mistake(
    "attention_scores",
    hint="The sum runs over the tokens. Sum over the features, so that (T, T) remains.",
    ko="토큰 방향으로 더했습니다. (T, T)가 남도록 특징 방향으로 더하세요.",
)
def summed_over_wrong_axis(inputs):
    return (inputs[:, None] * inputs).sum(dim=0)


@mistake(
    "attention_scores",
    hint="These are weights already. The scores are asked for, before any softmax.",
    ko="이미 가중치로 바꾸었습니다. 소프트맥스 전의 점수가 필요합니다.",
)
def softmax_included(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1)


@mistake(
    "attention_scores",
    hint="The scores of a token with itself are set to 0. They belong to the result.",
    ko="자기 자신과의 점수를 0으로 만들었습니다. 이 점수도 결과에 들어갑니다.",
)
def own_scores_removed(inputs):
    scores = inputs @ inputs.T
    return scores - torch.diag(torch.diagonal(scores))


@mistake(
    "attention_scores",
    hint="Half of the scores are missing: the loop covers each pair once, but both (i, j) and (j, i) are asked for.",
    ko="점수의 절반이 비어 있습니다. (i, j)와 (j, i)가 모두 필요합니다.",
)
def half_of_the_pairs(inputs):
    return torch.tril(inputs @ inputs.T)


@mistake(
    "attention_scores",
    hint="Only one token asks. Every token has to be the query once.",
    ko="토큰 하나만 쿼리로 썼습니다. 모든 토큰이 한 번씩 쿼리가 되어야 합니다.",
)
def only_the_second_token(inputs):
    return inputs @ inputs[min(1, len(inputs) - 1)]


@mistake(
    "attention_scores",
    marks="point",
    hint="The numbers are right, but two Python loops run over the tokens. One matrix product does the same at once.",
    ko="값은 맞지만 파이썬 반복문 두 개가 토큰을 돕니다. 행렬곱 한 번으로 할 수 있습니다.",
)
def two_loops(inputs):
    scores = torch.empty(len(inputs), len(inputs), dtype=inputs.dtype)
    for i, left in enumerate(inputs):
        for j, right_token in enumerate(inputs):
            scores[i, j] = torch.dot(left, right_token)
    return scores


@mistake(
    "attention_scores",
    hint="The numbers are right, but a Python loop runs over the tokens. A comprehension is a loop, too.",
    ko="값은 맞지만 파이썬 반복문이 토큰을 돕니다. 리스트 컴프리헨션도 반복문입니다.",
)
def one_row_at_a_time(inputs):
    return torch.stack([inputs @ token for token in inputs])


@mistake(
    "attention_scores",
    hint="The result is made of Python numbers: the loop is still there, and no gradient reaches the tokens.",
    ko="파이썬 숫자로 결과를 만들었습니다. 반복문이 그대로 있고 그래디언트도 흐르지 않습니다.",
)
def scores_from_lists(inputs):
    rows = inputs.tolist()
    products = [[sum(a * b for a, b in zip(left, other, strict=True)) for other in rows] for left in rows]
    return torch.tensor(products, dtype=inputs.dtype)


@mistake(
    "attention_scores",
    hint="One side of the product is detached, so half of the gradient is missing.",
    ko="곱의 한쪽을 detach해서 그래디언트의 절반이 빠집니다.",
)
def one_side_detached(inputs):
    return inputs @ inputs.detach().T


@mistake(
    "attention_scores",
    hint="The tokens are turned to float32. Keep the dtype that you are given.",
    ko="토큰을 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def scores_in_float32(inputs):
    tokens = inputs.float()
    return tokens @ tokens.T


@mistake(
    "attention_scores",
    marks="point",
    hint="The caller's tokens are changed in place. Make a new tensor.",
    ko="호출한 쪽의 토큰을 바꾸었습니다. 새 텐서를 만드세요.",
)
def tokens_scaled_in_place(inputs):
    scores = inputs @ inputs.T
    with torch.no_grad():
        inputs /= inputs.norm(dim=-1, keepdim=True)
    return scores


@mistake(
    "attention_scores",
    hint="With a single token squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="토큰이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def scores_squeezed(inputs):
    batch = inputs.unsqueeze(0)
    return torch.bmm(batch, batch.transpose(1, 2)).squeeze()


@mistake(
    "attention_scores",
    hint="The loops run over NumPy numbers: they are still there, and no gradient reaches the tokens.",
    ko="NumPy 숫자로 반복문을 돌았습니다. 반복문이 그대로 있고 그래디언트도 흐르지 않습니다.",
)
def scores_from_numpy_loops(inputs):
    rows = inputs.detach().double().numpy()
    products = [[float((left * other).sum()) for other in rows] for left in rows]
    return torch.tensor(products).to(inputs.dtype)


@mistake(
    "attention_scores",
    hint="The scores are rounded to printed digits. Return them as they are.",
    ko="점수를 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_scores(inputs):
    return torch.round(inputs @ inputs.T, decimals=4)


first_scores_remembered = mistake(
    "attention_scores",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda inputs: inputs @ inputs.T))


@mistake(
    "attention_scores",
    hint="The mean is subtracted first, which gives covariances. Take the dot products of the tokens as they are.",
    ko="평균을 먼저 빼서 공분산이 되었습니다. 토큰을 그대로 내적하세요.",
)
def covariances_of_pairs(inputs):
    return torch.cov(inputs)


@mistake(
    "attention_scores",
    hint="The scores lose their sign. A negative dot product stays negative.",
    ko="점수의 부호가 사라졌습니다. 음수 내적은 음수로 두세요.",
)
def unsigned_scores_of_pairs(inputs):
    return (inputs @ inputs.T).abs()


@mistake(
    "attention_scores",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_pairs(inputs):
    return inputs.new_zeros(len(inputs), len(inputs))


@mistake(
    "attention_scores",
    marks="trivial",
    hint="This is the identity, whatever the tokens hold.",
    ko="토큰과 상관없이 단위 행렬을 돌려줍니다.",
)
def identity_for_all_pairs(inputs):
    return torch.eye(len(inputs), dtype=inputs.dtype)


@right("attention_scores", why="einsum")
def einsum_of_pairs(inputs):
    return torch.einsum("id,jd->ij", inputs, inputs)


@right("attention_scores", why="products by broadcasting, summed over the features")
def broadcast_pairs(inputs):
    return (inputs[:, None, :] * inputs[None, :, :]).sum(dim=-1)


@right("attention_scores", why="baddbmm on a batch of one")
def baddbmm_of_one(inputs):
    batch = inputs.unsqueeze(0)
    zeros = inputs.new_zeros(1, len(inputs), len(inputs))
    return torch.baddbmm(zeros, batch, batch.mT).squeeze(0)


@right("attention_scores", why="a linear layer whose weight is the tokens themselves")
def linear_of_itself(inputs):
    return F.linear(inputs, inputs)


@right("attention_scores", why="a loop over the features, which does not grow with the tokens")
def loop_over_features(inputs):
    return sum(torch.outer(column, column) for column in inputs.unbind(dim=1))


@right("attention_scores", why="float64 inside, the dtype given back")
def wide_product(inputs):
    wide = inputs.to(torch.float64)
    return torch.mm(wide, wide.t()).to(inputs.dtype)


@right("attention_scores", why="vmap instead of a loop")
def vmapped_dots(inputs):
    return torch.vmap(lambda token: torch.mv(inputs, token))(inputs)


@right("attention_scores", why="it prints its rows in a loop, which computes nothing")
def rows_printed(inputs):
    scores = inputs @ inputs.T
    for row in scores.tolist():
        print(row)
    return scores


@right("attention_scores", why="pairs gathered by index, multiplied at once")
def gathered_pairs(inputs):
    count = len(inputs)
    left, other = torch.arange(count).repeat_interleave(count), torch.arange(count).repeat(count)
    return (inputs[left] * inputs[other]).sum(dim=1).reshape(count, count)


@right("attention_scores", why="squares of sums, in which the products are hidden")
def by_polarization(inputs):
    squares = (inputs**2).sum(dim=-1)
    return ((inputs[:, None] + inputs).square().sum(dim=-1) - squares[:, None] - squares) / 2


# %% attention_weights
@mistake(
    "attention_weights",
    marks="slip",
    hint="The softmax runs down the columns. Each row belongs to one query and has to sum to 1.",
    ko="소프트맥스를 열을 따라 계산했습니다. 한 행이 쿼리 하나의 것이고, 행의 합이 1이어야 합니다.",
)
def columns_sum_to_one(scores):
    return torch.softmax(scores, dim=-2)


@mistake(
    "attention_weights",
    hint="The softmax runs along dimension 0, which is not the last one.",
    ko="0번 차원을 따라 계산했습니다. 마지막 차원이 아닙니다.",
)
def along_dimension_zero(scores):
    return torch.softmax(scores, dim=0)


@mistake(
    "attention_weights",
    hint="Dimension 1 is the last one of a single matrix only. Count from the end, so that a batch works as well.",
    ko="1번 차원은 행렬 하나일 때에만 마지막 차원입니다. 배치에서도 맞도록 뒤에서부터 세세요.",
)
def along_dimension_one(scores):
    return torch.softmax(scores, dim=1)


@mistake(
    "attention_weights",
    hint="All entries of a matrix together sum to 1. Each row has to.",
    ko="행렬 전체의 합이 1입니다. 행마다 합이 1이어야 합니다.",
)
def matrix_sums_to_one(scores):
    return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)


@mistake(
    "attention_weights",
    marks="slip",
    hint="The scores are divided by the root of T or d first. They are to be used as they are.",
    ko="점수를 먼저 제곱근으로 나누었습니다. 점수를 그대로 쓰세요.",
)
def scaled_before_softmax(scores):
    return torch.softmax(scores / scores.shape[-1] ** 0.5, dim=-1)


@mistake(
    "attention_weights",
    marks="trivial",
    hint="The sigmoid looks at each score alone. The weights of a row share one sum.",
    ko="시그모이드는 점수를 하나씩 따로 봅니다. 한 행의 가중치는 하나의 합을 나눕니다.",
)
def sigmoid_of_scores(scores):
    return torch.sigmoid(scores)


@mistake(
    "attention_weights",
    hint="The exponential is missing: the scores themselves are divided by the sum of their row.",
    ko="지수 함수가 빠졌습니다. 점수를 그대로 행의 합으로 나누었습니다.",
)
def rows_divided_by_sum(scores):
    return scores / scores.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    marks="slip",
    hint="The row sums lose their dimension, so each entry is divided by the sum of another row. Use keepdim=True.",
    ko="행의 합에서 차원이 사라져 다른 행의 합으로 나눕니다. keepdim=True를 쓰세요.",
)
def row_sums_without_keepdim(scores):
    powers = torch.exp(scores)
    return powers / powers.sum(dim=-1)


@mistake(
    "attention_weights",
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def weights_taken_twice(scores):
    return torch.softmax(torch.softmax(scores, dim=-1), dim=-1)


@mistake(
    "attention_weights",
    hint="The rows are right, but the matrix is turned round at the end: row i has to belong to query i.",
    ko="행은 맞지만 마지막에 행렬을 전치했습니다. i번째 행이 i번째 쿼리의 것이어야 합니다.",
)
def weights_turned_round(scores):
    return torch.softmax(scores, dim=-1).transpose(-2, -1)


@mistake(
    "attention_weights",
    hint="These are logarithms of weights. The weights themselves are asked for.",
    ko="가중치의 로그입니다. 가중치 자체가 필요합니다.",
)
def log_weights(scores):
    return torch.log_softmax(scores, dim=-1)


@mistake(
    "attention_weights",
    hint="Later tokens are hidden here. In this exercise every token sees every token.",
    ko="뒤의 토큰을 가렸습니다. 이 문제에서는 모든 토큰이 모든 토큰을 봅니다.",
)
def future_hidden(scores):
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(future, -math.inf), dim=-1)


@mistake(
    "attention_weights",
    hint="The sign is turned round, so the smallest score gets the largest weight.",
    ko="부호가 뒤집혀 가장 작은 점수가 가장 큰 가중치를 받습니다.",
)
def smallest_score_wins(scores):
    return torch.softmax(-scores, dim=-1)


@mistake(
    "attention_weights",
    hint="The weights are rounded to printed digits. Return them as they are.",
    ko="가중치를 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_weights(scores):
    return torch.round(torch.softmax(scores, dim=-1), decimals=3)


@mistake(
    "attention_weights",
    hint="The weights are turned to float32. Keep the dtype that you are given.",
    ko="가중치를 float32로 바꾸었습니다. 받은 dtype을 그대로 두세요.",
)
def weights_in_float32(scores):
    return torch.softmax(scores, dim=-1, dtype=torch.float32)


@mistake(
    "attention_weights",
    marks="point",
    hint="The weights are cut off from the scores by detach(), so no gradient reaches them.",
    ko="detach()로 가중치가 점수와 끊겨 그래디언트가 흐르지 않습니다.",
)
def detached_weights(scores):
    return torch.softmax(scores.detach(), dim=-1)


@mistake(
    "attention_weights",
    marks="point",
    hint="The exponentials are written into the caller's scores. Make a new tensor.",
    ko="지수 값을 호출한 쪽의 점수에 덮어썼습니다. 새 텐서를 만드세요.",
)
def scores_overwritten(scores):
    scores.exp_()
    return scores / scores.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    hint="With a single token squeeze() removes dimensions of the result. The shape of the scores has to stay.",
    ko="토큰이 하나이면 squeeze()가 결과의 차원을 없앱니다. 점수의 모양이 그대로여야 합니다.",
)
def weights_squeezed(scores):
    return torch.softmax(scores.unsqueeze(0), dim=-1).squeeze()


@mistake(
    "attention_weights",
    hint="The result is a NumPy array. A tensor is asked for.",
    ko="결과가 NumPy 배열입니다. 텐서가 필요합니다.",
)
def weights_as_numpy(scores):
    return torch.softmax(scores, dim=-1).detach().float().numpy()


first_weights_remembered = mistake(
    "attention_weights",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda scores: torch.softmax(scores, dim=-1)))


@mistake(
    "attention_weights",
    hint="After the rows, the columns went through a softmax too. One softmax over the last dimension is enough.",
    ko="행에 이어 열에도 소프트맥스를 적용했습니다. 마지막 차원에 한 번이면 됩니다.",
)
def softmax_of_rows_then_columns(scores):
    return scores.softmax(-1).softmax(-2)


@mistake(
    "attention_weights",
    hint="The scores are turned round before the softmax, so row i holds what others ask of token i.",
    ko="소프트맥스 전에 점수를 전치해서 행의 주인이 바뀌었습니다.",
)
def scores_turned_round(scores):
    return scores.mT.softmax(-1)


@mistake(
    "attention_weights",
    hint="Scores above the diagonal are set to 0. Here every score takes part as it is.",
    ko="대각선 위의 점수를 0으로 바꾸었습니다. 여기서는 모든 점수를 그대로 씁니다.",
)
def upper_scores_set_to_zero(scores):
    return scores.tril().softmax(-1)


@mistake(
    "attention_weights",
    hint="Each column's maximum is subtracted, which shifts the scores of a row unevenly. Subtract the row's maximum.",
    ko="열마다 최댓값을 빼서 한 행의 점수들이 서로 다르게 옮겨집니다. 행의 최댓값을 빼세요.",
)
def shifted_by_column_maximum(scores):
    return torch.softmax(scores - scores.amax(-2, keepdim=True), dim=-1)


@mistake(
    "attention_weights",
    hint="All weight goes to the largest score of a row. Softmax leaves every score a share.",
    ko="행마다 가장 큰 점수가 가중치를 모두 가졌습니다. 소프트맥스는 모든 점수에 몫을 남깁니다.",
)
def all_weight_to_the_largest(scores):
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(scores.dtype)


@mistake(
    "attention_weights",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def naive_rows(scores):
    powers = scores.exp()
    return powers / powers.sum(dim=-1, keepdim=True)


@mistake(
    "attention_weights",
    marks="trivial",
    hint="All get the same share, whatever the scores are.",
    ko="점수와 상관없이 모두 같은 몫을 받습니다.",
)
def weights_in_equal_shares(scores):
    return torch.full_like(scores, 1 / scores.shape[-1])


@right("attention_weights", why="log_softmax and back")
def log_and_back(scores):
    return F.log_softmax(scores, dim=-1).exp()


@right("attention_weights", why="a module of the library")
def softmax_module(scores):
    return torch.nn.Softmax(dim=scores.dim() - 1)(scores)


@right("attention_weights", why="row by row in a loop")
def rows_in_a_loop(scores):
    flat = scores.reshape(-1, scores.shape[-1])
    return torch.stack([torch.softmax(row, dim=0) for row in flat]).reshape(scores.shape)


@right("attention_weights", why="float64 inside, the dtype given back")
def weights_by_way_of_float64(scores):
    return scores.double().softmax(-1).to(scores.dtype)


# %% all_context_vectors
@mistake(
    "all_context_vectors",
    marks="slip",
    hint="The softmax runs down the columns, so a query's weights do not sum to 1.",
    ko="소프트맥스를 열을 따라 계산해 한 쿼리의 가중치 합이 1이 아닙니다.",
    twins=("weights_of_the_others",),
)
def softmax_down_the_columns(inputs):
    return torch.softmax(inputs @ inputs.T, dim=0) @ inputs


@mistake(
    "all_context_vectors",
    hint="The weights are turned round before the mixture: row i mixes by what others give to token i.",
    ko="가중치를 전치한 뒤 섞었습니다. i번째 행은 i번째 쿼리의 가중치로 섞어야 합니다.",
    twins=("softmax_down_the_columns",),
)
def weights_of_the_others(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).T @ inputs


@mistake(
    "all_context_vectors",
    marks="slip",
    hint="The scores are divided by the root of d. Here they are plain dot products.",
    ko="점수를 d의 제곱근으로 나누었습니다. 여기서는 나누지 않은 내적을 씁니다.",
    twins=("library_attention_scaled",),
)
def scaled_self_attention(inputs):
    return torch.softmax(inputs @ inputs.T / inputs.shape[-1] ** 0.5, dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    hint="The softmax is missing: the scores themselves are used as weights.",
    ko="소프트맥스가 빠졌습니다. 점수를 그대로 가중치로 썼습니다.",
)
def scores_for_weights(inputs):
    return inputs @ inputs.T @ inputs


@mistake(
    "all_context_vectors",
    hint="The scores are divided by their row's sum. The weights come from a softmax.",
    ko="점수를 행의 합으로 나누었습니다. 가중치는 소프트맥스로 구합니다.",
)
def scores_over_row_sum(inputs):
    scores = inputs @ inputs.T
    return scores / scores.sum(dim=-1, keepdim=True) @ inputs


@mistake(
    "all_context_vectors",
    hint="This stops at the weights. The last step mixes the tokens by them.",
    ko="가중치에서 멈추었습니다. 마지막으로 토큰을 섞어야 합니다.",
)
def weights_without_mixture(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1)


@mistake(
    "all_context_vectors",
    marks="trivial",
    hint="Every token is mixed in equal parts. The weights depend on the scores.",
    ko="모든 토큰을 똑같이 섞었습니다. 가중치는 점수에 따라 다릅니다.",
)
def equal_parts(inputs):
    return inputs.mean(dim=0, keepdim=True).expand(inputs.shape).clone()


@mistake(
    "all_context_vectors",
    hint="Only the second token asks. Every token needs its own context vector.",
    ko="두 번째 토큰만 쿼리로 썼습니다. 토큰마다 문맥 벡터가 필요합니다.",
)
def context_of_second_token(inputs):
    query = inputs[min(1, len(inputs) - 1)]
    return torch.softmax(inputs @ query, dim=0) @ inputs


@mistake(
    "all_context_vectors",
    hint="Features attend to features here. Compare the tokens: the weights have the shape (T, T).",
    ko="특징끼리 어텐션을 했습니다. 토큰을 비교하세요. 가중치의 모양은 (T, T)입니다.",
)
def features_attend(inputs):
    return inputs @ torch.softmax(inputs.T @ inputs, dim=-1)


@mistake(
    "all_context_vectors",
    hint="Later tokens are hidden here. In this exercise every token sees every token.",
    ko="뒤의 토큰을 가렸습니다. 이 문제에서는 모든 토큰이 모든 토큰을 봅니다.",
)
def only_earlier_tokens(inputs):
    scores = inputs @ inputs.T
    future = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(future, -math.inf), dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    hint="The tokens themselves are added to the mixture. Return the mixture alone.",
    ko="섞은 결과에 원래 토큰을 더했습니다. 섞은 결과만 돌려주세요.",
)
def tokens_added_to_mixture(inputs):
    return inputs + torch.softmax(inputs @ inputs.T, dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    hint="A softmax is also taken of the result. The mixture is returned as it is.",
    ko="결과에도 소프트맥스를 적용했습니다. 섞은 결과를 그대로 돌려주세요.",
)
def softmax_of_the_result(inputs):
    return torch.softmax(torch.softmax(inputs @ inputs.T, dim=-1) @ inputs, dim=-1)


@mistake(
    "all_context_vectors",
    hint="Vectors and weights are returned together. Only the vectors are asked for.",
    ko="문맥 벡터와 가중치를 함께 돌려줍니다. 문맥 벡터만 필요합니다.",
)
def vectors_and_weights(inputs):
    weights = torch.softmax(inputs @ inputs.T, dim=-1)
    return weights @ inputs, weights


@mistake(
    "all_context_vectors",
    marks="library",
    hint="The library's attention does the work here. This exercise asks you to write the three steps yourself.",
    ko="라이브러리의 어텐션이 계산했습니다. 이 문제에서는 세 단계를 직접 쓰세요.",
)
def library_attention_unscaled(inputs):
    batch = inputs[None, None]
    return F.scaled_dot_product_attention(batch, batch, batch, scale=1.0)[0, 0]


@mistake(
    "all_context_vectors",
    marks="library",
    hint="The library's attention does the work here, and it scales the scores. Write the three steps yourself.",
    ko="라이브러리의 어텐션이 계산했고 점수를 나누기까지 합니다. 세 단계를 직접 쓰세요.",
    twins=("scaled_self_attention",),
)
def library_attention_scaled(inputs):
    return F.scaled_dot_product_attention(inputs[None], inputs[None], inputs[None])[0]


@mistake(
    "all_context_vectors",
    hint="The weights are detached, so the gradient misses the part that runs through the scores.",
    ko="가중치를 detach해서, 점수를 거치는 그래디언트가 빠집니다.",
)
def weights_detached(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).detach() @ inputs


@mistake(
    "all_context_vectors",
    hint="The result is always float32. Give it the dtype of the inputs.",
    ko="결과가 항상 float32입니다. 입력의 dtype을 주세요.",
)
def context_always_float32(inputs):
    tokens = inputs.float()
    return torch.softmax(tokens @ tokens.T, dim=-1) @ tokens


@mistake(
    "all_context_vectors",
    hint="The context vectors are written over the caller's tokens, also where later ones still need them.",
    ko="문맥 벡터를 호출한 쪽의 토큰에 덮어썼습니다. 뒤의 계산에 쓸 토큰까지 바뀝니다.",
)
def tokens_replaced_one_by_one(inputs):
    with torch.no_grad():
        for index in range(len(inputs)):
            inputs[index] = torch.softmax(inputs @ inputs[index], dim=0) @ inputs
    return inputs


@mistake(
    "all_context_vectors",
    marks="point",
    hint="The right vectors are written over the caller's tokens. Return a new tensor.",
    ko="올바른 문맥 벡터를 호출한 쪽의 토큰에 덮어썼습니다. 새 텐서를 돌려주세요.",
)
def tokens_replaced_at_the_end(inputs):
    mixture = torch.softmax(inputs @ inputs.T, dim=-1) @ inputs
    with torch.no_grad():
        inputs.copy_(mixture)
    return mixture


@mistake(
    "all_context_vectors",
    hint="With one token or one feature squeeze() removes too much. Name the dimension that you added: squeeze(0).",
    ko="토큰이나 특징이 하나이면 squeeze()가 너무 많이 없앱니다. 더한 차원을 정해서 squeeze(0)처럼 쓰세요.",
)
def context_vectors_squeezed(inputs):
    batch = inputs.unsqueeze(0)
    weights = torch.softmax(torch.bmm(batch, batch.transpose(1, 2)), dim=-1)
    return torch.bmm(weights, batch).squeeze()


@mistake(
    "all_context_vectors",
    hint="The numbers are rounded to printed digits. Return them as they are.",
    ko="값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_context_vectors(inputs):
    return torch.round(torch.softmax(inputs @ inputs.T, dim=-1) @ inputs, decimals=4)


first_context_vectors_remembered = mistake(
    "all_context_vectors",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda inputs: torch.softmax(inputs @ inputs.T, dim=-1) @ inputs))


@mistake(
    "all_context_vectors",
    marks="slip",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def context_of_a_double_softmax(inputs):
    return torch.softmax(torch.softmax(inputs @ inputs.T, dim=-1), dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    hint="The scores are divided by the sum of their sizes. Take the softmax of each row.",
    ko="점수를 절댓값의 합으로 나누었습니다. 행마다 소프트맥스를 적용하세요.",
)
def scores_over_their_sizes(inputs):
    return F.normalize(inputs @ inputs.T, p=1, dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    marks="slip",
    hint="A token does not see itself here. It takes part in its own mixture.",
    ko="토큰이 자기 자신을 보지 못합니다. 자기 자신도 섞어야 합니다.",
)
def own_token_hidden(inputs):
    own = torch.eye(len(inputs), dtype=torch.bool)
    return torch.softmax((inputs @ inputs.T).masked_fill(own, -math.inf), dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    marks="slip",
    hint="The mixture is divided by the number of tokens. The weights sum to 1 already.",
    ko="섞은 값을 토큰 수로 나누었습니다. 가중치의 합은 이미 1입니다.",
)
def mixture_divided_by_count(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1) @ inputs / len(inputs)


@mistake(
    "all_context_vectors",
    hint="The weights mix the scores. They have to mix the tokens.",
    ko="가중치로 점수를 섞었습니다. 토큰을 섞으세요.",
)
def scores_mixed(inputs):
    scores = inputs @ inputs.T
    return torch.softmax(scores, dim=-1) @ scores


@mistake(
    "all_context_vectors",
    hint="The features are compared with each other. Compare the tokens: turn the other factor round.",
    ko="특징끼리 비교했습니다. 다른 쪽을 전치해 토큰을 비교하세요.",
)
def features_compared_and_mixed(inputs):
    return torch.softmax(inputs.T @ inputs, dim=-1) @ inputs.T


@mistake(
    "all_context_vectors",
    hint="Each token is only multiplied by the weights that it gets in sum. Mix all tokens for every query.",
    ko="토큰마다 받은 가중치의 합을 곱하기만 했습니다. 쿼리마다 모든 토큰을 섞으세요.",
)
def tokens_times_total_weight(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).sum(dim=0)[:, None] * inputs


@mistake(
    "all_context_vectors",
    hint="Each token is only multiplied by its own weight. Mix all tokens for every query.",
    ko="토큰에 자기 가중치를 곱하기만 했습니다. 쿼리마다 모든 토큰을 섞으세요.",
)
def tokens_times_own_weight(inputs):
    return torch.softmax(inputs @ inputs.T, dim=-1).diagonal()[:, None] * inputs


@mistake(
    "all_context_vectors",
    hint="One softmax runs over all scores together. Every row has to sum to 1.",
    ko="모든 점수에 소프트맥스를 한꺼번에 적용했습니다. 행마다 합이 1이어야 합니다.",
)
def one_softmax_for_all(inputs):
    return torch.softmax((inputs @ inputs.T).flatten(), dim=0).reshape(len(inputs), -1) @ inputs


@mistake(
    "all_context_vectors",
    hint="The tokens are not transposed in the product of tokens with tokens.",
    ko="토큰끼리 곱할 때 한쪽을 전치하지 않았습니다.",
)
def context_without_transposing(inputs):
    return torch.softmax(inputs @ inputs, dim=-1) @ inputs


@mistake(
    "all_context_vectors",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_contexts(inputs):
    return torch.zeros_like(inputs)


@mistake(
    "all_context_vectors",
    marks="trivial",
    hint="Every token comes back alone, mixed with no other.",
    ko="토큰이 섞이지 않고 그대로 돌아옵니다.",
)
def tokens_handed_back(inputs):
    return inputs.clone()


@right("all_context_vectors", why="one token after the other in a loop, which is allowed here")
def context_token_by_token(inputs):
    rows = []
    for query in inputs:
        weights = torch.softmax(torch.stack([torch.dot(token, query) for token in inputs]), dim=0)
        rows.append(sum(weight * token for weight, token in zip(weights, inputs, strict=True)))
    return torch.stack(rows)


@right("all_context_vectors", why="einsum, and the softmax written out with its shift")
def einsum_of_three_steps(inputs):
    scores = torch.einsum("id,jd->ij", inputs, inputs)
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    return torch.einsum("ij,jd->id", powers / powers.sum(-1, keepdim=True), inputs)


@mistake(
    "all_context_vectors",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def contexts_without_a_shift(inputs):
    powers = torch.exp(inputs @ inputs.T)
    return powers @ inputs / powers.sum(dim=-1, keepdim=True)


@right("all_context_vectors", why="the sum divided at the end")
def divided_at_the_end(inputs):
    scores = inputs @ inputs.T
    powers = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return powers @ inputs / powers.sum(dim=-1, keepdim=True)


@right("all_context_vectors", why="columns instead of rows, turned round at the end")
def by_columns(inputs):
    weights = torch.softmax(inputs @ inputs.T, dim=0)
    return (inputs.T @ weights).T


@right("all_context_vectors", why="float64 inside, bmm, the dtype given back")
def wide_bmm(inputs):
    batch = inputs.double().unsqueeze(0)
    weights = torch.bmm(batch, batch.transpose(1, 2)).softmax(dim=2)
    return torch.bmm(weights, batch).squeeze(0).to(inputs.dtype)


# %% attention
@mistake(
    "attention",
    hint="Query and key have changed places: each key asks the queries.",
    ko="쿼리와 키가 뒤바뀌어 키가 쿼리에게 묻고 있습니다.",
)
def query_and_key_swapped(query, key, value):
    return torch.softmax(key @ query.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The scores are divided by the root of d. This function is the unscaled one.",
    ko="점수를 d의 제곱근으로 나누었습니다. 이 함수는 나누지 않습니다.",
    twins=("library_attention_as_it_comes",),
)
def scaled_attention(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5, dim=-1) @ value


@mistake(
    "attention",
    hint="The scores are divided by d. This function does not scale them at all.",
    ko="점수를 d로 나누었습니다. 이 함수는 점수를 나누지 않습니다.",
)
def divided_by_features(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) / query.shape[-1], dim=-1) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The softmax runs over the queries. The weights of one query, over all keys, have to sum to 1.",
    ko="소프트맥스를 쿼리 방향으로 계산했습니다. 한 쿼리의 가중치가 모든 키에 걸쳐 합이 1이어야 합니다.",
)
def softmax_over_queries(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-2) @ value


@mistake(
    "attention",
    hint="The softmax runs along dimension 1, which is the last one only without a batch. Count from the end.",
    ko="1번 차원을 따라 소프트맥스를 계산했습니다. 배치가 없을 때에만 마지막 차원입니다. 뒤에서부터 세세요.",
)
def softmax_along_dimension_one(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=1) @ value


@mistake(
    "attention",
    hint="The softmax runs along dimension 0. It has to run over the keys, the last dimension.",
    ko="0번 차원을 따라 소프트맥스를 계산했습니다. 키가 있는 마지막 차원이어야 합니다.",
)
def softmax_along_dimension_zero(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=0) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The keys are mixed instead of the values.",
    ko="값이 아니라 키를 섞었습니다.",
)
def keys_for_values(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ key


@mistake(
    "attention",
    marks="slip",
    hint="The keys are compared with themselves. Compare the queries with the keys.",
    ko="키를 키와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def keys_compared_with_keys(query, key, value):
    return torch.softmax(key @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The queries are compared with themselves. Compare the queries with the keys.",
    ko="쿼리를 쿼리와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def queries_compared_with_queries(query, key, value):
    return torch.softmax(query @ query.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    hint="The softmax is missing: the scores themselves are used as weights.",
    ko="소프트맥스가 빠졌습니다. 점수를 그대로 가중치로 썼습니다.",
)
def no_softmax(query, key, value):
    return query @ key.transpose(-2, -1) @ value


@mistake(
    "attention",
    hint="`.T` turns all dimensions round, also the batch. Exchange the last two only.",
    ko="`.T`는 배치까지 모든 차원을 뒤집습니다. 마지막 두 차원만 바꾸세요.",
)
def all_dimensions_reversed(query, key, value):
    turned = key.permute(*reversed(range(key.dim())))
    return torch.softmax(query @ turned, dim=-1) @ value


@mistake(
    "attention",
    hint="Dimensions 0 and 1 change places, which is right only without a batch. Exchange the last two.",
    ko="0번과 1번 차원을 바꾸었습니다. 배치가 없을 때에만 맞습니다. 마지막 두 차원을 바꾸세요.",
)
def first_two_dimensions_exchanged(query, key, value):
    return torch.softmax(query @ key.transpose(0, 1), dim=-1) @ value


@mistake(
    "attention",
    hint="Dimensions 1 and 2 change places, which is right with one dimension in front only. Count from the end.",
    ko="1번과 2번 차원을 바꾸었습니다. 앞에 차원이 꼭 하나 있을 때에만 맞습니다. 뒤에서부터 세세요.",
)
def exactly_one_batch_dimension(query, key, value):
    return torch.softmax(query @ key.transpose(1, 2), dim=-1) @ value


@mistake(
    "attention",
    hint="The items of the batch are mixed: all tokens stand in one long row. Each item has its own attention.",
    ko="배치의 항목들이 섞였습니다. 모든 토큰을 한 줄로 이었습니다. 항목마다 따로 계산하세요.",
)
def items_mixed(query, key, value):
    flat_query, flat_key, flat_value = (part.reshape(-1, part.shape[-1]) for part in (query, key, value))
    mixed = torch.softmax(flat_query @ flat_key.T, dim=-1) @ flat_value
    return mixed.reshape(*query.shape[:-1], value.shape[-1])


@mistake(
    "attention",
    hint="Only the first item of the batch is computed and repeated for the others.",
    ko="배치의 첫 항목만 계산해 나머지에 되풀이했습니다.",
)
def first_item_for_all(query, key, value):
    first = (0,) * (query.dim() - 2)
    single = torch.softmax(query[first] @ key[first].T, dim=-1) @ value[first]
    return single.expand(*query.shape[:-1], value.shape[-1]).clone()


@mistake(
    "attention",
    hint="Later keys are hidden here. In this exercise every query sees every key.",
    ko="뒤의 키를 가렸습니다. 이 문제에서는 모든 쿼리가 모든 키를 봅니다.",
)
def later_keys_hidden(query, key, value):
    scores = query @ key.transpose(-2, -1)
    later = torch.triu(torch.ones_like(scores), diagonal=1).bool()
    return torch.softmax(scores.masked_fill(later, -math.inf), dim=-1) @ value


@mistake(
    "attention",
    marks="trivial",
    hint="The values are mixed in equal parts, whatever query and key say.",
    ko="쿼리와 키에 상관없이 값을 똑같이 섞었습니다.",
)
def values_in_equal_parts(query, key, value):
    return value.mean(dim=-2, keepdim=True).expand(*query.shape[:-1], value.shape[-1]).clone()


@mistake(
    "attention",
    hint="This stops at the weights. The last step mixes the values by them.",
    ko="가중치에서 멈추었습니다. 마지막으로 값을 섞어야 합니다.",
)
def weights_only(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1)


@mistake(
    "attention",
    hint="Output and weights are returned together. Only the output is asked for.",
    ko="결과와 가중치를 함께 돌려줍니다. 결과만 필요합니다.",
)
def output_and_weights(query, key, value):
    weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value, weights


@mistake(
    "attention",
    hint="The weights are turned round before they meet the values.",
    ko="값과 곱하기 전에 가중치를 전치했습니다.",
)
def attention_weights_turned_round(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1).transpose(-2, -1) @ value


@mistake(
    "attention",
    marks="library",
    hint="The library's attention does the work here. This exercise asks you to write the steps yourself.",
    ko="라이브러리의 어텐션이 계산했습니다. 이 문제에서는 단계를 직접 쓰세요.",
)
def library_attention(query, key, value):
    return F.scaled_dot_product_attention(query, key, value, scale=1.0)


@mistake(
    "attention",
    marks="library",
    hint="The library's attention does the work here, and it scales the scores. Write the steps yourself.",
    ko="라이브러리의 어텐션이 계산했고 점수를 나누기까지 합니다. 단계를 직접 쓰세요.",
    twins=("scaled_attention",),
)
def library_attention_as_it_comes(query, key, value):
    return F.scaled_dot_product_attention(query, key, value)


@mistake(
    "attention",
    marks="point",
    hint="The query is multiplied in place, so the caller's tensor changes. Make a new tensor.",
    ko="쿼리를 제자리에서 바꾸어 호출한 쪽의 텐서가 달라집니다. 새 텐서를 만드세요.",
)
def query_changed_in_place(query, key, value):
    scores = query @ key.transpose(-2, -1)
    with torch.no_grad():
        query /= query.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ value


@mistake(
    "attention",
    marks="point",
    hint="The scores are computed without gradients, so none reaches the query and the key.",
    ko="그래디언트 없이 점수를 계산해 쿼리와 키에 그래디언트가 흐르지 않습니다.",
)
def scores_without_gradients(query, key, value):
    with torch.no_grad():
        weights = torch.softmax(query @ key.transpose(-2, -1), dim=-1)
    return weights @ value


@mistake(
    "attention",
    hint="The result is built in a tensor of the default dtype. Give it the dtype of the inputs.",
    ko="기본 dtype의 텐서에 결과를 담았습니다. 입력의 dtype을 주세요.",
)
def result_of_default_dtype(query, key, value):
    result = torch.zeros(*query.shape[:-1], value.shape[-1])
    result += torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value
    return result


@mistake(
    "attention",
    hint="The numbers are rounded to printed digits. Return them as they are.",
    ko="값을 찍히는 자리까지 반올림했습니다. 그대로 돌려주세요.",
)
def rounded_output(query, key, value):
    return torch.round(torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value, decimals=4)


first_output_remembered = mistake(
    "attention",
    hint="An earlier result comes back for other inputs of the same shape. Compute anew in every call.",
    ko="모양이 같으면 다른 입력에도 앞의 결과를 돌려줍니다. 호출할 때마다 새로 계산하세요.",
    twins=("earlier_result",),
)(remembered(lambda query, key, value: torch.softmax(query @ key.mT, dim=-1) @ value))


@mistake(
    "attention",
    marks="slip",
    hint="The scores are multiplied by the root of d. This function does not scale them at all.",
    ko="점수에 d의 제곱근을 곱했습니다. 이 함수는 점수를 그대로 씁니다.",
)
def scores_multiplied_by_root(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1) * query.shape[-1] ** 0.5, dim=-1) @ value


@mistake(
    "attention",
    hint="The keys have to be transposed, so that each of their rows meets each query.",
    ko="키의 각 행이 각 쿼리와 만나도록 키를 전치해야 합니다.",
)
def keys_not_transposed(query, key, value):
    return torch.softmax(query @ key, dim=-1) @ value


@mistake(
    "attention",
    hint="`permute(0, 2, 1)` needs exactly three dimensions. Exchange the last two, whatever stands in front.",
    ko="`permute(0, 2, 1)`은 차원이 꼭 셋일 때만 됩니다. 앞에 무엇이 있든 마지막 두 차원을 바꾸세요.",
)
def permuted_three_dimensions(query, key, value):
    return torch.softmax(query @ key.permute(0, 2, 1), dim=-1) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The queries are mixed instead of the values.",
    ko="값이 아니라 쿼리를 섞었습니다.",
)
def queries_for_values(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ query


@mistake(
    "attention",
    marks="slip",
    hint="The queries are compared with the values. Compare them with the keys.",
    ko="쿼리를 값과 비교했습니다. 키와 비교하세요.",
)
def values_for_keys(query, key, value):
    return torch.softmax(query @ value.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The values are compared with the keys. Compare the queries with the keys.",
    ko="값을 키와 비교했습니다. 쿼리를 키와 비교하세요.",
)
def values_for_queries(query, key, value):
    return torch.softmax(value @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    hint="The sigmoid looks at each score alone. The weights of one query share a sum of 1: that is the softmax.",
    ko="시그모이드는 점수 하나만 봅니다. 한 쿼리의 가중치는 합이 1이어야 하므로 소프트맥스를 쓰세요.",
)
def sigmoid_weights(query, key, value):
    return torch.sigmoid(query @ key.transpose(-2, -1)) @ value


@mistake(
    "attention",
    hint="relu only cuts negative scores off. Take the softmax of each row.",
    ko="relu는 음수 점수를 자를 뿐입니다. 행마다 소프트맥스를 적용하세요.",
)
def relu_weights(query, key, value):
    return torch.relu(query @ key.transpose(-2, -1)) @ value


@mistake(
    "attention",
    hint="The softmax is taken twice, which flattens the weights.",
    ko="소프트맥스를 두 번 적용해 가중치가 평평해졌습니다.",
)
def attention_of_a_double_softmax(query, key, value):
    return torch.softmax(torch.softmax(query @ key.transpose(-2, -1), dim=-1), dim=-1) @ value


@mistake(
    "attention",
    hint="The scores are divided by their sum, without the exponential. Take the softmax.",
    ko="지수 함수 없이 점수를 합으로 나누었습니다. 소프트맥스를 적용하세요.",
)
def attention_scores_over_sum(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return scores / scores.sum(dim=-1, keepdim=True) @ value


@mistake(
    "attention",
    hint="The sum loses its dimension, so the exponentials are divided by sums of other queries. Use keepdim=True.",
    ko="합의 차원이 사라져 다른 쿼리의 합으로 나누었습니다. keepdim=True를 쓰세요.",
)
def attention_sum_without_keepdim(query, key, value):
    powers = torch.exp(query @ key.transpose(-2, -1))
    return powers / powers.sum(dim=-1) @ value


@mistake(
    "attention",
    hint="The vectors are brought to length 1 first, which gives cosines. Dot products keep the lengths.",
    ko="벡터의 길이를 먼저 1로 만들어 코사인이 되었습니다. 내적은 길이를 그대로 둡니다.",
)
def cosines_for_scores(query, key, value):
    return torch.softmax(F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    hint="A distance is used for the scores. Compare by the dot product.",
    ko="점수로 거리를 썼습니다. 내적으로 비교하세요.",
)
def distances_for_scores(query, key, value):
    return torch.softmax(-torch.cdist(query, key), dim=-1) @ value


@mistake(
    "attention",
    hint="squeeze removes a leading dimension of size 1. The output keeps all leading dimensions.",
    ko="squeeze가 크기가 1인 앞 차원을 없앱니다. 앞의 차원은 모두 남아야 합니다.",
)
def output_squeezed_in_front(query, key, value):
    return (torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value).squeeze(0)


@mistake(
    "attention",
    hint="The query is added to the output. Return the mixture of the values alone.",
    ko="결과에 쿼리를 더했습니다. 섞은 값만 돌려주세요.",
)
def query_added_to_output(query, key, value):
    return query + torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value


@mistake(
    "attention",
    hint="`*` multiplies entry by entry. A score is a dot product: `@` with the transposed keys.",
    ko="`*`는 원소끼리 곱합니다. 점수는 내적이므로 전치한 키와 `@`로 곱하세요.",
)
def query_times_key(query, key, value):
    return torch.softmax(query * key, dim=-1) @ value


@mistake(
    "attention",
    hint="All weight goes to the best key. Softmax leaves every key a share.",
    ko="가장 좋은 키가 가중치를 모두 가졌습니다. 소프트맥스는 모든 키에 몫을 남깁니다.",
)
def best_key_only(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return F.one_hot(scores.argmax(-1), scores.shape[-1]).to(value.dtype) @ value


@mistake(
    "attention",
    hint="The weights are rounded to a coarse dtype on the way. Stay in the dtype of the inputs.",
    ko="중간에 가중치를 거친 dtype으로 반올림했습니다. 입력의 dtype을 유지하세요.",
)
def weights_in_bfloat16(query, key, value):
    return torch.softmax((query @ key.transpose(-2, -1)).bfloat16(), dim=-1).to(value.dtype) @ value


@mistake(
    "attention",
    marks="slip",
    hint="The output is divided by the number of keys. The weights sum to 1 already.",
    ko="결과를 키의 수로 나누었습니다. 가중치의 합은 이미 1입니다.",
)
def output_divided_by_keys(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ value / value.shape[-2]


@mistake(
    "attention",
    hint="The values are divided by a root. Nothing is scaled here.",
    ko="값을 제곱근으로 나누었습니다. 여기서는 아무것도 나누지 않습니다.",
)
def values_divided_by_root(query, key, value):
    return torch.softmax(query @ key.transpose(-2, -1), dim=-1) @ (value / value.shape[-1] ** 0.5)


@mistake(
    "attention",
    hint="One softmax runs over all queries and keys together. Every query's weights have to sum to 1.",
    ko="모든 쿼리와 키에 소프트맥스를 한꺼번에 적용했습니다. 쿼리마다 합이 1이어야 합니다.",
)
def softmax_of_all_pairs(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape) @ value


@mistake(
    "attention",
    hint="Each key's maximum over the queries is subtracted, which shifts a row unevenly. Subtract the row's maximum.",
    ko="키마다 쿼리 방향의 최댓값을 빼서 한 행이 서로 다르게 옮겨집니다. 행의 최댓값을 빼세요.",
)
def attention_shifted_by_column(query, key, value):
    scores = query @ key.transpose(-2, -1)
    return torch.softmax(scores - scores.amax(-2, keepdim=True), dim=-1) @ value


@mistake(
    "attention",
    hint="The exponential of a score in the hundreds is infinite. Subtract each row's maximum first.",
    ko="점수가 수백이면 지수 함수가 무한대가 됩니다. 먼저 행마다 최댓값을 빼세요.",
)
def attention_without_a_shift(query, key, value):
    powers = torch.exp(query @ key.transpose(-2, -1))
    return powers / powers.sum(dim=-1, keepdim=True) @ value


@mistake(
    "attention",
    hint="One maximum is subtracted from all scores, so the exponentials of a low row vanish. Take each row's own.",
    ko="모든 점수에서 같은 최댓값을 빼서 낮은 행의 지수가 사라집니다. 행마다 최댓값을 빼세요.",
)
def attention_shifted_by_one_maximum(query, key, value):
    scores = query @ key.transpose(-2, -1)
    powers = torch.exp(scores - scores.max())
    return powers / powers.sum(dim=-1, keepdim=True) @ value


@mistake(
    "attention",
    hint="The numbers go by way of float32, so float64 loses digits on the way. Stay in the dtype of the inputs.",
    ko="중간에 float32를 거쳐 float64의 자릿수를 잃습니다. 입력의 dtype으로 계산하세요.",
)
def attention_by_way_of_float32(query, key, value):
    weights = torch.softmax(query.float() @ key.float().mT, dim=-1)
    return (weights @ value.float()).to(value.dtype)


@mistake(
    "attention",
    marks="trivial",
    hint="Only zeros come back; nothing is computed yet.",
    ko="0만 돌려줍니다. 아직 아무것도 계산하지 않았습니다.",
)
def zeros_for_all_queries(query, key, value):
    return value.new_zeros(*query.shape[:-1], value.shape[-1])


@mistake(
    "attention",
    hint="`view` needs an input that is contiguous in memory; a transposed one is not. `reshape` takes both.",
    ko="`view`는 메모리에 이어진 입력만 받습니다. 전치한 텐서는 그렇지 않습니다. `reshape`는 둘 다 받습니다.",
)
def attention_through_view(query, key, value):
    q, k, v = (part.view(-1, *part.shape[-2:]) for part in (query, key, value))
    return torch.bmm(torch.softmax(torch.bmm(q, k.mT), dim=-1), v).view(*query.shape[:-1], value.shape[-1])


@right("attention", why="einsum with an ellipsis")
def einsum_attention(query, key, value):
    weights = torch.einsum("...qd,...kd->...qk", query, key).softmax(dim=-1)
    return torch.einsum("...qk,...kv->...qv", weights, value)


@right("attention", why="bmm on one flattened batch dimension")
def bmm_attention(query, key, value):
    q, k, v = (part.reshape(-1, *part.shape[-2:]) for part in (query, key, value))
    weights = F.softmax(torch.bmm(q, k.mT), dim=2)
    return torch.bmm(weights, v).view(*query.shape[:-1], value.shape[-1])


@right("attention", why="baddbmm with beta 0, and a softmax written out in place on its own tensor")
def baddbmm_attention(query, key, value):
    q, k, v = (
        part.flatten(0, -3) if part.dim() > 3 else part.reshape(-1, *part.shape[-2:]) for part in (query, key, value)
    )
    start = torch.zeros(q.shape[0], q.shape[1], k.shape[1], dtype=q.dtype)
    scores = torch.baddbmm(start, q, k.transpose(1, 2), beta=0, alpha=1)
    weights = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return (weights @ v).reshape(*query.shape[:-1], value.shape[-1])


@right("attention", why="a loop over the queries, which is allowed here")
def query_by_query(query, key, value):
    rows = []
    for index in range(query.shape[-2]):
        scores = (key * query[..., index : index + 1, :]).sum(dim=-1)
        weights = torch.softmax(scores, dim=-1)
        rows.append((weights.unsqueeze(-1) * value).sum(dim=-2))
    return torch.stack(rows, dim=-2)


@right("attention", why="recursion over the leading dimensions")
def item_by_item(query, key, value):
    if query.dim() > 2:
        parts = zip(query, key, value, strict=True)
        return torch.stack(
            [
                torch.softmax(q @ k.mT, -1) @ v
                if q.dim() == 2
                else torch.stack([torch.softmax(a @ b.mT, -1) @ c for a, b, c in zip(q, k, v, strict=True)])
                for q, k, v in parts
            ]
        )
    return torch.softmax(query @ key.T, dim=-1) @ value


@right("attention", why="float64 inside, the dtype given back")
def attention_in_float64(query, key, value):
    q, k, v = query.double(), key.double(), value.double()
    return (torch.softmax(q @ k.mT, dim=-1) @ v).to(value.dtype)


@right("attention", why="keys in front: scores turned round, softmax over the keys in dimension -2")
def keys_in_front(query, key, value):
    weights = torch.softmax(key @ query.transpose(-1, -2), dim=-2)
    return weights.transpose(-2, -1) @ value


@right("attention", why="log_softmax and its exponential")
def log_softmax_attention(query, key, value):
    weights = torch.log_softmax(torch.matmul(query, key.swapaxes(-1, -2)), dim=-1).exp()
    return torch.matmul(weights, value)
