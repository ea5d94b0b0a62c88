"""Calls of NumPy's functions, each with the arguments that it is tried with.

Capital letters are the operands, for which arrays, leaves or tensors stand. `test_numpy_functions`
compares what comes of these. A name that NumPy lacks in some release is skipped there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

#: The operands. No call is at a kink or a jump with them.
OPERANDS = {
    "A": np.array([[0.36, -1.28, 2.13], [0.72, 0.14, -0.43]]),
    "B": np.array([[1.5, 0.2, -0.6], [-2.5, 0.9, 1.1]]),
    "U": np.array([[0.35, 0.6, 0.2], [0.75, 0.1, 0.45]]),
    "S": np.array([[2.0, 0.3, -0.5], [0.1, 1.5, 0.7], [-0.2, 0.4, 3.0]]),
    "P": np.array([[2.0, 0.3, -0.5], [0.3, 1.5, 0.7], [-0.5, 0.7, 3.0]]),
    "V": np.array([0.31, -1.27, 2.03]),
    "W": np.array([1.53, 0.22, -0.64]),
    "T": np.arange(24.0).reshape(2, 3, 4) / 7 - 1.3,
    "C": np.array(0.8),
    "K": np.array([[2, 5, 3], [1, 4, 7]]),
    "J": np.array([2, 0, 1]),
    "M": np.array([[True, False, True], [False, False, True]]),
    "N": np.array([True, False, True]),
    "Z": np.array([[0.3 + 1j, -1.2, 2.0 - 0.5j], [0.7j, 0.1, -0.4 + 0.2j]]),
}

#: Functions that take no array, or make one of none; what a symbolic array is to them needs no law.
_WITHOUT_OPERANDS = """
arange bartlett base_repr binary_repr blackman bmat broadcast_shapes busday_count busday_offset
can_cast common_type datetime_as_string datetime_data diag_indices empty eye
format_float_positional format_float_scientific from_dlpack frombuffer fromfile fromfunction
fromiter frompyfunc fromregex fromstring genfromtxt get_include get_printoptions getbufsize geterr
geterrcall hamming hanning identity indices info is_busday isdtype issubdtype iterable kaiser load
loadtxt mask_indices min_scalar_type mintypecode nested_iters ones printoptions promote_types
set_printoptions setbufsize seterr seterrcall show_config show_runtime test tri tril_indices
triu_indices typename zeros isscalar require fft.fftfreq fft.rfftfreq einsum_path
"""

_FUNCTIONS = """
all: A > 0 | A, axis=1 | A, None, None, True | M, axis=(0, 1), keepdims=True
allclose: A, A | A, B | A, B, 1e-3, equal_nan=True
amax: A | A, 1 | A, axis=(0, 1) | A, axis=0, keepdims=True | A, initial=9.0
amax: A, where=M, initial=0.0
amin: A | A, 1 | A, axis=0, keepdims=True
angle: Z | A | Z, deg=True | Z, True
any: M | A > 0, axis=1
append: A, B | A, B, axis=0 | A, 2.0
apply_along_axis: np.sum, 0, A
apply_over_axes: np.sum, A, [0, 1]
argmax: A | A, 1 | A, axis=0, keepdims=True
argmin: A | A, axis=1
argpartition: V, 1
argsort: V | A, axis=0 | A, 1 | A, axis=None | V, kind="stable" | V, stable=True
argwhere: A
around: A | A, 1 | A, decimals=1
array: A | [A, B] | [C, C]
array2string: A
array_equal: A, A | A, B
array_equiv: A, A
array_repr: A
array_split: V, 2 | A, 2, axis=1 | A, [1, 2], 1
array_str: A
asanyarray: A
asarray: A | [C, C]
asarray_chkfinite: A
ascontiguousarray: A
asfortranarray: A
asmatrix: A
astype: A, np.float32 | K, float
atleast_1d: C | A, C | A
atleast_2d: V | V, C
atleast_3d: V | A | C, T
average: A | A, axis=1 | A, weights=B | A, axis=1, weights=W | A, 0, keepdims=True
average: A, weights=U, returned=True
bincount: J | J, V | J, weights=V, minlength=5
block: [A, B] | [[A, B], [B, A]] | [[S], [A]]
broadcast_arrays: A, V | V, A, C
broadcast_to: V, (2, 3) | C, 3 | V, shape=(4, 3)
choose: J, [V, W, V]
clip: A, 0.0, 1.0 | A, a_min=-1.0, a_max=None | A, 0.0, V | A, min=0.0 | A, max=V | A, None, 0.5
column_stack: (V, W) | [A, B]
compress: [True, False], A, axis=0 | [True, False, True], V | N, V
concat: (A, B) | [A, B], axis=1
concatenate: (A, B) | [A, B], axis=1 | (A, S) | (A, B), axis=None | (A, V[None]), 0
concatenate: [A, np.ones((1, 3))]
convolve: V, W | V, [1.0, 2.0], "same" | V, W, mode="valid"
copy: A
copyto: A, B
corrcoef: A | A, rowvar=False | V, W
correlate: V, W | V, W, "full"
count_nonzero: A | A, axis=1 | A, axis=0, keepdims=True
cov: A | A, rowvar=False | A, bias=True | V, W | A, ddof=0
cross: A, B | V, W | A, V
cumprod: A | A, 1 | A, axis=0
cumsum: A | A, axis=1 | A, 0
cumulative_prod: V | A, axis=1
cumulative_sum: V | A, axis=1 | A, axis=1, include_initial=True
delete: V, 1 | A, [0, 1], axis=1 | A, 0
diag: V | S | S, 1 | V, k=-1
diag_indices_from: S
diagflat: A | V, 1 | V, k=-1
diagonal: S | T, 1 | T, offset=0, axis1=1, axis2=2
diff: A | A, 2 | A, axis=0 | V, n=1, prepend=0.0 | V, append=V
digitize: V, [-1.0, 0.0, 1.0]
dot: V, W | A, S | A, V | C, A | T, V | T, np.ones((4, 2)) | 2.0, A | A, b=S
dsplit: T, 2
dstack: (A, B) | [V, W]
ediff1d: V | A | V, to_end=1.0
einsum: "ij,ij->i", A, B | "ij,jk", A, S | "ij->ji", A | "i,i", V, W
einsum: "ij,ij", A, B, optimize=True | A, [0, 1], S, [1, 2], [0, 2]
empty_like: A
expand_dims: A, 0 | A, (0, 2) | A, axis=-1
extract: [True, False, True], V | N, V
fill_diagonal: S, 1.0
fix: A
flatnonzero: V
flip: A | A, 1 | A, axis=(0, 1)
fliplr: A
flipud: A
full: (2,), C
full_like: A, 2.0 | A, C
geomspace: 1.0, C, 4
gradient: V | A, axis=1 | V, 2.0 | V, edge_order=2 | A
histogram: V | V, 3
histogram2d: V, W
histogram_bin_edges: V
histogramdd: A
hsplit: A, 3 | A, [1] | V, 3
hstack: (A, B) | [V, W] | [C, C]
i0: V | A
imag: Z | A
inner: V, W | A, B | A, V | 2.0, A | C, A
insert: V, 1, 5.0 | A, 1, 2.0, axis=1 | V, 0, V
interp: A, [-1.0, 0.0, 1.0], W
interp: A, K[1], W | C, [0.0, 0.5, 1.0], [1.0, 3.0, 2.0] | A, [-1.0, 0.0, 1.0], V
interp: V, [-1.0, 0.0, 1.0], [1.0, 3.0, 2.0], left=0.0, right=9.0
intersect1d: V, W
isclose: A, B | A, A, atol=1e-3 | A, 0.3
iscomplex: Z | A
iscomplexobj: Z | A
isfortran: A
isin: V, W
isneginf: A
isposinf: A
isreal: Z | A
isrealobj: A | Z
ix_: J, J
kron: A, B | V, W
lexsort: (V, W)
linspace: 0.0, C, 5 | C, 2.0, num=4 | V, W, 3 | 0.0, C, 5, endpoint=False | V, W, 3, axis=1
linspace: 0.0, C, 5, retstep=True
logspace: 0.0, C, 4 | C, 1.0, 3, base=2.0
matrix_transpose: A | T
max: A | A, axis=1 | A, 0, None, True
may_share_memory: A, B
mean: A | A, 1 | A, axis=(0, 1) | A, axis=1, keepdims=True | A, dtype=np.float32 | A, where=M | K
median: A | A, axis=1 | V | A, axis=1, keepdims=True | A, axis=(0, 1)
meshgrid: V, W | V, W, indexing="ij" | V, W, sparse=True
min: A | A, axis=1
moveaxis: T, 0, -1 | T, [0, 1], [-1, -2] | T, source=0, destination=1
nan_to_num: A | A, nan=1.0 | A, True, 0.5
nanargmax: A | A, axis=1
nanargmin: A | A, 1
nancumprod: A | A, axis=1
nancumsum: A | A, axis=1
nanmax: A | A, axis=1
nanmean: A | A, axis=1 | A, 0, keepdims=True
nanmedian: A | A, axis=1
nanmin: A | A, 1
nanpercentile: A, 30 | A, 30, axis=1
nanprod: A | A, axis=1
nanquantile: A, 0.3 | A, [0.3, 0.5], axis=1
nanstd: A | A, axis=1 | A, ddof=1
nansum: A | A, axis=1 | A, 1, keepdims=True
nanvar: A | A, axis=1 | A, ddof=1
ndim: A | C
nonzero: A
ones_like: A | A, dtype=np.float32
outer: V, W | A, V | V, [1.0, 2.0]
packbits: M
pad: V, 1 | V, (1, 2) | A, ((1, 0), (0, 2)) | V, 2, "edge" | V, 2, mode="reflect"
pad: V, 2, mode="wrap" | V, 1, constant_values=3.0 | A, 1, "symmetric"
partition: V, 1
percentile: V, 30 | A, [20, 50], axis=1 | A, 30, keepdims=True
permute_dims: T, (2, 0, 1) | T
piecewise: V, [N, ~N], [1.0, 2.0]
place: A, M, [1.0]
poly: V
polyadd: V, W | V, [1.0]
polyder: V
polydiv: V, W
polyfit: V, W, 1
polyint: V
polymul: V, W
polysub: V, W
polyval: V, 2.0 | [1.0, 2.0, 3.0], V | V, W | [1.0, 2.0], C
prod: A | A, 1 | A, axis=(0, 1) | A, axis=1, keepdims=True | A, initial=2.0
ptp: A | A, axis=1 | A, 0, keepdims=True
put: V, [0], [1.0]
put_along_axis: A, K[:, :1] * 0, 9.0, 1
putmask: A, M, 0.0
quantile: V, 0.3 | A, [0.2, 0.5], axis=1 | A, 0.3, axis=0, keepdims=True | A, U[0]
quantile: V, 0.3, method="lower" | V, 0.3, method="weibull"
ravel: A | A, "F" | A, order="C"
ravel_multi_index: (J, J), (3, 3)
real: Z | A
real_if_close: Z | A
repeat: A, 2 | A, 2, axis=1 | V, [1, 0, 2] | A, repeats=3, axis=0
reshape: A, (3, 2) | A, -1 | A, (3, -1), order="C" | A, (3, 2), "F" | A, shape=(6,)
resize: A, (3, 3) | V, 5
result_type: A, B
roll: A, 1 | A, 1, axis=1 | A, (1, 2), (0, 1) | V, shift=2
rollaxis: T, 2 | T, 1, 3
roots: V
rot90: A | A, 2 | T, 1, (1, 2)
round: A | A, 1 | A, decimals=2
row_stack: (A, B)
save: "/dev/null", A
savetxt: "/dev/null", A
savez: "/dev/null", A
savez_compressed: "/dev/null", A
searchsorted: [0.0, 1.0], V | V, 0.3
select: [M, ~M], [A, B] | [A > 0, B > 0], [A, B], 7.0 | [A > 0], [1.0], default=0.0
setdiff1d: V, W
setxor1d: V, W
shape: A | C
shares_memory: A, B
sinc: A | V
size: A | A, 1
sort: A | A, 0 | A, axis=None | V, kind="stable"
sort_complex: V
split: V, 3 | A, [1, 2], axis=1 | A, 3, 1 | V, [1]
squeeze: A[None] | A[None], 0 | A[None, :, None], axis=(0, 2)
stack: (A, B) | [A, B], axis=1 | [C, C] | [V, [1.0, 2.0, 3.0]], -1
std: A | A, 1 | A, axis=0, ddof=1 | A, axis=1, keepdims=True | A, correction=1 | A, mean=C
std: A, (0, 1)
sum: A | A, 1 | A, axis=(0, 1) | A, axis=-1, keepdims=True | A, dtype=np.float32 | A, None, None
sum: A, initial=1.0 | A, where=M | M | K, axis=0 | [A, B] | A, axis=0, dtype=None, out=None
swapaxes: T, 0, 2 | T, axis1=1, axis2=0
take: A, [0, 2], axis=1 | A, 4 | V, J | V, [[0, 1], [1, 2]] | A, [0, -1], 0
take: V, [0, 5], mode="clip"
take_along_axis: A, (K * 0), 1 | A, (K * 0), axis=1 | V, J
tensordot: A, B | A, S, 1 | T, np.ones((3, 4)), axes=2 | A, B, axes=([1], [1])
tensordot: A, S, axes=(1, 0) | T, A, ([0, 1], [0, 1])
tile: V, 2 | A, (2, 1) | A, reps=(2, 2, 1)
trace: S | S, 1 | T, axis1=1, axis2=2 | T, 0, 1, 2 | S, offset=-1
transpose: A | T, (2, 0, 1) | T, axes=[1, 0, 2] | A, None
trapezoid: V | A, axis=0 | V, [0.0, 1.0, 3.0] | V, dx=0.5 | A, W
tril: S | S, 1 | A, k=-1
tril_indices_from: S
trim_zeros: V
triu: S | S, -1 | A, k=1
triu_indices_from: S
union1d: V, W
unique: V
unique_all: V
unique_counts: V
unique_inverse: V
unique_values: V
unpackbits: M
unravel_index: J, (2, 3)
unstack: A | A, axis=1
unwrap: V
vander: V | V, 2 | V, N=4, increasing=True
var: A | A, 1 | A, axis=0, ddof=1 | A, axis=1, keepdims=True | A, correction=0
vdot: V, W | A, B | Z, Z
vsplit: A, 2 | A, [1]
vstack: (A, B) | [V, W] | [V, A]
where: M, A, B | M, A, 0.0 | A > 0, A, B | N, V, [1.0, 2.0, 3.0] | A, B, 1.0 | A > 0
zeros_like: A | A, dtype=int
linalg.cholesky: P
linalg.cond: S
linalg.cross: V, W | A, B
linalg.det: S
linalg.diagonal: S | T, offset=1
linalg.eig: S
linalg.eigh: P
linalg.eigvals: S
linalg.eigvalsh: P
linalg.inv: S
linalg.lstsq: A, V[:2]
linalg.matmul: A, S | A, V
linalg.matrix_norm: S | S, ord="fro" | S, keepdims=True | S, ord=1 | S, ord=np.inf | S, ord=2
linalg.matrix_power: S, 2 | S, 0 | S, 5 | S, -1
linalg.matrix_rank: S
linalg.matrix_transpose: A | T
linalg.multi_dot: [A, S, V] | [A, S]
linalg.norm: V | A | A, axis=1 | V, 1 | V, np.inf | V, 3 | V, -np.inf | A, 1, axis=1
linalg.norm: A, ord=2, axis=0, keepdims=True | A, "fro" | A, 1 | A, np.inf | A, 2
linalg.norm: A, axis=1, keepdims=True | T, axis=(0, 1) | V, 0 | A, None, None, True
linalg.outer: V, W
linalg.pinv: A
linalg.qr: A
linalg.slogdet: S
linalg.solve: S, V
linalg.svd: A
linalg.svdvals: A
linalg.tensordot: A, B | A, S, axes=1
linalg.tensorinv: S, ind=1
linalg.tensorsolve: S, V
linalg.trace: S | S, offset=1
linalg.vecdot: A, B | V, W | A, V | A, B, axis=0
linalg.vector_norm: V | A | A, axis=1 | A, ord=1, axis=0 | A, keepdims=True | A, ord=np.inf
fft.fft: V | V, 3 | A, axis=0, norm="ortho" | A, None, 0 | A, None, -1, "ortho" | A, 5, 0, None
fft.fft2: A | A, (3, 2) | A, None, (1, 0), "forward"
fft.fftn: A | A, axes=(0,)
fft.fftshift: V | A | A, axes=0
fft.hfft: V | A, None, 0 | V, 3, norm="ortho"
fft.ifft: V | A, None, 0, "forward"
fft.ifft2: A
fft.ifftn: A | A, (2, 2), None, "ortho"
fft.ifftshift: V
fft.ihfft: V | A, 4, 0 | A, None, 0, "ortho"
fft.irfft: V | V, 3 | A, None, 0
fft.irfft2: A
fft.irfftn: A
fft.rfft: V | A, None, 0, "forward" | V, 5
fft.rfft2: A
fft.rfftn: A | A, None, (1, 0)
"""

#: Universal functions whose operands are special; the others take A and B, or K, or M.
_UNIVERSAL = """
acosh: A * A + 1.5
arccosh: A * A + 1.5
arccos: U
acos: U
arcsin: U
asin: U
arctanh: U
atanh: U
cbrt: U
conj: Z | A
conjugate: Z
float_power: U, B | U, 2
ldexp: A, K
left_shift: K, 2 | K, K
bitwise_left_shift: K, 2
right_shift: K, 1
bitwise_right_shift: K, 1
log: U | Z
log10: U
log1p: U
log2: U
matmul: A, S | A, V | V, W | T, np.ones((4, 2))
matvec: S, V | T, np.ones(4)
vecmat: V, S
power: U, B | A, 2 | 2.0, A | U, 0.5
pow: U, B
sqrt: U
vecdot: A, B | A, V | Z, Z | A, B, axis=0
isnat: A
"""

_METHODS = {
    "reduce": "A | A, 1 | A, axis=None | A, 1, keepdims=True | T, axis=(0, 1) | A, initial=2.0",
    "accumulate": "V | A, 1 | A, axis=0",
    "outer": "V, W | A, V | 2.0, V | V, [1.0, 2.0]",
    "reduceat": "V, [0, 1]",
    "at": "V, [0], 1.0",
}

_INTEGERS = str.maketrans({"A": "K", "V": "J", "W": "J"})

MODULES = {"": np, "linalg.": np.linalg, "fft.": np.fft}


def _entries(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in text.strip().splitlines():
        name, _, args = line.partition(": ")
        found.setdefault(name, []).extend(args.split(" | "))
    return found


WITHOUT_OPERANDS = frozenset(_WITHOUT_OPERANDS.split())
FUNCTIONS = _entries(_FUNCTIONS)
_SPECIAL = _entries(_UNIVERSAL)


def _operands_of(name: str, f: np.ufunc) -> list[str]:
    found = _SPECIAL.get(name)
    if found is not None:
        return found
    kinds = {t.partition("->")[0] for t in f.types}
    one = "A" if kinds & {"d", "dd"} else "K" if kinds & {"l", "ll", "L"} else "M"
    if f.nin == 1:
        return [one]
    other = {"A": "B", "K": "K + 1", "M": "~M"}[one]
    number = {"A": "0.5", "K": "2", "M": "True"}[one]
    return [f"{one}, {other}", f"{one}, {number}", f"{number}, {one}", f"{one}, ({other})[0]"]


def calls() -> Iterator[tuple[str, str]]:
    """Yield each call as the name of the function and the text of its arguments."""
    for prefix, module in MODULES.items():
        for name in sorted(module.__all__):
            f, full = getattr(module, name, None), prefix + name
            if isinstance(f, type) or not callable(f) or full in WITHOUT_OPERANDS:
                continue
            if not isinstance(f, np.ufunc):
                # Of a function that is not known here, nothing but errors may come.
                for args in FUNCTIONS.get(full, ["A", "A, B"]):
                    yield full, args
                continue
            for args in _operands_of(name, f):
                yield full, args
            if f.nin == 2 and f.nout == 1 and f.signature is None and f.__name__ == name:
                integers = bool({"ll", "LL"} & {t.partition("->")[0] for t in f.types})
                reals = bool({"dd"} & {t.partition("->")[0] for t in f.types})
                for method, several in _METHODS.items():
                    # What computes with integers alone has integers for operands.
                    text = several if reals or not integers else several.translate(_INTEGERS)
                    for args in text.split(" | "):
                        yield f"{full}.{method}", args
