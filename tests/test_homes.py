"""Users find what is public where it says that it is, and importing all of it loads little else."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys
from types import FunctionType, ModuleType
from typing import Any

import sympy

import symgrad
from symgrad.expr.node import ArrayExpr
from tests.each import each

MODULES = [
    "symgrad", "symgrad.accelerator", "symgrad.amp", "symgrad.autograd",
    "symgrad.autograd.forward_ad", "symgrad.autograd.functional", "symgrad.autograd.graph",
    "symgrad.autograd.profiler", "symgrad.backends.cpu", "symgrad.backends.cuda",
    "symgrad.backends.cudnn", "symgrad.backends.mkl", "symgrad.backends.mkldnn",
    "symgrad.backends.mps", "symgrad.backends.openmp", "symgrad.backends.opt_einsum",
    "symgrad.compiler", "symgrad.cuda", "symgrad.cuda.amp", "symgrad.distributed",
    "symgrad.distributions", "symgrad.distributions.constraint_registry",
    "symgrad.distributions.kl", "symgrad.distributions.transforms", "symgrad.distributions.utils",
    "symgrad.fft", "symgrad.func", "symgrad.jit", "symgrad.linalg", "symgrad.masked", "symgrad.mps",
    "symgrad.nn", "symgrad.nn.functional", "symgrad.nn.init", "symgrad.nn.modules",
    "symgrad.nn.utils", "symgrad.optim", "symgrad.optim.lr_scheduler", "symgrad.optim.swa_utils",
    "symgrad.optimize", "symgrad.overrides", "symgrad.profiler", "symgrad.random",
    "symgrad.return_types", "symgrad.special", "symgrad.testing", "symgrad.utils.checkpoint",
    "symgrad.utils.data", "symgrad.utils.dlpack", "symgrad.utils.hooks", "symgrad.xpu",
]  # fmt: skip


def members() -> list[tuple[str, Any]]:
    found = []
    for path in MODULES:
        module = importlib.import_module(path)
        names = getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")])
        found += [(f"{path}.{name}", getattr(module, name)) for name in names]
    for name in dir(symgrad.Tensor):
        found.append((f"symgrad.Tensor.{name}", inspect.getattr_static(symgrad.Tensor, name)))
    return [(path, x) for path, x in found if isinstance(x, (FunctionType, type))]


@each("name", list(MODULES))
def test_functions_and_classes_are_pickled_by_where_they_are_found(name):
    mine = [(path, x) for path, x in members() if path.rpartition(".")[0] == name]
    assert mine
    assert [path for path, x in mine if not _is_found(x)] == []


def test_methods_are_pickled_by_where_they_are_found():
    methods = [(path, x) for path, x in members() if path.startswith("symgrad.Tensor.")]
    assert len(methods) > 300
    assert [path for path, x in methods if not _is_found(x)] == []


def _is_found(x: Any) -> bool:
    try:
        return pickle.loads(pickle.dumps(x)) is x
    except (pickle.PicklingError, AttributeError):
        return False


def test_the_package_lists_public_names_only():
    shown = {name: getattr(symgrad, name) for name in dir(symgrad) if not name.startswith("__")}
    assert set(symgrad.__all__) <= shown.keys()
    doors = {path.split(".")[1] for path in MODULES if "." in path} | {"version"}
    assert {name for name, x in shown.items() if isinstance(x, ModuleType)} == doors
    assert [name for name, x in shown.items() if name[0] == "_" or isinstance(x, dict)] == []
    assert {"__version__", "__doc__", "__all__"} <= set(dir(symgrad))


def test_no_module_takes_the_place_of_a_public_function():
    """As one does that has the name of the function and is first imported when it is needed."""
    for module in pkgutil.iter_modules(symgrad.__path__):
        if module.name in symgrad.__all__:
            before = getattr(symgrad, module.name)
            importlib.import_module(f"symgrad.{module.name}")
            assert getattr(symgrad, module.name) is before


def test_no_module_holds_a_formula_of_sympys_operators():
    """Formulas get their operators when all is imported: before, `a + b` would be SymPy's."""
    found = []
    for info in pkgutil.walk_packages(symgrad.__path__, "symgrad."):
        if info.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(info.name)).items():
            for x in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(x, sympy.Basic) and not isinstance(x, ArrayExpr):
                    inside = [a for a in sympy.preorder_traversal(x) if isinstance(a, ArrayExpr)]
                    found += [(info.name, name)] if inside else []
    assert found == []


def test_import_loads_little_of_sympy_that_sympy_does_not():
    program = (
        "import sys, sympy; before = set(sys.modules); import symgrad\n"
        "print(*sorted(m for m in set(sys.modules) - before\n"
        "    if m.partition('.')[0] in ('sympy', 'concurrent', 'logging')))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["sympy.matrices.expressions.applyfunc"]
