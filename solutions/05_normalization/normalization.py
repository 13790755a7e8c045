# %% [markdown]
# # Normalization
#
# Deep networks train badly when the numbers inside them drift: too large, too small, or away from zero. A normalization
# layer brings them back, and then lets the model choose their size and place with a scale and a shift that it learns.
# This assignment builds the two usual layers, which differ in what they average over, and the two places that such a
# layer can have beside a residual connection.
#
# The letters are the same everywhere: `N` samples of a batch, `C` features of a sample in batch normalization, `d`
# features in layer normalization. `...` stands for any number of leading dimensions, none included.
#
# What is handed in is left as it is, and every call is computed anew from it; only the batch normalization module
# remembers something, and its text says what. float64 is computed in float64 all the way. A tensor may lie in memory in any way, as a transposed or a sliced one
# does, which `reshape` takes and `view` may refuse.
#
# Your code has to run on a GPU too: a tensor that you make gets the device of the input (`device=x.device`), and one that
# a module keeps is a parameter or a buffer.
#
# Fill in the marked places, run the cell, then run the `check` below it. Every exercise is graded for itself. You may
# use your own earlier answers in later ones, but then a mistake in the earlier one counts there too.

# %%
import torch
from torch import nn

from grader import check

# %% [markdown]
# ## 1. Layer normalization
#
# Every sample (a token, say) is normalized for itself: its mean and its variance are taken over its own `d` features,
# so the other samples of a batch play no part. The variance is that of the numbers that are there, the mean of the
# squared deviations; nothing larger is being estimated from them.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "layer_norm"} exercise={"title": "Layer normalization", "title_ko": "층 정규화", "difficulty": 2, "minutes": 20, "source": "N2 In[16], In[24] and the mean/std cell", "forbids": ["layer_norm"]}
def layer_norm(x, gamma, beta, eps=1e-5):
    """Normalize every row over the last dimension, then scale and shift each feature.

    Args:
        x: Tensor (..., d).
        gamma: Tensor (d,), the scale of each feature, of the dtype of `x`.
        beta: Tensor (d,), the shift of each feature, of the dtype of `x`.
        eps: Small number, at least 0, that is added to the variance, under the root.

    Returns:
        Tensor (..., d) in the dtype of `x` (float32, float64 or bfloat16):

            gamma * (x - mean) / sqrt(variance + eps) + beta

        with the mean and the variance of each row over its d features. The variance is the population variance, the
        mean of the squared deviations (divide by d, not by d - 1). Rows whose numbers are large and close together have
        to come out right as well, such as numbers near 1000 that differ by about 1, beside a row of numbers near -1000.
        Gradients flow to all three tensors, also through the mean and the variance; with eps above 0 they are finite
        also where all numbers of a row are equal. The arguments stay as they were.

    Not allowed:
        The library's normalizations as a whole, as a function, a method or a module: layer_norm, batch_norm,
        group_norm, instance_norm, rms_norm and their relatives.

    Example:
        >>> layer_norm(
        ...     torch.tensor([[0.0, 2.0]]),
        ...     torch.tensor([2.0, 4.0]),
        ...     torch.tensor([10.0, 20.0]),
        ...     eps=3.0
        ... )
        tensor([[ 9., 22.]])

    Hints:
        A mean of shape (...) does not line up with x of shape (..., d); `keepdim=True` keeps the last axis in place.
        torch.var divides by d - 1 unless it is told otherwise.
        mean(x^2) - mean(x)^2 is the same variance on paper, but a difference of two large numbers loses its digits.
    """
    ### BEGIN SOLUTION
    mean = x.mean(dim=-1, keepdim=True)  # (..., 1)
    variance = x.var(dim=-1, keepdim=True, correction=0)  # (..., 1)
    return gamma * (x - mean) / torch.sqrt(variance + eps) + beta  # (..., d)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 7, "grade_id": "layer_norm-check"}
check("layer_norm")

# %% [markdown]
# As a module it learns how much to stretch and to shift each feature again.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "LayerNorm"} exercise={"title": "Layer normalization as a module", "title_ko": "모듈로 만든 층 정규화", "difficulty": 2, "minutes": 15, "source": "N2 In[16] and the cell after it", "forbids": ["layer_norm"]}
class LayerNorm(nn.Module):
    """Layer normalization that learns its scale and its shift.

    Its parameters are `weight` (d,), the scale, which starts as ones, and `bias` (d,), the shift, which starts as
    zeros; and no others.

    Args:
        d: Features of a row.
        eps: Small number, at least 0, that is added to the variance, under the root.

    Not allowed:
        The library's normalizations as a whole, as a function, a method or a module: layer_norm, batch_norm,
        group_norm, instance_norm, rms_norm and their relatives.
    """

    def __init__(self, d, eps=1e-5):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(d))
        self.bias = nn.Parameter(torch.zeros(d))
        ### END SOLUTION

    def forward(self, x):
        """Normalize every row over the last dimension.

        Args:
            x: Tensor (..., d), of the dtype of the parameters (float32, float64 or bfloat16).

        Returns:
            Tensor (..., d) in the dtype of `x`, the same in training and in eval:

                weight * (x - mean) / sqrt(variance + eps) + bias

            with the mean and the population variance of each row over its d features. Rows whose numbers are large and
            close together have to come out right as well, such as numbers near 1000 that differ by about 1, beside a
            row of numbers near -1000. Gradients flow to x and to both parameters, also through the mean and the
            variance; with eps above 0 they are finite also where all numbers of a row are equal. x stays as it was.

        Example:
            >>> LayerNorm(4)(torch.zeros(2, 5, 4)).shape
            torch.Size([2, 5, 4])

        Hints:
            A plain tensor in an attribute is seen neither by an optimizer nor by `.to()` nor by state_dict; an
            nn.Parameter is seen by all three.
        """
        ### BEGIN SOLUTION
        mean = x.mean(dim=-1, keepdim=True)  # (..., 1)
        variance = x.var(dim=-1, keepdim=True, correction=0)  # (..., 1)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias  # (..., d)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 6, "grade_id": "LayerNorm-check"}
