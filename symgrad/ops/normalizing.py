"""Normalisations: deviations from a mean over the standard deviation, along axes or in groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import Category, float16, float32, no_kernel
from symgrad.expr.escaping import latex_text
from symgrad.expr.notation import Notation, braces, public_parameters
from symgrad.ops.composite import Composite
from symgrad.ops.samples import TABLE

_ROW = np.array([0.5, 2.0, 1.25])
_CUBE = np.sin(np.arange(16.0)).reshape(2, 4, 2)


class _Normalization(Composite, abstract=True):
    """The base: what is normalised, then a factor and a term where `given` names them."""

    internal = True
    real_params = ("eps",)
    #: What PyTorch's message calls the function where the dtype is none of floats.
    kernel_word: ClassVar[str]

    @classmethod
    def composed(cls, x: Any, *rest: Any) -> Any:
        count = len(rest) - len(cls.params)
        *parts, eps = rest[:count]
        given, *params = rest[count:]
        kind = x.dtype
        if kind.category != Category.FLOAT:
            raise no_kernel(cls.kernel_word, kind)
        if kind is float16:  # as PyTorch computes
            x, *parts = (part.to(float32) for part in (x, *parts))
        named = dict(zip(given, parts, strict=True))
        y = cls.normalized(x, named, eps, *params)
        if "weight" in named:
            y = y * cls.placed(named["weight"], x)
        if "bias" in named:
            y = y + cls.placed(named["bias"], x)
        return y.to(kind)

    @classmethod
    def normalized(cls, x: Any, named: dict[str, Any], eps: Any, *params: Any) -> Any:
        """Return what is normalised, before the factor and the term."""
        raise NotImplementedError

    @classmethod
    def placed(cls, part: Any, x: Any) -> Any:
        """Return a factor or a term with axes beside those of `x`: here the channels, axis 1."""
        return along_channels(part, x.ndim)

    def arguments(self) -> list[str]:
        """Return the arguments between the array and what `given` names, as they are written."""
        return []

    def notation(self) -> Notation:
        name = type(self).__name__
        texts = ["{0}", *self.arguments()]
        texts += [f"{word}={{{i}}}" for i, word in enumerate(self.given, 1)]
        eps, last = self.operands[-1], len(self.operands) - 1
        usual = public_parameters(name)["eps"]
        if not (isinstance(eps, Const) and eps.weak and str(eps.value) == usual):
            texts.append(f"eps={{{last}}}")
        holes = ", ".join([f"{{{i}}}" for i in range(1, last)])
        inner = rf"{{0}}; {holes}" if holes else "{0}"
        shown = braces(rf"\operatorname{{{latex_text(name)}}}")
        return Notation(f"{name}({', '.join(texts)})", rf"{shown}\left({inner}\right)")


def along_channels(part: Any, rank: int) -> Any:
    """Return a vector along axis 1 of arrays of a rank."""
    return part.reshape((1, -1, *(1,) * (rank - 2)))


def standardized(x: Any, axes: Sequence[int], eps: Any) -> Any:
    """Return deviations from the mean along axes over the root of the variance and `eps`."""
    axes = tuple(axes)
    spread = x.var(axes, correction=0, keepdim=True) + eps
    return (x - x.mean(axes, keepdim=True)) * spread.rsqrt()


class layer_norm(_Normalization):
    """Each array of the last `trailing` axes less its mean and over its standard deviation."""

    params = ("given", "trailing")
    kernel_word = "LayerNormKernelImpl"

    @classmethod
    def normalized(cls, x: Any, named: dict[str, Any], eps: Any, *params: Any) -> Any:
        return standardized(x, range(x.ndim - params[0], x.ndim), eps)

    @classmethod
    def placed(cls, part: Any, x: Any) -> Any:
        return part

    def arguments(self) -> list[str]:
        return [str(tuple(self.shape[len(self.shape) - self.trailing :]))]

    samples = [
        (TABLE, 1e-5, (), 2), (TABLE, _ROW, 1e-5, ("weight",), 1),
        (TABLE, _ROW, _ROW[::-1].copy(), 1e-3, ("weight", "bias"), 1),
    ]  # fmt: skip


class rms_norm(_Normalization):
    """Each array of the last `trailing` axes over the root of its mean square."""

    params = ("given", "trailing")
    kernel_word = "rms_norm"

    @classmethod
    def normalized(cls, x: Any, named: dict[str, Any], eps: Any, *params: Any) -> Any:
        axes = tuple(range(x.ndim - params[0], x.ndim))
        return x * (x.square().mean(axes, keepdim=True) + eps).rsqrt()

    @classmethod
    def placed(cls, part: Any, x: Any) -> Any:
        return part

    def arguments(self) -> list[str]:
        return [str(tuple(self.shape[len(self.shape) - self.trailing :]))]

    samples = [(TABLE, 1e-5, (), 2), (TABLE, _ROW, 1e-3, ("weight",), 1)]


class group_norm(_Normalization):
    """Each group of channels of each entry less its mean and over its standard deviation."""

    params = ("given", "groups")
    kernel_word = "GroupNormKernelImpl"

    @classmethod
    def normalized(cls, x: Any, named: dict[str, Any], eps: Any, *params: Any) -> Any:
        shape = x.shape
        if 0 in shape:
            return x
        rows = x.reshape((shape[0], params[0], -1))
        return standardized(rows, (2,), eps).reshape(shape)

    def arguments(self) -> list[str]:
        return [str(self.groups)]

    samples = [
        (_CUBE[..., 0], np.ones(4) / 2, 1e-3, ("weight",), 1),
        (_CUBE, np.arange(4.0), np.arange(4.0), 1e-5, ("weight", "bias"), 2),
    ]  # fmt: skip


class batch_norm(_Normalization):
    """Each channel less its mean and over its standard deviation, or those that are given."""

    params = ("given",)
    kernel_word = "batch_norm"

    @classmethod
    def normalized(cls, x: Any, named: dict[str, Any], eps: Any, *params: Any) -> Any:
        if "running_mean" not in named:
            return standardized(x, [axis for axis in range(x.ndim) if axis != 1], eps)
        mean, spread = (
            along_channels(named[f"running_{word}"], x.ndim) for word in ("mean", "var")
        )
        return (x - mean) * (spread + eps).rsqrt()

    def arguments(self) -> list[str]:
        return [] if "running_mean" in self.given else ["None", "None", "training=True"]

    samples = [
        (_CUBE[..., 0], np.ones(4) / 2, 1e-3, ("weight",)),
        (_CUBE, np.arange(4.0), np.arange(4.0), 1e-5, ("weight", "bias")),
        (_CUBE, np.arange(4.0), np.arange(1.0, 5.0), 1e-5, ("running_mean", "running_var")),
    ]  # fmt: skip
