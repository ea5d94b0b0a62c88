"""What a module consists of: parameters, buffers and submodules, under names."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from symgrad.nn.parameter import Buffer, Parameter
from symgrad.record.naming import Home
from symgrad.record.record import Recorded

if TYPE_CHECKING:
    from symgrad.tensor.tensor import Tensor


def typename(x: Any) -> str:
    """Return what PyTorch's messages call the type of an object, as "torch.FloatTensor"."""
    if isinstance(x, Recorded):
        tensor: Any = x
        return str(tensor.type())
    kind: Any = x if isinstance(x, type) or hasattr(x, "__qualname__") else type(x)
    module = kind.__module__.replace("symgrad", "torch", 1)
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"


class Registration:
    """What a module consists of, and how its parts are found.

    Parts that are assigned as attributes are registered by what they are: a `Parameter`, a
    `Buffer`, another module. They stand in tables of their own, not in `__dict__`.
    """

    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    # ------------------------------------------------------------------ attributes

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            found = own.get(table)
            if found is not None and name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        for kind in _KINDS:
            table = own.get(kind.table)
            if kind.has(value):
                if table is None:
                    raise AttributeError(
                        f"cannot assign {kind.words} before Module.__init__() call"
                    )
                _forget(own, name, kind)
                kind.assign(self, name, value)
                return
            if table is not None and name in table:
                if value is not None and not kind.takes(value):
                    raise TypeError(
                        f"cannot assign '{typename(value)}' as {kind.word} '{name}' "
                        f"({kind.expected} or None expected)"
                    )
                table[name] = value
                if value is not None:
                    settle(value, self, name)
                return
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        tables: tuple[dict[str, Any], ...] = (self._parameters, self._buffers, self._modules)
        for table in tables:
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        found = {*dir(type(self)), *self.__dict__, *self._parameters, *self._buffers}
        # What is no identifier, as the number of a layer, is no attribute.
        return sorted(key for key in found | set(self._modules) if not key[:1].isdigit())

    def _keeps(self, name: str, x: Any) -> bool:
        """Return whether `x` is registered under a name."""
        tables: tuple[Any, ...] = (self._parameters, self._buffers, self._modules)
        return any(table.get(name) is x for table in tables)

    def _settle_parts(self) -> None:
        """Tell all parts where they are kept."""
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            for name, part in own.get(table, {}).items():
                if part is not None:
                    settle(part, self, name)

    # ------------------------------------------------------------------ registration

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name.

        Parameters
        ----------
        name : str
            The name, by which the parameter is an attribute.
        param : Parameter or None
            None takes the place of a parameter that there is not, as a bias that is left out.

        Raises
        ------
        KeyError
            If there is such an attribute, or the name is empty or has a dot.
        TypeError
            If `param` is no parameter.
        ValueError
            If `param` was computed.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_parameter("scale", torch.nn.Parameter(torch.ones(2)))
        >>> module.scale
        Parameter containing:
        tensor([1., 1.], requires_grad=True)
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{typename(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn is not None:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must "
                    f"be created explicitly. To express '{name}' as a function of another Tensor, "
                    "compute the value in the forward() method."
                )
            settle(param, self, name)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the state of the module, but is no parameter.

        Parameters
        ----------
        name : str
            The name, by which the buffer is an attribute.
        tensor : Tensor or None
            The buffer.
        persistent : bool
            Whether it belongs to `state_dict`.

        Raises
        ------
        KeyError
            If there is such an attribute, or the name is empty or has a dot.
        TypeError
            If `tensor` is no tensor.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_buffer("count", torch.tensor(0))
        >>> module.count, list(module.state_dict())
        (tensor(0), ['count'])
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if tensor is not None:
            if not isinstance(tensor, Recorded):
                raise TypeError(
                    f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                    "(torch Tensor or None required)"
                )
            settle(tensor, self, name)
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a submodule under a name.

        Parameters
        ----------
        name : str
            The name, by which the submodule is an attribute.
        module : Module or None
            The submodule.

        Raises
        ------
        KeyError
            If there is such an attribute, or the name is empty or has a dot.
        TypeError
            If `module` is no module.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.add_module("out", torch.nn.Linear(2, 1))
        >>> module.out
        Linear(in_features=2, out_features=1, bias=True)
        """
        if module is not None and not isinstance(module, Registration):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        self._check_name("module", name, self._modules)
        if module is not None:
            settle(module, self, name)
        self._modules[name] = module

    def register_module(self, name: str, module: Any) -> None:
        """Add a submodule, as `add_module` does.

        Parameters
        ----------
        name : str
            The name.
        module : Module or None
            The submodule.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.register_module("out", torch.nn.Identity())
        >>> module.out
        Identity()
        """
        self.add_module(name, module)

    def _check_name(self, what: str, name: Any, table: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            got = f", got: {name}" if what == "module" else ""
            raise KeyError(f'{what} name can\'t contain "."{got}')
        if not name:
            raise KeyError(f'{what} name can\'t be empty string ""')

    # ------------------------------------------------------------------ iteration

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """Yield this module and all inside it, with their paths.

        Parameters
        ----------
        memo : set, optional
            Modules that are left out.
        prefix : str
            What stands before the paths.
        remove_duplicate : bool
            Whether a module that is there twice comes once.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(4, 2))
        >>> [path for path, module in net.named_modules()]
        ['', '0', '1']
        """
        memo = set() if memo is None else memo
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                path = f"{prefix}.{name}" if prefix else name
                yield from module.named_modules(memo, path, remove_duplicate)

    def modules(self, remove_duplicate: bool = True) -> Iterator[Any]:
        """Yield this module and all inside it.

        Parameters
        ----------
        remove_duplicate : bool
            Whether a module that is there twice comes once.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.ReLU())
        >>> [type(module).__name__ for module in net.modules()]
        ['Sequential', 'Flatten', 'ReLU']
        """
        for _, module in self.named_modules(remove_duplicate=remove_duplicate):
            yield module

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """Yield the submodules with their names.

        Examples
        --------
        >>> import symgrad as torch
        >>> dict(torch.nn.Sequential(torch.nn.Flatten(), torch.nn.ReLU()).named_children())
        {'0': Flatten(start_dim=1, end_dim=-1), '1': ReLU()}
        """
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Any]:
        """Yield the submodules.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU()).children())
        [Tanh(), ReLU()]
        """
        for _, module in self.named_children():
            yield module

    def _named_members(
        self,
        get_members_fn: Callable[[Any], Iterable[tuple[str, Any]]],
        prefix: str = "",
        recurse: bool = True,
        remove_duplicate: bool = True,
    ) -> Iterator[tuple[str, Any]]:
        """Yield what `get_members_fn` gives for each module, with paths."""
        own: Iterator[tuple[str, Any]] = iter(((prefix, self),))
        found = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate)
        seen: set[Any] = set()
        for path, module in found if recurse else own:
            for name, x in get_members_fn(module):
                if x is None or x in seen:
                    continue
                if remove_duplicate:
                    seen.add(x)
                yield (f"{path}.{name}" if path else name), x

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """Yield the parameters with their paths.

        Parameters
        ----------
        prefix : str
            What stands before the paths.
        recurse : bool
            Whether those of submodules come, too.
        remove_duplicate : bool
            Whether a parameter that is there twice comes once.

        Examples
        --------
        >>> import symgrad as torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(4, 2), torch.nn.ReLU())
        >>> [(path, tuple(p.shape)) for path, p in net.named_parameters()]
        [('0.weight', (2, 4)), ('0.bias', (2,))]
        """
        yield from self._named_members(
            lambda module: module._parameters.items(), prefix, recurse, remove_duplicate
        )

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """Yield the parameters, as an optimiser takes them.

        Parameters
        ----------
        recurse : bool
            Whether those of submodules come, too.

        Examples
        --------
        >>> import symgrad as torch
        >>> sum(p.numel() for p in torch.nn.Linear(4, 2).parameters())
        10
        """
        for _, param in self.named_parameters(recurse=recurse):
            yield param

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the buffers with their paths.

        Parameters
        ----------
        prefix : str
            What stands before the paths.
        recurse : bool
            Whether those of submodules come, too.
        remove_duplicate : bool
            Whether a buffer that is there twice comes once.

        Examples
        --------
        >>> import symgrad as torch
        >>> module = torch.nn.Module()
        >>> module.mean = torch.nn.Buffer(torch.zeros(2))
        >>> list(module.named_buffers())
        [('mean', tensor([0., 0.]))]
        """
        yield from self._named_members(
            lambda module: module._buffers.items(), prefix, recurse, remove_duplicate
        )

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Yield the buffers.

        Parameters
        ----------
        recurse : bool
            Whether those of submodules come, too.

        Examples
        --------
        >>> import symgrad as torch
        >>> list(torch.nn.Linear(2, 1).buffers())
        []
        """
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer


# ------------------------------------------------------------------ kinds of parts


@dataclasses.dataclass(frozen=True)
class _Kind:
    """A kind of parts.

    Attributes
    ----------
    table : str
        The attribute of a module with its parts of this kind.
    word, words, expected : str
        What PyTorch's messages call one and several, and what they expect in its place.
    has : callable
        Whether an object is registered as such a part wherever it is assigned.
    takes : callable
        Whether an object may replace such a part.
    assign : callable
        Registers a part: of a module, a name, the part.
    """

    table: str
    word: str
    words: str
    expected: str
    has: Callable[[Any], bool]
    takes: Callable[[Any], bool]
    assign: Callable[[Any, str, Any], None]


def _assign_module(self: Any, name: str, module: Any) -> None:
    self._modules[name] = module
    settle(module, self, name)


#: In the order in which an assignment tries them.
_KINDS = (
    _Kind(
        "_parameters", "parameter", "parameters", "torch.nn.Parameter",
        has=lambda x: isinstance(x, Recorded) and isinstance(x, Parameter),
        takes=lambda x: False,
        assign=lambda self, name, x: self.register_parameter(name, x),
    ),
    _Kind(
        "_modules", "child module", "module", "torch.nn.Module",
        has=lambda x: isinstance(x, Registration),
        takes=lambda x: False,
        assign=_assign_module,
    ),
    _Kind(
        "_buffers", "buffer", "buffer", "torch.nn.Buffer, torch.Tensor",
        has=lambda x: isinstance(x, Recorded) and isinstance(x, Buffer),
        takes=lambda x: isinstance(x, Recorded),
        assign=lambda self, name, x: self.register_buffer(name, x, getattr(x, "persistent", True)),
    ),
)  # fmt: skip


def _forget(own: dict[str, Any], name: str, kind: _Kind) -> None:
    """Forget what a name stood for before a part of a kind takes it."""
    own.pop(name, None)
    for other in _KINDS:
        if other is not kind:
            own.get(other.table, {}).pop(name, None)
    own.get("_non_persistent_buffers_set", set()).discard(name)


def settle(part: Any, holder: Any, name: str) -> None:
    """Note where a tensor or a module is kept, unless another module keeps it."""
    home = part.__dict__.get("_home")
    if home is None or home.holder_of(part) is None:
        part.__dict__["_home"] = Home(holder, name)
