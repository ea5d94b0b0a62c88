"""The classes of results with names, declared. Made by `python -m tools.stubs`."""

from typing import Generic, NamedTuple, TypeVar

_T = TypeVar("_T")

__all__ = [
    "airy",
    "aminmax",
    "aminmax_out",
    "cummax",
    "cummax_out",
    "cummin",
    "cummin_out",
    "fresnel",
    "frexp",
    "frexp_out",
    "histogram",
    "histogram_out",
    "kthvalue",
    "kthvalue_out",
    "linalg_cholesky_ex",
    "linalg_cholesky_ex_out",
    "linalg_eig",
    "linalg_eig_out",
    "linalg_eigh",
    "linalg_eigh_out",
    "linalg_inv_ex",
    "linalg_inv_ex_out",
    "linalg_ldl_factor",
    "linalg_ldl_factor_ex",
    "linalg_ldl_factor_ex_out",
    "linalg_ldl_factor_out",
    "linalg_lstsq",
    "linalg_lstsq_out",
    "linalg_lu",
    "linalg_lu_factor",
    "linalg_lu_factor_ex",
    "linalg_lu_factor_ex_out",
    "linalg_lu_factor_out",
    "linalg_lu_out",
    "linalg_qr",
    "linalg_qr_out",
    "linalg_slogdet",
    "linalg_slogdet_out",
    "linalg_solve_ex",
    "linalg_solve_ex_out",
    "linalg_svd",
    "linalg_svd_out",
    "lu",
    "lu_unpack",
    "lu_unpack_out",
    "max",
    "max_out",
    "median",
    "median_out",
    "min",
    "min_out",
    "mode",
    "mode_out",
    "nanmedian",
    "nanmedian_out",
    "pca_lowrank",
    "qr",
    "qr_out",
    "shichi",
    "sici",
    "slogdet",
    "slogdet_out",
    "sort",
    "sort_out",
    "svd",
    "svd_lowrank",
    "svd_out",
    "topk",
    "topk_out",
    "triangular_solve",
    "triangular_solve_out",
]

class airy(NamedTuple, Generic[_T]):
    """What `symgrad.airy` returns: ai and aip and bi and bip."""

    ai: _T
    aip: _T
    bi: _T
    bip: _T

class aminmax(NamedTuple, Generic[_T]):
    """What `symgrad.aminmax` returns: min and max."""

    min: _T
    max: _T

class aminmax_out(NamedTuple, Generic[_T]):
    """What `symgrad.aminmax` returns of its `out`: min and max."""

    min: _T
    max: _T

class cummax(NamedTuple, Generic[_T]):
    """What `symgrad.cummax` returns: values and indices."""

    values: _T
    indices: _T

class cummax_out(NamedTuple, Generic[_T]):
    """What `symgrad.cummax` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class cummin(NamedTuple, Generic[_T]):
    """What `symgrad.cummin` returns: values and indices."""

    values: _T
    indices: _T

class cummin_out(NamedTuple, Generic[_T]):
    """What `symgrad.cummin` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class fresnel(NamedTuple, Generic[_T]):
    """What `symgrad.fresnel` returns: s and c."""

    s: _T
    c: _T

class frexp(NamedTuple, Generic[_T]):
    """What `symgrad.frexp` returns: mantissa and exponent."""

    mantissa: _T
    exponent: _T

class frexp_out(NamedTuple, Generic[_T]):
    """What `symgrad.frexp` returns of its `out`: mantissa and exponent."""

    mantissa: _T
    exponent: _T

class histogram(NamedTuple, Generic[_T]):
    """What `symgrad.histogram` returns: hist and bin_edges."""

    hist: _T
    bin_edges: _T

class histogram_out(NamedTuple, Generic[_T]):
    """What `symgrad.histogram` returns of its `out`: hist and bin_edges."""

    hist: _T
    bin_edges: _T

class kthvalue(NamedTuple, Generic[_T]):
    """What `symgrad.kthvalue` returns: values and indices."""

    values: _T
    indices: _T

