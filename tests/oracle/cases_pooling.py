"""Pooling, and columns of windows, of one to three axes."""

from __future__ import annotations

from .table import Differs, Table, f, f32, i, table, v

case: Table = table("pooling")

_PLANES = {1: (5,), 2: (4, 5), 3: (2, 3, 2)}


def _call(name, *given, **ways):
    return lambda t, x: getattr(t.nn.functional, name)(x, *given, **ways)


def _both(name, *given):
    """The largest elements alone: the places have no gradient."""
    return lambda t, x: getattr(t.nn.functional, name)(x, *given)[0]


for rank, plane in _PLANES.items():
    x = f(1, 2, *plane)
    for kind in ("max", "avg", "lp"):
        name = f"{kind}_pool{rank}d"
        words, given = name.replace("_", "-"), (2.0,) if kind == "lp" else ()
        case(f"{words}-plain", _call(name, *given, 2), x)
        case(f"{words}-alone", _call(name, *given, 2), f(2, *plane))
        case(f"{words}-ceil", _call(name, *given, 2, stride=2, ceil_mode=True), x)
        case(f"{words}-single", _call(name, *given, 2), f32(1, 2, *plane))
        case(f"{words}-none", _call(name, *given, 2), f(0, 2, *plane))
        case(f"{words}-wide", _call(name, *given, 9), x, same_words=False)
        if kind != "lp":
            case(f"{words}-padded", _call(name, 2, stride=1, padding=1), x)
            case(f"{words}-far", _call(name, 2, padding=2), x, same_words=False)
            case(f"{words}-still", _call(name, 2, stride=0), x, same_words=False)
    name = f"max_pool{rank}d"
    case(f"max-pool{rank}d-dilated", _call(name, 2, stride=1, padding=1, dilation=2), x)
    case(f"max-pool{rank}d-with-indices-plain", _both(f"{name}_with_indices", 2), x)
    case(
        f"max-pool{rank}d-places",
        lambda t, x, n=name: getattr(t.nn.functional, n)(x, 2, return_indices=True)[1],
        f(1, 2, *plane, grad=False),
    )
    name = f"avg_pool{rank}d"
    case(f"avg-pool{rank}d-inside", _call(name, 2, padding=1, count_include_pad=False), x)
    if rank > 1:
        case(f"avg-pool{rank}d-divisor", _call(name, 2, divisor_override=3), x)
    for kind in ("avg", "max"):
        name = f"adaptive_{kind}_pool{rank}d"
        words = name.replace("_", "-")
        for count in (1, 2, 3):
            case(f"{words}-{count}", _call(name, count), x)
        case(f"{words}-integers", _call(name, 2), i(1, 2, *plane))
        case(f"{words}-vector", _call(name, 2), f(3), same_words=False)
    case(f"adaptive-max-pool{rank}d-with-indices-2", _both(f"{name}_with_indices", 2), x)
nan = float("nan")
case("max-pool1d-nan", _call("max_pool1d", 2, stride=1), v([[1.0, nan, 2.0, 2.0]], grad=False))
for words, ways in {
    "plain": {},
    "ways": {"dilation": 2, "padding": 1, "stride": 2},
}.items():
    case(f"unfold-{words}", _call("unfold", 2, **ways), f(1, 2, 4, 3))
    case(f"fold-{words}", _call("fold", (4, 3), 2, **ways), f(1, 4, 4 if ways else 6))
case("unfold-alone", _call("unfold", (2, 1)), f(2, 3, 2))
case("fold-alone", _call("fold", (3, 2), (2, 1)), f(2, 4))
case("unfold-wide", _call("unfold", 5), f(1, 2, 4, 3))
case("fold-number", _call("fold", (4, 3), 2), f(1, 4, 5))
case("fold-elements", _call("fold", (4, 3), 2), f(1, 3, 6))


def _put_back(name, *given, **ways):
    """Elements that go to places without a gradient."""
    return lambda t, x, at: getattr(t.nn.functional, name)(x, at, *given, **ways)


_SCATTERED = Differs("elements put into zeros", node="ViewBackward0", freed=True)
_TAKEN = Differs("largest elements of what is taken", node="MaxBackward0", freed=True)
_PLACES = {1: [1, 2, 4], 2: [[0, 3], [9, 10]], 3: [[[1], [2]]]}
for rank, places in _PLACES.items():
    at = v([[places]], dtype="int64")
    shape, name = at.shape, f"max_unpool{rank}d"
    words, wrong = name.replace("_", "-"), v([[places]], dtype="int32")
    case(f"{words}-plain", _put_back(name, 2), f(*shape), at, differs=_SCATTERED)
    case(f"{words}-alone", _put_back(name, 2), f(*shape[1:]), v([places], dtype="int64"),
         differs=_SCATTERED)  # fmt: skip
    case(
        f"{words}-size", _put_back(name, 2, 2, 0, [2 * n + 1 for n in shape[2:]]), f(*shape), at,
        differs=_SCATTERED,
    )  # fmt: skip
    case(f"{words}-single", _put_back(name, 2), f32(*shape), at, differs=_SCATTERED)
    case(f"{words}-far", _put_back(name, 2, 2, 0, [9] * rank), f(*shape), at)
    case(f"{words}-kind", _put_back(name, 2), f(*shape), wrong)
    case(f"{words}-shape", _put_back(name, 2), f(*shape[:-1], 5), at)
    case(f"{words}-integers", _put_back(name, 2), i(*shape), at)
    # The error names the last place outside in PyTorch, and the first one here.
    case(f"{words}-outside", _put_back(name, 1), f(*shape), at, same_words=False)
for rank, plane in {2: (6, 5), 3: (4, 5, 6)}.items():
    name = f"fractional_max_pool{rank}d"
    words, samples = name.replace("_", "-"), f(1, 2, rank, lo=0, hi=1, grad=False)

    def _at(t, x, given, n=name, **ways):
        return getattr(t.nn.functional, n)(x, 2, _random_samples=given, **ways)

    def _sized(t, x, given, n=name, at=_at):
        return at(t, x, given, n, output_size=2)

    def _in_part(t, x, given, n=name, at=_at, r=rank):
        return at(t, x, given, n, output_ratio=(0.5, 0.4, 0.5)[:r])

    x = f(1, 2, *plane)
    case(f"{words}-size", _sized, x, samples, differs=_TAKEN)
    case(f"{words}-ratio", _in_part, x, samples, differs=_TAKEN)
    case(f"{words}-alone", _sized, f(2, *plane), samples, differs=_TAKEN)
    case(f"{words}-nothing", _at, x, samples)
    case(f"{words}-samples", _sized, x, f(1, 2, 5, grad=False))
    case(f"{words}-kinds", _sized, x, f32(1, 2, rank, grad=False))
    case(
        f"{words}-with-indices",
        lambda t, x, s, n=name: getattr(t.nn.functional, f"{n}_with_indices")(
            x, 2, 2, _random_samples=s
        )[1],
        f(1, 2, *plane, grad=False), samples,
    )  # fmt: skip

CASES = case.cases
