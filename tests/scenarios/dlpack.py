"""Memory shared with NumPy by DLPack, in both directions."""

import numpy as np

from ._harness import differs, each

_DTYPES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
           "complex64", "complex128"]  # fmt: skip


class _Exporting:
    """An array of some other library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class _Old(_Exporting):
    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


@each(dtype=_DTYPES)
def to_numpy(torch, log, dtype):
    x = torch.tensor([0, 1, 2]).to(getattr(torch, dtype))
    a = np.from_dlpack(x)
    log("array", a)
    log("shares memory", np.shares_memory(a, x.numpy()))
    log("writeable", a.flags.writeable)


@each(dtype=_DTYPES)
def from_numpy(torch, log, dtype):
    a = np.array([0, 1, 2]).astype(dtype)
    x = torch.from_dlpack(a)
    log("tensor", x)
    a[0] = 1
    log("shares memory", x)
    x[1] = 0
    log("array", a)


_LAYOUTS = {
    "matrix": lambda a: a, "transposed": lambda a: a.T, "sliced": lambda a: a[:, 1:],
    "strided": lambda a: a[:, ::2], "row": lambda a: a[1], "element": lambda a: a[1, 2],
    "empty": lambda a: a[:0],
}  # fmt: skip


@each(layout=list(_LAYOUTS.items()))
def layouts(torch, log, layout):
    x = layout[1](torch.arange(6.0).view(2, 3))
    a = np.from_dlpack(x)
    log("array", a)
    log("strides", list(a.strides) if a.size else None)
    b = layout[1](np.arange(6.0).reshape(2, 3))
    y = torch.from_dlpack(b if isinstance(b, np.ndarray) else np.asarray(b))
    log("tensor", y)
    log("strides of the tensor", list(y.stride()) if y.numel() else None)


def expanded(torch, log):
    a = np.from_dlpack(torch.tensor([1.0]).expand(3))
    log("array", a)
    log("strides", list(a.strides))


def changes_are_seen(torch, log):
    x = torch.zeros(3)
    a = np.from_dlpack(x)
    x.add_(1.0)
    log("array", a)
    a = np.zeros(3)
    y = torch.from_dlpack(a)
    a += 2
    log("tensor", y)
    y.mul_(3)
    log("array again", a)


def memory_outlives_its_owner(torch, log):
    log("tensor", torch.from_dlpack(np.arange(3.0)))
    log("array", np.from_dlpack(torch.arange(3.0)))


def gradients_are_not_exported(torch, log):
    x = torch.ones(2, requires_grad=True)
    for label, call in {
        "np.from_dlpack": lambda: np.from_dlpack(x), "of a result": lambda: np.from_dlpack(x * 2),
        "__dlpack__": lambda: x.__dlpack__(), "from_dlpack": lambda: torch.from_dlpack(x),
        "detached": lambda: np.from_dlpack(x.detach()), "data": lambda: np.from_dlpack(x.data),
        "device": lambda: int(x.__dlpack_device__()[0]),
    }.items():  # fmt: skip
        log.attempt(label, call)
    with torch.no_grad():
        log.attempt("under no_grad", lambda: np.from_dlpack(x))


def what_is_imported_may_require_grad(torch, log):
    x = torch.from_dlpack(np.array([1.0, 2.0]))
    log("requires_grad", x.requires_grad)
    x.requires_grad_()
    (x * x).sum().backward()
    log("grad", x.grad)


def the_method(torch, log):
    x = torch.ones(2)
    log("capsule", type(x.__dlpack__()).__name__)
    log("device", [int(n) for n in x.__dlpack_device__()])
    for label, options in {
        "no stream": {"stream": None}, "stream 1": {"stream": 1}, "stream -1": {"stream": -1},
        "version": {"max_version": (1, 0)}, "for a device": {"dl_device": (1, 0)},
        "copy": {"copy": True}, "no copy": {"copy": False}, "other": {"foo": 1},
    }.items():  # fmt: skip
        try:
            log(label, type(x.__dlpack__(**options)).__name__)
        except Exception as error:
            log(label, type(error).__name__)
    log.attempt("positional", lambda: x.__dlpack__(1) and False)


def capsules(torch, log):
    x = torch.arange(3.0)
    capsule = x.__dlpack__()
    y = torch.from_dlpack(capsule)
    log("tensor", y)
    log("shares memory", y.data_ptr() == x.data_ptr())
    with log.raises("a second time"):
        torch.from_dlpack(capsule)
    capsule = torch.utils.dlpack.to_dlpack(x)
    log("through utils", torch.utils.dlpack.from_dlpack(capsule))
    log("of NumPy", torch.from_dlpack(np.arange(2.0).__dlpack__()))
    log("device type", torch.utils.dlpack.DLDeviceType.kDLCPU.value)


def other_libraries(torch, log):
    a = np.arange(3.0)
    for label, make in {
        "from_dlpack": lambda: torch.from_dlpack(_Exporting(a)),
        "an old one": lambda: torch.from_dlpack(_Old(a)),
        "as_tensor": lambda: torch.as_tensor(_Exporting(a)),
        "asarray": lambda: torch.asarray(_Exporting(a)),
    }.items():
        x = make()
        log(label, x)
        x.add_(1)
        log(f"{label} shares memory", a)
    y = torch.tensor(_Exporting(a))
    y.add_(1)
    log("tensor() copies", a)
    log("of a dtype", torch.as_tensor(_Exporting(a), dtype=torch.float32))


def tensors_themselves(torch, log):
    x = torch.arange(3.0)
    y = torch.from_dlpack(x)
    log("another object", y is not x)
    log("shares memory", y.data_ptr() == x.data_ptr())
    y.add_(1.0)
    log("seen", x)


def copies(torch, log):
    a = np.arange(3.0)
    log("copy", np.shares_memory(torch.from_dlpack(a, copy=True).numpy(), a))
    log("no copy", np.shares_memory(torch.from_dlpack(a, copy=False).numpy(), a))
    x = torch.arange(3.0)
    log("copy of a tensor", torch.from_dlpack(x, copy=True).data_ptr() == x.data_ptr())
    log("device", torch.from_dlpack(a, device="cpu"))
    log("np copy", np.shares_memory(np.from_dlpack(x, copy=True), x.numpy()))


def refused(torch, log):
    for label, value in {
        "number": 3, "list": [1.0], "None": None, "strings": np.array(["a"]),
        "objects": np.array([None]), "big-endian": np.array([1.0], ">f8"),
        "longdouble": np.array([1], np.longdouble),
    }.items():  # fmt: skip
        with log.raises(label, words=label not in ("strings", "objects")):
            torch.from_dlpack(value)
    with log.raises("nothing"):
        torch.from_dlpack()


@differs(
    "memory that is not to be changed is not changed",
    {
        "add_": {
            "raises": "RuntimeError",
            "message": "the memory of this tensor is read-only: clone() it before changing it",
        },
        "array": {"numpy": [1.0, 1.0], "shape": [2], "dtype": "float64"},
    },
)
def read_only_memory(torch, log):
    a = np.ones(2)
    a.flags.writeable = False
    x = torch.from_dlpack(a)
    log("tensor", x)
    log("result", x + 1)
    log.attempt("add_", lambda: x.add_(1.0))
    log("array", a)


@differs(
    "conj() is computed at once: there is no bit",
    {
        "np": {"numpy": [[1.0, -2.0]], "shape": [1], "dtype": "complex64"},
        "numpy()": {"numpy": [[1.0, -2.0]], "shape": [1], "dtype": "complex64"},
    },
)
def conjugates(torch, log):
    z = torch.tensor([1 + 2j]).conj()
    log.attempt("np", lambda: np.from_dlpack(z))
    log.attempt("numpy()", lambda: z.numpy())
    log("resolved", np.from_dlpack(z.resolve_conj()))
