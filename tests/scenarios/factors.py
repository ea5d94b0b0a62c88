"""The factor `alpha` of sums and differences: which numbers fit which dtypes, and the results."""

from ._harness import each

_KINDS = ["float32", "int64", "uint8", "bool", "complex64"]
_FACTORS = [2, -3, 0, 300, 0.5, 1.0, True, 1j]


@each("name", name=["add", "sub", "rsub"], left=_KINDS, right=[*_KINDS, "number"])
def factors(torch, log, name, left, right):
    x = torch.tensor([3, 1, 0]).to(getattr(torch, left))
    y = 2 if right == "number" else torch.tensor([2, 5, 1]).to(getattr(torch, right))
    if x.dtype.is_floating_point:
        x.requires_grad_()
    for alpha in _FACTORS:
        log.attempt(f"{alpha}", lambda: getattr(torch, name)(x, y, alpha=alpha))  # noqa: B023
        if name != "rsub" and torch.can_cast(torch.result_type(x, y), x.dtype):
            z = x.detach().clone()
            log.attempt(f"{alpha} in place", lambda: getattr(z, name + "_")(y, alpha=alpha))  # noqa: B023


def the_factor_is_shown(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    for alpha in (1, 1.0, 2, -0.5):
        for name in ("add", "sub", "rsub"):
            log(f"{name} {alpha!r}", getattr(torch, name)(x, x, alpha=alpha).grad_fn._saved_alpha)
