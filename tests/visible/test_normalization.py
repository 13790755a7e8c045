"""The checks that you can see and run while you work on normalization.

The numbers are those of the notes, or small enough to work out by hand. The examples in `examples.json` are checked
beside them. More checks, with other numbers and sizes, grade your work later; each of them says in a sentence what it
asks.
"""

import torch

from grader.suite import checks, exercise

layer_norm = exercise("layer_norm")
layer_norm_module = exercise("LayerNorm")
batch_norm = exercise("batch_norm")
batch_norm_module = exercise("BatchNorm1d")
pre_norm = exercise("pre_norm")
post_norm = exercise("post_norm")

# The notes' two samples of three features, normalized over the features and over the batch.
SAMPLES = torch.tensor([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
OVER_FEATURES = """
    -1.2247 0.0000 1.2247
     0.0000 0.0000 0.0000
"""
OVER_BATCH = """
    0.0000  1.0000  1.0000
    0.0000 -1.0000 -1.0000
"""


@layer_norm.check("document", ko="노트의 두 샘플을 특징 방향으로 정규화하면 노트의 값이 나옵니다.")
def test_samples_of_the_note(student):
    """The notes' two samples, normalized over the features, give the notes' numbers."""
    checks.matches_figure(student.layer_norm(SAMPLES, torch.ones(3), torch.zeros(3)), OVER_FEATURES)


@layer_norm.check("value", ko="분산 1에 eps 3을 더해 제곱근을 구하면 2입니다. [0, 2]는 [-0.5, 0.5]가 됩니다.")
def test_eps_under_the_root(student):
    """The variance of [0, 2] is 1; with eps 3 the root is 2, and the row becomes [-0.5, 0.5]."""
    answer = student.layer_norm(torch.tensor([[0.0, 2.0]]), torch.ones(2), torch.zeros(2), eps=3.0)
    checks.close(answer, torch.tensor([[-0.5, 0.5]]))


@layer_norm_module.check("document", ko="새 층에 노트의 두 샘플을 넣으면 노트의 값이 나옵니다.")
def test_new_layer_and_the_note(student):
    """A new layer makes of the notes' two samples the notes' numbers."""
    checks.matches_figure(student.LayerNorm.built(3)(SAMPLES), OVER_FEATURES)


@layer_norm_module.check("value", ko="weight와 bias를 넣으면 정규화한 값에 곱하고 더합니다.")
def test_weight_and_bias(student):
    """With the weight [2, 4], the bias [10, 20] and eps 3, the row [0, 2] becomes [9, 22]."""
    values = {"weight": torch.tensor([2.0, 4.0]), "bias": torch.tensor([10.0, 20.0])}
    layer = student.LayerNorm.built(2, eps=3.0, loads=values)
    checks.close(layer(torch.tensor([[0.0, 2.0]])), torch.tensor([[9.0, 22.0]]))


@batch_norm.check("document", ko="노트의 두 샘플을 배치 방향으로 정규화하면 노트의 값이 나옵니다.")
def test_batch_of_the_note(student):
    """The notes' two samples, normalized over the batch, give the notes' numbers."""
    checks.matches_figure(student.batch_norm(SAMPLES, torch.ones(3), torch.zeros(3)), OVER_BATCH)


@batch_norm.check("value", ko="분산 1에 eps 3을 더해 제곱근을 구한 다음, gamma를 곱하고 beta를 더합니다.")
def test_feature_of_two_samples(student):
    """A feature that is 0 and 2 in two samples, with eps 3, gamma 4 and beta 10, becomes 8 and 12."""
    x, gamma, beta = torch.tensor([[0.0], [2.0]]), torch.tensor([4.0]), torch.tensor([10.0])
    checks.close(student.batch_norm(x, gamma, beta, eps=3.0), torch.tensor([[8.0], [12.0]]))


@batch_norm_module.check("document", ko="새 층에 노트의 두 샘플을 넣으면 노트의 값이 나옵니다.")
def test_new_batch_layer_and_the_note(student):
    """A new layer, in training, makes of the notes' two samples the notes' numbers."""
    checks.matches_figure(student.BatchNorm1d.built(3)(SAMPLES), OVER_BATCH)


@batch_norm_module.check("value", ko="eval에서는 샘플 하나도 이동 통계로 정규화합니다.")
def test_one_sample_in_eval(student):
    """In eval a new layer with eps 3 has the running mean 0 and variance 1, so the sample [2, -4] becomes [1, -2]."""
    layer = student.BatchNorm1d.built(2, eps=3.0)
    layer.eval()
    checks.close(layer(torch.tensor([[2.0, -4.0]])), torch.tensor([[1.0, -2.0]]))
