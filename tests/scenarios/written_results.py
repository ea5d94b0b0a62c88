"""Functions with several results that write them into the tensors of `out`."""

from ._harness import each

#: The functions whose refusals of dtypes are worded alike, and those that have words of their own.
_ALIKE = {
    "sort": (1,),
    "max": (1,),
    "min": (1,),
    "topk": (2, 1),
    "aminmax": (),
}
_OTHERS = {"kthvalue": (2, 1), "median": (1,), "cummax": (1,), "cummin": (0,)}
_CALLS = _ALIKE | _OTHERS


def _called(torch, name, x, outs):
    return getattr(torch, name)(x, *_CALLS[name], out=outs)


def _operand(torch):
    return torch.tensor([[3.0, 1.0, 2.0], [4.0, 6.0, 5.0]])


def _plain(torch, name):
    return getattr(torch, name)(_operand(torch), *_CALLS[name])


@each("name", name=list(_CALLS), kind=[tuple, list])
def written(torch, log, name, kind):
    plain = _plain(torch, name)
    for start in ("empty", "full"):
        outs = kind(
            [torch.empty(0, dtype=x.dtype) if start == "empty" else x.clone() * 0 for x in plain]
        )
        result = _called(torch, name, _operand(torch), outs)
        log(f"{start}: returned", [result[0] is outs[0], result[1] is outs[1]])
        log(f"{start}: called", type(result).__name__)
        log(f"{start}: outs", list(outs))
        log(f"{start}: versions", [x._version > 0 for x in outs])
    log("shown", repr(result))
    log("none", type(_called(torch, name, _operand(torch), None)).__name__)


@each("name", name=list(_CALLS))
def resized(torch, log, name):
    import warnings

    outs = [torch.zeros(7, dtype=x.dtype) for x in _plain(torch, name)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _called(torch, name, _operand(torch), outs)
    log("outs", outs)
    log("warned", [w.category.__name__ for w in caught])


@each("name", name=list(_CALLS), place=[0, 1])
def no_tuple_of_two(torch, log, name, place):
    outs = [x.clone() for x in _plain(torch, name)]
    wrong = [outs[0], outs[0]]
    wrong[place] = None
    log.attempt("nothing in it", lambda: _called(torch, name, _operand(torch), tuple(wrong)))
    log.attempt("one", lambda: _called(torch, name, _operand(torch), outs[:1]))
    log.attempt("three", lambda: _called(torch, name, _operand(torch), (*outs, outs[0])))
    log.attempt("a tensor", lambda: _called(torch, name, _operand(torch), outs[place]))
    log.attempt("a number", lambda: _called(torch, name, _operand(torch), 1))


@each("name", name=list(_CALLS), place=[0, 1])
def gradients_required(torch, log, name, place):
    outs = [x.clone() for x in _plain(torch, name)]
    log.attempt(
        "of the operand", lambda: _called(torch, name, _operand(torch).requires_grad_(), outs)
    )
    if outs[place].is_floating_point():
        outs[place].requires_grad_()
        log.attempt("of a result", lambda: _called(torch, name, _operand(torch), outs))
        with torch.no_grad():
            log("not recorded", list(_called(torch, name, _operand(torch), outs)))
    log("results", [x.detach() for x in outs])


@each(
    "name",
    name=list(_ALIKE),
    place=[0, 1],
    dtype=["float64", "int32", "uint8", "bool", "complex64"],
)
def of_another_dtype(torch, log, name, place, dtype):
    outs = [x.clone() for x in _plain(torch, name)]
    outs[place] = outs[place].to(getattr(torch, dtype))
    log.attempt("refused", lambda: _called(torch, name, _operand(torch), outs))


@each("name", name=list(_OTHERS), place=[0, 1], dtype=["float64", "int32", "bool"])
def of_another_dtype_in_other_words(torch, log, name, place, dtype):
    outs = [x.clone() for x in _plain(torch, name)]
    outs[place] = outs[place].to(getattr(torch, dtype))
    try:
        _called(torch, name, _operand(torch), outs)
    except RuntimeError as error:
        log("refused", type(error).__name__)


@each("name", name=["sort", "cummax"])
def into_the_operand(torch, log, name):
    x = _operand(torch)
    places = torch.empty(2, 3, dtype=torch.int64)
    log("results", list(_called(torch, name, x, (x, places))))
    log("operand", x)
