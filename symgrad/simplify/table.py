"""The table of rewrites: all of them, in the order in which they are tried.

Of two that apply to one node the earlier one counts. `tests/simplify/test_order.py` says of each
pair of neighbours whether it matters which of them that is.
"""

from __future__ import annotations

from symgrad.simplify import arithmetic, contraction, masks, plain, shapes, stable, zeros
from symgrad.simplify.rewrite import Rewrite

__all__ = ["TABLE"]

TABLE: tuple[Rewrite, ...] = (
    # Names, and what does nothing.
    *plain.PLAIN_NAMES,
    *plain.PLAIN_NAMES_OF_COPIES,
    plain.shared,
    plain.copied,
    # Contractions take in what stands around them.
    contraction.merge_contractions,
    contraction.permute_contraction,
    contraction.multiply_diagonal,
    contraction.divide_diagonal,
    contraction.mask_diagonal,
    contraction.negate_diagonal,
    contraction.cast_diagonal,
    contraction.add_diagonals,
    contraction.sum_diagonal,
    contraction.sum_diagonal_to,
    # Numbers, broadcasts, signs and quotients.
    arithmetic.add_numbers,
    arithmetic.multiply_by_number,
    arithmetic.merge_factors,
    arithmetic.broadcast_after,
    arithmetic.subtract_numbers,
    arithmetic.multiply_negated,
    arithmetic.multiply_by_reciprocal,
    arithmetic.conj_of_reciprocal,
    arithmetic.negate_negated,
    arithmetic.negate_number,
    arithmetic.negate_repeated,
    arithmetic.negate_quotient_of_number,
    arithmetic.power_of_one,
    # What is zero by construction.
    zeros.multiply_within_a_mask,
    zeros.divide_within_a_mask,
    zeros.negate_within_a_mask,
    zeros.add_within_a_mask,
    arithmetic.divide_by_one,
    arithmetic.divide_negated,
    arithmetic.add_negated,
    arithmetic.subtract_negated,
    arithmetic.add_equal_terms,
    # Shapes, sums, conversions and moves.
    shapes.shape_as_it_was,
    shapes.broadcast_twice,
    shapes.choose_from_repeated,
    shapes.scatter_repeated,
    shapes.reshape_twice,
    shapes.reshape_repeated,
    shapes.permute_twice,
    shapes.sum_twice,
    shapes.sum_of_equal_terms,
    shapes.sum_of_one_term,
    shapes.cast_to_itself,
    shapes.cast_constant,
    shapes.cast_repeated,
    zeros.cast_inside,
    shapes.cast_there_and_back,
    shapes.part_that_is_all,
    shapes.part_of_what_repeats,
    shapes.part_that_was_written,
    shapes.part_of_a_part,
    shapes.flip_twice,
    shapes.roll_twice,
    shapes.triangle_of_zeros,
    # What is written among zeros, and what was moved.
    zeros.add_at_the_same_places,
    zeros.mask_inside,
    zeros.multiply_behind_a_move,
    zeros.divide_behind_a_move,
    zeros.multiply_inside,
    zeros.divide_inside,
    zeros.negate_inside,
    # What is masked as a whole, where a factor goes to no smaller place.
    masks.multiply_masked,
    masks.divide_masked,
    # Stable forms.
    stable.log_of_exponentials,
    stable.log_to_a_base,
    stable.softmax_of_difference,
    stable.log_softmax_of_difference,
    stable.cross_entropy_of_logits,
    stable.weights_that_add_up,
    stable.log1p_of_exponential,
    stable.logistic_function,
    stable.tails_of_sigmoid,
    stable.one_over_cosh,
    stable.tails_of_tanh,
    stable.sin_over_itself,
    stable.component_over_length,
    stable.one_over_one_and_square,
    stable.root_of_one_and_square,
    stable.square_of_length,
    stable.exponential_of_logarithm,
    stable.tail_of_expm1,
    stable.root_of_squares,
)

for _rewrite in TABLE:
    _rewrite.enter()
