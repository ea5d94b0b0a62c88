"""Which public functions, methods and setters there are, by enumeration, and what they take."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import symgrad
from symgrad.expr.node import ArrayExpr
from symgrad.schema.public import FUNCTIONS, SCHEMAS

from .values import RIGHT

#: What belongs to Python's object protocol, or is how instances come to be.
PROTOCOL = frozenset(
    [
        "__class__",
        "__delattr__",
        "__dir__",
        "__dict__",
        "__doc__",
        "__eq__",
        "__getattribute__",
        "__getstate__",
        "__hash__",
        "__init__",
        "__init_subclass__",
        "__module__",
        "__new__",
        "__reduce__",
        "__setattr__",
        "__sizeof__",
        "__slots__",
        "__subclasshook__",
        "__weakref__",
        "__torch_function__",
        "__symgrad_function__",
        "__annotations__",
        "__array_priority__",
        "__array_function__",
        "__array_ufunc__",
        "__deepcopy__",
        "__reduce_ex__",
        "__dlpack__",
        "__match_args__",
        "__static_attributes__",
        "__firstlineno__",
    ]
)

#: Names of what nobody calls: types without instances of the user's, what the runtime alone calls,
#: what PyTorch's CUDA build would do, and what has no setter in PyTorch either.
WITHOUT = frozenset(
    (
        "autograd.graph.Node", "dtype", "layout", "memory_format",
        "overrides.handle_torch_function",
        "random.Generator", "Generator.integers_above", "Generator.normal",
        "Generator.one_by_one", "Generator.permutation", "Generator.random_integers",
        "Generator.uniform",
        "Size.__class_getitem__", "Size.__add__", "Size.__getitem__", "Size.__mul__",
        "Size.__radd__", "Size.__rmul__", "Size.__repr__", "Size.__str__", "Generator.bernoulli",
        "Tensor.__format__", "Tensor.__array__", "utils.dlpack.DLDeviceType",
        "Tensor.__delitem__", "Tensor.cuda",
        # Some wrong calls of these end PyTorch's process.
        "nn.functional.ctc_loss", "nn.functional.fold", "nn.functional.max_pool1d",
        "nn.functional.max_unpool2d", "nn.functional.max_unpool3d",
        "binomial",  # which draws forever where the number of trials is nan or infinite
        "nn.UninitializedBuffer", "nn.UninitializedParameter",  # whose arguments Python binds
        # These make arrays that are as large as they are told.
        "nn.functional.affine_grid", "nn.functional.interpolate", "nn.functional.upsample",
        "nn.functional.upsample_bilinear", "nn.functional.upsample_nearest",
        "pca_lowrank", "svd_lowrank",  # which take as many steps as they are told
        "func.functional_call", "func.replace_all_batch_norm_modules_",  # of modules
        "func.stack_module_state",
        "load", "save",  # which open what they are told; their scenarios are `saved_files`
    )
)  # fmt: skip

MODULES = (
    "nn", "nn.functional", "autograd", "autograd.functional", "autograd.forward_ad",
    "autograd.graph", "func", "linalg", "special", "fft", "masked", "random", "utils",
    "utils.checkpoint", "utils.dlpack", "utils.hooks", "overrides",
)  # fmt: skip
CLASSES = ("Generator", "Size")


def found(t: Any, path: str) -> Any:
    """Return what a path names; None where there is no such thing."""
    x = t
    for name in path.split("."):
        x = getattr(x, name, None)
        if x is None:
            return None
    return x


def callables() -> Iterator[str]:
    """Yield the paths of all that can be called, as in `add`, `Tensor.add_` or `Tensor.grad=`."""
    top = {*symgrad.__all__, *FUNCTIONS, *(n for n in vars(symgrad) if n.endswith("Tensor"))}
    top |= {n for n in vars(symgrad) if n.endswith("_") and not n.startswith("_")}
    for name in sorted(top):
        x = getattr(symgrad, name)
        # Settings would change those of the process that records.
        if getattr(x, "__module__", "").startswith("symgrad.around"):
            continue
        if x is getattr(symgrad.func, name, None) and name not in ("jet", "vmap"):
            continue  # it is called by that path
        if callable(x) and not isinstance(x, symgrad.dtype) and name not in WITHOUT:
            yield name
    for module in MODULES:
        x = found(symgrad, module)
        if x is None:
            continue
        for name in sorted(getattr(x, "__all__", ())):
            if _is_layer(getattr(x, name)):
                continue  # whose arguments Python binds
            if callable(getattr(x, name)) and f"{module}.{name}" not in WITHOUT:
                yield f"{module}.{name}"
    for cls in ("Tensor", *CLASSES):
        x = getattr(symgrad, cls)
        for name in sorted(dir(x)):
            if (
                name in PROTOCOL
                or f"{cls}.{name}" in WITHOUT
                or not _own(x, name)
                or (name.startswith("_") and not name.endswith("__"))
            ):
                continue
            kind = inspect.getattr_static(x, name)
            if callable(getattr(x, name)):
                yield f"{cls}.{name}"
            elif isinstance(kind, property) and kind.fset is not None:
                yield f"{cls}.{name}="


def _is_layer(x: Any) -> bool:
    return isinstance(x, type) and issubclass(x, symgrad.nn.Module)


def _own(cls: Any, name: str) -> bool:
    """Whether a name is not one that the class has of Python's own types."""
    return any(name in vars(c) for c in cls.__mro__ if c.__module__ != "builtins")


