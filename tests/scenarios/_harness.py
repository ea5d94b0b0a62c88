"""How a scenario is collected, run, written down and compared.

Nothing here knows PyTorch or symgrad by import: the library under observation is an
argument. What scenarios do stands in the family modules.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import itertools
import json
import math
import pkgutil
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import file_name

DATA = Path(__file__).parent / "data"
TOOLS = frozenset({"record", "table"})

# Relative tolerance by dtype; what is not listed is compared exactly.
RTOL = {
    "float16": 2e-3,
    "bfloat16": 2e-2,
    "float32": 1e-6,
    "complex64": 1e-6,
    "float64": 1e-12,
    "complex128": 1e-12,
}

# Warnings about PyTorch itself, not about the program: a cycle that it makes, a keyword of
# NumPy 2 that it does not take, an old part that it still uses for forward mode, processes that
# the machine has too few cores for, a faster way that it does not go. They count only inside
# `log.warns`.
ABOUT_PYTORCH = (
    "Using backward() with create_graph=True will create a reference cycle",
    "__array__ implementation doesn't accept a copy keyword",
    "`torch.jit.script` is deprecated",
    "There is a performance drop because we have not yet implemented the batching rule",
    "index_reduce() is in beta and the API may change at any time",
    "This DataLoader will create",
    "enable_nested_tensor is True, but",
)


# ---------------------------------------------------------------- declaring scenarios


def each(
    operation: str = "", /, **choices: list[Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run the scenario once for every combination of the named arguments.

    Where `operation` is the name of an argument, that says which operation the scenario is about,
    first of all: the outcomes are recorded in a file of that operation.
    """
    assert not operation or operation in choices

    def mark(function: Callable[..., None]) -> Callable[..., None]:
        function.choices = choices  # type: ignore[attr-defined]
        function.operation = operation  # type: ignore[attr-defined]
        return function

    return mark