check("LayerNorm")


# %% [markdown]
# ## 2. Batch normalization
#
# The same formula along the other axis: every feature is normalized over the samples of the batch. What comes out for
# one sample now depends on which others it was put together with. That is fine while training, and no good when a
# single sample has to be judged later, so the module keeps running statistics for that.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "batch_norm"} exercise={"title": "Batch normalization", "title_ko": "배치 정규화", "difficulty": 2, "minutes": 15, "source": "N2 In[27], In[30], In[31]", "forbids": ["batch_norm"]}
def batch_norm(x, gamma, beta, eps=1e-5):
    """Normalize every feature over the batch, then scale and shift it.

    Args:
        x: Tensor (N, C), one sample in each row. N is at least 2.
        gamma: Tensor (C,), the scale of each feature, of the dtype of `x`.
        beta: Tensor (C,), the shift of each feature, of the dtype of `x`.
        eps: Small number, at least 0, that is added to the variance, under the root.

    Returns:
        Tensor (N, C) in the dtype of `x` (float32, float64 or bfloat16):

            gamma * (x - mean) / sqrt(variance + eps) + beta

        with the mean and the variance of each feature over the N samples. The variance is the population variance
        (divide by N, not by N - 1). Features whose numbers are large and close together have to come out right as well,
        such as numbers near 1000 that differ by about 1, beside a feature of numbers near -1000. Gradients flow to all
        three tensors, also through the mean and the variance; with eps above 0 they are finite also where all numbers
        of a feature are equal. The arguments stay as they were.

    Not allowed:
        The library's normalizations as a whole, as a function, a method or a module: layer_norm, batch_norm,
        group_norm, instance_norm, rms_norm and their relatives.

    Example:
        >>> batch_norm(torch.tensor([[0.0], [2.0]]), torch.tensor([4.0]), torch.tensor([10.0]), eps=3.0)
        tensor([[ 8.],
                [12.]])

    Hints:
        Which axis has to vanish so that one mean for each of the C features is left?
    """
    ### BEGIN SOLUTION
    mean = x.mean(dim=0)  # (C,)
    variance = x.var(dim=0, correction=0)  # (C,)
    return gamma * (x - mean) / torch.sqrt(variance + eps) + beta  # (N, C)
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 5, "grade_id": "batch_norm-check"}
check("batch_norm")