def caller(t: Any, path: str) -> Callable[..., Any] | None:
    """Return what a path calls, methods as functions of their object; None where there is none."""
    if path.endswith("="):
        cls, name = path[:-1].split(".")
        if getattr(t, cls, None) is None or not hasattr(getattr(t, cls), name):
            return None
        return lambda x, *args: setattr(x, name, *args)
    head, _, name = path.partition(".")
    if head in ("Tensor", *CLASSES) and name:
        if not hasattr(getattr(t, head), name):
            return None
        return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)
    f = found(t, path)
    if path == "autograd.forward_ad.make_dual":
        return lambda *args, **kwargs: _at_level(t, f, args, kwargs)
    if path == "autograd.forward_ad.exit_dual_level":
        return lambda *args, **kwargs: _out_of_level(t, f, args, kwargs)
    return f  # type: ignore[no-any-return]


def _at_level(t: Any, f: Any, args: Any, kwargs: Any) -> Any:
    with t.autograd.forward_ad.dual_level():
        return f(*args, **kwargs)


def _out_of_level(t: Any, f: Any, args: Any, kwargs: Any) -> Any:
    level = t.autograd.forward_ad.enter_dual_level()
    try:
        return f(*args, **kwargs)
    except BaseException:
        t.autograd.forward_ad.exit_dual_level(level=level)
        raise


Base = tuple[list[str], dict[str, str]]

#: What a parameter of that name or kind may be given, most likely first.
CANDIDATES: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "2", "3"),
    "float": ("0.5", "1", "2"),
    "Real": ("0.5", "1", "2"),
    "Scalar": ("0.5", "1", "2"),
    "bool": ("True",),
    "ScalarType": ("float64",),
    "str": ("'sum'", "'prod'", "'fro'", "'x'", "'same'"),
    "int[]": ("(0,)", "(3,3)", "(0,1)", "(1,2)", "(1,)", "(3,)"),
    "int[1]": ("(0,)",),
    "int[2]": ("(0,1)",),
    "Tensor[]": ("f33s", "f3s"),
    "Tensor?[]": ("i3s",),
    "Generator": ("Generator",),
    "Size": ("Size",),
    "Storage": ("f3",),
    "MemoryFormat": ("float64",),
}
_TENSORS = ("f33", "f3", "i3", "b3", "c33", "f333", "i33", "b33", "f", "w3", "y", "y3", "f3333")
_ALIKE = {
    "func f fn hook callable function pack_hook": ("square", "total", "callable", "cos"),
    "dtype d from_ to type1 type2": ("float64", "device"),
    "dim axis dim0 dim1 axis0 axis1 diagonal offset n p k m steps row col num_classes i seed start "
    "end low high": ("0", "1", "2", "0.5"),
    "mode enabled requires_grad": ("True",),
    "name names error_message indexing reduce": ("'x'", "'sum'"),
    "size shape shapes pad": ("(3,3)", "(3,)", "(1,1)"),
    "value fill_value threshold negative_slope min max nan s maxnorm decimals": ("0.5", "1", "f"),
    "index indices target": ("i3", "i33", "i", "f3", "f33", "0", "i3s"),
    "mask condition": ("b3", "b33"),
    "tensors relevant_args inputs outputs": ("f33s", "f3s", "y", "w3s", "w3", "f3"),
    "unpack_hook public_api dispatcher": ("callable",),
    "tangent v": ("f3", "f33"),
    "obj data ext_tensor": ("f3",),
    "new_state state": ("rng",),
    "cls": ("class",),
    "lengths": ("(3,)",),
    "ndarray": ("array",),
    "device": ("'cpu'",),
    "split_size split_size_or_sections": ("1",),
    "hooks_dict": ("dict",),
    "expr": ("symbol",),
}
_NAMES = {name: given for names, given in _ALIKE.items() for name in names.split()}

