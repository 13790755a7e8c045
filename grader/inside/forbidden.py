"""The groups of library calls that an exercise can forbid, by every name under which they are met.

One table serves two readers: the reading of a student's text, which sees dotted names, and the record of a call, which
sees torch functions and ATen operations.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

LIBRARIES = ("torch", "scipy", "numpy", "jax", "tensorflow")
OVERLOADS = frozenset({"default", "int", "out", "Dimname", "names", "dtype", "Tensor", "forward", "__call__", "apply"})


@dataclass(frozen=True)
class Group:
    """Library calls that give the same thing away.

    Attributes:
        names: Last parts of dotted names, as they stand in a text or in a record of torch functions.
        methods: Those of them that are met as methods of an object.
        owner: The class of that object.
        operations: ATen operations, without the prefix.
    """

    names: frozenset[str]
    operations: frozenset[str]
    methods: frozenset[str] = frozenset()
    owner: str = "torch.Tensor"


ATTENTION = frozenset(
    {
        "scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward",
        "_scaled_dot_product_attention", "_native_multi_head_attention", "_scaled_dot_product_attention_math",
        "_scaled_dot_product_flash_attention_for_cpu", "flex_attention",
    }
)  # fmt: skip
FUSED_ATTENTION = frozenset(
    {
        "scaled_dot_product_attention", "_scaled_dot_product_attention_math", "_native_multi_head_attention",
        "_scaled_dot_product_flash_attention", "_scaled_dot_product_flash_attention_for_cpu",
        "_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_fused_attention_overrideable", "_transformer_encoder_layer_fwd",
        "_scaled_dot_product_attention_math_for_mps", "_triton_multi_head_attention",
    }
)  # fmt: skip

GROUPS: dict[str, Group] = {
    "softmax": Group(
        names=frozenset(
            {
                "softmax", "_softmax", "log_softmax", "_log_softmax", "logsumexp", "softmin", "gumbel_softmax",
                "Softmax", "LogSoftmax", "Softmin", "Softmax2d", "special_softmax", "special_log_softmax",
                "special_logsumexp", "_safe_softmax", "logcumsumexp", "_logcumsumexp", "_masked_softmax",
            }
        )
        | ATTENTION,  # with unit matrices for keys and values it is a softmax
        operations=frozenset(
            {
                "softmax", "_softmax", "_safe_softmax", "log_softmax", "_log_softmax", "logsumexp", "special_softmax",
                "special_log_softmax", "special_logsumexp", "_masked_softmax", "_sparse_softmax", "_sparse_log_softmax",
                "logcumsumexp", "_logcumsumexp",
            }
        )
        | FUSED_ATTENTION,
        methods=frozenset({"softmax", "log_softmax", "logsumexp", "logcumsumexp"}),
    ),
    "attention": Group(names=ATTENTION, operations=FUSED_ATTENTION),
    "causal_mask": Group(
        names=frozenset({"generate_square_subsequent_mask", "_generate_square_subsequent_mask"}),
        operations=frozenset(),
        methods=frozenset({"generate_square_subsequent_mask"}),
        owner="torch.nn.Transformer",
    ),
    "layer_norm": Group(
        names=frozenset(
            {
                "layer_norm", "LayerNorm", "native_layer_norm", "group_norm", "GroupNorm", "native_group_norm",
                "rms_norm", "RMSNorm", "_fused_rms_norm",
            }
        ),
        operations=frozenset(
            {
                "layer_norm", "native_layer_norm", "group_norm", "native_group_norm", "rms_norm", "_fused_rms_norm",
            }
        ),
    ),
    "batch_norm": Group(
        names=frozenset(
            {
                "batch_norm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "SyncBatchNorm", "LazyBatchNorm1d",
                "LazyBatchNorm2d", "LazyBatchNorm3d", "native_batch_norm", "instance_norm", "InstanceNorm1d",
                "InstanceNorm2d", "InstanceNorm3d", "_native_batch_norm_legit", "_batch_norm_impl_index",
                "cudnn_batch_norm",
            }
        ),
        operations=frozenset(
            {
                "batch_norm", "native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_no_training",
                "_native_batch_norm_legit_functional", "_batch_norm_impl_index", "_batch_norm_with_update",
                "_batch_norm_no_update", "cudnn_batch_norm", "miopen_batch_norm", "instance_norm",
            }
        ),
    ),
    "transformer_layer": Group(
        names=frozenset(
            {
                "Transformer", "TransformerEncoder", "TransformerEncoderLayer", "TransformerDecoder",
                "TransformerDecoderLayer", "_transformer_encoder_layer_fwd",
            }
        ),
        operations=frozenset({"_transformer_encoder_layer_fwd"}),
    ),
}  # fmt: skip


def last_part(dotted: str) -> str:
    """Return the last part of a dotted name that is no overload: `_softmax` of `torch.ops.aten._softmax.default`."""
    parts = dotted.split(".")
    while len(parts) > 1 and parts[-1] in OVERLOADS:
        parts.pop()
    return parts[-1]


def group_of(dotted: str, groups: Iterable[str]) -> str | None:
    """Return the group that a dotted name of a library belongs to, among the given ones."""
    if dotted.split(".")[0] not in LIBRARIES:
        return None
    last = last_part(dotted)
    return next((group for group in groups if last in known(group).names), None)


def known(group: str) -> Group:
    """Return a group by name.

    Raises:
        LookupError: There is none of that name.
    """
    if group not in GROUPS:
        raise LookupError(f"{group!r} is no group of forbidden calls; the groups are: {', '.join(sorted(GROUPS))}.")
    return GROUPS[group]


def forbidden_in_trace(groups: Iterable[str], calls: Collection[str], operations: Mapping[str, int]) -> str | None:
    """Return the first forbidden call that a record of a run shows, or None.

    Args:
        groups: What the exercise forbids.
        calls: Dotted names of torch functions.
        operations: How often each ATen operation was run.

    Returns:
        A name to tell the student, `torch.softmax`.
    """
    chosen = list(groups)
    for call in sorted(calls):
        if group_of(call, chosen) is not None:
            return call
    for group in chosen:
        for operation in sorted(operations):
            if operation.removeprefix("aten.").removeprefix("aten::").split(".")[0] in known(group).operations:
                return operation
    return None
