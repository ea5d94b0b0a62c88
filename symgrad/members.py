"""What the classes `ArrayExpr` and `Tensor` have beside what their own files state, in one place.

Methods, operators and attributes of both come from the tables that public functions enter.
"""

from __future__ import annotations

from symgrad.expr.atoms import Leaf, OwnLeaf
from symgrad.expr.display import PRINTED
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sources import PICKLED
from symgrad.forms import from_sympy, to_sympy, without_hooks  # noqa: F401 - enter functions
from symgrad.forms.door import DOOR, OF_TENSORS, leaf_operators
from symgrad.forms.dot import DRAWN
from symgrad.forms.formula_text import FORMULA_TEXT
from symgrad.forms.plain_form import inherited_methods
from symgrad.forms.services import SERVICES
from symgrad.forms.srepr import REPR
from symgrad.functions.creation.methods import FILLED, MAKING
from symgrad.functions.lacking import unwritable
from symgrad.functions.short_methods import short_methods
from symgrad.lower.evaluate import EVALUATED
from symgrad.lower.lambdify import LAMBDIFIED
from symgrad.lower.sizes import SIZED
from symgrad.lower.source import SOURCE
from symgrad.schema.public import METHODS, OPERATORS, PROPERTIES
from symgrad.support.members import beside, install, members_of
from symgrad.tensor.data import DataMembers
from symgrad.tensor.graph import GraphMembers
from symgrad.tensor.in_place import in_place_members
from symgrad.tensor.layout import LayoutMembers
from symgrad.tensor.legacy import LegacyMembers
from symgrad.tensor.numpy_interop import BY_NUMPY
from symgrad.tensor.shape import ShapeMembers
from symgrad.tensor.tensor import Tensor

__all__: list[str] = []

_SHARED = (METHODS, OPERATORS, PROPERTIES)

install(
    Tensor, beside(Tensor, *_SHARED), short_methods(), in_place_members(), GraphMembers,
    ShapeMembers, LayoutMembers, LegacyMembers, DataMembers, MAKING, OF_TENSORS,
)  # fmt: skip
install(
    ArrayExpr, beside(ArrayExpr, *_SHARED, members_of(ShapeMembers), FILLED), PRINTED,
    FORMULA_TEXT, DRAWN, EVALUATED, SIZED, SOURCE, LAMBDIFIED, SERVICES, REPR, PICKLED, BY_NUMPY,
)  # fmt: skip
install(ArrayExpr, unwritable(Tensor), {"_tensors": Tensor})
install(ArrayExpr, DOOR, inherited_methods(ArrayExpr))
install(OwnLeaf, OPERATORS)
install(Leaf, leaf_operators(OPERATORS))
