"""More wrong answers to `MultiHeadSelfAttention`, each with the hint that a student with this answer gets."""

from grader.course.variants import mistake, solution


@mistake(hint="The mask is used in training only.", ko="마스크를 학습 중에만 썼습니다.")
class mhsa_mask_in_training_only(solution.MultiHeadSelfAttention):
    def forward(self, x, mask=None):
        return super().forward(x, mask if self.training else None)