#: Base calls that no rule finds.
BASES: dict[str, list[Base]] = {}


def base(path: str, *args: str, **kwargs: str) -> None:
    """Enter a base call."""
    BASES.setdefault(path, []).append((list(args), kwargs))


for _name in ("arange", "range"):
    base(_name, "0", "3")
    base(_name, "0", "3", "1")
base("arange", "3")
for _name in ("empty", "ones", "rand", "randn", "zeros"):
    base(_name, "3")
    base(_name, "3", "3")
    base(_name, "(3,3)")
for _name in ("Tensor.new_empty", "Tensor.new_ones", "Tensor.new_zeros"):
    base(_name, "f3", "3", "3")
    base(_name, "f3", "(3,3)")
for _name in ("cartesian_prod", "meshgrid"):
    base(_name, "f3", "f3")
    base(_name, "f3s")
base("frombuffer", "array", dtype="float64")
base("chain_matmul", "f33", "f33")
for _name in ("clamp", "clamp_", "clip", "clip_"):
    for _prefix in ("", "Tensor."):
        base(f"{_prefix}{_name}", "f33", "0.5", "1")
        base(f"{_prefix}{_name}", "f33", "f33", "f33")
        base(f"{_prefix}{_name}", "f33", min="0.5")
        base(f"{_prefix}{_name}", "f33", max="f3")
base("autograd.forward_ad.make_dual", "f3", "f3")
for _name in ("jet", "func.jet"):
    base(_name, "square", "f3list", "f3lists")
for _name in ("prove", "same"):
    base(_name, "f3", "f3")
base("check_gradients", "square", "w3")
base("singularities", "f3")
base("func.linearize", "square", "f3")
base("func.vjp", "square", "f3")
base("func.jvp", "square", "f3tuple", "f3tuple")
base("autograd.forward_ad.exit_dual_level")
base("Size.__getitem__", "Size", "0")
for _name in ("add", "radd"):
    base(f"Size.__{_name}__", "Size", "(3,)")
for _name in ("mul", "rmul"):
    base(f"Size.__{_name}__", "Size", "2")
base("device", "'cpu'")
for _name in ("conv1d", "nn.functional.conv1d"):
    base(_name, "f333", "f333")
for _name in ("conv2d", "nn.functional.conv2d"):
    base(_name, "f3333", "f3333")
for _name in ("conv3d", "conv_transpose3d"):
    for _prefix in ("", "nn.functional."):
        base(_prefix + _name, "f33333", "f33333")
for _rank, _input in ((1, "f33"), (2, "f333"), (3, "f3333")):
    for _name in ("max_pool", "avg_pool", "adaptive_avg_pool", "adaptive_max_pool"):
        base(f"nn.functional.{_name}{_rank}d", _input, "2")
        if _name in ("avg_pool", "adaptive_avg_pool") and _rank == 1:
            base(f"{_name}1d", _input, "2")
    for _name in ("max_pool", "adaptive_max_pool"):
        base(f"nn.functional.{_name}{_rank}d_with_indices", _input, "2")
    base(f"nn.functional.lp_pool{_rank}d", _input, "2", "2")
