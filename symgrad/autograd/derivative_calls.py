"""One call of a function of `functional`: its arguments and results, and what `strict` refuses.

How derivatives are computed is in `jacobians`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from symgrad.autograd.jacobians import (
    INDEPENDENT,
    Tensors,
    check_dependence,
    gradients_of,
    hessian_product_at_once,
    with_zeros,
)
from symgrad.expr.node import refusal_of
from symgrad.record.modes import enable_grad, recording, state
from symgrad.record.record import Recorded

Function = Callable[..., Any]

OUTPUTS = "outputs of the user-provided function"
INPUT_IS = "the input to the user-provided function is"
INDEPENDENT_OUTPUT = (
    "The output of the user-provided function is independent of input {}. This is not allowed in "
    "strict mode."
)
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with "
    "respect to input {} is independent of the input. This is not allowed in strict mode. You "
    "should ensure that your function is twice differentiable and that the jacobian depends on the "
    "inputs (this would be violated by a linear function for example)."
)


class Call(NamedTuple):
    """What calls of the functions of `functional` have in common.

    Attributes
    ----------
    name : str
        That of the function, for messages.
    create_graph, strict : bool
        Its arguments.
    """

    name: str
    create_graph: bool
    strict: bool

    def inputs(self, given: Any) -> tuple[bool, Tensors]:
        """Return whether a tuple was given, and what the user's function is called with."""
        many, found = as_tuple(given, "inputs", self.name)
        return many, prepared(found, self.create_graph, True)

    def outputs(self, func: Function, given: Tensors) -> tuple[bool, Tensors]:
        """Call the user's function; return whether it gave a tuple, and what it gave."""
        many, found = as_tuple(func(*given), OUTPUTS, self.name)
        check_outputs(found, self.strict)
        return many, found

    def vector(self, v: Any, of: Tensors, many: bool, single: str) -> Tensors | None:
        """Check the vector `v` against the tensors `of`, whose shapes it must have."""
        if v is None:
            if len(of) != 1 or of[0].numel() != 1:
                raise RuntimeError(
                    f"The vector v can only be None if {single} a single Tensor with a single "
                    "element."
                )
            return None
        _, given = as_tuple(v, "v", self.name)
        given = prepared(given, self.create_graph, False)
        if len(given) != len(of):
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(of)} but got {len(given)}."
                if many
                else "The given v should contain a single Tensor."
            )
        for i, (x, y) in enumerate(zip(given, of, strict=True)):
            if x.shape != y.shape:
                raise RuntimeError(
                    f"{f'Entry {i} in ' if many else ''}v has invalid size: should be {y.shape} "
                    f"but got {x.shape}."
                )
        return given

    def called(
        self, func: Function, inputs: Any, v: Any
    ) -> tuple[bool, Tensors, Tensors | None, Tensors]:
        """Return what products with a Hessian begin with: inputs, a vector, and the output."""
        with enable_grad():
            many, given = self.inputs(inputs)
            vector = self.vector(v, given, many, INPUT_IS)
            is_tuple, outputs = self.outputs(func, given)
            check_single(is_tuple, outputs, self.name)
        return many, given, vector, outputs

    def gradients(self, outputs: Tensors, given: Tensors) -> Tensors:
        """Return the gradients, to be differentiated."""
        with enable_grad():
            gradients = gradients_of(outputs, given, None, True)
            if self.strict:
                check_dependence(gradients, INDEPENDENT_OUTPUT, LINEAR)
        return gradients

    def product_at_once(
        self, outputs: Tensors, given: Tensors, vector: Tensors | None
    ) -> Tensors | None:
        """Return the product of a vector and the Hessian by one formula, None where there is none."""
        if self.create_graph or self.strict:
            return None
        with enable_grad():
            return hessian_product_at_once(outputs[0].reshape(()), given, vector)

    def product(
        self,
        of: Tensors,
        wrt: Tensors,
        vector: Tensors | None,
        like: Tensors,
        what: str,
        missing: str,
    ) -> Tensors:
        """Return the gradients for `vector`, with zeros of the shapes of `like` where none are."""
        with recording(self.create_graph or state.state.enabled):
            found = gradients_of(of, wrt, vector, self.create_graph)
            if self.strict:
                constant = INDEPENDENT.replace("{}", what, 1) if self.create_graph else ""
                check_dependence(found, missing, constant)
            return with_zeros(found, like)

    def result(self, found: Tensors, many: bool) -> Any:
        """Return tensors as the user gets them."""
        return untupled(found if self.create_graph else tuple([x.detach() for x in found]), many)


def as_tuple(given: Any, role: str, name: str) -> tuple[bool, Tensors]:
    """Return whether a tuple was given, and a tuple of tensors."""
    many = isinstance(given, tuple)
    found = given if many else (given,)
    for i, x in enumerate(found):
        if not isinstance(x, Recorded):
            which = f"value at index {i}" if many else f"given {role}"
            raise refusal_of(x)(
                f"The {role} given to {name} must be either a Tensor or a tuple of Tensors but the "
                f"{which} has type {type(x)}."
            )
    return many, found


def untupled(found: Tensors, many: bool) -> Any:
    """Return a tuple of tensors, or its only tensor where no tuple was given."""
    return found if many else found[0]


def prepared(given: Tensors, create_graph: bool, requires_grad: bool) -> Tensors:
    """Return new tensors of the same values, which the function may meet beside the old ones."""
    return tuple(
        [
            x.view_as(x)
            if create_graph and x.requires_grad
            else x.detach().requires_grad_(requires_grad)
            for x in given
        ]
    )


def check_single(is_tuple: bool, outputs: Tensors, name: str) -> None:
    """Raise unless a function returned one number."""
    if is_tuple:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def check_outputs(outputs: Tensors, strict: bool) -> None:
    """Raise, if `strict`, where an output does not depend on the inputs."""
    if strict:
        check_dependence(
            outputs,
            "",
            "Output {} of the user-provided function does not require gradients. The outputs must "
            "be computed in a differentiable manner from the input when running in strict mode.",
        )
