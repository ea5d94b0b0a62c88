"""str, repr and format of tensors, sizes and dtypes; set_printoptions."""

from ._harness import each

_INF, _NAN = float("inf"), float("nan")

_VALUES = {
    "zero_d": 1.0,
    "zero_d_fraction": 1.5,
    "zero_d_pi": 3.14159265,
    "whole_numbers": [1.0, 2.0, 3.0],
    "fractions": [1.5, 2.25, 3.125],
    "thirds": [1 / 3, 2 / 3],
    "negative": [-1.0, 2.0],
    "negative_zero": [-0.0, 0.0],
    "mixed_signs": [-1.5, 0.25, 10.125],
    "large_whole": [1000.0, 100000.0],
    "larger_whole": [1e7, 1.0],
    "whole_beyond_1e8": [1e9, 1.0],
    "large_fraction": [12345.678, 0.5],
    "wide_range": [1e-5, 1000.0],
    "tiny": [1e-10, 2e-10],
    "tiny_and_zero": [1e-10, 0.0],
    "small": [0.0001, 0.0002],
    "smaller": [0.00001, 0.00002],
    "huge": [1e20, 1e30],
    "rounding_up": [0.99995, 0.99999],
    "nan": [_NAN, 1.0],
    "inf": [_INF, -_INF, 1.5],
    "only_nan": [_NAN],
    "only_inf": [_INF, -_INF],
    "inf_and_whole": [_INF, 2.0],
    "one_element": [7.0],
    "matrix": [[1.0, 2.0], [3.0, 4.0]],
    "matrix_of_one_column": [[1.0], [22.0], [333.0]],
    "three_axes": [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]],
    "four_axes": [[[[1.0]]]],
    "integers": [1, -2, 300],
    "integer_matrix": [[1, 10], [100, 1000]],
    "zero_d_integer": 5,
    "booleans": [True, False],
    "zero_d_boolean": True,
    "complex": [1 + 2j, -0.5 - 1.5j],
    "complex_whole": [1 + 2j, 3 - 4j],
    "zero_d_complex": 1j,
    "empty": [],
    "empty_rows": [[], []],
}


@each(value=list(_VALUES))
def str_and_repr(torch, log, value):
    t = torch.tensor(_VALUES[value])
    log("str", str(t))
    log("repr", repr(t))