def differs(
    reason: str, expected: dict[str, Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare what symgrad deliberately does otherwise, by label, as it is written down.

    The recorded outcome stays PyTorch's; under symgrad the labels named here must have
    the outcome given here. An outcome is what `encode` returns; `ABSENT` says that
    symgrad must not log the label at all (a warning it does not give).
    """

    def mark(function: Callable[..., None]) -> Callable[..., None]:
        function.differs = (reason, expected)  # type: ignore[attr-defined]
        return function

    return mark


ABSENT = {"absent": True}


def later(reason: str, only: str = "") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Declare a scenario, or the one of `each` with the argument `only`, to be still ahead.

    It must not pass: the mark goes when the work is done.
    """

    def mark(function: Callable[..., None]) -> Callable[..., None]:
        function.later = (reason, only)  # type: ignore[attr-defined]
        return function

    return mark


@dataclass(frozen=True)
class Scenario:
    """One program, bound to its arguments."""

    family: str
    name: str
    function: Callable[..., None]
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.family}::{self.name}"

    @property
    def path(self) -> Path:
        """The file of its outcomes: of its operation, as in `each`, or else of its family."""
        choice = getattr(self.function, "operation", "")
        # What no word names, as `x[0] = v`, is no operation.
        found = choice and re.match(r"(?:\w+\.)*(\w+?)_?(?=[ -]|$)", _word(self.arguments[choice]))
        return path_of(f"{self.family}/{file_name(found[1])}" if found else self.family)

    @property
    def later(self) -> str:
        """What the scenario waits for; empty where it has to pass."""
        reason, only = getattr(self.function, "later", ("", ""))
        return reason if not only or only in self.arguments.values() else ""

    @property
    def differs(self) -> tuple[str, dict[str, Any]]:
        return getattr(self.function, "differs", ("", {}))


def over_scenarios(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test for every scenario, and expect it to fail where the scenario is for later."""
    import pytest

    from tests.each import each as over_each
    from tests.each import in_part

    params = []
    for scenario in all_scenarios():
        marks = [pytest.mark.xfail(reason=scenario.later, strict=True)] if scenario.later else []
        params.append(pytest.param(scenario, id=scenario.id, marks=marks))
    return over_each("scenario", in_part(params, every=12, group=_family_of))(test)


def _family_of(name: str) -> str:
    return name.partition("::")[0]


def _word(value: Any) -> str:
    """How an argument of `each` stands in an id: a labelled tuple by its label."""
    if isinstance(value, tuple) and value and isinstance(value[0], str):
        return value[0]
    return value.__name__ if isinstance(value, type) else str(value)


def families() -> list[str]:
    """The modules of this package that hold scenarios."""
    package = importlib.import_module(__package__)
    return sorted(
        module.name
        for module in pkgutil.iter_modules(package.__path__)
        if not module.name.startswith(("_", "test_")) and module.name not in TOOLS
    )


def scenarios(family: str) -> list[Scenario]:
    """The scenarios of one family, in the order of its file."""
    module = importlib.import_module(f"{__package__}.{family}")
    found = []
    for name, function in vars(module).items():
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        if function.__module__ != module.__name__:
            continue
        choices: dict[str, list[Any]] = getattr(function, "choices", {})
        for values in itertools.product(*choices.values()):
            suffix = f"[{'-'.join(map(_word, values))}]" if values else ""
            arguments = dict(zip(choices, values, strict=True))
            found.append(Scenario(family, name + suffix, function, arguments))
    return found


def all_scenarios() -> list[Scenario]:
    return [scenario for family in families() for scenario in scenarios(family)]


# ---------------------------------------------------------------- writing outcomes down


def _number(value: Any, dtype: str = "float64") -> Any:
    """A JSON value for one number, shortest decimals that give it back in its dtype."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, complex | np.complexfloating):
        part = {"complex64": "float32", "complex32": "float16"}.get(dtype, "float64")
        return [_number(float(value.real), part), _number(float(value.imag), part)]
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if dtype == "float32":
        return float(str(np.float32(value)))
    if dtype in ("float16", "bfloat16"):
        return float(str(np.float32(value)))
    return value


def _numbers(nested: Any, dtype: str) -> Any:
    if isinstance(nested, list):
        return [_numbers(item, dtype) for item in nested]
    return _number(nested, dtype)


def _dtype_name(dtype: Any) -> str:
    return str(dtype).rpartition(".")[-1]


def first_line(text: str) -> str:
    """The first line of a message, without addresses and source locations."""
    lines = text.strip().splitlines()
    line = lines[0] if lines else ""
    line = re.sub(r"\s*\(Triggered internally at .*", "", line)
    return re.sub(r"0x[0-9a-fA-F]+", "0x0", line).strip()


def encode(torch: Any, value: Any, *, history: bool = True) -> Any:
    """A JSON value that says everything a scenario may depend on.

    With `history=False` a tensor's `grad_fn` is written as present or absent: the
    gradient of a gradient is a formula of its own and may end in another operation.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, torch.Tensor):
        dtype = _dtype_name(value.dtype)
        grad_fn = value.grad_fn
        name = None if grad_fn is None else grad_fn.name()
        return {
            "tensor": _numbers(value.detach().tolist(), dtype),
            "shape": [int(n) for n in value.shape],
            "dtype": dtype,
            "requires_grad": value.requires_grad,
            "grad_fn": name if history else grad_fn is not None,
        }
    if isinstance(value, torch.Size):
        return {"size": [int(n) for n in value]}
    if isinstance(value, torch.dtype):
        return {"dtype": _dtype_name(value)}
    if isinstance(value, np.ndarray):
        name = str(value.dtype)
        return {
            "numpy": _numbers(value.tolist(), name),
            "shape": list(value.shape),
            "dtype": name,
        }
    if isinstance(value, np.generic):
        return {"numpy_scalar": _number(value, str(value.dtype)), "dtype": str(value.dtype)}
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return {"float": _number(value)}
    if isinstance(value, complex):
        return {"complex": _number(value)}
    if isinstance(value, tuple):
        return {"tuple": [encode(torch, item, history=history) for item in value]}
    if isinstance(value, list):
        return [encode(torch, item, history=history) for item in value]
    if isinstance(value, dict):
        return {"dict": [[str(k), encode(torch, v, history=history)] for k, v in value.items()]}
    if isinstance(value, type):
        return {"type": value.__name__}
    return {"object": type(value).__name__}


def _exception(error: BaseException, words: bool = True) -> dict[str, str]:
    said = {"message": first_line(str(error))} if words else {}
    return {"raises": type(error).__name__, **said}


def _warning(caught: warnings.WarningMessage) -> dict[str, str]:
    return {"warns": caught.category.__name__, "message": first_line(str(caught.message))}


class Log:
    """Collects labelled outcomes of one run."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.outcomes: dict[str, Any] = {}

    def _add(self, label: str, outcome: Any) -> None:
        if label in self.outcomes:
            raise AssertionError(f"label used twice: {label!r}")
        self.outcomes[label] = outcome

    def __call__(self, label: str, value: Any) -> None:
        """Write down a value: tensors by value, shape, dtype, requires_grad, grad_fn."""
        self._add(label, encode(self.torch, value))

    def gradient(self, label: str, value: Any) -> None:
        """Write down a derivative, whose `grad_fn` counts as present or absent only."""
        self._add(label, encode(self.torch, value, history=False))

    def attempt(self, label: str, call: Callable[[], Any], words: bool = True) -> None:
        """Write down what `call` returns, or what it raises.

        The `words` are left out where they are those of Python or NumPy, which change.
        """
        try:
            outcome = encode(self.torch, call())
        except Exception as error:  # whatever it is, it is the outcome
            outcome = _exception(error, words)
        self._add(label, outcome)

    @contextlib.contextmanager
    def raises(self, label: str, words: bool = True) -> Iterator[None]:
        """Write down the exception of the block, as `attempt` does, or that it raises nothing."""
        try:
            yield
        except Exception as error:  # whatever it is, it is the outcome
            self._add(label, _exception(error, words))
        else:
            self._add(label, {"raises": None})

    @contextlib.contextmanager
    def warns(self, label: str) -> Iterator[None]:
        """Write down the warnings of the block, in order."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        self._add(label, [_warning(each_one) for each_one in caught])


STRAY = "warnings outside any log.warns"


def _reset(torch: Any) -> None:
    """Bring the library's modes to their defaults, as far as it has them yet."""
    for name, arguments, keywords in (
        ("set_default_dtype", (getattr(torch, "float32", None),), {}),
        ("set_grad_enabled", (True,), {}),
        ("set_printoptions", (), {"profile": "default"}),
        ("set_warn_always", (True,), {}),
    ):
        setter = getattr(torch, name, None)
        if setter is not None:
            setter(*arguments, **keywords)


def run(scenario: Scenario, torch: Any) -> dict[str, Any]:
    """Run one scenario on a library and return label → outcome, in order."""
    log = Log(torch)
    _reset(torch)
    torch.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            scenario.function(torch, log, **scenario.arguments)
        finally:
            _reset(torch)
    stray = [_warning(w) for w in caught if not str(w.message).startswith(ABOUT_PYTORCH)]
    if stray:
        log.outcomes[STRAY] = stray
    return log.outcomes


# ---------------------------------------------------------------- files


def path_of(name: str) -> Path:
    """The file of a family, or of one of its operations, as `number_ranges/full`."""
    return DATA / f"{name}.json"


def files_of(family: str) -> dict[Path, list[Scenario]]:
    """The scenarios of a family by the files of their outcomes."""
    found: dict[Path, list[Scenario]] = {}
    for scenario in scenarios(family):
        found.setdefault(scenario.path, []).append(scenario)
    return found


def paths_of(family: str) -> list[Path]:
    """The files that a family has."""
    return sorted([*DATA.glob(f"{family}.json"), *DATA.glob(f"{family}/*")])


def dump(recorded: dict[str, dict[str, Any]], version: str) -> str:
    """The text of a family's file: one line per outcome, so that changes read well."""
    lines = ["{", f' "reference": {json.dumps("torch " + version)},', ' "scenarios": {']
    blocks = []
    for name, outcomes in recorded.items():
        rows = [
            f"   {json.dumps(label, ensure_ascii=False)}: "
            f"{json.dumps(outcome, ensure_ascii=False, allow_nan=False)}"
            for label, outcome in outcomes.items()
        ]
        blocks.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(rows) + "\n  }")
    return "\n".join(lines) + "\n" + ",\n".join(blocks) + "\n }\n}\n"


@functools.cache
def load(path: Path) -> dict[str, dict[str, Any]]:
    """The recorded outcomes of a file: scenario name → label → outcome."""
    with path.open(encoding="utf-8") as file:
        content: dict[str, dict[str, dict[str, Any]]] = json.load(file)
    return content["scenarios"]


def recorded(scenario: Scenario) -> dict[str, Any]:
    """The recorded outcomes of a scenario: label → outcome."""
    return load(scenario.path)[scenario.name]


# ---------------------------------------------------------------- comparing


def _as_complex(value: Any, dtype: str) -> complex:
    if dtype.startswith("complex"):
        return complex(float(value[0]), float(value[1]))
    return complex(float(value))


def _flat(nested: Any, depth: int) -> list[Any]:
    if depth == 0:
        return [nested]
    return [leaf for item in nested for leaf in _flat(item, depth - 1)]


def _close(expected: complex, got: complex, atol: float) -> bool:
    for a, b in ((expected.real, got.real), (expected.imag, got.imag)):
        if math.isnan(a) or math.isnan(b):
            if not (math.isnan(a) and math.isnan(b)):
                return False
        elif math.isinf(a) or math.isinf(b):
            if a != b:
                return False
        elif abs(a - b) > atol:
            return False
    return True


def _same_numbers(expected: Any, got: Any, depth: int, dtype: str) -> bool:
    if dtype not in RTOL:
        return bool(expected == got)
    a = [_as_complex(v, dtype) for v in _flat(expected, depth)]
    b = [_as_complex(v, dtype) for v in _flat(got, depth)]
    if len(a) != len(b):
        return False
    finite = [abs(v) for v in a if math.isfinite(abs(v))]
    # An element that cancels to nearly nothing is as exact as its neighbours are large.
    atol = RTOL[dtype] * max(finite, default=0.0)
    return all(_close(x, y, atol) for x, y in zip(a, b, strict=True))


def same(expected: Any, got: Any) -> bool:
    """Equality of two outcomes, up to rounding where numbers were computed."""
    if type(expected) is not type(got):
        return False
    if isinstance(expected, list):
        return len(expected) == len(got) and all(map(same, expected, got))
    if not isinstance(expected, dict):
        return bool(expected == got)
    if expected.keys() != got.keys():
        return False
    for key in ("tensor", "numpy"):
        if key in expected:
            rest = {k: v for k, v in expected.items() if k != key}
            if rest != {k: v for k, v in got.items() if k != key}:
                return False
            depth = len(expected["shape"])
            return _same_numbers(expected[key], got[key], depth, expected["dtype"])
    if "float" in expected:
        return _same_numbers(expected["float"], got["float"], 0, "float64")
    if "complex" in expected:
        return _same_numbers(expected["complex"], got["complex"], 0, "complex128")
    if "numpy_scalar" in expected:
        if expected["dtype"] != got["dtype"]:
            return False
        return _same_numbers(expected["numpy_scalar"], got["numpy_scalar"], 0, got["dtype"])
    return all(same(value, got[key]) for key, value in expected.items())


def mismatches(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """One readable line for each label whose outcome is not the expected one."""
    lines = []
    for label in expected.keys() | got.keys():
        if label not in got:
            lines.append(f"{label}: expected {_short(expected[label])}, never logged")
        elif label not in expected:
            lines.append(f"{label}: {_short(got[label])} was not expected")
        elif not same(expected[label], got[label]):
            lines.append(f"{label}: expected {_short(expected[label])}, got {_short(got[label])}")
    order = {label: i for i, label in enumerate([*expected, *got])}
    return sorted(lines, key=lambda line: order.get(line.split(": ")[0], 0))


def _short(outcome: Any) -> str:
    text = json.dumps(outcome, ensure_ascii=False)
    return text if len(text) <= 600 else text[:600] + "…"


def expected_of_symgrad(scenario: Scenario, recorded: dict[str, Any]) -> dict[str, Any]:
    """PyTorch's outcomes, with the declared differences put in."""
    expected = dict(recorded)
    for label, outcome in scenario.differs[1].items():
        if outcome == ABSENT:
            expected.pop(label, None)
        else:
            expected[label] = outcome
    return expected


def check_declared(scenario: Scenario, recorded: dict[str, Any]) -> list[str]:
    """Declared differences that are none, or name no label."""
    wrong = []
    for label, outcome in scenario.differs[1].items():
        if label not in recorded:
            if outcome == ABSENT:
                wrong.append(f"{scenario.id}: {label!r} is not recorded")
        elif same(recorded[label], outcome):
            wrong.append(f"{scenario.id}: {label!r} does not differ")
    return wrong


def check_recorded(scenario: Scenario, recorded: dict[str, Any]) -> list[str]:
    """A `log.raises` whose block raised nothing in PyTorch: a scenario that is wrong."""
    return [
        f"{scenario.id}: {label!r} raised nothing"
        for label, outcome in recorded.items()
        if outcome == {"raises": None}
    ] + ([] if recorded else [f"{scenario.id}: logged nothing"])
