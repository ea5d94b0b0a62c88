"""The table of rewrites: all of them, in the order in which they are tried.

Where two rewrites apply to one node, the earlier one is used. `ORDER` lists the pairs of rewrites
for which the order changes the result.
"""

from __future__ import annotations

from typing import NamedTuple

from symgrad.simplify import (
    arithmetic,
    contraction,
    matrix_functions,
    plain,
    shapes,
    stable,
    zeros,
)
from symgrad.simplify.rewrite import Rewrite


class Section(NamedTuple):
    """Rewrites of one subject, in their order."""

    title: str
    rewrites: tuple[Rewrite, ...]


SECTIONS: tuple[Section, ...] = (
    Section(
        "Names, and operations without effect",
        (
            *plain.PLAIN_NAMES_OF_COPIES,
            plain.leave_out_alias,
            plain.leave_out_copy,
            shapes.shape_as_it_was,
            shapes.cast_to_itself,
        ),
    ),
    Section(
        "Numbers",
        (
            arithmetic.add_numbers,
            arithmetic.subtract_numbers,
            arithmetic.multiply_by_number,
            arithmetic.scale_constant_array,
            arithmetic.divide_by_one,
            arithmetic.divide_by_power_of_two,
            arithmetic.divide_quotient_by_number,
            arithmetic.power_of_one,
            arithmetic.negate_number,
            shapes.cast_constant,
        ),
    ),
    Section(
        "Sums, products and quotients",
        (
            arithmetic.negate_negated,
            arithmetic.negate_quotient_of_number,
            arithmetic.multiply_negated,
            arithmetic.divide_negated,
            arithmetic.add_negated,
            arithmetic.subtract_negated,
            arithmetic.merge_factors,
            arithmetic.add_equal_terms,
        ),
    ),
    Section(
        "Broadcasts",
        (
            arithmetic.broadcast_after,
            arithmetic.multiply_by_reciprocal,
            arithmetic.multiply_quotient_by_number,
            arithmetic.conj_of_conj,
            arithmetic.conj_of_number,
            arithmetic.conj_of_reciprocal,
            arithmetic.negate_repeated,
            shapes.broadcast_twice,
            shapes.reshape_repeated,
            shapes.sum_of_equal_terms,
            shapes.any_of_equal,
            shapes.total_of_scattered,
            shapes.cast_repeated,
            shapes.part_of_what_repeats,
            shapes.choose_from_repeated,
            shapes.scatter_repeated,
        ),
    ),
    Section(
        "Shapes, sums and moves",
        (
            shapes.reshape_twice,
            shapes.reshape_joined,
            shapes.permute_twice,
            shapes.sum_twice,
            shapes.sum_of_one_term,
            shapes.cast_there_and_back,
            shapes.part_that_is_all,
            shapes.part_that_was_written,
            shapes.array_that_is_overwritten,
            shapes.part_of_a_part,
            shapes.flip_twice,
            shapes.roll_twice,
            shapes.mirror_back,
            shapes.triangle_of_zeros,
            shapes.lower_triangle_twice,
            shapes.upper_triangle_twice,
        ),
    ),
    Section(
        "Contractions",
        (
            contraction.embed_diagonal,
            contraction.merge_contractions,
            contraction.permute_contraction,
            contraction.reshape_diagonal,
        ),
    ),
    Section(
        "Values among zeros",
        (
            zeros.add_complements,
            zeros.add_fills,
            zeros.join_masks,
            zeros.condition_twice,
            zeros.mask_fill,
            zeros.cast_fill,
            zeros.negate_fill,
            zeros.multiply_fill,
            zeros.divide_fill,
        ),
    ),
    Section(
        "Stable forms",
        (
            stable.log_of_exponentials,
            stable.log_to_a_base,
            stable.softmax_of_difference,
            stable.log_softmax_of_difference,
            stable.cross_entropy_of_logits,
            stable.sum_with_negative,
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
            stable.modulus_of_nonnegative,
            stable.root_of_squares,
            matrix_functions.function_of_a_matrix,
        ),
    ),
)

TABLE: tuple[Rewrite, ...] = tuple([entry for section in SECTIONS for entry in section.rewrites])

#: Pairs of rewrites of which the first must be tried before the second, by the reason. The order of
#: all other pairs is free, as `tests/simplify/test_order.py` shows.
ORDER: dict[str, tuple[tuple[Rewrite, Rewrite], ...]] = {
    "An operation without effect is left out before another operation is moved past it.": (
        (shapes.shape_as_it_was, shapes.reshape_twice),
        (shapes.cast_to_itself, zeros.cast_fill),
        (arithmetic.add_numbers, arithmetic.add_negated),
        (arithmetic.add_numbers, arithmetic.broadcast_after),
        (arithmetic.subtract_numbers, arithmetic.broadcast_after),
        (arithmetic.multiply_by_number, arithmetic.multiply_negated),
        (arithmetic.multiply_by_number, arithmetic.multiply_by_reciprocal),
        (arithmetic.multiply_by_number, zeros.multiply_fill),
        (arithmetic.divide_by_one, arithmetic.divide_negated),
        (arithmetic.divide_by_one, zeros.divide_fill),
        (shapes.part_that_is_all, shapes.part_of_a_part),
    ),
    "The number in a product stands in front of all other factors.": (
        (arithmetic.multiply_by_number, arithmetic.merge_factors),
        (arithmetic.merge_factors, arithmetic.multiply_by_reciprocal),
        (arithmetic.merge_factors, arithmetic.broadcast_after),
        (arithmetic.merge_factors, zeros.multiply_fill),
    ),
    "A broadcast number is multiplied as a number, not divided as an array.": (
        (arithmetic.broadcast_after, arithmetic.multiply_by_reciprocal),
    ),
    "Signs cancel before a broadcast is moved.": (
        (arithmetic.add_negated, arithmetic.broadcast_after),
    ),
    "Signs, quotients and broadcasts are moved first: no rewrite finds them inside a fill.": (
        (arithmetic.multiply_negated, zeros.multiply_fill),
        (arithmetic.multiply_by_reciprocal, zeros.multiply_fill),
        (arithmetic.broadcast_after, zeros.multiply_fill),
        (arithmetic.broadcast_after, zeros.divide_fill),
    ),
}

for _rewrite in TABLE:
    _rewrite.enter()
