"""What `symgrad` offers.

Written by `python -m tools.stubs`; not to be edited.
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy import ndarray
import sympy
from sympy.core.basic import Basic

from symgrad import return_types as _return_types
from symgrad.expr.atoms import Leaf
from symgrad.expr.devices import device as _device
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.expr.node import ArrayExpr
from symgrad.tensor.layout import layout as _layout
from symgrad.random import Generator as _Generator
from symgrad.expr.size import Size as _Size
from symgrad.tensor.tensor import Tensor

#: What computes, and what may stand beside it.
_T = TypeVar("_T", Tensor, ArrayExpr)
_Number = builtins.int | builtins.float | builtins.complex
_Operand = Tensor | ArrayExpr | ndarray[Any, Any]

from math import e as e
from math import inf as inf
from math import nan as nan
from math import pi as pi
from sys import modules as _modules
from symgrad import _C as _C
from symgrad import autograd as autograd
from symgrad import fft as fft
from symgrad import func as func
from symgrad import linalg as linalg
from symgrad import masked as masked
from symgrad import nn as nn
from symgrad import overrides as overrides
from symgrad import random as random
from symgrad import return_types as return_types
from symgrad import simplify as simplify
from symgrad import special as special
from symgrad import utils as utils
from symgrad import members as _members
from symgrad.autograd.anomaly_mode import is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled
from symgrad.autograd.anomaly_mode import is_anomaly_enabled as is_anomaly_enabled
from symgrad.autograd.anomaly_mode import set_anomaly_enabled as set_anomaly_enabled
from symgrad.differentiate.derive import derive as derive
from symgrad.differentiate.trace import symbolic_trace as symbolic_trace
from symgrad.expr.devices import device as device
from symgrad.expr.dtypes import DTYPES as DTYPES
from symgrad.expr.dtypes import bool_ as bool_
from symgrad.expr.dtypes import complex64 as complex64
from symgrad.expr.dtypes import complex128 as complex128
from symgrad.expr.dtypes import dtype as dtype
from symgrad.expr.dtypes import float16 as float16
from symgrad.expr.dtypes import float32 as float32
from symgrad.expr.dtypes import float64 as float64
from symgrad.expr.dtypes import int8 as int8
from symgrad.expr.dtypes import int16 as int16
from symgrad.expr.dtypes import int32 as int32
from symgrad.expr.dtypes import int64 as int64
from symgrad.expr.dtypes import set_default_dtype as set_default_dtype
from symgrad.expr.dtypes import uint8 as uint8
from symgrad.expr.inputs import leaf as leaf
from symgrad.expr.inputs import symbols as symbols
from symgrad.expr.size import Size as Size
from symgrad.forms.explain import explain as explain
from symgrad.func import jet as jet
from symgrad.func import vmap as vmap
from symgrad.functions.creation import CREATION as CREATION
from symgrad.functions.creation import Generator as Generator
from symgrad.functions.creation import from_dlpack as from_dlpack
from symgrad.functions.creation import from_numpy as from_numpy
from symgrad.functions.creation import get_rng_state as get_rng_state
from symgrad.functions.creation import initial_seed as initial_seed
from symgrad.functions.creation import manual_seed as manual_seed
from symgrad.functions.creation import seed as seed
from symgrad.functions.creation import set_rng_state as set_rng_state
from symgrad.functions.in_place_functions import in_place_functions as in_place_functions
from symgrad.functions.overriding import HOMES as _HOMES
from symgrad.random import default_generator as default_generator
from symgrad.record.inference import inference_mode as inference_mode
from symgrad.record.inference import is_inference_mode_enabled as is_inference_mode_enabled
from symgrad.record.modes import enable_grad as enable_grad
from symgrad.record.modes import is_grad_enabled as is_grad_enabled
from symgrad.record.modes import no_grad as no_grad
from symgrad.record.modes import set_grad_enabled as set_grad_enabled
from symgrad.schema.public import FUNCTIONS as FUNCTIONS
from symgrad.tensor.formatting import set_printoptions as set_printoptions
from symgrad.tensor.layout import channels_last as channels_last
from symgrad.tensor.layout import channels_last_3d as channels_last_3d
from symgrad.tensor.layout import contiguous_format as contiguous_format
from symgrad.tensor.layout import memory_format as memory_format
from symgrad.tensor.layout import preserve_format as preserve_format
from symgrad.tensor.legacy import LEGACY_TYPES as LEGACY_TYPES
from symgrad.tensor.queries import can_cast as can_cast
from symgrad.tensor.queries import equal as equal
from symgrad.tensor.queries import finfo as finfo
from symgrad.tensor.queries import get_default_dtype as get_default_dtype
from symgrad.tensor.queries import iinfo as iinfo
from symgrad.tensor.queries import is_complex as is_complex
from symgrad.tensor.queries import is_floating_point as is_floating_point
from symgrad.tensor.queries import is_inference as is_inference
from symgrad.tensor.queries import is_nonzero as is_nonzero
from symgrad.tensor.queries import is_signed as is_signed
from symgrad.tensor.queries import is_tensor as is_tensor
from symgrad.tensor.queries import numel as numel
from symgrad.tensor.queries import promote_types as promote_types
from symgrad.tensor.queries import result_type as result_type
from symgrad.tensor.tensor import Tensor as Tensor
from symgrad.tensor.tensor import layout as layout
from symgrad.tensor.tensor import strided as strided
from symgrad.version import __version__ as __version__
newaxis: None
half = float16
float = float32
double = float64
cfloat = complex64
cdouble = complex128
short = int16
int = int32
long = int64
bool = bool_
from symgrad import accelerator as accelerator
from symgrad import amp as amp
from symgrad import backends as backends
from symgrad import compiler as compiler
from symgrad import cuda as cuda
from symgrad import distributed as distributed
from symgrad import distributions as distributions
from symgrad import jit as jit
from symgrad import mps as mps
from symgrad import optim as optim
from symgrad import optimize as optimize
from symgrad import profiler as profiler
from symgrad import testing as testing
from symgrad import version as version
from symgrad import xpu as xpu
from symgrad.around.compiling import compile as compile
from symgrad.around.mixed import autocast as autocast
from symgrad.around.mixed import is_autocast_enabled as is_autocast_enabled
from symgrad.around.settings import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from symgrad.around.settings import get_default_device as get_default_device
from symgrad.around.settings import get_deterministic_debug_mode as get_deterministic_debug_mode
from symgrad.around.settings import get_float32_matmul_precision as get_float32_matmul_precision
from symgrad.around.settings import get_num_interop_threads as get_num_interop_threads
from symgrad.around.settings import get_num_threads as get_num_threads
from symgrad.around.settings import is_deterministic_algorithms_warn_only_enabled as is_deterministic_algorithms_warn_only_enabled
from symgrad.around.settings import is_warn_always_enabled as is_warn_always_enabled
from symgrad.around.settings import set_default_device as set_default_device
from symgrad.around.settings import set_default_tensor_type as set_default_tensor_type
from symgrad.around.settings import set_deterministic_debug_mode as set_deterministic_debug_mode
from symgrad.around.settings import set_float32_matmul_precision as set_float32_matmul_precision
from symgrad.around.settings import set_flush_denormal as set_flush_denormal
from symgrad.around.settings import set_num_interop_threads as set_num_interop_threads
from symgrad.around.settings import set_num_threads as set_num_threads
from symgrad.around.settings import set_warn_always as set_warn_always
from symgrad.around.settings import typename as typename
from symgrad.around.settings import use_deterministic_algorithms as use_deterministic_algorithms
from symgrad.func import functional_call as functional_call
from symgrad.func import grad as grad
from symgrad.func import grad_and_value as grad_and_value
from symgrad.func import hessian as hessian
from symgrad.func import hvp as hvp
from symgrad.func import jacfwd as jacfwd
from symgrad.func import jacobian as jacobian
from symgrad.func import jacrev as jacrev
from symgrad.func import jvp as jvp
from symgrad.func import linearize as linearize
from symgrad.func import stack_module_state as stack_module_state
from symgrad.func import value_and_grad as value_and_grad
from symgrad.func import vjp as vjp

@overload
def arange(end: _Number, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``."""
@overload
def arange(start: _Number, end: _Number, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``."""
@overload
def arange(start: _Number, end: _Number, step: _Number = 1, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return `start, start + step, …` up to but without `end`: ``arange([start,] end[, step])``."""
def as_tensor(data: Any, *, dtype: _dtype | builtins.type[Any] | None = None, device: _device | builtins.str | builtins.int | None = None) -> Tensor:
    """Return `data` as a tensor: itself, sharing its memory, or a copy where it must be one."""
def asarray(obj: Any, *, dtype: _dtype | builtins.type[Any] | None = None, device: _device | builtins.str | builtins.int | None = None, copy: builtins.bool | None = None, requires_grad: builtins.bool | None = None) -> Tensor:
    """Return `obj` as a tensor, sharing its memory unless `copy` or another `dtype` asks not to."""
@overload
def bartlett_window(window_length: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Bartlett window, a triangle."""
@overload
def bartlett_window(window_length: builtins.int, periodic: builtins.bool, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Bartlett window, a triangle."""
@overload
def bernoulli(input: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise."""
@overload
def bernoulli(input: Tensor, p: builtins.float, *, generator: _Generator | None = None) -> Tensor:
    """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise."""
def binomial(count: Tensor, prob: Tensor, generator: _Generator | None = None) -> Tensor:
    """Return how often something happens in trials, drawn from binomial distributions."""
@overload
def blackman_window(window_length: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Blackman window, of two waves of the cosine."""
@overload
def blackman_window(window_length: builtins.int, periodic: builtins.bool, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Blackman window, of two waves of the cosine."""
@overload
def empty(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return a tensor whose values do not matter (they are zero)."""
@overload
def empty(*, size: Sequence[builtins.int], out: Tensor | None = None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return a tensor whose values do not matter (they are zero)."""
def empty_like(input: _T, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `empty` of the shape and, unless told, the dtype of `input`."""
@overload
def eye(n: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the matrix of `n` rows and `m` (by default `n`) columns with ones on its diagonal."""
@overload
def eye(n: builtins.int, m: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the matrix of `n` rows and `m` (by default `n`) columns with ones on its diagonal."""
def frombuffer(buffer: Any, *, dtype: _dtype | builtins.type[Any], count: builtins.int = -1, offset: builtins.int = 0, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return a tensor that shares the bytes of an object, as of `bytes` that were read from a file."""
def full(size: Sequence[builtins.int], fill_value: _Number, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return a tensor filled with one number, whose kind decides the dtype unless `dtype` does."""
def full_like(input: _T, fill_value: _Number, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `full` of the shape and, unless told, the dtype of `input`."""
@overload
def hamming_window(window_length: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hamming window, a wave of the cosine above a floor."""
@overload
def hamming_window(window_length: builtins.int, periodic: builtins.bool, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hamming window, a wave of the cosine above a floor."""
@overload
def hamming_window(window_length: builtins.int, periodic: builtins.bool, alpha: builtins.float, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hamming window, a wave of the cosine above a floor."""
@overload
def hamming_window(window_length: builtins.int, periodic: builtins.bool, alpha: builtins.float, beta: builtins.float, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hamming window, a wave of the cosine above a floor."""
@overload
def hann_window(window_length: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hann window, a full wave of the cosine."""
@overload
def hann_window(window_length: builtins.int, periodic: builtins.bool, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Hann window, a full wave of the cosine."""
@overload
def kaiser_window(window_length: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Kaiser window, a ratio of Bessel functions."""
@overload
def kaiser_window(window_length: builtins.int, periodic: builtins.bool, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Kaiser window, a ratio of Bessel functions."""
@overload
def kaiser_window(window_length: builtins.int, periodic: builtins.bool, beta: builtins.float, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return the Kaiser window, a ratio of Bessel functions."""
@overload
def linspace(start: Tensor, end: Tensor, steps: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included."""
@overload
def linspace(start: _Number, end: Tensor, steps: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included."""
@overload
def linspace(start: Tensor, end: _Number, steps: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included."""
@overload
def linspace(start: _Number, end: _Number, steps: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `steps` numbers at equal distances from `start` to `end`, both included."""
@overload
def logspace(start: Tensor, end: Tensor, steps: builtins.int, base: builtins.float = 10.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `base` to the power of `linspace(start, end, steps)`."""
@overload
def logspace(start: _Number, end: Tensor, steps: builtins.int, base: builtins.float = 10.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `base` to the power of `linspace(start, end, steps)`."""
@overload
def logspace(start: Tensor, end: _Number, steps: builtins.int, base: builtins.float = 10.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `base` to the power of `linspace(start, end, steps)`."""
@overload
def logspace(start: _Number, end: _Number, steps: builtins.int, base: builtins.float = 10.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `base` to the power of `linspace(start, end, steps)`."""
def multinomial(input: Tensor, num_samples: builtins.int, replacement: builtins.bool = False, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Return indices that are drawn each with a probability in proportion to its weight."""
@overload
def normal(mean: Tensor, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Return numbers drawn from normal distributions."""
@overload
def normal(mean: Tensor, std: builtins.float = 1, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Return numbers drawn from normal distributions."""
@overload
def normal(mean: builtins.float, std: Tensor, *, generator: _Generator | None = None, out: Tensor | None = None) -> Tensor:
    """Return numbers drawn from normal distributions."""
@overload
def normal(mean: builtins.float, std: builtins.float, size: Sequence[builtins.int], *, generator: _Generator | None = None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return numbers drawn from normal distributions."""
@overload
def ones(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return ones."""
@overload
def ones(*, size: Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return ones."""
def ones_like(input: _T, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `ones` of the shape and, unless told, the dtype of `input`."""
def poisson(input: Tensor, generator: _Generator | None = None) -> Tensor:
    """Return numbers drawn from Poisson distributions."""
@overload
def rand(*size: builtins.int | Sequence[builtins.int], generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn uniformly from [0, 1)."""
@overload
def rand(*, size: Sequence[builtins.int], generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn uniformly from [0, 1)."""
@overload
def rand(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn uniformly from [0, 1)."""
@overload
def rand(*, size: Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn uniformly from [0, 1)."""
@overload
def rand_like(input: _T, *, generator: _Generator | None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `rand` of the shape and, unless told, the dtype of `input`."""
@overload
def rand_like(input: _T, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `rand` of the shape and, unless told, the dtype of `input`."""
@overload
def randint(high: builtins.int, size: Sequence[builtins.int], *, generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``."""
@overload
def randint(high: builtins.int, size: Sequence[builtins.int], *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``."""
@overload
def randint(low: builtins.int, high: builtins.int, size: Sequence[builtins.int], *, generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``."""
@overload
def randint(low: builtins.int, high: builtins.int, size: Sequence[builtins.int], *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return integers drawn from [low, high): ``randint([low,] high, size)``."""
@overload
def randint_like(input: _T, low: builtins.int, high: builtins.int, *, generator: _Generator | None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randint_like(input: _T, low: builtins.int, high: builtins.int, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randint_like(input: _T, high: _Operand, *, generator: _Generator | None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randint_like(input: _T, high: _Operand, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randint_like(input: _T, high: builtins.int, *, generator: _Generator | None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randint_like(input: _T, high: builtins.int, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> _T:
    """Return `randint` of the shape and, unless told, the dtype of `input`."""
@overload
def randn(*size: builtins.int | Sequence[builtins.int], generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn from the standard normal distribution."""
@overload
def randn(*, size: Sequence[builtins.int], generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn from the standard normal distribution."""
@overload
def randn(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn from the standard normal distribution."""
@overload
def randn(*, size: Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return numbers drawn from the standard normal distribution."""
@overload
def randn_like(input: _T, *, generator: _Generator | None, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `randn` of the shape and, unless told, the dtype of `input`."""
@overload
def randn_like(input: _T, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `randn` of the shape and, unless told, the dtype of `input`."""
@overload
def randperm(n: builtins.int, *, generator: _Generator | None, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return a random permutation of 0, …, n - 1."""
@overload
def randperm(n: builtins.int, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return a random permutation of 0, …, n - 1."""
def range(start: _Number, end: _Number, step: _Number = 1, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return `arange` with the end included, as float32 (deprecated by PyTorch)."""
def scalar_tensor(s: _Number, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the 0-d tensor of a number, of the default dtype unless `dtype` says otherwise."""
def tensor(data: Any, *, dtype: _dtype | builtins.type[Any] | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool = False, requires_grad: builtins.bool = False, name: builtins.str | None = None) -> Tensor:
    """Make a tensor from a copy of `data`."""
def tril_indices(row: builtins.int, col: builtins.int, offset: builtins.int = 0, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return rows and columns of the places on and below a diagonal, in two rows."""
def triu_indices(row: builtins.int, col: builtins.int, offset: builtins.int = 0, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return rows and columns of the places on and above a diagonal, in two rows."""
@overload
def zeros(*size: builtins.int | Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return zeros."""
@overload
def zeros(*, size: Sequence[builtins.int], out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> Tensor:
    """Return zeros."""
def zeros_like(input: _T, *, memory_format: Any = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False, name: builtins.str | None = None) -> _T:
    """Return `zeros` of the shape and, unless told, the dtype of `input`."""
from symgrad._declared import BoolTensor as BoolTensor
from symgrad._declared import ByteTensor as ByteTensor
from symgrad._declared import CharTensor as CharTensor
from symgrad._declared import DoubleTensor as DoubleTensor
from symgrad._declared import FloatTensor as FloatTensor
from symgrad._declared import HalfTensor as HalfTensor
from symgrad._declared import IntTensor as IntTensor
from symgrad._declared import LongTensor as LongTensor
from symgrad._declared import ShortTensor as ShortTensor
from symgrad._declared import abs as abs
from symgrad._declared import abs_ as abs_
from symgrad._declared import absolute as absolute
from symgrad._declared import acos as acos
from symgrad._declared import acos_ as acos_
from symgrad._declared import acosh as acosh
from symgrad._declared import acosh_ as acosh_
from symgrad._declared import adaptive_avg_pool1d as adaptive_avg_pool1d
from symgrad._declared import add as add
from symgrad._declared import addbmm as addbmm
from symgrad._declared import addcdiv as addcdiv
from symgrad._declared import addcmul as addcmul
from symgrad._declared import addmm as addmm
from symgrad._declared import addmv as addmv
from symgrad._declared import addmv_ as addmv_
from symgrad._declared import addr as addr
from symgrad._declared import adjoint as adjoint
from symgrad._declared import alias_copy as alias_copy
from symgrad._declared import all as all
from symgrad._declared import allclose as allclose
from symgrad._declared import amax as amax
from symgrad._declared import amin as amin
from symgrad._declared import aminmax as aminmax
from symgrad._declared import angle as angle
from symgrad._declared import any as any
from symgrad._declared import arccos as arccos
from symgrad._declared import arccos_ as arccos_
from symgrad._declared import arccosh as arccosh
from symgrad._declared import arccosh_ as arccosh_
from symgrad._declared import arcsin as arcsin
from symgrad._declared import arcsin_ as arcsin_
from symgrad._declared import arcsinh as arcsinh
from symgrad._declared import arcsinh_ as arcsinh_
from symgrad._declared import arctan as arctan
from symgrad._declared import arctan2 as arctan2
from symgrad._declared import arctan_ as arctan_
from symgrad._declared import arctanh as arctanh
from symgrad._declared import arctanh_ as arctanh_
from symgrad._declared import argmax as argmax
from symgrad._declared import argmin as argmin
from symgrad._declared import argsort as argsort
from symgrad._declared import argwhere as argwhere
from symgrad._declared import as_strided as as_strided
from symgrad._declared import as_strided_ as as_strided_
from symgrad._declared import as_strided_copy as as_strided_copy
from symgrad._declared import asin as asin
from symgrad._declared import asin_ as asin_
from symgrad._declared import asinh as asinh
from symgrad._declared import asinh_ as asinh_
from symgrad._declared import atan as atan
from symgrad._declared import atan2 as atan2
from symgrad._declared import atan_ as atan_
from symgrad._declared import atanh as atanh
from symgrad._declared import atanh_ as atanh_
from symgrad._declared import atleast_1d as atleast_1d
from symgrad._declared import atleast_2d as atleast_2d
from symgrad._declared import atleast_3d as atleast_3d
from symgrad._declared import avg_pool1d as avg_pool1d
from symgrad._declared import baddbmm as baddbmm
from symgrad._declared import bilinear as bilinear
from symgrad._declared import bincount as bincount
from symgrad._declared import bitwise_and as bitwise_and
from symgrad._declared import bitwise_left_shift as bitwise_left_shift
from symgrad._declared import bitwise_not as bitwise_not
from symgrad._declared import bitwise_or as bitwise_or
from symgrad._declared import bitwise_right_shift as bitwise_right_shift
from symgrad._declared import bitwise_xor as bitwise_xor
from symgrad._declared import block_diag as block_diag
from symgrad._declared import bmm as bmm
from symgrad._declared import broadcast_shapes as broadcast_shapes
from symgrad._declared import broadcast_tensors as broadcast_tensors
from symgrad._declared import broadcast_to as broadcast_to
from symgrad._declared import bucketize as bucketize
from symgrad._declared import cartesian_prod as cartesian_prod
from symgrad._declared import cat as cat
from symgrad._declared import cdist as cdist
from symgrad._declared import ceil as ceil
from symgrad._declared import ceil_ as ceil_
from symgrad._declared import chain_matmul as chain_matmul
from symgrad._declared import channel_shuffle as channel_shuffle
from symgrad._declared import cholesky as cholesky
from symgrad._declared import cholesky_inverse as cholesky_inverse
from symgrad._declared import cholesky_solve as cholesky_solve
from symgrad._declared import chunk as chunk
from symgrad._declared import clamp as clamp
from symgrad._declared import clamp_ as clamp_
from symgrad._declared import clamp_max as clamp_max
from symgrad._declared import clamp_max_ as clamp_max_
from symgrad._declared import clamp_min as clamp_min
from symgrad._declared import clamp_min_ as clamp_min_
from symgrad._declared import clip as clip
from symgrad._declared import clip_ as clip_
from symgrad._declared import clone as clone
from symgrad._declared import column_stack as column_stack
from symgrad._declared import combinations as combinations
from symgrad._declared import complex as complex
from symgrad._declared import concat as concat
from symgrad._declared import concatenate as concatenate
from symgrad._declared import conj as conj
from symgrad._declared import conj_physical as conj_physical
from symgrad._declared import conj_physical_ as conj_physical_
from symgrad._declared import conjugate as conjugate
from symgrad._declared import conv1d as conv1d
from symgrad._declared import conv2d as conv2d
from symgrad._declared import conv3d as conv3d
from symgrad._declared import conv_tbc as conv_tbc
from symgrad._declared import conv_transpose1d as conv_transpose1d
from symgrad._declared import conv_transpose2d as conv_transpose2d
from symgrad._declared import conv_transpose3d as conv_transpose3d
from symgrad._declared import copysign as copysign
from symgrad._declared import corrcoef as corrcoef
from symgrad._declared import cos as cos
from symgrad._declared import cos_ as cos_
from symgrad._declared import cosh as cosh
from symgrad._declared import cosh_ as cosh_
from symgrad._declared import cosine_similarity as cosine_similarity
from symgrad._declared import count_nonzero as count_nonzero
from symgrad._declared import cov as cov
from symgrad._declared import cross as cross
from symgrad._declared import cummax as cummax
from symgrad._declared import cummin as cummin
from symgrad._declared import cumprod as cumprod
from symgrad._declared import cumsum as cumsum
from symgrad._declared import cumulative_trapezoid as cumulative_trapezoid
from symgrad._declared import deg2rad as deg2rad
from symgrad._declared import deg2rad_ as deg2rad_
from symgrad._declared import det as det
from symgrad._declared import detach as detach
from symgrad._declared import detach_ as detach_
from symgrad._declared import diag as diag
from symgrad._declared import diag_embed as diag_embed
from symgrad._declared import diagflat as diagflat
from symgrad._declared import diagonal as diagonal
from symgrad._declared import diagonal_copy as diagonal_copy
from symgrad._declared import diagonal_scatter as diagonal_scatter
from symgrad._declared import diff as diff
from symgrad._declared import digamma as digamma
from symgrad._declared import dist as dist
from symgrad._declared import div as div
from symgrad._declared import divide as divide
from symgrad._declared import dot as dot
from symgrad._declared import dsplit as dsplit
from symgrad._declared import dstack as dstack
from symgrad._declared import einsum as einsum
from symgrad._declared import elementwise as elementwise
from symgrad._declared import eq as eq
from symgrad._declared import erf as erf
from symgrad._declared import erf_ as erf_
from symgrad._declared import erfc as erfc
from symgrad._declared import erfc_ as erfc_
from symgrad._declared import erfinv as erfinv
from symgrad._declared import exp as exp
from symgrad._declared import exp2 as exp2
from symgrad._declared import exp2_ as exp2_
from symgrad._declared import exp_ as exp_
from symgrad._declared import expand_copy as expand_copy
from symgrad._declared import expit as expit
from symgrad._declared import expm1 as expm1
from symgrad._declared import expm1_ as expm1_
from symgrad._declared import fill as fill
from symgrad._declared import fill_ as fill_
from symgrad._declared import fix as fix
from symgrad._declared import fix_ as fix_
from symgrad._declared import flatten as flatten
from symgrad._declared import flip as flip
from symgrad._declared import fliplr as fliplr
from symgrad._declared import flipud as flipud
from symgrad._declared import float_power as float_power
from symgrad._declared import floor as floor
from symgrad._declared import floor_ as floor_
from symgrad._declared import floor_divide as floor_divide
from symgrad._declared import fmax as fmax
from symgrad._declared import fmin as fmin
from symgrad._declared import fmod as fmod
from symgrad._declared import frac as frac
from symgrad._declared import frac_ as frac_
from symgrad._declared import frexp as frexp
from symgrad._declared import from_sympy as from_sympy
from symgrad._declared import gather as gather
from symgrad._declared import gcd as gcd
from symgrad._declared import gcd_ as gcd_
from symgrad._declared import ge as ge
from symgrad._declared import ger as ger
from symgrad._declared import gradient as gradient
from symgrad._declared import greater as greater
from symgrad._declared import greater_equal as greater_equal
from symgrad._declared import gt as gt
from symgrad._declared import hardshrink as hardshrink
from symgrad._declared import heaviside as heaviside
from symgrad._declared import histc as histc
from symgrad._declared import histogram as histogram
from symgrad._declared import hsplit as hsplit
from symgrad._declared import hstack as hstack
from symgrad._declared import hypot as hypot
from symgrad._declared import i0 as i0
from symgrad._declared import i0_ as i0_
from symgrad._declared import igamma as igamma
from symgrad._declared import igammac as igammac
from symgrad._declared import imag as imag
from symgrad._declared import index_add as index_add
from symgrad._declared import index_copy as index_copy
from symgrad._declared import index_fill as index_fill
from symgrad._declared import index_put as index_put
from symgrad._declared import index_put_ as index_put_
from symgrad._declared import index_reduce as index_reduce
from symgrad._declared import index_select as index_select
from symgrad._declared import inner as inner
from symgrad._declared import inverse as inverse
from symgrad._declared import is_conj as is_conj
from symgrad._declared import is_neg as is_neg
from symgrad._declared import isclose as isclose
from symgrad._declared import isfinite as isfinite
from symgrad._declared import isin as isin
from symgrad._declared import isinf as isinf
from symgrad._declared import isnan as isnan
from symgrad._declared import isneginf as isneginf
from symgrad._declared import isposinf as isposinf
from symgrad._declared import isreal as isreal
from symgrad._declared import istft as istft
from symgrad._declared import kron as kron
from symgrad._declared import kthvalue as kthvalue
from symgrad._declared import lcm as lcm
from symgrad._declared import lcm_ as lcm_
from symgrad._declared import ldexp as ldexp
from symgrad._declared import ldexp_ as ldexp_
from symgrad._declared import le as le
from symgrad._declared import lerp as lerp
from symgrad._declared import less as less
from symgrad._declared import less_equal as less_equal
from symgrad._declared import lgamma as lgamma
from symgrad._declared import linear as linear
from symgrad._declared import log as log
from symgrad._declared import log10 as log10
from symgrad._declared import log10_ as log10_
from symgrad._declared import log1p as log1p
from symgrad._declared import log1p_ as log1p_
from symgrad._declared import log2 as log2
from symgrad._declared import log2_ as log2_
from symgrad._declared import log_ as log_
from symgrad._declared import log_softmax as log_softmax
from symgrad._declared import logaddexp as logaddexp
from symgrad._declared import logaddexp2 as logaddexp2
from symgrad._declared import logcumsumexp as logcumsumexp
from symgrad._declared import logdet as logdet
from symgrad._declared import logical_and as logical_and
from symgrad._declared import logical_not as logical_not
from symgrad._declared import logical_or as logical_or
from symgrad._declared import logical_xor as logical_xor
from symgrad._declared import logit as logit
from symgrad._declared import logit_ as logit_
from symgrad._declared import logsumexp as logsumexp
from symgrad._declared import lt as lt
from symgrad._declared import lu as lu
from symgrad._declared import lu_solve as lu_solve
from symgrad._declared import lu_unpack as lu_unpack
from symgrad._declared import masked_fill as masked_fill
from symgrad._declared import masked_scatter as masked_scatter
from symgrad._declared import masked_select as masked_select
from symgrad._declared import matmul as matmul
from symgrad._declared import matrix_exp as matrix_exp
from symgrad._declared import matrix_power as matrix_power
from symgrad._declared import max as max
from symgrad._declared import maximum as maximum
from symgrad._declared import mean as mean
from symgrad._declared import median as median
from symgrad._declared import meshgrid as meshgrid
from symgrad._declared import min as min
from symgrad._declared import minimum as minimum
from symgrad._declared import mm as mm
from symgrad._declared import mode as mode
from symgrad._declared import moveaxis as moveaxis
from symgrad._declared import movedim as movedim
from symgrad._declared import msort as msort
from symgrad._declared import mul as mul
from symgrad._declared import multiply as multiply
from symgrad._declared import mv as mv
from symgrad._declared import mvlgamma as mvlgamma
from symgrad._declared import named as named
from symgrad._declared import nan_to_num as nan_to_num
from symgrad._declared import nan_to_num_ as nan_to_num_
from symgrad._declared import nanmean as nanmean
from symgrad._declared import nanmedian as nanmedian
from symgrad._declared import nanquantile as nanquantile
from symgrad._declared import nansum as nansum
from symgrad._declared import narrow as narrow
from symgrad._declared import narrow_copy as narrow_copy
from symgrad._declared import native_channel_shuffle as native_channel_shuffle
from symgrad._declared import ne as ne
from symgrad._declared import neg as neg
from symgrad._declared import neg_ as neg_
from symgrad._declared import negative as negative
from symgrad._declared import negative_ as negative_
from symgrad._declared import nextafter as nextafter
from symgrad._declared import nonzero as nonzero
from symgrad._declared import norm as norm
from symgrad._declared import not_equal as not_equal
from symgrad._declared import orgqr as orgqr
from symgrad._declared import ormqr as ormqr
from symgrad._declared import outer as outer
from symgrad._declared import pairwise_distance as pairwise_distance
from symgrad._declared import pca_lowrank as pca_lowrank
from symgrad._declared import pdist as pdist
from symgrad._declared import permute as permute
from symgrad._declared import permute_copy as permute_copy
from symgrad._declared import pinverse as pinverse
from symgrad._declared import pixel_shuffle as pixel_shuffle
from symgrad._declared import pixel_unshuffle as pixel_unshuffle
from symgrad._declared import polar as polar
from symgrad._declared import polygamma as polygamma
from symgrad._declared import positive as positive
from symgrad._declared import pow as pow
from symgrad._declared import prelu as prelu
from symgrad._declared import prod as prod
from symgrad._declared import put as put
from symgrad._declared import qr as qr
from symgrad._declared import quantile as quantile
from symgrad._declared import rad2deg as rad2deg
from symgrad._declared import rad2deg_ as rad2deg_
from symgrad._declared import ravel as ravel
from symgrad._declared import real as real
from symgrad._declared import reciprocal as reciprocal
from symgrad._declared import reciprocal_ as reciprocal_
from symgrad._declared import relu as relu
from symgrad._declared import relu_ as relu_
from symgrad._declared import remainder as remainder
from symgrad._declared import renorm as renorm
from symgrad._declared import repeat_interleave as repeat_interleave
from symgrad._declared import reshape as reshape
from symgrad._declared import resize_as_ as resize_as_
from symgrad._declared import resolve_conj as resolve_conj
from symgrad._declared import resolve_neg as resolve_neg
from symgrad._declared import roll as roll
from symgrad._declared import rot90 as rot90
from symgrad._declared import round as round
from symgrad._declared import round_ as round_
from symgrad._declared import row_stack as row_stack
from symgrad._declared import rsqrt as rsqrt
from symgrad._declared import rsqrt_ as rsqrt_
from symgrad._declared import rsub as rsub
from symgrad._declared import scatter as scatter
from symgrad._declared import scatter_add as scatter_add
from symgrad._declared import scatter_reduce as scatter_reduce
from symgrad._declared import searchsorted as searchsorted
from symgrad._declared import select as select
from symgrad._declared import select_copy as select_copy
from symgrad._declared import select_scatter as select_scatter
from symgrad._declared import sgn as sgn
from symgrad._declared import sigmoid as sigmoid
from symgrad._declared import sigmoid_ as sigmoid_
from symgrad._declared import sign as sign
from symgrad._declared import signbit as signbit
from symgrad._declared import sin as sin
from symgrad._declared import sin_ as sin_
from symgrad._declared import sinc as sinc
from symgrad._declared import sinc_ as sinc_
from symgrad._declared import sinh as sinh
from symgrad._declared import sinh_ as sinh_
from symgrad._declared import slice_copy as slice_copy
from symgrad._declared import slice_scatter as slice_scatter
from symgrad._declared import slogdet as slogdet
from symgrad._declared import softmax as softmax
from symgrad._declared import sort as sort
from symgrad._declared import split as split
from symgrad._declared import split_copy as split_copy
from symgrad._declared import split_with_sizes as split_with_sizes
from symgrad._declared import split_with_sizes_copy as split_with_sizes_copy
from symgrad._declared import sqrt as sqrt
from symgrad._declared import sqrt_ as sqrt_
from symgrad._declared import square as square
from symgrad._declared import square_ as square_
from symgrad._declared import squeeze as squeeze
from symgrad._declared import squeeze_copy as squeeze_copy
from symgrad._declared import stack as stack
from symgrad._declared import std as std
from symgrad._declared import std_mean as std_mean
from symgrad._declared import stft as stft
from symgrad._declared import sub as sub
from symgrad._declared import subtract as subtract
from symgrad._declared import sum as sum
from symgrad._declared import svd as svd
from symgrad._declared import svd_lowrank as svd_lowrank
from symgrad._declared import swapaxes as swapaxes
from symgrad._declared import swapdims as swapdims
from symgrad._declared import t as t
from symgrad._declared import t_copy as t_copy
from symgrad._declared import take as take
from symgrad._declared import take_along_dim as take_along_dim
from symgrad._declared import tan as tan
from symgrad._declared import tan_ as tan_
from symgrad._declared import tanh as tanh
from symgrad._declared import tanh_ as tanh_
from symgrad._declared import tensor_split as tensor_split
from symgrad._declared import tensordot as tensordot
from symgrad._declared import tile as tile
from symgrad._declared import to_sympy as to_sympy
from symgrad._declared import topk as topk
from symgrad._declared import trace as trace
from symgrad._declared import transpose as transpose
from symgrad._declared import transpose_copy as transpose_copy
from symgrad._declared import trapezoid as trapezoid
from symgrad._declared import trapz as trapz
from symgrad._declared import triangular_solve as triangular_solve
from symgrad._declared import tril as tril
from symgrad._declared import triu as triu
from symgrad._declared import true_divide as true_divide
from symgrad._declared import trunc as trunc
from symgrad._declared import trunc_ as trunc_
from symgrad._declared import unbind as unbind
from symgrad._declared import unbind_copy as unbind_copy
from symgrad._declared import unflatten as unflatten
from symgrad._declared import unfold_copy as unfold_copy
from symgrad._declared import unique as unique
from symgrad._declared import unique_consecutive as unique_consecutive
from symgrad._declared import unravel_index as unravel_index
from symgrad._declared import unsafe_chunk as unsafe_chunk
from symgrad._declared import unsafe_split as unsafe_split
from symgrad._declared import unsafe_split_with_sizes as unsafe_split_with_sizes
from symgrad._declared import unsqueeze as unsqueeze
from symgrad._declared import unsqueeze_copy as unsqueeze_copy
from symgrad._declared import vander as vander
from symgrad._declared import var as var
from symgrad._declared import var_mean as var_mean
from symgrad._declared import vdot as vdot
from symgrad._declared import view_as_complex as view_as_complex
from symgrad._declared import view_as_complex_copy as view_as_complex_copy
from symgrad._declared import view_as_real as view_as_real
from symgrad._declared import view_as_real_copy as view_as_real_copy
from symgrad._declared import view_copy as view_copy
from symgrad._declared import vsplit as vsplit
from symgrad._declared import vstack as vstack
from symgrad._declared import where as where
from symgrad._declared import xlogy as xlogy
from symgrad._declared import xlogy_ as xlogy_
from symgrad._declared import zero_ as zero_

__all__ = [
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "Generator",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "Size",
    "Tensor",
    "abs",
    "abs_",
    "absolute",
    "accelerator",
    "acos",
    "acos_",
    "acosh",
    "acosh_",
    "adaptive_avg_pool1d",
    "add",
    "addbmm",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "addmv_",
    "addr",
    "adjoint",
    "alias_copy",
    "all",
    "allclose",
    "amax",
    "amin",
    "aminmax",
    "amp",
    "angle",
    "any",
    "arange",
    "arccos",
    "arccos_",
    "arccosh",
    "arccosh_",
    "arcsin",
    "arcsin_",
    "arcsinh",
    "arcsinh_",
    "arctan",
    "arctan2",
    "arctan_",
    "arctanh",
    "arctanh_",
    "are_deterministic_algorithms_enabled",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "as_strided",
    "as_strided_",
    "as_strided_copy",
    "as_tensor",
    "asarray",
    "asin",
    "asin_",
    "asinh",
    "asinh_",
    "atan",
    "atan2",
    "atan_",
    "atanh",
    "atanh_",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "autocast",
    "autograd",
    "avg_pool1d",
    "backends",
    "baddbmm",
    "bartlett_window",
    "bernoulli",
    "bilinear",
    "bincount",
    "binomial",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "blackman_window",
    "block_diag",
    "bmm",
    "bool",
    "bool_",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "bucketize",
    "can_cast",
    "cartesian_prod",
    "cat",
    "cdist",
    "cdouble",
    "ceil",
    "ceil_",
    "cfloat",
    "chain_matmul",
    "channel_shuffle",
    "channels_last",
    "channels_last_3d",
    "check_gradients",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "chunk",
    "clamp",
    "clamp_",
    "clamp_max",
    "clamp_max_",
    "clamp_min",
    "clamp_min_",
    "clip",
    "clip_",
    "clone",
    "column_stack",
    "combinations",
    "compile",
    "compiler",
    "complex",
    "complex128",
    "complex64",
    "concat",
    "concatenate",
    "conj",
    "conj_physical",
    "conj_physical_",
    "conjugate",
    "contiguous_format",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "copysign",
    "corrcoef",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "cosine_similarity",
    "count_nonzero",
    "cov",
    "cross",
    "cuda",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_trapezoid",
    "default_generator",
    "deg2rad",
    "deg2rad_",
    "derive",
    "det",
    "detach",
    "detach_",
    "device",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_copy",
    "diagonal_scatter",
    "diff",
    "digamma",
    "dist",
    "distributed",
    "distributions",
    "div",
    "divide",
    "dot",
    "double",
    "dsplit",
    "dstack",
    "dtype",
    "e",
    "einsum",
    "elementwise",
    "empty",
    "empty_like",
    "enable_grad",
    "eq",
    "equal",
    "erf",
    "erf_",
    "erfc",
    "erfc_",
    "erfinv",
    "exp",
    "exp2",
    "exp2_",
    "exp_",
    "expand_copy",
    "expit",
    "explain",
    "expm1",
    "expm1_",
    "eye",
    "fft",
    "fill",
    "fill_",
    "finfo",
    "fix",
    "fix_",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "float",
    "float16",
    "float32",
    "float64",
    "float_power",
    "floor",
    "floor_",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "frac_",
    "frexp",
    "from_dlpack",
    "from_numpy",
    "from_sympy",
    "frombuffer",
    "full",
    "full_like",
    "func",
    "functional_call",
    "gather",
    "gcd",
    "gcd_",
    "ge",
    "ger",
    "get_default_device",
    "get_default_dtype",
    "get_deterministic_debug_mode",
    "get_float32_matmul_precision",
    "get_num_interop_threads",
    "get_num_threads",
    "get_rng_state",
    "grad",
    "grad_and_value",
    "gradient",
    "greater",
    "greater_equal",
    "gt",
    "half",
    "hamming_window",
    "hann_window",
    "hardshrink",
    "heaviside",
    "hessian",
    "histc",
    "histogram",
    "hsplit",
    "hstack",
    "hvp",
    "hypot",
    "i0",
    "i0_",
    "igamma",
    "igammac",
    "iinfo",
    "imag",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_put_",
    "index_reduce",
    "index_select",
    "inf",
    "inference_mode",
    "initial_seed",
    "inner",
    "int",
    "int16",
    "int32",
    "int64",
    "int8",
    "inverse",
    "is_anomaly_check_nan_enabled",
    "is_anomaly_enabled",
    "is_autocast_enabled",
    "is_complex",
    "is_conj",
    "is_deterministic_algorithms_warn_only_enabled",
    "is_floating_point",
    "is_grad_enabled",
    "is_inference",
    "is_inference_mode_enabled",
    "is_neg",
    "is_nonzero",
    "is_signed",
    "is_tensor",
    "is_warn_always_enabled",
    "isclose",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "istft",
    "jacfwd",
    "jacobian",
    "jacrev",
    "jet",
    "jit",
    "jvp",
    "kaiser_window",
    "kron",
    "kthvalue",
    "layout",
    "lcm",
    "lcm_",
    "ldexp",
    "ldexp_",
    "le",
    "leaf",
    "lerp",
    "less",
    "less_equal",
    "lgamma",
    "linalg",
    "linear",
    "linearize",
    "linspace",
    "load",
    "log",
    "log10",
    "log10_",
    "log1p",
    "log1p_",
    "log2",
    "log2_",
    "log_",
    "log_softmax",
    "logaddexp",
    "logaddexp2",
    "logcumsumexp",
    "logdet",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "logit_",
    "logspace",
    "logsumexp",
    "long",
    "lt",
    "lu",
    "lu_solve",
    "lu_unpack",
    "manual_seed",
    "masked",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "matmul",
    "matrix_exp",
    "matrix_power",
    "max",
    "maximum",
    "mean",
    "median",
    "memory_format",
    "meshgrid",
    "min",
    "minimum",
    "mm",
    "mode",
    "moveaxis",
    "movedim",
    "mps",
    "msort",
    "mul",
    "multinomial",
    "multiply",
    "mv",
    "mvlgamma",
    "named",
    "nan",
    "nan_to_num",
    "nan_to_num_",
    "nanmean",
    "nanmedian",
    "nanquantile",
    "nansum",
    "narrow",
    "narrow_copy",
    "native_channel_shuffle",
    "ne",
    "neg",
    "neg_",
    "negative",
    "negative_",
    "newaxis",
    "nextafter",
    "nn",
    "no_grad",
    "nonzero",
    "norm",
    "normal",
    "not_equal",
    "numel",
    "ones",
    "ones_like",
    "optim",
    "optimize",
    "orgqr",
    "ormqr",
    "outer",
    "overrides",
    "pairwise_distance",
    "pca_lowrank",
    "pdist",
    "permute",
    "permute_copy",
    "pi",
    "pinverse",
    "pixel_shuffle",
    "pixel_unshuffle",
    "poisson",
    "polar",
    "polygamma",
    "positive",
    "pow",
    "prelu",
    "preserve_format",
    "prod",
    "profiler",
    "promote_types",
    "prove",
    "put",
    "qr",
    "quantile",
    "rad2deg",
    "rad2deg_",
    "rand",
    "rand_like",
    "randint",
    "randint_like",
    "randn",
    "randn_like",
    "random",
    "randperm",
    "range",
    "ravel",
    "real",
    "reciprocal",
    "reciprocal_",
    "relu",
    "relu_",
    "remainder",
    "renorm",
    "repeat_interleave",
    "reshape",
    "resize_as_",
    "resolve_conj",
    "resolve_neg",
    "result_type",
    "roll",
    "rot90",
    "round",
    "round_",
    "row_stack",
    "rsqrt",
    "rsqrt_",
    "rsub",
    "same",
    "save",
    "scalar_tensor",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "searchsorted",
    "seed",
    "select",
    "select_copy",
    "select_scatter",
    "set_anomaly_enabled",
    "set_default_device",
    "set_default_dtype",
    "set_default_tensor_type",
    "set_deterministic_debug_mode",
    "set_float32_matmul_precision",
    "set_flush_denormal",
    "set_grad_enabled",
    "set_num_interop_threads",
    "set_num_threads",
    "set_printoptions",
    "set_rng_state",
    "set_warn_always",
    "sgn",
    "short",
    "sigmoid",
    "sigmoid_",
    "sign",
    "signbit",
    "sin",
    "sin_",
    "sinc",
    "sinc_",
    "singularities",
    "sinh",
    "sinh_",
    "slice_copy",
    "slice_scatter",
    "slogdet",
    "softmax",
    "sort",
    "special",
    "split",
    "split_copy",
    "split_with_sizes",
    "split_with_sizes_copy",
    "sqrt",
    "sqrt_",
    "square",
    "square_",
    "squeeze",
    "squeeze_copy",
    "stack",
    "stack_module_state",
    "std",
    "std_mean",
    "stft",
    "strided",
    "sub",
    "subtract",
    "sum",
    "svd",
    "svd_lowrank",
    "swapaxes",
    "swapdims",
    "symbolic_trace",
    "symbols",
    "t",
    "t_copy",
    "take",
    "take_along_dim",
    "tan",
    "tan_",
    "tanh",
    "tanh_",
    "tensor",
    "tensor_split",
    "tensordot",
    "testing",
    "tile",
    "to_sympy",
    "topk",
    "trace",
    "transpose",
    "transpose_copy",
    "trapezoid",
    "trapz",
    "triangular_solve",
    "tril",
    "tril_indices",
    "triu",
    "triu_indices",
    "true_divide",
    "trunc",
    "trunc_",
    "typename",
    "uint8",
    "unbind",
    "unbind_copy",
    "unflatten",
    "unfold_copy",
    "unique",
    "unique_consecutive",
    "unravel_index",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "unsqueeze_copy",
    "use_deterministic_algorithms",
    "utils",
    "value_and_grad",
    "vander",
    "var",
    "var_mean",
    "vdot",
    "version",
    "view_as_complex",
    "view_as_complex_copy",
    "view_as_real",
    "view_as_real_copy",
    "view_copy",
    "vjp",
    "vmap",
    "vsplit",
    "vstack",
    "where",
    "xlogy",
    "xlogy_",
    "xpu",
    "zero_",
    "zeros",
    "zeros_like",
]
