"""`Module`: what all layers and networks are.

What it consists of is in `registration`, its state in `state`, calls and hooks in `calls`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Self

from symgrad.expr.dtypes import dtype, float16, float32, float64
from symgrad.functions.creation import CREATION
from symgrad.nn.modules.calls import (
    Calls,
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)
from symgrad.nn.modules.state import State
from symgrad.record.modes import no_grad
from symgrad.record.record import Recorded
from symgrad.schema.messages import too_many, unexpected
from symgrad.schema.public import METHODS

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
]


class Module(Calls, State):
    """The base class of layers and networks.

    A subclass calls `super().__init__()`, assigns layers and parameters as attributes, and states
    `forward`, which a call of the module runs. In formulas a parameter has the name of its path.

    Attributes
    ----------
    training : bool
        Whether layers such as `Dropout` do what they do in training; see `train` and `eval`.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Net(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.fc1 = torch.nn.Linear(3, 2)
    ...         self.fc2 = torch.nn.Linear(2, 1)
    ...
    ...     def forward(self, x):
    ...         return self.fc2(torch.tanh(self.fc1(x)))
    >>> net = Net()
    >>> net
    Net(
      (fc1): Linear(in_features=3, out_features=2, bias=True)
      (fc2): Linear(in_features=2, out_features=1, bias=True)
    )
    >>> torch.explain(net(torch.ones(3, name="x")).sum()).expr
    sum(fc2_bias + tanh(fc1_bias + x @ fc1_weight.T) @ fc2_weight.T)
    """

    training: bool
    call_super_init: bool = False
    dump_patches: bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        own = self.__dict__
        if not self.call_super_init:
            call = f"{type(self).__name__}.__init__"
            if kwargs:
                raise TypeError(unexpected(call, next(iter(kwargs))))
            if args:
                raise TypeError(too_many(call, 1, 1, len(args) + 1))
        own["training"] = True
        own["_parameters"], own["_buffers"], own["_modules"] = {}, {}, {}
        own["_non_persistent_buffers_set"] = set()
        self._init_hooks()
        self._init_state()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __setstate__(self, state: Any) -> None:
        self.__dict__.update(state)
        self._settle_parts()

    # ------------------------------------------------------------------ parts by their paths

    def get_submodule(self, target: str) -> Module:
        """Return the module of a path.

        Parameters
        ----------
        target : str
            The path, as "encoder.0"; the empty one leads to this module.

        Raises
        ------
        AttributeError
            If there is none.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.Sequential(torch.nn.ReLU()))
        >>> net.get_submodule("0.0")
        ReLU()
        """
        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return found  # type: ignore[no-any-return]

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at the end of a path.

        Parameters
        ----------
        target : str
            The path.
        module : Module
            The module.
        strict : bool
            Whether there must be a module already.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.ReLU())
        >>> net.set_submodule("0", torch.nn.Tanh())
        >>> net[0]
        Tanh()
        """
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        if hasattr(parent, name) and not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Any:
        """Return the parameter of a path.

        Parameters
        ----------
        target : str
            The path, as "fc1.weight".

        Raises
        ------
        AttributeError
            If there is none.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(2, 1))
        >>> net.get_parameter("0.bias") is net[0].bias
        True
        """
        return self._get_part(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target: str) -> Any:
        """Return the buffer of a path.

        Parameters
        ----------
        target : str
            The path.

        Raises
        ------
        AttributeError
            If there is none.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_buffer("mean", torch.zeros(2))
        >>> module.get_buffer("mean")
        tensor([0., 0.])
        """
        return self._get_part(target, "_buffers", "a buffer")

    def _get_part(self, target: str, table: str, what: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        found = getattr(module, name)
        if getattr(module, table).get(name) is not found:
            raise AttributeError(f"`{name}` is not {what}")
        return found

    # ------------------------------------------------------------------ what all parts do

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function with each module inside, and then with this one.

        Parameters
        ----------
        fn : callable
            Takes a module, as a function that sets its initial weights.

        Examples
        --------
        >>> import symgrad as torch
        >>> def zeroed(module):
        ...     if isinstance(module, torch.nn.Linear):
        ...         torch.nn.init.zeros_(module.weight)
        >>> net = torch.nn.Sequential(torch.nn.Linear(2, 1)).apply(zeroed)
        >>> net[0].weight
        Parameter containing:
        tensor([[0., 0.]], requires_grad=True)
        """
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Any], Any], recurse: bool = True) -> Self:
        """Replace the values of all tensors; parameters stay the same objects."""
        if recurse:
            for module in self.children():
                module._apply(fn)
        for param in self._parameters.values():
            if param is None:
                continue
            with no_grad():
                changed = fn(param)
                grad = param.grad
                if grad is not None:
                    param.grad = None
                    grad.data = fn(grad)
            param.data = changed
            param.grad = grad
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        self._settle_parts()
        return self

    def train(self, mode: bool = True) -> Self:
        """Let the module and all inside it do what they do in training.

        Parameters
        ----------
        mode : bool
            False for what they do afterwards, as `eval`.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Dropout().train(False).training
        False
        """
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self) -> Self:
        """Let the module and all inside it do what they do after training.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Dropout().eval()
        >>> layer(torch.ones(3))
        tensor([1., 1., 1.])
        """
        return self.train(False)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: operations are compiled as they are recorded.

        Parameters
        ----------
        *args, **kwargs
            What PyTorch's `compile` takes.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.ReLU()
        >>> layer.compile(mode="reduce-overhead")
        >>> layer(torch.tensor([-1.0, 2.0]))
        tensor([0., 2.])
        """

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set `requires_grad` of all parameters.

        Parameters
        ----------
        requires_grad : bool
            False to freeze them.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1).requires_grad_(False)
        >>> layer.weight.requires_grad
        False
        """
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters.

        Parameters
        ----------
        set_to_none : bool
            False to fill them with zeros instead.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> layer(torch.ones(2)).sum().backward()
        >>> layer.zero_grad()
        >>> layer.bias.grad is None
        True
        """
        for param in self.parameters():
            grad = param.grad
            if grad is None:
                continue
            if set_to_none:
                param.grad = None
            else:
                if grad.grad_fn is not None:
                    grad.detach_()
                else:
                    grad.requires_grad_(False)
                grad.zero_()

    # ------------------------------------------------------------------ dtypes and devices

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert floating-point parameters and buffers to a dtype, or to that of a tensor.

        Parameters
        ----------
        *args, **kwargs
            As those of `Tensor.to`.

        Raises
        ------
        TypeError
            If the dtype is none of floating-point or complex numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).to(torch.float64).weight.dtype
        torch.float64
        """
        METHODS["to"](CREATION["empty"](0), *args, **kwargs)  # refuses wrong arguments
        given = [*args, *kwargs.values()]
        kinds = [getattr(x, "dtype", x) if isinstance(x, Recorded) else x for x in given]
        kind = next((x for x in kinds if isinstance(x, dtype)), None)
        if kind is None:
            return self  # there is one device
        if not kind.differentiable:
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired "
                f"dtype={kind}"
            )
        return self._apply(lambda x: x.to(kind) if x.dtype.differentiable else x)

    def type(self, dst_type: Any) -> Self:
        """Convert all parameters and buffers to a dtype, also those of integers.

        Parameters
        ----------
        dst_type : dtype or str
            The dtype.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).type(torch.float64).weight.dtype
        torch.float64
        """
        return self._apply(lambda x: x.type(dst_type))

    def _floats(self, kind: dtype) -> Self:
        return self._apply(lambda x: x.to(kind) if x.is_floating_point() else x)

    def float(self) -> Self:
        """Convert floating-point parameters and buffers to float32.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).double().float().weight.dtype
        torch.float32
        """
        return self._floats(float32)

    def double(self) -> Self:
        """Convert floating-point parameters and buffers to float64.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).double().weight.dtype
        torch.float64
        """
        return self._floats(float64)

    def half(self) -> Self:
        """Convert floating-point parameters and buffers to float16.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).half().weight.dtype
        torch.float16
        """
        return self._floats(float16)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Give all parameters and buffers memory of their own, whose numbers are still to be set.

        Parameters
        ----------
        device : object
            The CPU.
        recurse : bool
            Whether those of modules inside it, too.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1).to_empty(device="cpu")
        >>> torch.nn.init.ones_(layer.weight)
        Parameter containing:
        tensor([[1., 1.]], requires_grad=True)
        """
        return self._apply(lambda x: CREATION["empty_like"](x, device=device), recurse)

    def cpu(self) -> Self:
        """Return the module as it is: all is computed on the CPU.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.ReLU().cpu()
        ReLU()
        """
        return self

    def cuda(self, device: Any = None) -> Self:
        """Raise the error that says that there is no GPU; a module without tensors returns itself.

        Parameters
        ----------
        device : object
            Refused, as by `Tensor.cuda`.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).cuda()
        Traceback (most recent call last):
            ...
        AssertionError: Torch not compiled with CUDA enabled
        """
        return self._apply(lambda x: x.cuda(device))

    # ------------------------------------------------------------------ text

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """Return what the text of the module shows beside its submodules: what a subclass states.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Linear(2, 1).extra_repr()
        'in_features=2, out_features=1, bias=True'
        """
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        if len(lines) == 1 and not self._modules:
            return f"{self._get_name()}({extra})"
        for name, module in self._modules.items():
            shown = repr(module).replace("\n", "\n  ")
            lines.append(f"({name}): {shown}")
        inner = "".join([f"\n  {line}" for line in lines])
        return f"{self._get_name()}({inner}\n)" if lines else f"{self._get_name()}()"


def _name_by_module() -> None:
    """Let methods bear the name of `Module`, which a generator shows, in whatever file they are."""
    for base in Module.__mro__[1:-1]:
        for member in vars(base).values():
            if isinstance(member, FunctionType):
                member.__qualname__ = f"Module.{member.__name__}"


_name_by_module()