base("nn.functional.unfold", "f333", "2")
base("nn.functional.fold", "f33", "(3,1)", "1")
base("einsum", "'i,i'", "f3", "f3")
base("einsum", "'i,i'", "f3s")
base("iinfo", "int64")
for _prefix in ("", "Tensor."):
    base(f"{_prefix}stft", "f3", "3", "1", return_complex="True")
    base(f"{_prefix}istft", "c33", "3", "1")
base("normal", "0.5", "1", "(3,)")
base("normal", "f3", "f3")
base("normal", "f3", "1")
base("normal", "0.5", "f3")
base("randint", "3", "(3,)")
base("randint", "0", "3", "(3,)")
base("randint_like", "f3", "3")
base("randint_like", "f3", "0", "3")
base("view_as_complex", "f32")
base("view_as_complex_copy", "f32")
base("autograd.grad", "y", "w3", allow_unused="True")
base("autograd.backward", "y", "f")
base("utils.checkpoint.checkpoint", "square", "w3", use_reentrant="True")
base("utils.checkpoint.checkpoint_sequential", "functions", "1", "w3", use_reentrant="True")
base("utils.hooks.RemovableHandle", "ordered")
base("Tensor.__format__", "f3", "''")
base("Tensor.__index__", "i")
base("Tensor.name=", "f3", "'x'")
base("Tensor.grad_dtype=", "f3", "float64")
base("Tensor.requires_grad=", "f3", "True")
base("Tensor.new", "f33", "f33")
base("Tensor.resize", "f33", "9")
base("Tensor.resize", "f33", "1", "9")
base("Tensor.to", "f3", "float64")
base("Tensor.to", "f3", "f33")
base("Tensor.to", "f3", "'cpu'", "float64")
# Linear algebra takes matrices that are far from singular.
for _name in ("cholesky", "det", "inv", "inverse", "logdet", "slogdet"):
    for _prefix in ("", "Tensor.", "linalg."):
        base(f"{_prefix}{_name}", "p33")
for _name in ("linalg.cond", "linalg.pinv", "linalg.svdvals", "pinverse", "Tensor.pinverse",
              "linalg.eigh", "linalg.eigvalsh", "linalg.svd", "svd", "Tensor.svd",
              "linalg.eig", "linalg.eigvals", "linalg.qr", "qr", "Tensor.qr",
              "linalg.ldl_factor", "linalg.ldl_factor_ex", "linalg.lu", "linalg.lu_factor",
              "linalg.lu_factor_ex", "linalg.matrix_exp",
              "matrix_exp", "Tensor.matrix_exp"):  # fmt: skip
    base(_name, "p33")
for _name in ("linalg.matrix_power", "matrix_power", "Tensor.matrix_power"):
    base(_name, "p33", "2")
base("linalg.multi_dot", "f33s")
base("native_channel_shuffle", "f333", "1")
for _name in (
    "channel_shuffle",
    "native_channel_shuffle",
    "local_response_norm",
    "pixel_shuffle",
    "pixel_unshuffle",
):
    base(f"nn.functional.{_name}", "f333", "1")
    if _name not in ("local_response_norm", "native_channel_shuffle"):
        base(_name, "f333", "1")
for _name in ("layer_norm", "rms_norm"):
    base(f"nn.functional.{_name}", "f33", "(3,)")
base("nn.functional.glu", "f32")
base("nn.functional.group_norm", "f33", "1")
base("nn.functional.scaled_dot_product_attention", "f33", "f33", "f33")
base(
    "nn.functional.multi_head_attention_forward",
    "f33", "f33", "f33", "3", "1", "f93", "None", "None", "None", "True", "0.5", "f33", "None",
)  # fmt: skip
base("unravel_index", "i3", "(3,)")
for _name in ("conv_tbc", "nn.functional.conv_tbc"):
    base(_name, "f333", "f333", "f3")
base("nn.functional.grid_sample", "f33333", "f33333")
for _axes, _image in ((2, "f3333"), (3, "f33333")):
    for _ending in ("", "_with_indices"):
        base(f"nn.functional.fractional_max_pool{_axes}d{_ending}", _image, "2", "1")