# %% [markdown]
# As a module it keeps those running statistics while it trains, and uses them in the place of the batch's own later.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "BatchNorm1d"} exercise={"title": "Batch normalization with running statistics", "title_ko": "이동 통계가 있는 배치 정규화", "difficulty": 3, "minutes": 35, "source": "N2 In[27] and the cell after it", "forbids": ["batch_norm"]}
class BatchNorm1d(nn.Module):
    """Batch normalization that remembers what it has seen, and uses that in eval.

    Its parameters are `weight` (num_features,), which starts as ones, and `bias` (num_features,), which starts as
    zeros; and no others. Its buffers are `running_mean` (num_features,), which starts as zeros, and `running_var`
    (num_features,), which starts as ones. As buffers they follow `.to()` and are part of state_dict. A further buffer
    num_batches_tracked is allowed and not asked for.

    Args:
        num_features: Features C of a sample.
        eps: Small number, at least 0, that is added to the variance, under the root.
        momentum: Share of the new batch in the running statistics, from 0 to 1, both included.

    Not allowed:
        The library's normalizations as a whole, as a function, a method or a module: layer_norm, batch_norm,
        group_norm, instance_norm, rms_norm and their relatives.
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        super().__init__()
        ### BEGIN SOLUTION
        self.eps = eps
        self.momentum = momentum
        self.weight = nn.Parameter(torch.ones(num_features))
        self.bias = nn.Parameter(torch.zeros(num_features))
        self.register_buffer("running_mean", torch.zeros(num_features))
        self.register_buffer("running_var", torch.ones(num_features))
        ### END SOLUTION

    def forward(self, x):
        """Normalize every feature, in training over the batch, in eval by the running statistics.

        Args:
            x: Tensor (N, C), of the dtype of the parameters (float32, float64 or bfloat16). N is at least 2 in training
                and may be 1 in eval.

        Returns:
            Tensor (N, C) in the dtype of `x`: weight * (x - mean) / sqrt(variance + eps) + bias.

            In training, mean and variance are those of each feature over this batch, the variance being the population
            variance (divide by N); gradients flow through both. Every call also moves the running statistics once:

                running = (1 - momentum) * running + momentum * new

            where new is the batch's mean for `running_mean` and its unbiased variance (divide by N - 1) for
            `running_var`. In eval, mean and variance are `running_mean` and `running_var`, and nothing moves.
            The running statistics stay buffers of the layer's dtype and carry no graph: they require no gradient.

            Features whose numbers are large and close together have to come out right as well, such as numbers near
            1000 that differ by about 1, beside a feature of numbers near -1000. Gradients flow to x and to both
            parameters; with eps above 0 they are finite also where all numbers of a feature are equal. x stays as it
            was.

        Example:
            >>> BatchNorm1d(4)(torch.zeros(8, 4)).shape
            torch.Size([8, 4])

        Hints:
            `self.training` tells the two cases apart; `train()` and `eval()` set it.
            The batch has two variances here. Which one is for this batch, which is a guess about all the data?
            The running statistics are remembered, not trained: update them under torch.no_grad().
        """
        ### BEGIN SOLUTION
        mean, variance = self.running_mean, self.running_var  # (C,)
        if self.training:
            mean, variance = x.mean(dim=0), x.var(dim=0, correction=0)  # (C,)
            with torch.no_grad():
                self.running_mean += self.momentum * (mean - self.running_mean)
                self.running_var += self.momentum * (x.var(dim=0) - self.running_var)
        return self.weight * (x - mean) / torch.sqrt(variance + self.eps) + self.bias  # (N, C)
        ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 8, "grade_id": "BatchNorm1d-check"}
check("BatchNorm1d")


# %% [markdown]
# ## 3. Beside a residual connection
#
# A transformer adds what a sublayer (attention, a feed-forward network) gives to what went into it. The norm can stand
# in front of the sublayer or behind the sum. The first transformers had it behind; most of today's have it in front,
# which leaves a way from the output back to the input on which nothing is changed.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "pre_norm"} exercise={"title": "The norm before the sublayer", "title_ko": "서브레이어 앞의 정규화", "difficulty": 1, "minutes": 8, "source": "N2, the note on Pre-LayerNorm", "forbids": []}
def pre_norm(x, sublayer, norm):
    """Let a sublayer see a normalized input and add what it gives to the input itself.

    Args:
        x: Tensor of any shape that the two can take.
        sublayer: An nn.Module that makes of a tensor one of the same shape.
        norm: Another such nn.Module, usually a LayerNorm.

    Returns:
        Tensor of the shape and dtype of `x`: x + sublayer(norm(x)). Each of the two is called exactly once, in the mode
        (train or eval) in which it comes. Gradients flow to x through both and along the residual path; x stays as it
        was.

    Example:
        >>> pre_norm(torch.tensor([[1.0, 3.0]]), nn.Identity(), nn.Tanh())
        tensor([[1.7616, 3.9951]])

    Hints:
        The residual path carries x as it came, not what the norm made of it.
    """
    ### BEGIN SOLUTION
    return x + sublayer(norm(x))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "pre_norm-check"}
check("pre_norm")

# %% [markdown]
# The other order, which came first: add, then normalize the sum.


# %% nbgrader={"schema_version": 3, "solution": true, "grade": false, "locked": false, "task": false, "grade_id": "post_norm"} exercise={"title": "The norm after the sum", "title_ko": "합 뒤의 정규화", "difficulty": 1, "minutes": 8, "source": "N2, the note on Post-LayerNorm", "forbids": []}
def post_norm(x, sublayer, norm):
    """Add what a sublayer gives to its input, then normalize the sum.

    Args:
        x: Tensor of any shape that the two can take.
        sublayer: An nn.Module that makes of a tensor one of the same shape.
        norm: Another such nn.Module, usually a LayerNorm.

    Returns:
        Tensor of the shape and dtype of `x`: norm(x + sublayer(x)). Each of the two is called exactly once, in the mode
        (train or eval) in which it comes. Gradients flow to x through both and along the residual path; x stays as it
        was.

    Example:
        >>> post_norm(torch.tensor([[1.0, -1.0]]), nn.Identity(), nn.Tanh())
        tensor([[ 0.9640, -0.9640]])

    Hints:
        The norm has the last word: it sees the sum.
    """
    ### BEGIN SOLUTION
    return norm(x + sublayer(x))
    ### END SOLUTION


# %% nbgrader={"schema_version": 3, "grade": true, "solution": false, "locked": true, "task": false, "points": 3, "grade_id": "post_norm-check"}
check("post_norm")
