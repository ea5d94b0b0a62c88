"""What programs say around their computations has PyTorch's answers, and is loaded on demand."""

from __future__ import annotations

import json
import operator
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import symgrad as torch
from symgrad.support.absent import ABSENT, NotInSymgrad
from tests.each import each
from tools import parts

SPACES = sorted({name.removesuffix(".*") for name in ABSENT if name.endswith(".*")})


def test_the_table_of_the_page_is_current() -> None:
    assert parts.PAGE.read_text() == parts.page(), "python -m tools.parts"


def test_import_loads_none_of_it() -> None:
    program = (
        "import sys, symgrad\n"
        "print(*[n for n in (*symgrad._MODULES, 'around', 'autograd.profiler')"
        " if f'symgrad.{n}' in sys.modules and n != 'version'])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert run.stdout.split() == []


@each("name", [name for name in ABSENT if not name.endswith(".*")])
def test_what_is_absent_says_what_there_is(name: str) -> None:
    space, _, own = name.rpartition(".")
    module = operator.attrgetter(space)(torch) if space else torch
    assert not hasattr(module, own)
    assert getattr(module, own, None) is None
    instead = ABSENT[name][1]
    with pytest.raises(NotInSymgrad, match=rf"^torch\.{name} is not in symgrad") as error:
        getattr(module, own)
    assert str(error.value).endswith(f"Use instead: {instead}")


@each("space", SPACES)
def test_what_a_part_lacks_is_refused_likewise(space: str) -> None:
    module = getattr(torch, space)
    with pytest.raises(NotInSymgrad, match=rf"^torch\.{space}\.Stream is not in symgrad"):
        _ = module.Stream
    with pytest.raises(AttributeError, match="has no attribute '_unheard'") as error:
        _ = module._unheard
    assert not isinstance(error.value, NotInSymgrad)


def test_modules_are_compiled_in_place() -> None:
    layer = torch.nn.Linear(2, 1)
    assert layer.compile(mode="reduce-overhead") is None
    assert layer(torch.ones(1, 2)).shape == (1, 1)


def test_the_version_has_what_programs_read() -> None:
    version = torch.version
    assert (version.cuda, version.hip, version.xpu, version.rocm) == (None,) * 4
    assert version.git_version is None and version.debug is False
    assert torch.__version__ == version.__version__ >= "0.1"


def test_unknown_names_are_plain_errors() -> None:
    with pytest.raises(AttributeError, match=r"^module 'symgrad' has no attribute 'unheard_of'$"):
        _ = torch.unheard_of


# ---------------------------------------------------------------- compilers


def test_compilers_return_what_they_are_given() -> None:
    layer = torch.nn.Linear(2, 1)
    assert torch.compile(layer, mode="reduce-overhead") is layer
    assert torch.jit.script(layer) is layer
    assert torch.jit.trace(layer, torch.ones(1, 2)) is layer
    assert torch.compiler.disable(layer) is layer

    def double(x: Any) -> Any:
        return 2 * x

    for decorate in (
        torch.compile, torch.compile(fullgraph=True), torch.jit.script, torch.jit.ignore,
        torch.jit.unused, torch.jit.export, torch.jit.ignore(drop=True),
        torch.compiler.disable(recursive=False),
    ):  # fmt: skip
        assert decorate(double) is double
    assert not (torch.jit.is_scripting() or torch.jit.is_tracing() or torch.compiler.is_compiling())


def test_compilers_refuse_what_cannot_be_called() -> None:
    with pytest.raises(AssertionError, match="A callable function is expected"):
        torch.compile(3)
    with pytest.raises(TypeError, match="takes a function or a module"):
        torch.jit.script(3)
    with pytest.raises(RuntimeError, match="Either mode or options"):
        torch.compile(torch.sin, mode="default", options={})


# ---------------------------------------------------------------- settings and devices


def test_settings_are_kept() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    assert torch.get_num_threads() == 3
    torch.set_num_threads(before)
    torch.set_deterministic_debug_mode("warn")
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    torch.set_deterministic_debug_mode(0)
    assert not torch.are_deterministic_algorithms_enabled()
    torch.backends.cudnn.benchmark = False
    torch.set_default_device(torch.device("cpu"))
    assert torch.get_default_device() == torch.zeros(1).device


@each(
    "call, error",
    [
        (lambda: torch.set_num_threads(0), RuntimeError),
        (lambda: torch.set_num_threads(1.5), RuntimeError),
        (lambda: torch.set_num_interop_threads("a"), RuntimeError),
        (lambda: torch.set_default_device("cuda"), AssertionError),
        (lambda: torch.set_default_device("nothing"), RuntimeError),
        (lambda: torch.use_deterministic_algorithms(3), TypeError),
        (lambda: torch.set_deterministic_debug_mode("often"), RuntimeError),
        (lambda: torch.set_deterministic_debug_mode(1.5), TypeError),
        (lambda: torch.cuda.current_device(), AssertionError),
        (lambda: torch.cuda.synchronize(), AssertionError),
        (lambda: torch.mps.empty_cache(), RuntimeError),
        (lambda: torch.accelerator.synchronize(), RuntimeError),
    ],
)
def test_errors_are_of_the_classes_of_pytorch(call: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        call()


def test_fewer_bits_are_refused_on_the_cpu() -> None:
    """PyTorch would compute products of matrices in float16."""
    with pytest.raises(NotImplementedError, match=r"enabled=False, or convert .* by \.half\(\)"):
        torch.autocast("cpu", dtype=torch.float16)
    with pytest.raises(TypeError, match="decorates functions"):
        torch.autocast("xpu")(3)


def test_old_types_set_the_default_dtype() -> None:
    with pytest.warns(UserWarning, match="is deprecated as of PyTorch 2.1"):
        torch.set_default_tensor_type("torch.DoubleTensor")
    try:
        assert torch.zeros(1).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
    for wrong in (torch.LongTensor, "torch.cuda.FloatTensor", 3, torch.float32):
        with pytest.warns(UserWarning, match="deprecated"), pytest.raises(TypeError):
            torch.set_default_tensor_type(wrong)
    with pytest.raises(TypeError):
        torch.set_warn_always(1)


def test_types_have_names() -> None:
    assert torch.typename(torch.ones(1, dtype=torch.float64)) == "torch.DoubleTensor"
    assert [torch.typename(x) for x in ("a", int, len, [1])] == ["str", "int", "len", "list"]
    assert torch.typename(torch.nn.Linear(1, 1)).endswith("Linear")


def test_precisions_that_are_unknown_are_warned_of() -> None:
    with pytest.warns(UserWarning, match="is not one of 'highest', 'high', or 'medium'"):
        torch.set_float32_matmul_precision("some")
    assert torch.get_float32_matmul_precision() == "highest"


def test_a_program_chooses_the_cpu() -> None:
    """The line with which tutorials begin."""
    found = torch.accelerator.is_available() or torch.cuda.is_available()
    device = "cuda" if found or torch.backends.mps.is_available() else "cpu"
    assert torch.ones(2).to(device).device.type == "cpu"
    torch.cuda.manual_seed_all(0)
    assert torch.random.get_rng_state is torch.get_rng_state


# ---------------------------------------------------------------- profilers


def _work() -> None:
    x = torch.ones(3, 3, requires_grad=True)
    with torch.profiler.record_function("inside"):
        y = (x @ x).sin() * 2
    y.sum().backward()


def test_profiles_count_operations() -> None:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as times:
        _work()
        _work()
    found = {event.key: event for event in times.key_averages()}
    assert {"sin", "mul", "sum", "backward", "inside"} <= found.keys()
    assert found["sin"].count == 2
    inside = found["inside"]
    assert inside.self_cpu_time_total < inside.cpu_time_total
    assert inside.cpu_time == inside.cpu_time_total / 2
    assert len(times.key_averages().table(sort_by="cpu_time_total", row_limit=1).split("\n")) == 4


def test_nothing_is_counted_outside_of_a_profile() -> None:
    assert sys.getprofile() is None
    with torch.autograd.profiler.profile() as times:
        with torch.autograd.profiler.profile(enabled=False) as off:
            _work()
        assert off.events() == []
    _work()
    assert sys.getprofile() is None
    assert times.key_averages()[0].count == 1

    @torch.profiler.record_function("named")
    def f() -> None:
        return None

    f()
    with torch.autograd.profiler.profile() as times:
        f()
    with pytest.raises(KeyError), torch.autograd.profiler.profile():
        raise KeyError
    assert sys.getprofile() is None
    assert [event.key for event in times.events()] == ["named"]


def test_threads_have_profiles_of_their_own() -> None:
    with torch.profiler.profile() as times:
        other = threading.Thread(target=_work)
        other.start()
        other.join()
    assert times.events() == []


def test_steps_are_recorded_by_a_schedule(tmp_path: Path) -> None:
    ready: list[tuple[int, list[str]]] = []
    with torch.profiler.profile(
        schedule=torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2),
        on_trace_ready=lambda p: ready.append((p.step_num, [event.key for event in p.events()])),
    ) as times:
        for _ in range(9):
            torch.ones(2).cos()
            times.step()
    assert ready == [(4, ["cos", "cos"]), (8, ["cos", "cos"])]
    with torch.profiler.profile() as times:
        _work()
    times.export_chrome_trace(str(tmp_path / "trace.json"))
    written = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {"sin", "inside"} <= {event["name"] for event in written}


def test_schedules_are_those_of_pytorch() -> None:
    plan = torch.profiler.schedule(wait=1, warmup=1, active=2, repeat=2, skip_first=1)
    assert [plan(step).value for step in range(11)] == [0, 0, 1, 2, 3, 0, 1, 2, 3, 0, 0]
    with pytest.raises(AssertionError):
        torch.profiler.schedule(wait=1, warmup=1, active=0)


# ---------------------------------------------------------------- assert_close

#: Pairs that are not close, and the first line of what PyTorch says of them.
DIFFERENT: dict[str, tuple[Any, Any, str]] = {
    "floats": ([1.0, 2.0, 4.0], [1.0, 2.0, 3.0], "Tensor-likes are not close!"),
    "integers": ([1, 2, 4], [1, 2, 3], "Tensor-likes are not equal!"),
    "shapes": (
        [[1.0]], [1.0],
        "The values for attribute 'shape' do not match: torch.Size([1, 1]) != torch.Size([1]).",
    ),
    "scalars": (1.0, 2.0, "Scalars are not close!"),
    "dtypes": (
        [1.0], [1], "The values for attribute 'dtype' do not match: torch.float32 != torch.int64.",
    ),
    "nan": ([float("nan")], [float("nan")], "Tensor-likes are not close!"),
}  # fmt: skip


@each("name", list(DIFFERENT))
def test_what_differs_is_shown(name: str) -> None:
    a, e, message = DIFFERENT[name]
    with pytest.raises(AssertionError) as error:
        torch.testing.assert_close(torch.tensor(a), torch.tensor(e))
    assert str(error.value).partition("\n")[0] == message


def test_the_greatest_differences_are_located() -> None:
    t = torch.tensor
    with pytest.raises(AssertionError) as error:
        torch.testing.assert_close({"a": [t([1.0, 2.0, 4.0])]}, {"a": [t([1.0, 2.0, 3.0])]})
    lines = str(error.value).split("\n")
    assert lines[2] == "Mismatched elements: 1 / 3 (33.3%)"
    assert lines[3] == "Greatest absolute difference: 1.0 at index (2,) (up to 1e-05 allowed)"
    assert lines[4].endswith(" at index (2,) (up to 1.3e-06 allowed)")
    assert lines[6] == "The failure occurred for item ['a'][0]"


def test_what_is_close_passes() -> None:
    t = torch.tensor
    close = torch.testing.assert_close
    close(t([1.0, 2.0]), t([1.0, 2.0 + 1e-6]))
    close(t([float("nan")]), t([float("nan")]), equal_nan=True)
    close((t(1.0), [2, None]), [t(1.0), (2, None)])
    close(t([1.0]), t([1.0], dtype=torch.float64), check_dtype=False)
    close(t([1.0, 0.0]), t([1.0, 1e-3]), rtol=0, atol=1e-2)
    close(t(1.0, requires_grad=True), t(1.0))


@each(
    "call, error, words",
    [
        (lambda t: ([t(1.0)], [t(1.0), t(2.0)]), AssertionError, "The length of the sequences"),
        (lambda t: ({"a": 1}, {"b": 1}), AssertionError, "The keys of the mappings do not match"),
        (lambda t: (t(1.0), 1.0), TypeError, "No comparison pair"),
        (lambda t: ("a", "a"), TypeError, "No comparison pair"),
        (lambda t: (1, 2), AssertionError, "Scalars are not equal!"),
        (lambda t: (t([True]), t([False])), AssertionError, "Tensor-likes are not equal!"),
    ],
)
def test_what_cannot_be_compared_is_refused(call: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        torch.testing.assert_close(*call(torch.tensor))


def test_messages_may_be_given() -> None:
    close = torch.testing.assert_close
    with pytest.raises(AssertionError, match=r"^mine$"):
        close(1, 2, msg="mine")
    with pytest.raises(AssertionError, match=r"^so: Scalars are"):
        close(1, 2, msg=lambda text: f"so: {text}")
    with pytest.raises(ValueError, match="but got no atol"):
        close(1, 2, rtol=1.0)