base("nn.functional.max_unpool1d", "f33", "i33", "2")
base("nn.functional.linear_cross_entropy", "f33", "f33", "i3")
base("linalg.lstsq", "p33", "f33")
base("linalg.ldl_solve", "p33", "k3", "f33")
base("linalg.lu_solve", "p33", "k3", "f33")
base("lu_unpack", "p33", "k3")
for _prefix in ("", "Tensor."):
    base(f"{_prefix}lu_solve", "f33", "p33", "k3")
for _name in ("lu", "Tensor.lu"):
    base(_name, "p33")
for _name in ("ormqr", "Tensor.ormqr"):
    base(_name, "f33", "f3", "f33")
for _name in ("linalg.householder_product", "orgqr", "Tensor.orgqr"):
    base(_name, "f33", "f3")
for _name in ("linalg.cross", "cross", "Tensor.cross"):
    base(_name, "f33", "f33")
base("linalg.tensorinv", "p33", "1")
base("linalg.tensorsolve", "p33", "f3")
for _name in ("cholesky_ex", "inv_ex"):
    base(f"linalg.{_name}", "p33")
    base(f"linalg.{_name}", "p33", check_errors="True")
for _name in ("solve", "solve_ex"):
    base(f"linalg.{_name}", "p33", "f33")
    base(f"linalg.{_name}", "p33", "f3")
base("linalg.solve_triangular", "p33", "f33", upper="True")
for _prefix in ("", "Tensor."):
    base(f"{_prefix}cholesky_solve", "f33", "p33")
    base(f"{_prefix}cholesky_inverse", "p33")
    base(f"{_prefix}triangular_solve", "f33", "p33")
base("tensor", "f3")
base("tensor", "0.5")
for _name in ("clone_state", "get_state", "initial_seed", "seed"):
    base(f"Generator.{_name}", "Generator")
base("Generator.manual_seed", "Generator", "3")
base("Generator.set_state", "Generator", "states")
for _name in ("FloatTensor", "LongTensor", "BoolTensor", "Tensor"):
    base(_name, "3", "3")
    base(_name, "f3s" if _name == "FloatTensor" else "(3,3)")


def parameters(path: str) -> list[tuple[list[tuple[str, str]], list[str]]]:
    """Return the required parameters of each overload, with their kinds, and the optional ones."""
    name = path.rpartition(".")[2]
    method = path.startswith("Tensor.")
    if "." not in path or method or path.startswith(("linalg.", "special.")):
        key = name if method else path
        schema = SCHEMAS.get((key, method)) or SCHEMAS.get((key.removesuffix("_"), method))
        if schema is not None:
            out = []
            for s in schema.overloads:
                needed = [
                    (p.kind.removesuffix("?"), p.name) for p in s.parameters if not p.optional
                ]
                if method:
                    needed.insert(0, ("Tensor", "self"))
                optional = [p.name for p in s.parameters if p.optional]
                out.append((needed, optional))
            return out
    f = caller(symgrad, path) if not method else getattr(symgrad.Tensor, name.rstrip("="), None)
    if path.endswith("="):
        return [([("Tensor", "self"), ("", "value")], [])]
    head = path.partition(".")[0]
    if head in CLASSES and "." in path:
        f = getattr(getattr(symgrad, head), name)
    try:
        listed = list(inspect.signature(f).parameters.values())  # type: ignore[arg-type]
    except (TypeError, ValueError):
        listed = []
    needed, optional = [], []
    if head in CLASSES and "." in path:
        needed, listed = [(head, "self")], listed[1:]
    for p in listed:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if p.default is p.empty:
            needed.append(("", p.name))
        else:
            optional.append(p.name)
    if method and not needed:
        needed = [("Tensor", "self")]
    return [(needed, optional)]


