"""What sums with products refuse to expand: an input of too many axes, or of another length."""

from ._harness import each

_PRODUCTS = {
    "addmm": ((3, 4), (4, 2)),
    "addmv": ((3, 4), (4,)),
    "addr": ((3,), (2,)),
    "baddbmm": ((2, 3, 4), (2, 4, 2)),
    "addbmm": ((2, 3, 4), (2, 4, 2)),
}


@each(
    "name",
    name=list(_PRODUCTS),
    kind=["float32", "float64", "complex64", "int64", "int32", "uint8"],
)
def in_sums_with_products(torch, log, name, kind):
    dtype = getattr(torch, kind)
    factors = [torch.ones(*shape, dtype=dtype) for shape in _PRODUCTS[name]]
    for shape in ((2, 2, 3, 2), (5, 2), (5,)):
        added = torch.zeros(*shape, dtype=dtype)
        log.attempt(str(shape), lambda added=added: getattr(torch, name)(added, *factors))
