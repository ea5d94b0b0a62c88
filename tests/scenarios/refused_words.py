"""What refusals name: the dtype, the dimension of a key, the keyword as it was written."""

from functools import partial

from ._harness import each

#: Calls of operations with several results, and of their kin: each orders or compares elements, or
#: divides them. `tests/ops/test_class_facts.py` holds that none of the former is missing.
CALLS = {
    "aminmax": lambda t, x: t.aminmax(x),
    "amax": lambda t, x: t.amax(x, 0),
    "amin": lambda t, x: t.amin(x, 0),
    "argmax": lambda t, x: t.argmax(x, 0),
    "argsort": lambda t, x: t.argsort(x, 0),
    "cummax": lambda t, x: t.cummax(x, 0),
    "cummin": lambda t, x: t.cummin(x, 0),
    "frexp": lambda t, x: t.frexp(x),
    "kthvalue": lambda t, x: t.kthvalue(x, 1, 0),
    "logcumsumexp": lambda t, x: t.logcumsumexp(x, 0),
    "max": lambda t, x: t.max(x),
    "max_dim": lambda t, x: t.max(x, 0),
    "median": lambda t, x: t.median(x),
    "median_dim": lambda t, x: t.median(x, 0),
    "min": lambda t, x: t.min(x),
    "min_dim": lambda t, x: t.min(x, 0),
    "mode": lambda t, x: t.mode(x, 0),
    "nanmedian": lambda t, x: t.nanmedian(x),
    "nanmedian_dim": lambda t, x: t.nanmedian(x, 0),
    "qr": lambda t, x: t.linalg.qr(x),
    "quantile": lambda t, x: t.quantile(x, 0.5),
    "slogdet": lambda t, x: t.slogdet(x),
    "sort": lambda t, x: t.sort(x, 0),
    "split": lambda t, x: t.split(x, 1),
    "split_with_sizes": lambda t, x: t.split_with_sizes(x, [len(x)]),
    "std_mean": lambda t, x: t.std_mean(x, 0, correction=0),
    "topk": lambda t, x: t.topk(x, 1, 0),
    "unbind": lambda t, x: t.unbind(x),
    "var_mean": lambda t, x: t.var_mean(x, 0, correction=0),
}
_DTYPES = [
    *("bool", "uint8", "int8", "int16", "int32", "int64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]


@each("function", function=list(CALLS), dtype=_DTYPES)
def dtypes_of(torch, log, function, dtype):
    # PyTorch warns twice of variances of no complex numbers.
    for shape in ((2,), (2, 2), (), *([] if "_mean" in function else [(0,)])):
        x = torch.ones(shape, dtype=getattr(torch, dtype))
        log.attempt(f"{list(shape)}", partial(CALLS[function], torch, x))


_ITEMS = {
    "none": lambda torch: None,
    "all": lambda torch: slice(None),
    "first": lambda torch: 0,
    "ellipsis": lambda torch: ...,
    "true": lambda torch: True,
    "mask": lambda torch: torch.ones(2, dtype=torch.bool),
    "table": lambda torch: torch.ones(2, 2, dtype=torch.bool),
    "places": lambda torch: torch.tensor([0]),
    "place": lambda torch: torch.tensor(0),
}
_BEYOND = {
    "number": lambda torch: 9,
    "negative": lambda torch: -9,
    "place": lambda torch: torch.tensor(9),
    "places": lambda torch: torch.tensor([9]),
    "mask": lambda torch: torch.ones(9, dtype=torch.bool),
}


@each(before=list(_ITEMS), last=list(_BEYOND))
def dimension_of_a_key(torch, log, before, last):
    x = torch.zeros(2, 2, 2, 2)
    for between in (None, *_ITEMS):
        names = [before, *([between] if between else [])]
        # PyTorch compares the shapes of masks first, and takes a second ellipsis for axes.
        if {"mask", "table"} <= {*names} or names.count("ellipsis") > 1:
            continue
        key = (*[_ITEMS[name](torch) for name in names], _BEYOND[last](torch))
        log.attempt(" ".join(names), partial(x.__getitem__, key))
        log.attempt(f"{' '.join(names)} set", partial(x.__setitem__, key, 1.0))


@each(word=["axis", "keepdims", "x", "a", "x1", "x2"])
def keywords_of_numpy(torch, log, word):
    x = torch.ones(2, 2)
    given = {word: x if word not in ("axis", "keepdims") else 0}
    for name in ("roll", "flip", "sum", "amax", "mul", "cat", "transpose", "sort", "where"):
        for args in ((), (x,), (x, 1)):
            call = partial(getattr(torch, name), *args, **given)
            log.attempt(f"{name} {len(args)}", call)
        log.attempt(f"{name} method", lambda name=name: getattr(x, name)(**given))
