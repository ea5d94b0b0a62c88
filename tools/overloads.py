"""Write `symgrad/overloads.py`: which arguments PyTorch's functions take, for error messages.

Run `python -m tools.overloads` after a public function was added; this needs PyTorch, whose
schemas and lists of overloads it reads.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any

import symgrad
from symgrad import linalg
from symgrad.inplace import ONLY_IN_PLACE
from symgrad.nn import functional
from symgrad.public import FUNCTIONS, METHODS
from symgrad.signatures import title

__all__ = ["declarations", "main"]

TARGET = Path(symgrad.__file__).parent / "overloads.py"

_HEADER = '''\
"""The arguments that PyTorch's functions take, one line for each overload.

`signatures` reads it when a call has failed. An overload marked `-` is deprecated and not listed in
messages, one marked `+` is no method, one marked `=` PyTorch writes in Python. Written by
`python -m tools.overloads`; not to be edited.
"""

# ruff: noqa: E501

TEXT = """\\
'''

# Read by PyTorch in other ways than by its schemas, or not schemas of Python's functions.
_OTHERWISE = {"cuda", "to", "type"}
_NO_OVERLOADS = {("add", "Scalar"), ("sub", "Scalar"), ("mul", "Scalar"), ("div", "Scalar")}

# Overloads that no schema states: the deprecated order of arguments, and parts written by hand.
_BY_HAND = """\
-add(Tensor self, Scalar alpha, Tensor other)
-addbmm(Scalar beta, Tensor self, Scalar alpha, Tensor batch1, Tensor batch2)
-addbmm(Scalar beta, Tensor self, Tensor batch1, Tensor batch2)
-addcdiv(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2)
-addcmul(Tensor self, Scalar value, Tensor tensor1, Tensor tensor2)
-addmm(Scalar beta, Tensor self, Scalar alpha, Tensor mat1, Tensor mat2)
-addmm(Scalar beta, Tensor self, Tensor mat1, Tensor mat2)
-addmv(Scalar beta, Tensor self, Scalar alpha, Tensor mat, Tensor vec)
-addmv(Scalar beta, Tensor self, Tensor mat, Tensor vec)
-addr(Scalar beta, Tensor self, Scalar alpha, Tensor vec1, Tensor vec2)
-addr(Scalar beta, Tensor self, Tensor vec1, Tensor vec2)
-baddbmm(Scalar beta, Tensor self, Scalar alpha, Tensor batch1, Tensor batch2)
-baddbmm(Scalar beta, Tensor self, Tensor batch1, Tensor batch2)
-sub(Tensor self, Scalar alpha, Tensor other)
nonzero(Tensor self, *, bool as_tuple)
=autograd.gradcheck(object func, object inputs, *, float eps=1e-6, float atol=1e-5, \
float rtol=1e-3, float nondet_tol=0.0, object masked=None)
=autograd.gradgradcheck(object func, object inputs, object grad_outputs=None, *, float eps=1e-6, \
float atol=1e-5, float rtol=1e-3, float nondet_tol=0.0, object masked=None)
=autograd.forward_ad.unpack_dual(Tensor tensor, *, int? level=None)
=func.vmap(object func, object in_dims=0, object out_dims=0, str randomness=error, *, \
int? chunk_size=None)
=utils.checkpoint.checkpoint_sequential(object functions, int segments, object input)
=utils.dlpack.to_dlpack(Tensor tensor)
=atleast_1d(Tensor... tensors)
=atleast_2d(Tensor... tensors)
=atleast_3d(Tensor... tensors)
=broadcast_tensors(Tensor... tensors)
=cartesian_prod(Tensor... tensors)
=chain_matmul(Tensor... matrices)
=conjugate(Tensor input)
=expit(Tensor input)
=is_complex(Tensor input)
=is_floating_point(Tensor input)
=is_inference(Tensor input)
=is_nonzero(Tensor input)
=is_signed(Tensor input)
=meshgrid(Tensor... tensors, *, str? indexing=None)
=norm(Tensor self, float|str? p=fro, int|int[]? dim=None, bool keepdim=False, Tensor? out=None, \
ScalarType? dtype=None)
=normal(Tensor|float mean=0, Tensor|float std=1, int[]? size=None)
=numel(Tensor input)
=split(Tensor self, int|int[] split_size_or_sections, int dim=0)
=tensordot(Tensor a, Tensor b, int|Tensor|int[]|object[] dims=2, Tensor? out=None)
=tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=None)
=triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=None)
=nn.functional.elu_(Tensor input, float alpha=1.0)
=nn.functional.hardtanh_(Tensor input, float min_val=-1.0, float max_val=1.0)
=nn.functional.leaky_relu_(Tensor input, float negative_slope=0.01)
=nn.functional.logsigmoid(Tensor input)
=nn.functional.relu_(Tensor input)
=nn.functional.selu_(Tensor input)
=nn.functional.softplus(Tensor input, float beta=1, float threshold=20)
=nn.functional.threshold_(Tensor input, float threshold, float value)
=nn.functional.gelu(Tensor input, *, str approximate=none)
=nn.functional.linear(Tensor input, Tensor weight, Tensor? bias=None)
=nn.functional.one_hot(Tensor tensor, int num_classes=-1)
=linear(Tensor input, Tensor weight, Tensor? bias=None)
map_(Tensor self, Tensor other, object callable)
map2_(Tensor self, Tensor x, Tensor y, object callable)
"""


def _arguments(schema: Any) -> list[str]:
    text = str(schema)
    text = text[text.index("(") + 1 : text.rindex(") ->")]
    text = re.sub(r"\(\w(!)?( -> [^)]*)?\)", lambda m: "!" if m[1] else "", text)
    text = text.replace("Tensor! self", "Tensor self").replace("SymInt", "int")
    return [a.strip() for a in re.split(r", (?![^\[]*\])", text)]


def _schemas() -> dict[str, list[Any]]:
    import torch  # noqa: PLC0415 - PyTorch is no dependency of the tools that need none

    found: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == "aten":
            found.setdefault(name, []).append(schema)
    return found


def _listed(call: Any) -> list[str]:
    """Return each overload's arguments, as the error of a bad call lists them."""
    try:
        call(*[object()] * 15)
    except TypeError as error:
        return re.findall(r"^ \* \((.*)\)$", str(error), re.MULTILINE)
    except Exception:  # noqa: BLE001 - PyTorch's own functions fail in many ways on this
        return []
    return []


def _as_listed(arguments: str) -> str:
    """Return arguments as PyTorch's lists have them, defaults aside."""
    shown = []
    for argument in arguments.split(", "):
        kind, _, name = argument.split("=")[0].rpartition(" ")
        if not kind:
            shown.append(name)
        else:
            shown.append(f"{title(kind)} {'input' if (kind, name) == ('Tensor', 'self') else name}")
    return ", ".join(shown)


def _overloads(name: str, schemas: list[Any]) -> Iterator[str]:
    plain, with_out = [], set()
    for schema in schemas:
        arguments = _arguments(schema)
        text = ", ".join(arguments)
        if (name, schema.overload_name) in _NO_OVERLOADS or "Tensor" not in text:
            continue
        if any(a.startswith("Tensor[] ") and a.endswith((" a", " indices")) for a in arguments):
            continue  # TorchScript's own
        if "!" in text:
            with_out.add(tuple(a for a in arguments if "!" not in a and a != "*"))
        else:
            plain.append(arguments)
    for arguments in plain:
        if tuple(a for a in arguments if a != "*") in with_out:
            yield ", ".join([*arguments, *(() if "*" in arguments else ("*",)), "Tensor? out=None"])
        else:
            yield ", ".join(arguments)


def _function(name: str) -> Any:
    import torch  # noqa: PLC0415 - see above

    space, _, rest = name.partition("_")
    return getattr(torch.linalg, rest) if space == "linalg" else getattr(torch, name, None)


def _lists(name: str) -> list[str]:
    """Return each overload's arguments, those of a method with the tensor as the first."""
    import torch  # noqa: PLC0415 - see above

    function = _function(name)
    if function is not None:
        return _listed(function)
    method = getattr(torch.Tensor, name)
    return [f"Tensor input, {line}" for line in _listed(partial(method, torch.zeros(1)))]


def _settle(name: str, overloads: list[str]) -> list[str]:
    """Put overloads into PyTorch's order and drop the `out` that they have in C++ only."""
    without = [x.replace(", Tensor? out=None", "").removesuffix(", *") for x in overloads]
    known = {_as_listed(x): x for x in (*overloads, *without)}
    found = []
    for line in _lists(name):
        line = re.sub(r" = [^,]*", "", line).replace("tuple of Tensors out", "Tensor out")
        found.append(known.get(line))
    if len(found) != len(overloads) or None in found:
        return overloads
    return [x for x in found if x is not None]


#: What annotations of PyTorch's Python functions say, as its schemas would; a flag may be anything.
_ANNOTATIONS = {
    "torch.Tensor": "Tensor", "torch.Tensor | None": "Tensor?", "int": "int", "float": "float",
    "float | None": "float?", "str": "str", "list[int]": "int[]", "bool": "object",
    "bool | None": "object", "int | None": "int?",
}  # fmt: skip


def _annotated() -> Iterator[str]:
    """Yield the functions of `nn.functional` that PyTorch writes in Python."""
    import torch  # noqa: PLC0415 - see above

    for name in functional.__all__:
        f = getattr(torch.nn.functional, name)
        if not isinstance(f, FunctionType):
            continue
        parts = []
        for p in inspect.signature(f).parameters.values():
            text = inspect.formatannotation(p.annotation)
            given = "" if p.default is p.empty else f"={p.default}"
            parts.append(f"{_ANNOTATIONS[text]} {p.name}{given}")
        yield f"=nn.functional.{name}({', '.join(parts)})"


def declarations() -> str:
    """Return the text of `overloads.py`."""
    import torch  # noqa: PLC0415 - see above

    lines = []
    schemas = _schemas()
    names = {*FUNCTIONS, *METHODS, *ONLY_IN_PLACE}
    names |= {f"linalg_{name}" for name in linalg.__all__}
    for name in sorted(names - _OTHERWISE):
        kinds = type(_function(name)), type(getattr(torch.Tensor, name, None))
        compiled = {"builtin_function_or_method", "method_descriptor"}
        if name not in schemas or compiled.isdisjoint(k.__name__ for k in kinds):
            continue  # PyTorch writes it in Python, whose errors are Python's
        for text in _settle(name, list(_overloads(name, schemas[name]))):
            mark = "+" if "out_dtype" in text else ""
            lines.append(f"{mark}{name}({text})")
    lines += _annotated()
    lines += _BY_HAND.splitlines()
    return _HEADER + "\n".join(lines) + '\n"""\n'


def main() -> None:
    """Write the file."""
    TARGET.write_text(declarations(), encoding="utf-8")


if __name__ == "__main__":
    main()
