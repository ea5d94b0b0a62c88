"""NumPy arrays and scalars beside tensors: conversion, sharing, functions, operators."""

import numpy as np

from ._harness import ABSENT, STRAY, differs, each

_DTYPES = [
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "bool",
]


@each(dtype=_DTYPES)
def round_trip(torch, log, dtype):
    array = np.array([[0, 1], [1, 0]], dtype=dtype)
    t = torch.from_numpy(array)
    log("tensor", t)
    log("array", t.numpy())
    log("asarray", np.asarray(t))
    log("array()", np.array(t))
    log("0-d", torch.tensor(1, dtype=getattr(torch, dtype)).numpy())


def numpy_shares_memory(torch, log):
    t = torch.tensor([1.0, 2.0])
    a = t.numpy()
    a[0] = 7.0
    log("t", t)
    t[1] = 8.0
    log("a", a)
    log("np.array copies", _changed(np.array(t), t))
    log("np.asarray shares", _changed(np.asarray(t), t))


def _changed(array, t):
    array[0] = 99.0
    return t.tolist()


def numpy_of_tensors_with_grad(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with log.raises("leaf"):
        x.numpy()
    with log.raises("function"):
        (x * 2).numpy()
    with log.raises("np.asarray"):
        np.asarray(x)
    with log.raises("np.array"):
        np.array(x)
    log("detached", x.detach().numpy())
    log("data", x.data.numpy())
    log("forced", x.numpy(force=True))
    log("grad", (x * 2).detach().numpy())
    with torch.no_grad():
        log.attempt("leaf under no_grad", lambda: x.numpy())
        log("function under no_grad", (x * 2).numpy())


def numpy_of_a_transposed_view(torch, log):
    t = torch.arange(6.0).reshape(2, 3).t()
    log("array", t.numpy())
    log("strides are kept", t.numpy().flags["C_CONTIGUOUS"])


def from_numpy_of_strided_arrays(torch, log):
    log("transposed", torch.from_numpy(np.arange(6.0).reshape(2, 3).T))
    log("step", torch.from_numpy(np.arange(6.0)[::2]))
    with log.raises("negative stride"):
        torch.from_numpy(np.arange(6.0)[::-1])
    with log.raises("tensor of negative stride"):
        torch.tensor(np.arange(6.0)[::-1])
    log("0-d", torch.from_numpy(np.array(2.5)))
    log("empty", torch.from_numpy(np.zeros((0, 2))))


def from_numpy_of_other_things(torch, log):
    with log.raises("list"):
        torch.from_numpy([1.0])
    with log.raises("scalar"):
        torch.from_numpy(np.float64(1.0))
    with log.raises("strings"):
        torch.from_numpy(np.array(["a"]))
    with log.raises("objects"):
        torch.from_numpy(np.array([object()]))
    with log.raises("tensor"):
        torch.from_numpy(torch.ones(1))
    with log.raises("tensor() of strings"):
        torch.tensor(np.array(["a"]))
    with log.raises("tensor() of objects"):
        torch.tensor(np.array([None]))


def from_numpy_then_backward(torch, log):
    array = np.array([1.0, 2.0])
    w = torch.from_numpy(array).requires_grad_()
    (w * w).sum().backward()
    log("w", w)
    log("grad", w.grad)
    with torch.no_grad():
        w -= w.grad
    log("the array was updated", array)


def _tensor(value, grad_fn, dtype="float32"):
    return {
        "tensor": value,
        "shape": [len(value)] if isinstance(value, list) else [],
        "dtype": dtype,
        "requires_grad": grad_fn is not None,
        "grad_fn": grad_fn,
    }


@differs(
    "arrays beside a tensor are constants, and what is done with them is recorded",
    {
        "add": _tensor([4.0, 6.0], "AddBackward0"),
        "mul": _tensor([3.0, 8.0], "MulBackward0"),
        "float64 mul": _tensor([3.0, 8.0], "MulBackward0", "float64"),
        "matmul": _tensor(11.0, "DotBackward0"),
        "compare": _tensor([False, False], None, "bool"),
    },
)
def arrays_on_the_right(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a = np.array([3.0, 4.0], dtype=np.float32)
    log.attempt("add", lambda: x + a)
    log.attempt("mul", lambda: x * a)
    log.attempt("float64 mul", lambda: x * np.array([3.0, 4.0]))
    log.attempt("matmul", lambda: x @ a)
    log.attempt("compare", lambda: x > a)


@each(scalar=["float64", "float32", "int64", "int32", "bool_", "complex128"])
def numpy_scalars_beside_a_float32_vector(torch, log, scalar):
    s = getattr(np, scalar)(1)
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    log.attempt("x + s", lambda: x + s)
    log.attempt("x * s", lambda: x * s)
    log.attempt("x / s", lambda: x / s)
    log.attempt("x ** s", lambda: x**s)
    log.attempt("x > s", lambda: x > s)
    n = torch.tensor([1, 2])
    log.attempt("n + s", lambda: n + s)


def numpy_scalar_first_without_grad(torch, log):
    x = torch.tensor([1.0, 2.0])
    log.attempt("float64 * x", lambda: type(np.float64(2.0) * x).__name__)
    log.attempt("float64 * x values", lambda: np.asarray(np.float64(2.0) * x).tolist())


@differs(
    "arrays beside a tensor are constants, and what is done with them is recorded",
    {
        "add": _tensor([4.0, 6.0], "AddBackward0"),
        "mul": _tensor([3.0, 8.0], "MulBackward0"),
    },
)
def arrays_on_the_left(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a = np.array([3.0, 4.0], dtype=np.float32)
    log.attempt("add", lambda: a + x)
    log.attempt("mul", lambda: a * x)
    log.attempt("float64 scalar", lambda: np.float64(2.0) * x)


@differs(
    "NumPy's functions that have a counterpart are recorded",
    {
        "sin": _tensor([0.0, 0.0], "SinBackward0"),
        "exp": _tensor([1.0, 1.0], "ExpBackward0"),
        "sum": _tensor(0.0, "SumBackward0"),
        "sum over an axis": _tensor(0.0, "SumBackward1"),
        "add": _tensor([1.0, 1.0], "AddBackward0"),
        "maximum": _tensor([0.0, 0.0], "MaximumBackward0"),
    },
)
def numpy_functions_of_tensors_with_grad(torch, log):
    x = torch.tensor([0.0, 0.0], requires_grad=True)
    log.attempt("sin", lambda: np.sin(x))
    log.attempt("exp", lambda: np.exp(x))
    log.attempt("sum", lambda: np.sum(x))
    log.attempt("sum over an axis", lambda: np.sum(x, axis=0))
    log.attempt("add", lambda: np.add(x, 1))
    log.attempt("maximum", lambda: np.maximum(x, x))


def indices_from_numpy(torch, log):
    x = torch.arange(5.0)
    log("integer", x[np.int64(2)])
    log("array", x[np.array([0, 3])])
    log("mask", x[np.array([True, False, True, False, False])])
    log("slice", x[np.int64(1) : np.int64(3)])
    log("reshape", x[:4].reshape(np.int64(2), -1).shape)
    log("dim", torch.ones(2, 3).sum(np.int64(1)))


def numpy_functions_of_constants(torch, log):
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    log("shape", list(np.shape(x)))
    log("asarray dtype", str(np.asarray(x, dtype=np.float64).dtype))
    log("testing", np.testing.assert_allclose(x, [[1, 2], [3, 4]]))
    log("stack of items", np.array([t.item() for t in x[0]]))
    log("list of 0-d", np.array([torch.tensor(1.0), torch.tensor(2.0)]))
    log("isscalar", np.isscalar(torch.tensor(1.0)))
    log("ndim", np.ndim(x))


def conversion_keywords(torch, log):
    x = torch.tensor([1.5, 2.5])
    log("dtype", np.array(x, dtype=np.int64))
    log("array method", x.__array__())
    log("array method with dtype", x.__array__(np.float64))
    log("tolist of numpy", x.numpy().tolist())
    log("np.float64 of 0-d", np.float64(torch.tensor(1.5)))
    log("item type", type(torch.tensor(1.5).item()).__name__)


def dlpack(torch, log):
    x = torch.tensor([1.0, 2.0])
    a = np.from_dlpack(x)
    log("array", a)
    x[0] = 5.0
    log("shared", a)
    log("from_dlpack", torch.from_dlpack(np.array([3.0, 4.0])))
    with log.raises("of a tensor with grad"):
        np.from_dlpack(torch.ones(1, requires_grad=True))


def shared_memory_is_seen_by_backward(torch, log):
    a = np.array([1.0, 2.0])
    w = torch.from_numpy(a).requires_grad_()
    y = (w * w).sum()
    a[0] = 10.0
    y.backward()
    log("the changed value is used", w.grad)


@differs("lists of arrays are as quick as others", {STRAY: ABSENT})
def sequences_of_arrays(torch, log):
    ones = {kind: np.ones(2, dtype=kind) for kind in _DTYPES}
    for kind, array in ones.items():
        log(kind, torch.tensor([array, array]))
    double = ones["float64"]
    log("beside a list", torch.tensor([double, [1, 2]]))
    log("of two dtypes", torch.tensor([ones["float32"], double]))
    log("of integers and halves", torch.tensor([ones["int64"], ones["float16"]]).dtype)
    log("deeper", torch.tensor([[double, double], [[1, 2], double]]))
    log("of two axes", torch.tensor([np.ones((1, 2)), np.ones((1, 2))]))
    log("empty", torch.tensor([np.ones((2, 0)), np.ones((2, 0))]))
    log("as_tensor", torch.as_tensor([double]).dtype)
    log("to another dtype", torch.tensor([double], dtype=torch.int32))
    log("Tensor", torch.Tensor([double]).dtype)
    log.attempt("of two lengths", lambda: torch.tensor([double, np.ones(3)]))


@differs("a buffer without bytes is refused before its being read-only is told", {STRAY: ABSENT})
def bytes_of_a_buffer(torch, log):
    data = bytearray(range(8))
    t = torch.frombuffer(data, dtype=torch.uint8)
    data[1], t[0] = 77, 99
    log("shared", t)
    log("bytes", list(data))
    log("integers", torch.frombuffer(data, dtype=torch.int32))
    log("a part", torch.frombuffer(data, dtype=torch.int16, offset=1, count=2))
    log("an array", torch.frombuffer(np.arange(3), dtype=torch.int64))
    log("bools", torch.frombuffer(data, dtype=torch.bool))
    x = torch.frombuffer(bytearray(4), dtype=torch.float32, requires_grad=True)
    log("with a gradient", x)
    for name, options in {
        "no whole number": {"dtype": torch.int32, "offset": 2},
        "beyond the end": {"dtype": torch.uint8, "offset": 8},
        "a negative offset": {"dtype": torch.uint8, "offset": -1},
        "none": {"dtype": torch.uint8, "count": 0},
        "too many": {"dtype": torch.int16, "count": 5},
        "no dtype": {},
        "another dtype": {"dtype": "uint8"},
        "a gradient of integers": {"dtype": torch.int32, "requires_grad": True},
    }.items():
        log.attempt(name, lambda options=options: torch.frombuffer(data, **options))
    for name, buffer in {"a list": [1], "a number": 3, "text": "abc", "a tensor": t}.items():
        log.attempt(name, lambda b=buffer: torch.frombuffer(b, dtype=torch.uint8))
    log.attempt("empty", lambda: torch.frombuffer(b"", dtype=torch.uint8))
    log.attempt("gaps", lambda: torch.frombuffer(np.arange(4)[::2], dtype=torch.int64))


def asarray_without_a_copy(torch, log):
    a = np.arange(3.0)
    for name, how in {
        "same": {}, "its dtype": {"dtype": torch.float64}, "another": {"dtype": torch.float32},
        "integers": {"dtype": torch.int64},
    }.items():  # fmt: skip
        log.attempt(
            name, lambda how=how: torch.asarray(a, copy=False, **how).data_ptr() == a.ctypes.data
        )
    for x in (np.float32(2.5), np.int64(3), np.bool_(True), np.complex64(2)):
        kind = x.dtype.name
        log.attempt(f"{kind} shared", lambda x=x: torch.asarray(x, copy=False).tolist())
        log.attempt(f"{kind}", lambda x=x: torch.asarray(x))
        log.attempt(f"{kind} as whole", lambda x=x: torch.asarray(x, dtype=torch.int64))


def asarray_of_what_requires_grad(torch, log):
    for name, x in {
        "leaf": torch.tensor([1.0, 2.0], requires_grad=True),
        "result": torch.tensor([1.0, 2.0], requires_grad=True) * 2,
        "plain": torch.ones(2),
    }.items():
        for wanted in (None, True):
            log(f"{name} {wanted}", torch.asarray(x.clone(), requires_grad=wanted))
            log(
                f"{name} {wanted}, double",
                torch.asarray(x, dtype=torch.double, requires_grad=wanted),
            )
            log.attempt(
                f"{name} {wanted}, integers",
                lambda x=x, w=wanted: torch.asarray(x, dtype=torch.int32, requires_grad=w),
            )
        log(f"{name} False", torch.asarray(x.clone(), requires_grad=False))
    log("a list", torch.asarray([1.0]))
