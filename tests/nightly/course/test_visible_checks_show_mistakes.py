"""A student's own run shows nearly all of the listed mistakes; each other one has a reason why it does not."""

from functools import partial
from pathlib import Path

import pytest

from grader.course.content.student_course import find_student_files
from grader.course.layout import find_course
from grader.course.variants.read_variants import build_submission, load_variants
from grader.limits import DEFAULT_LIMITS
from grader.student_check.checked import Checked
from grader.student_check.kernel_runs import copy_of
from grader.submissions.read import read_own

from ...support.classes.grading_runs import ROOT

MOST = 0.08
UNSEEN = {
    "scores in the thousands, or numbers far from 0, are in no example": """
        softmax_stable.maximum_of_everything softmax_stable.vanishing_rows_hidden softmax_stable.mean_subtracted
        attention_weights.naive_rows attention_weights.weights_less_the_mean
        all_context_vectors.contexts_without_a_shift attention.attention_without_a_shift
        scaled_attention_weights.weights_without_a_shift
        self_attention.attention_without_a_shift SelfAttention_v1.v1_without_a_shift
        self_attention.attention_shifted_only_down causal_attention_weights.weights_hidden_after_exponentials
        multi_head_attention.mha_less_the_first Attention.attn_less_the_mean
        SelfAttention_v2.v2_without_a_shift SelfAttention.both_without_a_shift
        causal_attention_weights.weights_fill_of_minus_100 causal_attention_weights.weights_without_a_shift
        causal_attention_weights.weights_shared_anew CausalAttention.module_fill_of_minus_100
        scaled_dot_product_attention.sdpa_mask_fill_of_minus_100 scaled_dot_product_attention.sdpa_plain_exponentials
        scaled_dot_product_attention.sdpa_renormalised scaled_dot_product_attention.sdpa_fill_of_minus_10000
        multi_head_attention.mha_fill_of_minus_100 multi_head_attention.mha_less_a_hundred
        multi_head_attention.mha_plain_exponentials ScaledDotProductAttention.module_plain_exponentials
        MultiHeadSelfAttention.mhsa_fill_of_minus_100
        MultiHeadSelfAttention.mhsa_plain_exponentials MultiHeadAttention.concat_plain_exponentials
        layer_norm.ln_mean_of_squares LayerNorm.lnm_mean_of_squares batch_norm.bn_mean_of_squares
        Attention.attn_one_maximum TransformerBlock.block_plain_exponential TransformerBlock.block_fill_of_minus_100
    """,
    "what dropout does to each weight shows over thousands of draws": """
        CausalAttention.module_ignores_probability CausalAttention.module_drops_scores
        CausalAttention.module_renormalises CausalAttention.module_drops_the_output
        ScaledDotProductAttention.module_keeps_instead_of_drops ScaledDotProductAttention.module_drops_scores
        ScaledDotProductAttention.module_renormalises ScaledDotProductAttention.module_ignores_probability
        ScaledDotProductAttention.module_sticky_eval ScaledDotProductAttention.module_returns_undropped
        MultiHeadSelfAttention.mhsa_mask_lost_with_dropout MultiHeadSelfAttention.mhsa_drops_scores
        MultiHeadSelfAttention.mhsa_same_draw_for_heads TransformerBlock.block_dropped_path
        TransformerBlock.block_same_draw_in_heads TransformerBlock.block_drops_values
        TransformerBlock.block_drops_hidden_features TransformerBlock.block_drops_weights_twice
        TransformerBlock.block_drops_merged_heads
    """,
    "an example is small": """
        causal_mask_simple.simple_of_256_at_most causal_mask.mask_of_256_at_most Attention.attn_of_64_tokens
        positional_encoding.pe_ten_thousand_rows positional_encoding.pe_squeezed TransformerBlock.block_limited_length
        LayerNorm.lnm_second_axis
    """,
    "a value that an example has by a rare chance alone: a score of 0, a sum near 0, two unknown words": """
        normalize_scores.sign_of_sum_lost normalize_scores.tiny_number_added_to_sum
        mask_and_renormalize.renormalize_with_a_tiny_eps apply_causal_mask.apply_zeros_taken_for_hidden
        causal_attention_weights.weights_zeros_taken_for_hidden dropout_weights.drop_negative_numbers
        embed_tokens.embed_last_unknown_named
        dropout_weights.drop_nothing_for_p_zero ScaledDotProductAttention.module_mask_bool_only
    """,
    "what stays behind a call, or lies between two modules, is looked at by hidden checks": """
        SelfAttention_v1.v1_seeded SelfAttention_v2.v2_seeded merge_heads.merge_not_contiguous
        self_attention.attention_kept_by_object TransformerBlock.block_mask_of_the_first_call
        merge_heads.merge_heads_by_view MultiHeadSelfAttention.mhsa_weights_detached_in_eval
        BatchNorm1d.bnm_moved_in_eval BatchNorm1d.bnm_buffers_in_float32 BatchNorm1d.bnm_in_place_in_eval
        BatchNorm1d.bnm_still_under_no_grad pre_norm.pre_called_twice pre_norm.pre_added_into_the_result
        post_norm.post_called_twice embed_tokens.embed_unknown_written_before_the_error
        post_norm.post_added_into_the_result positional_encoding.pe_trainable positional_encoding.pe_first_table_kept
        CausalAttention.module_buffer_unused
    """,
    "a way through float32 shows in digits that no example compares": """
        softmax_naive.naive_by_way_of_float32
        attention.attention_by_way_of_float32 project_qkv.project_by_way_of_float32
        CausalAttention.module_softmax_in_float32
        layer_norm.ln_float32_inside LayerNorm.lnm_float32_inside batch_norm.bn_float32_inside
    """,
    "the examples give no momentum, and no tokens whose features are so nearly equal that eps shows": """
        BatchNorm1d.bnm_momentum_ignored TransformerBlock.block_smaller_eps
    """,
    "nothing is given whose dtype an example could change": """
        positional_encoding.pe_float64 add_positional_encoding.add_angles_in_dtype_of_x
    """,
}
"""By the reason, the mistakes that pass every visible check."""
ASSIGNMENTS = find_course(ROOT).assignments


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_a_mistake_that_no_visible_check_shows_has_a_reason_and_is_no_slip(name, tmp_path):
    assignment, given = ASSIGNMENTS[name], {name for names in UNSEEN.values() for name in names.split()}
    folder = tmp_path / name
    folder.mkdir()
    for file in assignment.released.iterdir():
        if file.suffix in (".py", ".json"):
            (folder / file.name).write_bytes(file.read_bytes())
    exercises = {exercise.id for exercise in assignment.exercises}
    unseen = {mistake for mistake in load_variants(assignment).mistakes if passes(assignment, mistake, folder)}
    assert {f"{mistake.exercise}.{mistake.name}" for mistake in unseen} == {
        known for known in given if known.partition(".")[0] in exercises
    }
    assert not [mistake.name for mistake in unseen if mistake.marks == "slip"]


def test_few_mistakes_pass_every_visible_check():
    listed = sum(len(load_variants(assignment).mistakes) for assignment in ASSIGNMENTS.values())
    assert sum(len(names.split()) for names in UNSEEN.values()) <= MOST * listed


def passes(assignment, mistake, folder: Path) -> bool:
    """Tell whether a mistake passes all visible checks of its exercise in a student's own run."""
    file = folder / f"{assignment.name}.py"
    file.write_text(build_submission(assignment, mistake), encoding="utf-8")
    files, source = read_own(find_student_files(file), DEFAULT_LIMITS, "en")
    checked = Checked(files, source, [mistake.exercise], "cpu", "en", DEFAULT_LIMITS)
    checked.run_in(partial(copy_of, None))
    return checked.all_passed
