"""Convolutions and their transposes, of one to three axes."""

from __future__ import annotations

from .table import Table, b, c, f, f32, i, table

case: Table = table("convolution")

_SIZES = {1: ((5,), (2,)), 2: ((4, 3), (2, 3)), 3: ((3, 2, 2), (2, 1, 2))}


def _functions(t):
    return t.nn.functional


for rank, (lengths, kernel) in _SIZES.items():
    for name in (f"conv{rank}d", f"conv_transpose{rank}d"):
        words = name.replace("_", "-")
        transposed = "transpose" in name
        x, bias = f(2, 2, *lengths), f(4 if transposed else 3)
        w = f(2, 4, *kernel) if transposed else f(3, 2, *kernel)

        def made(t, *operands, name=name, **ways):
            return getattr(_functions(t), name)(*operands, **ways)

        case(f"{words}-plain", made, x, w)
        case(f"{words}-bias", made, x, w, bias)
        case(f"{words}-alone", made, f(2, *lengths), w, bias)
        case(
            f"{words}-ways",
            lambda t, x, w, f=made: f(t, x, w, stride=2, padding=1, dilation=2),
            x, w,
        )  # fmt: skip
        grouped = f(4, 2, *kernel)
        case(
            f"{words}-groups",
            lambda t, x, w, b, f=made: f(t, x, w, b, padding=1, groups=2),
            f(1, 4, *lengths), grouped, f(4),
        )  # fmt: skip
        case(f"{words}-complex", made, c(1, 2, *lengths), c(*w.shape))
        case(f"{words}-single", made, f32(1, 2, *lengths), f32(*w.shape))
        case(f"{words}-integers", made, i(1, 2, *lengths), i(*w.shape))
        case(f"{words}-bools", made, b(1, 2, *lengths), b(*w.shape), same_words=False)
        case(f"{words}-none", made, f(0, 2, *lengths), w)
        for kind, operands in {
            "channels": (f(2, 5, *lengths), w),
            "vector": (f(3), w),
            "axes": (f(1, 1, 2, 2, *lengths), w),
            "bias": (x, w, f(2)),
            "dtypes": (x, f32(*w.shape)),
            "bias-dtypes": (x, w, f32(*bias.shape)),
        }.items():
            different = transposed and kind == "bias-dtypes"
            if not different:  # PyTorch takes such a bias for a transpose, by chance of a kernel
                case(f"{words}-wrong-{kind}", made, *operands)
        for kind, ways in {
            "stride": {"stride": 0},
            "padding": {"padding": -1},
            "dilation": {"dilation": 0},
            "groups": {"groups": 0},
            "few": {"groups": 9},
            "parted": {"groups": 5},
            "many": {"stride": (1,) * (rank + 1)},
        }.items():
            if not (transposed and kind == "parted"):
                case(
                    f"{words}-wrong-{kind}",
                    lambda t, x, w, f=made, ways=ways: f(t, x, w, **ways),
                    x, f(6, 2, *kernel) if kind == "parted" else w,
                    same_words=kind not in ("parted", *["dilation"] * (transposed or rank == 1)),
                )  # fmt: skip
    name = f"conv{rank}d"
    for padding in ("same", "valid", "other"):
        case(
            f"{name}-{padding}",
            lambda t, x, w, name=name, p=padding: getattr(_functions(t), name)(x, w, padding=p),
            f(1, 1, *lengths), f(2, 1, *kernel),
        )  # fmt: skip
    case(
        f"{name}-same-strided",
        lambda t, x, w, name=name: getattr(_functions(t), name)(x, w, None, 2, "same"),
        f(1, 1, *lengths), f(2, 1, *kernel),
    )  # fmt: skip
    case(
        f"{name}-wide",
        lambda t, x, w, name=name: getattr(_functions(t), name)(x, w),
        f(1, 1, *lengths), f(2, 1, *[n + 4 for n in kernel]),
    )  # fmt: skip
    name = f"conv_transpose{rank}d"
    for words, ways in {
        "further": {"stride": 3, "output_padding": 2},
        "wrong-further": {"output_padding": -1},
        "cut": {"padding": 9},
    }.items():
        case(
            f"{name.replace('_', '-')}-{words}",
            lambda t, x, w, name=name, ways=ways: getattr(_functions(t), name)(x, w, **ways),
            f(1, 2, *lengths), f(2, 1, *kernel),
            same_words=(rank, words) != (1, "cut"),
        )  # fmt: skip

CASES = case.cases
