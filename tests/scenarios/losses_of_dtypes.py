"""Losses whose operands have several dtypes: the dtype of the result, its value, the gradients.

Values are compared in the narrowest dtype of the operands: PyTorch rounds to it on the way.
"""

import itertools

from ._harness import each

_FLOATS = ["float16", "float32", "float64"]
_OTHERS = ["int64", "uint8", "bool", "complex64"]
_VALUES = [[0.3, 0.8, 0.6], [0.125, 0.5, 0.875], [1.25, 0.75, 2.0], [0.5, 1.75, 0.875]]


def _f(torch):
    return torch.nn.functional


#: The functions by name, and how each is called: what it is given, and how many have gradients.
_LOSSES = {
    "mse_loss": (2, lambda f, x, y, **o: f(x, y, **o)),
    "mse_loss of weights": (3, lambda f, x, y, w, **o: f(x, y, weight=w, **o)),
    "l1_loss": (2, lambda f, x, y, **o: f(x, y, **o)),
    "l1_loss of weights": (3, lambda f, x, y, w, **o: f(x, y, weight=w, **o)),
    "smooth_l1_loss": (2, lambda f, x, y, **o: f(x, y, **o)),
    "binary_cross_entropy": (2, lambda f, x, y, **o: f(x, y, **o)),
    "binary_cross_entropy of weights": (2, lambda f, x, y, w, **o: f(x, y, w, **o)),
    "binary_cross_entropy_with_logits": (2, lambda f, x, y, **o: f(x, y, **o)),
    "binary_cross_entropy_with_logits of weights": (
        2, lambda f, x, y, w, **o: f(x, y, w, **o)
    ),
    "binary_cross_entropy_with_logits of pos_weight": (
        2, lambda f, x, y, w, **o: f(x, y, pos_weight=w, **o)
    ),
    "binary_cross_entropy_with_logits of both": (
        2, lambda f, x, y, w, v, **o: f(x, y, w, pos_weight=v, **o)
    ),
    "nll_loss of weights": (1, lambda f, x, w, **o: f(x[None], _class(x), w, **o)),
    "cross_entropy of weights": (1, lambda f, x, w, **o: f(x[None], _class(x), w, **o)),
    "cross_entropy of smoothed weights": (
        1, lambda f, x, w, **o: f(x[None], _class(x), w, label_smoothing=0.25, **o)
    ),
    "cross_entropy of probabilities": (2, lambda f, x, y, **o: f(x, y, **o)),
    "cross_entropy of weighted probabilities": (
        2, lambda f, x, y, w, **o: f(x, y, w, **o)
    ),
    "cross_entropy of smoothed probabilities": (
        2, lambda f, x, y, **o: f(x, y, label_smoothing=0.25, **o)
    ),
}  # fmt: skip


def _class(x):
    return x.detach().new_ones(1).long()


def _count(call):
    return call.__code__.co_argcount - 1


def _operands(torch, name, kinds):
    """Return the operands of a loss in dtypes; those with gradients require them."""
    moving = _LOSSES[name][0]
    made = [torch.tensor(v).to(getattr(torch, k)) for v, k in zip(_VALUES, kinds, strict=False)]
    return [
        x.requires_grad_() if i < moving and x.dtype.is_floating_point else x
        for i, x in enumerate(made)
    ]


def _loss(torch, name, given, reduction):
    """Return the loss of operands."""
    function = getattr(_f(torch), name.split()[0])
    return _LOSSES[name][1](function, *given, reduction=reduction)


@each("name", name=list(_LOSSES), reduction=["none", "mean"])
def floats(torch, log, name, reduction):
    def result(kinds):
        given = _operands(torch, name, kinds)
        made = _loss(torch, name, given, reduction)
        narrowest = getattr(torch, min(kinds, key=_FLOATS.index))
        moving = [x for x in given if x.requires_grad]
        total = made if reduction == "mean" else (made * _slopes(torch, made)).sum()
        found = torch.autograd.grad(total, moving)
        return [[x.dtype, x.detach().to(narrowest)] for x in (made, *found)]

    count = _count(_LOSSES[name][1])
    for kinds in itertools.product(_FLOATS, repeat=count):
        if count == 4 and (kinds[2] != kinds[3]) != (reduction == "mean"):
            continue  # two weights of one dtype, or of two
        log.attempt(" ".join(kinds), lambda: result(kinds))  # noqa: B023


def _slopes(torch, made):
    return torch.arange(1, made.numel() + 1).reshape(made.shape).to(made.dtype) / 4


@each("name", name=list(_LOSSES))
def others(torch, log, name):
    count = _count(_LOSSES[name][1])
    for place, kind in itertools.product(range(count), _OTHERS):
        if kind == "complex64" and name.startswith(("mse_loss", "l1_loss")) and not place:
            continue
        kinds = [kind if i == place else "float32" for i in range(count)]
        given = [x.detach() for x in _operands(torch, name, kinds)]
        log.attempt(" ".join(kinds), lambda: _loss(torch, name, given, "none"))  # noqa: B023
    for kind in _OTHERS:
        given = [x.detach() for x in _operands(torch, name, [kind] * count)]
        log.attempt(f"{kind} alone", lambda: _loss(torch, name, given, "mean"))  # noqa: B023
