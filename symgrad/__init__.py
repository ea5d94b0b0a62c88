"""symgrad: PyTorch's autograd on NumPy and SymPy, where every gradient is also a formula."""

from importlib import import_module as _import_module
from math import e, inf, nan, pi
from sys import modules as _modules
from typing import TYPE_CHECKING
from typing import Any as _Any

from symgrad import (
    _C,
    autograd,
    fft,
    func,
    linalg,
    masked,
    nn,
    overrides,
    random,
    return_types,
    simplify,
    special,
    utils,
)
from symgrad import members as _members
from symgrad.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    set_anomaly_enabled,
)
from symgrad.differentiate.derive import derive
from symgrad.differentiate.trace import symbolic_trace
from symgrad.expr.devices import device
from symgrad.expr.dtypes import (
    DTYPES,
    bool_,
    complex64,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from symgrad.expr.inputs import leaf, symbols
from symgrad.expr.size import Size
from symgrad.forms.explain import explain
from symgrad.func import jet, vmap
from symgrad.functions.creation import (
    CREATION,
    Generator,
    from_dlpack,
    from_numpy,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from symgrad.functions.in_place_functions import in_place_functions
from symgrad.functions.overriding import HOMES as _HOMES
from symgrad.random import default_generator
from symgrad.record.inference import (
    inference_mode,
    is_inference_mode_enabled,
)
from symgrad.record.modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from symgrad.schema.public import FUNCTIONS
from symgrad.tensor.formatting import set_printoptions
from symgrad.tensor.layout import (
    channels_last,
    channels_last_3d,
    contiguous_format,
    memory_format,
    preserve_format,
)
from symgrad.tensor.legacy import LEGACY_TYPES
from symgrad.tensor.queries import (
    can_cast,
    equal,
    finfo,
    get_default_dtype,
    iinfo,
    is_complex,
    is_floating_point,
    is_inference,
    is_nonzero,
    is_signed,
    is_tensor,
    numel,
    promote_types,
    result_type,
)
from symgrad.tensor.tensor import Tensor, layout, strided
from symgrad.version import __version__

if TYPE_CHECKING:
    from symgrad import (
        accelerator,
        amp,
        backends,
        compiler,
        cuda,
        distributed,
        distributions,
        jit,
        mps,
        optim,
        optimize,
        profiler,
        testing,
        version,
        xpu,
    )
    from symgrad.around.compiling import compile
    from symgrad.around.mixed import autocast, is_autocast_enabled
    from symgrad.around.settings import (
        are_deterministic_algorithms_enabled,
        get_default_device,
        get_deterministic_debug_mode,
        get_float32_matmul_precision,
        get_num_interop_threads,
        get_num_threads,
        is_deterministic_algorithms_warn_only_enabled,
        is_warn_always_enabled,
        set_default_device,
        set_default_tensor_type,
        set_deterministic_debug_mode,
        set_float32_matmul_precision,
        set_flush_denormal,
        set_num_interop_threads,
        set_num_threads,
        set_warn_always,
        typename,
        use_deterministic_algorithms,
    )
    from symgrad.func import (
        functional_call,
        grad,
        grad_and_value,
        hessian,
        hvp,
        jacfwd,
        jacobian,
        jacrev,
        jvp,
        linearize,
        stack_module_state,
        value_and_grad,
        vjp,
    )

# Beside these, the functions of the tables and the old tensor types.
__all__ = [
    "Generator", "Size", "Tensor", "autocast", "autograd", "bool", "bool_", "can_cast", "cdouble",
    "cfloat", "channels_last", "channels_last_3d", "check_gradients", "compile", "complex128",
    "complex64", "contiguous_format", "default_generator", "derive", "device", "double", "dtype",
    "e", "enable_grad", "equal", "explain", "fft", "finfo", "float", "float16", "float32",
    "float64", "from_dlpack", "from_numpy", "from_sympy", "func", "get_default_dtype",
    "get_rng_state", "half", "iinfo", "inf", "inference_mode", "initial_seed", "int", "int16",
    "int32", "int64", "int8", "is_anomaly_check_nan_enabled", "is_autocast_enabled",
    "is_anomaly_enabled", "is_complex", "is_floating_point", "is_grad_enabled", "is_inference",
    "is_inference_mode_enabled", "is_nonzero", "is_signed", "is_tensor", "jet", "layout", "leaf",
    "linalg", "load", "long", "manual_seed", "masked", "memory_format", "nan", "newaxis", "nn",
    "no_grad", "numel", "optim", "overrides", "pi", "preserve_format", "promote_types", "prove",
    "random", "result_type", "same", "save", "seed", "set_anomaly_enabled", "set_default_dtype",
    "set_grad_enabled", "set_printoptions", "set_rng_state", "short", "singularities", "special",
    "strided", "symbolic_trace", "symbols", "to_sympy", "uint8", "utils", "vmap",
]  # fmt: skip

# The index that adds an axis.
newaxis = None

# PyTorch's other names of dtypes.
half = float16
float = float32
double = float64
cfloat = complex64
cdouble = complex128
short = int16
int = int32
long = int64
bool = bool_

for _table in (FUNCTIONS, CREATION, in_place_functions(Tensor), LEGACY_TYPES):
    globals().update(_table)
    __all__ += [name for name in _table if name not in __all__]


#: The modules that are imported when they are first asked for.
_MODULES = frozenset(
    {
        "accelerator", "amp", "backends", "compiler", "cuda", "distributed", "distributions", "jit",
        "mps", "optim", "optimize", "profiler", "testing", "version", "xpu",
    }
)  # fmt: skip

#: Settings of PyTorch's, in one module of that kind.
_SETTINGS = (
    "are_deterministic_algorithms_enabled", "get_default_device", "get_deterministic_debug_mode",
    "get_float32_matmul_precision", "get_num_interop_threads", "get_num_threads",
    "is_deterministic_algorithms_warn_only_enabled", "is_warn_always_enabled", "set_default_device",
    "set_default_tensor_type", "set_deterministic_debug_mode", "set_float32_matmul_precision",
    "set_flush_denormal", "set_num_interop_threads", "set_num_threads", "set_warn_always",
    "typename", "use_deterministic_algorithms",
)  # fmt: skip

#: Transforms of functions that stand here as in `symgrad.func`; `compile` is PyTorch's here.
_TRANSFORMS = (
    "functional_call", "grad", "grad_and_value", "hessian", "hvp", "jacfwd", "jacobian", "jacrev",
    "jvp", "linearize", "stack_module_state", "value_and_grad", "vjp",
)  # fmt: skip

#: What is imported when it is first asked for, and the module that defines it.
_ON_DEMAND = {
    "autocast": "symgrad.around.mixed",
    "check_gradients": "symgrad.checks.check",
    "compile": "symgrad.around.compiling",
    "is_autocast_enabled": "symgrad.around.mixed",
    "load": "symgrad.serialization",
    "prove": "symgrad.proofs.prove",
    "save": "symgrad.serialization",
    "same": "symgrad.proofs.prove",
    "singularities": "symgrad.checks.singular",
    **dict.fromkeys(_SETTINGS, "symgrad.around.settings"),
    **dict.fromkeys(_TRANSFORMS, "symgrad.func"),
}


def __getattr__(name: str) -> _Any:
    if name in _MODULES:
        return _import_module(f"symgrad.{name}")
    if name not in _ON_DEMAND:
        raise _import_module("symgrad.support.absent").error_of("", name)
    found = globals()[name] = getattr(_import_module(_ON_DEMAND[name]), name)
    return found


def __dir__() -> list[str]:
    """Return the public names: not the layers, nor the tables that functions come from."""
    own = [name for name in globals() if name.startswith("__")]
    return [*own, *__all__, "return_types"]


__all__ += [name for name in (*sorted(_MODULES), *_SETTINGS, *_TRANSFORMS) if name not in __all__]

_HOMES.update(
    {
        "torch.fft": fft,
        "torch.linalg": linalg,
        "torch.masked": masked,
        "torch.nn.functional": nn.functional,
        "torch.special": special,
        "torch": _modules[__name__],
    }
)