def _choices(kind: str, name: str) -> tuple[str, ...]:
    kinds = [one for one in kind.removesuffix("...").split("|") if one in CANDIDATES]
    if kinds and kind != "Tensor":
        return tuple(dict.fromkeys(value for one in kinds for value in CANDIDATES[one]))
    if name in _NAMES and kind != "Tensor":
        return _NAMES[name]
    if kind == "object":
        return ("callable", *_TENSORS)
    if name in ("index", "indices", "mask", "condition"):
        return (*_NAMES[name], *_TENSORS)
    return _TENSORS


def proposals(path: str) -> Iterator[Iterator[tuple[Base, list[str]]]]:
    """Yield, for each overload, base calls that may succeed, with the optional parameters."""
    if path in BASES:
        optional = list(dict.fromkeys(name for _, names in parameters(path) for name in names))
        for made in BASES[path]:
            yield iter([(made, optional)])
        return
    for needed, optional in parameters(path):
        yield _proposed(needed, optional)


def _proposed(
    needed: list[tuple[str, str]], optional: list[str]
) -> Iterator[tuple[Base, list[str]]]:
    choices = [_choices(kind, name) for kind, name in needed]
    same = [c for c in choices if c is _TENSORS]
    for shared in _TENSORS if same else ("",):  # equal tensors first
        rest = [(shared,) if c is _TENSORS else c for c in choices]
        for args in itertools.islice(itertools.product(*rest), 60):
            yield (list(args), {}), optional
    for args in itertools.islice(itertools.product(*choices), 400):
        yield (list(args), {}), optional


def made(t: Any, base: Base) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a base call."""
    return [RIGHT[name](t) for name in base[0]], {k: RIGHT[v](t) for k, v in base[1].items()}


def by_kinds(paths: Iterable[str]) -> list[Any]:
    """Mark as slow all but the first of those functions that take the same kinds of arguments."""
    found: dict[Any, str] = {}
    for path in paths:
        kinds = [
            (tuple([kind or name for kind, name in needed]), tuple(optional))
            for needed, optional in parameters(path)
        ]
        found.setdefault((path.startswith("Tensor."), tuple(kinds)), path)
    first = {*found.values()}
    return [
        pytest.param(path, id=path, marks=() if path in first else pytest.mark.slow)
        for path in paths
    ]


def places(base: Base, optional: list[str]) -> list[str]:
    """Return where something wrong may be put: positions, and keywords."""
    return [*map(str, range(len(base[0]))), *base[1], *(n for n in optional if n not in base[1])]


def fits(path: str, place: str, kind: str) -> bool:
    """Whether a call can be made at all: a method needs an object that has it."""
    if kind == "slice" and path == "overrides.is_tensor_method_or_property":
        return False  # which looks for it in a set: slices can be hashed from Python 3.12 on
    if kind == "-2**63" and path.endswith("matrix_power"):
        return False  # from which PyTorch does not return
    if "_polynomial_" in path and place in ("1", "n") and kind.startswith("2**"):
        return False  # PyTorch counts up to the degree
    if place != "0" or path.partition(".")[0] not in ("Tensor", *CLASSES) or "." not in path:
        return True
    if kind.endswith("leaf") or kind == "formula":
        name = path[len("Tensor.") :]
        # `is_complex` of a formula, say, is SymPy's, and no method.
        return callable(getattr(ArrayExpr, name, None)) and not name.endswith("__")
    return path.startswith("Tensor.") and kind.endswith("tensor")


def miscounted(path: str, base: Base, names: list[str]) -> dict[str, Base]:
    """Return base calls with arguments left out, added, or given by unknown keywords."""
    args, kwargs = base
    found: dict[str, Base] = {}
    setter = path.endswith("=")
    if path.endswith("__") or setter:
        return found  # operators always have as many as they take
    least = 1 if path.split(".")[0] in ("Tensor", *CLASSES) else 0
    for n in range(least, len(args)):
        found[f"first {n}"] = (args[:n], kwargs)
    for n in (1, 2, 9):
        found[f"{n} more"] = ([*args, *["f3"] * n], kwargs)
    found["1 more number"] = ([*args, "1"], kwargs)
    found["unknown keyword"] = (args, {**kwargs, "foo": "1"})
    if args and names:
        found["twice"] = (args, {**kwargs, names[0]: args[0]})
    return found