class kthvalue_out(NamedTuple, Generic[_T]):
    """What `symgrad.kthvalue` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class linalg_cholesky_ex(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_cholesky_ex` returns: L and info."""

    L: _T
    info: _T

class linalg_cholesky_ex_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_cholesky_ex` returns of its `out`: L and info."""

    L: _T
    info: _T

class linalg_eig(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_eig` returns: eigenvalues and eigenvectors."""

    eigenvalues: _T
    eigenvectors: _T

class linalg_eig_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_eig` returns of its `out`: eigenvalues and eigenvectors."""

    eigenvalues: _T
    eigenvectors: _T

class linalg_eigh(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_eigh` returns: eigenvalues and eigenvectors."""

    eigenvalues: _T
    eigenvectors: _T

class linalg_eigh_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_eigh` returns of its `out`: eigenvalues and eigenvectors."""

    eigenvalues: _T
    eigenvectors: _T

class linalg_inv_ex(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_inv_ex` returns: inverse and info."""

    inverse: _T
    info: _T

class linalg_inv_ex_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_inv_ex` returns of its `out`: inverse and info."""

    inverse: _T
    info: _T

class linalg_ldl_factor(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_ldl_factor` returns: LD and pivots."""

    LD: _T
    pivots: _T

class linalg_ldl_factor_ex(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_ldl_factor_ex` returns: LD and pivots and info."""

    LD: _T
    pivots: _T
    info: _T

class linalg_ldl_factor_ex_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_ldl_factor_ex` returns of its `out`: LD and pivots and info."""

    LD: _T
    pivots: _T
    info: _T

class linalg_ldl_factor_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_ldl_factor` returns of its `out`: LD and pivots."""

    LD: _T
    pivots: _T

class linalg_lstsq(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lstsq` returns: solution and residuals and rank and singular_values."""

    solution: _T
    residuals: _T
    rank: _T
    singular_values: _T

class linalg_lstsq_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lstsq` returns of its `out`: solution and residuals and rank and singular_values."""

    solution: _T
    residuals: _T
    rank: _T
    singular_values: _T

class linalg_lu(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu` returns: P and L and U."""

    P: _T
    L: _T
    U: _T

class linalg_lu_factor(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu_factor` returns: LU and pivots."""

    LU: _T
    pivots: _T

class linalg_lu_factor_ex(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu_factor_ex` returns: LU and pivots and info."""

    LU: _T
    pivots: _T
    info: _T

class linalg_lu_factor_ex_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu_factor_ex` returns of its `out`: LU and pivots and info."""

    LU: _T
    pivots: _T
    info: _T

class linalg_lu_factor_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu_factor` returns of its `out`: LU and pivots."""

    LU: _T
    pivots: _T

class linalg_lu_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_lu` returns of its `out`: P and L and U."""

    P: _T
    L: _T
    U: _T

class linalg_qr(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_qr` returns: Q and R."""

    Q: _T
    R: _T

class linalg_qr_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_qr` returns of its `out`: Q and R."""

    Q: _T
    R: _T

class linalg_slogdet(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_slogdet` returns: sign and logabsdet."""

    sign: _T
    logabsdet: _T

class linalg_slogdet_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_slogdet` returns of its `out`: sign and logabsdet."""

    sign: _T
    logabsdet: _T

class linalg_solve_ex(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_solve_ex` returns: result and info."""

    result: _T
    info: _T

class linalg_solve_ex_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_solve_ex` returns of its `out`: result and info."""

    result: _T
    info: _T

class linalg_svd(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_svd` returns: U and S and Vh."""

    U: _T
    S: _T
    Vh: _T

class linalg_svd_out(NamedTuple, Generic[_T]):
    """What `symgrad.linalg_svd` returns of its `out`: U and S and Vh."""

    U: _T
    S: _T
    Vh: _T

class lu(NamedTuple, Generic[_T]):
    """What `symgrad.lu` returns: LU and pivots."""

    LU: _T
    pivots: _T

class lu_unpack(NamedTuple, Generic[_T]):
    """What `symgrad.lu_unpack` returns: P and L and U."""

    P: _T
    L: _T
    U: _T

class lu_unpack_out(NamedTuple, Generic[_T]):
    """What `symgrad.lu_unpack` returns of its `out`: P and L and U."""

    P: _T
    L: _T
    U: _T

class max(NamedTuple, Generic[_T]):
    """What `symgrad.max` returns: values and indices."""

    values: _T
    indices: _T

class max_out(NamedTuple, Generic[_T]):
    """What `symgrad.max` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class median(NamedTuple, Generic[_T]):
    """What `symgrad.median` returns: values and indices."""

    values: _T
    indices: _T

class median_out(NamedTuple, Generic[_T]):
    """What `symgrad.median` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class min(NamedTuple, Generic[_T]):
    """What `symgrad.min` returns: values and indices."""

    values: _T
    indices: _T

class min_out(NamedTuple, Generic[_T]):
    """What `symgrad.min` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class mode(NamedTuple, Generic[_T]):
    """What `symgrad.mode` returns: values and indices."""

    values: _T
    indices: _T

class mode_out(NamedTuple, Generic[_T]):
    """What `symgrad.mode` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class nanmedian(NamedTuple, Generic[_T]):
    """What `symgrad.nanmedian` returns: values and indices."""

    values: _T
    indices: _T

class nanmedian_out(NamedTuple, Generic[_T]):
    """What `symgrad.nanmedian` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class pca_lowrank(NamedTuple, Generic[_T]):
    """What `symgrad.pca_lowrank` returns: U and S and V."""

    U: _T
    S: _T
    V: _T

class qr(NamedTuple, Generic[_T]):
    """What `symgrad.qr` returns: Q and R."""

    Q: _T
    R: _T

class qr_out(NamedTuple, Generic[_T]):
    """What `symgrad.qr` returns of its `out`: Q and R."""

    Q: _T
    R: _T

class shichi(NamedTuple, Generic[_T]):
    """What `symgrad.shichi` returns: shi and chi."""

    shi: _T
    chi: _T

class sici(NamedTuple, Generic[_T]):
    """What `symgrad.sici` returns: si and ci."""

    si: _T
    ci: _T

class slogdet(NamedTuple, Generic[_T]):
    """What `symgrad.slogdet` returns: sign and logabsdet."""

    sign: _T
    logabsdet: _T

class slogdet_out(NamedTuple, Generic[_T]):
    """What `symgrad.slogdet` returns of its `out`: sign and logabsdet."""

    sign: _T
    logabsdet: _T

class sort(NamedTuple, Generic[_T]):
    """What `symgrad.sort` returns: values and indices."""

    values: _T
    indices: _T

class sort_out(NamedTuple, Generic[_T]):
    """What `symgrad.sort` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class svd(NamedTuple, Generic[_T]):
    """What `symgrad.svd` returns: U and S and V."""

    U: _T
    S: _T
    V: _T

class svd_lowrank(NamedTuple, Generic[_T]):
    """What `symgrad.svd_lowrank` returns: U and S and V."""

    U: _T
    S: _T
    V: _T

class svd_out(NamedTuple, Generic[_T]):
    """What `symgrad.svd` returns of its `out`: U and S and V."""

    U: _T
    S: _T
    V: _T

class topk(NamedTuple, Generic[_T]):
    """What `symgrad.topk` returns: values and indices."""

    values: _T
    indices: _T

class topk_out(NamedTuple, Generic[_T]):
    """What `symgrad.topk` returns of its `out`: values and indices."""

    values: _T
    indices: _T

class triangular_solve(NamedTuple, Generic[_T]):
    """What `symgrad.triangular_solve` returns: solution and cloned_coefficient."""

    solution: _T
    cloned_coefficient: _T

class triangular_solve_out(NamedTuple, Generic[_T]):
    """What `symgrad.triangular_solve` returns of its `out`: solution and cloned_coefficient."""

    solution: _T
    cloned_coefficient: _T
