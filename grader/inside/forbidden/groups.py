"""The groups of library calls that an exercise can forbid.

A group is a list of operations, as torch's dispatcher knows them whatever name they were called by, and the names of
Python functions and classes that do the same by way of other operations. An operation that always ends in others of its
list is not in the list itself.
"""

import re
from dataclasses import dataclass


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True)
class Group:
    """Library calls that compute the same thing.

    Attributes:
        operations: Names at torch's dispatcher, without overloads; those without a namespace are in `aten`.
        names: Names of functions and layers in other libraries.
        composed: Functions and layers of torch in Python that call none of the operations.
        in_python: How the names of such functions and layers look where torch has many of them, such as `torch._refs`.
    """

    operations: frozenset[str]
    names: frozenset[str]
    composed: frozenset[str] = frozenset()
    in_python: re.Pattern[str] | None = None


ATTENTION = Group(
    operations=words("""
        scaled_dot_product_attention _scaled_dot_product_attention_math _scaled_dot_product_attention_math_for_mps
        _scaled_dot_product_flash_attention _scaled_dot_product_flash_attention_for_cpu
        _scaled_dot_product_efficient_attention _scaled_dot_product_cudnn_attention
        _scaled_dot_product_fused_attention_overrideable _flash_attention_forward _efficient_attention_forward
        _cudnn_attention_forward _native_multi_head_attention _triton_multi_head_attention
        _triton_scaled_dot_attention _transformer_encoder_layer_fwd
    """),
    names=words("scaled_dot_product_attention dot_product_attention MultiheadAttention MultiHeadAttention"),
    composed=words("MultiheadAttention multi_head_attention_forward flex_attention math_attention"),
    in_python=re.compile(r"attention|^_sfdp_pattern|sdpamerger", re.IGNORECASE),
)
SOFTMAX = Group(
    operations=words("""
        _softmax _log_softmax _safe_softmax _masked_softmax _nested_tensor_softmax_with_shape _sparse_softmax
        _sparse_log_softmax logsumexp logcumsumexp _logcumsumexp quantized::softmax _ctc_loss _ctc_loss_backward
    """)
    | ATTENTION.operations,  # with unit matrices for keys and values it is a softmax
    names=words("""
        softmax _softmax _safe_softmax log_softmax _log_softmax softmin gumbel_softmax logsumexp logcumsumexp Softmax
        LogSoftmax Softmin Softmax2d
    """)
    | ATTENTION.names,
    composed=ATTENTION.composed,
    in_python=re.compile(
        r"soft_?m(ax|in)|log(cum)?sumexp|linear_cross_entropy|simplex|stickbreaking|attention|sdpamerger", re.IGNORECASE
    ),
)
NORMALISATION = Group(
    operations=words("""
        native_layer_norm native_group_norm native_batch_norm _native_batch_norm_legit
        _native_batch_norm_legit_functional _native_batch_norm_legit_no_training _batch_norm_with_update
        _batch_norm_with_update_functional _batch_norm_no_update batch_norm_stats batch_norm_elemt
        batch_norm_update_stats cudnn_batch_norm miopen_batch_norm rms_norm _fused_rms_norm quantized_batch_norm
        quantized::batch_norm quantized::batch_norm1d quantized::batch_norm2d quantized::batch_norm3d
        quantized::batch_norm_relu quantized::batch_norm1d_relu quantized::batch_norm2d_relu
        quantized::batch_norm3d_relu quantized::group_norm quantized::instance_norm quantized::layer_norm
        onednn::qbatch_norm2d native_batch_norm_backward to_mkldnn mkldnn_reorder_conv2d_weight
        mkldnn_reorder_conv3d_weight mkldnn::_reorder_linear_weight mkldnn::_reorder_convolution_weight
        mkldnn::_reorder_convolution_transpose_weight mkldnn::_reorder_mkldnn_rnn_layer_weight
    """),
    names=words("""
        layer_norm native_layer_norm group_norm native_group_norm batch_norm native_batch_norm instance_norm rms_norm
        _fused_rms_norm _native_batch_norm_legit _native_batch_norm_legit_functional
        _native_batch_norm_legit_no_training LayerNorm GroupNorm RMSNorm BatchNorm BatchNorm1d BatchNorm2d BatchNorm3d
        SyncBatchNorm InstanceNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d LayerNormalization BatchNormalization
    """),
    composed=words("""
        local_response_norm CrossMapLRN2d fuse_linear_bn_weights fuse_conv_bn_weights efficient_conv_bn_eval
        efficient_conv_bn_eval_decomposed
    """),
    in_python=re.compile(r"(layer|batch|group|instance|rms)_?norm|^_normalize$", re.IGNORECASE),
)
MASKS = words("_generate_square_subsequent_mask causal_lower_right causal_upper_left CausalBias")
TRANSFORMERS = words(
    "Transformer TransformerEncoder TransformerEncoderLayer TransformerDecoder TransformerDecoderLayer"
)

GROUPS: dict[str, Group] = {
    "softmax": SOFTMAX,
    "attention": ATTENTION,
    "causal_mask": Group(operations=frozenset(), names=frozenset(), composed=MASKS),
    "layer_norm": NORMALISATION,  # a norm over rows is one over columns of what is transposed
    "batch_norm": NORMALISATION,
    "transformer_layer": Group(
        operations=words("_transformer_encoder_layer_fwd"), names=frozenset(), composed=TRANSFORMERS
    ),
}