@each(
    dtype=[
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
)
def dtype_suffix(torch, log, dtype):
    kind = getattr(torch, dtype)
    log("vector", str(torch.tensor([0, 1], dtype=kind)))
    log("0-d", str(torch.tensor(1, dtype=kind)))
    log("empty", str(torch.zeros(0, dtype=kind)))
    log("empty of two axes", str(torch.zeros(0, 3, dtype=kind)))
    log("dtype", str(kind))
    log("repr of dtype", repr(kind))


def history_suffix(torch, log):
    x = torch.tensor([[1.0, 2.0]], requires_grad=True)
    log("leaf", str(x))
    log("function", str(x * 2))
    log("0-d", str(x.sum()))
    log("float64 leaf", str(torch.tensor([1.0], dtype=torch.float64, requires_grad=True)))
    log("float64 function", str(x.double() * 2))
    log("empty leaf", str(torch.zeros(0, requires_grad=True)))
    log("detached", str((x * 2).detach()))
    with torch.no_grad():
        log("no_grad", str(x * 2))
    (x * x).sum().backward()
    log("grad", str(x.grad))


def default_dtype_decides_the_suffix(torch, log):
    torch.set_default_dtype(torch.float64)
    log("float64", str(torch.tensor([1.5])))
    log("float32", str(torch.tensor([1.5], dtype=torch.float32)))
    log("complex128", str(torch.tensor([1j])))
    log("complex64", str(torch.tensor([1j], dtype=torch.complex64)))


def long_vectors_wrap(torch, log):
    log("30 numbers", str(torch.arange(30.0)))
    log("30 fractions", str(torch.arange(30.0) / 8))
    log("50 integers", str(torch.arange(50)))
    log("with grad", str(torch.arange(30.0, requires_grad=True)))
    log("function", str(torch.arange(22.0, requires_grad=True) * 2))
    log("suffix on a line of its own", str(torch.arange(20, dtype=torch.int32)))


def wide_matrices_wrap(torch, log):
    log("2 x 25", str(torch.arange(50.0).reshape(2, 25)))
    log("2 x 2 x 20", str(torch.arange(80).reshape(2, 2, 20)))


def summarised(torch, log):
    log("1000 are shown", str(torch.arange(1000))[:60])
    log("1001", str(torch.arange(1001)))
    log("1001 floats", str(torch.arange(1001.0)))
    log("matrix", str(torch.arange(2000.0).reshape(40, 50)))
    log("short rows", str(torch.arange(1200).reshape(400, 3)))
    log("three axes", str(torch.zeros(20, 20, 20)))
    log("with grad", str(torch.zeros(1001, requires_grad=True)))
    log("function", str(torch.zeros(1001, requires_grad=True) + 1))


def blank_lines_between_matrices(torch, log):
    log("3 axes", str(torch.zeros(2, 2, 2)))
    log("4 axes", str(torch.zeros(2, 2, 1, 2)))


@each(precision=[0, 1, 2, 6, 10])
def precision(torch, log, precision):
    torch.set_printoptions(precision=precision)
    log("fractions", str(torch.tensor([1.23456789, 100.5], dtype=torch.float64)))
    log("whole", str(torch.tensor([1.0, 2.0])))
    log("0-d", str(torch.tensor(3.14159265)))
    log("tiny", str(torch.tensor([1e-10, 1.0])))


def sci_mode(torch, log):
    torch.set_printoptions(sci_mode=True)
    log("on", str(torch.tensor([1.5, 200.0])))
    log("whole on", str(torch.tensor([1.0, 200.0])))
    log("integers on", str(torch.tensor([1, 200])))
    torch.set_printoptions(sci_mode=False)
    log("off", str(torch.tensor([1e-10, 1e10])))
    torch.set_printoptions(sci_mode=None)
    log("automatic", str(torch.tensor([1e-10, 1e10])))


def threshold_edgeitems_linewidth(torch, log):
    torch.set_printoptions(threshold=5, edgeitems=2)
    log("summarised", str(torch.arange(10)))
    log("matrix", str(torch.arange(100).reshape(10, 10)))
    torch.set_printoptions(threshold=1000, edgeitems=3, linewidth=30)
    log("narrow", str(torch.arange(20)))
    log("narrow with suffix", str(torch.arange(4.0, requires_grad=True) * 2))


@each(profile=["default", "short", "full"])
def profiles(torch, log, profile):
    torch.set_printoptions(profile=profile)
    log("fractions", str(torch.tensor([1.23456789, 2.5])))
    log("long", str(torch.arange(1100))[:200])


def printoptions_errors(torch, log):
    log.attempt("unknown keyword", lambda: torch.set_printoptions(digits=3))
    log.attempt("unknown profile", lambda: torch.set_printoptions(profile="tiny"))


def size(torch, log):
    log("empty", repr(torch.Size([])))
    log("one", repr(torch.Size([3])))
    log("two", str(torch.zeros(2, 3).shape))
    log("in an f-string", f"{torch.zeros(2, 3).shape}")


def format_specs(torch, log):
    x = torch.tensor(3.14159, dtype=torch.float64)
    log("f-string", f"{x:.2f}")
    log("no spec", f"{x}")
    log("scientific", f"{x:.3e}")
    log("width", f"{x:10.1f}|")
    log("integer", f"{torch.tensor(42):05d}")
    log("percent", "%.3f" % x)  # noqa: UP031 - the old way is what is looked at
    log("percent d", "%d" % torch.tensor(7))  # noqa: UP031
    log("format()", format(x, ".1f"))
    log("str.format", "{:.1f} {}".format(x, torch.tensor([1, 2])))  # noqa: UP032
    log("with grad", f"{torch.tensor(2.5, requires_grad=True):.1f}")
    log("with grad, no spec", f"{torch.tensor(2.5, requires_grad=True)}")
    log("function, no spec", f"{torch.tensor(2.5, requires_grad=True) * 2}")
    log("vector, no spec", f"{torch.tensor([1.0, 2.0])}")
    log("boolean", f"{torch.tensor(True)}")
    with log.raises("vector with a spec"):
        f"{torch.tensor([1.0, 2.0]):.2f}"
    log.attempt("one element with a spec", lambda: f"{torch.tensor([1.0]):.2f}")
    with log.raises("float as d"):
        f"{x:d}"


def inside_containers(torch, log):
    x = torch.tensor([1.0], requires_grad=True)
    log("list", str([x, torch.tensor(2)]))
    log("tuple", str((x * 2,)))
    log("dict", str({"w": x}))
    log("named result", str(torch.tensor([3.0, 1.0]).max(0)))


def indentation_of_nested_rows(torch, log):
    log("decimal points line up", str(torch.tensor([[1.5, -10.25], [100.0, 0.125]])))
    log("signs line up", str(torch.tensor([[1, -1], [-10, 10]])))
    log("booleans line up", str(torch.tensor([[True, False], [False, False]])))
    log("nan lines up", str(torch.tensor([[_NAN, 1.5], [_INF, -2.0]])))
    log("complex lines up", str(torch.tensor([[1 + 1j, -10.5j], [0j, 2.25 - 1j]])))


def print_of_views(torch, log):
    x = torch.arange(6.0).reshape(2, 3)
    log("transpose", str(x.t()))
    log("column", str(x[:, 1]))
    log("expanded", str(x[:1].expand(3, 3)))
    log("strided", str(x[:, ::2]))
