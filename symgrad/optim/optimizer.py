"""The base class of optimisers: groups of parameters, hooks, and a step by a formula."""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from symgrad.expr.dtypes import default_dtype, tensor_class
from symgrad.optim import recorded
from symgrad.optim.formula import StepFormula, Structure
from symgrad.optim.hooks import (
    Hooked,
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)
from symgrad.optim.settings import read
from symgrad.optim.state import loaded, packed
from symgrad.optim.stepping import Steps, new_states, number_states, real_kind
from symgrad.record.modes import recording
from symgrad.record.record import Recorded

__all__ = [
    "Optimizer",
    "register_optimizer_step_post_hook",
    "register_optimizer_step_pre_hook",
    "required",
]


class _Required:
    """The default of a setting that each group must state."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


class Optimizer(Hooked):
    """The base class of optimisers.

    A subclass states its formula, `update`, and the names of its states; or its own `step`.

    Parameters
    ----------
    params : iterable
        Tensors, pairs of a name and a tensor, or dictionaries: each a group, with its tensors under
        `"params"`, and settings of its own.
    defaults : dict
        The settings of groups that do not state them.

    Raises
    ------
    ValueError
        For no parameters, or one that was computed under record.
    TypeError
        For what is no tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Lion(torch.optim.Optimizer):
    ...     def __init__(self, params, lr=1e-4, betas=(0.9, 0.99)):
    ...         super().__init__(params, {"lr": lr, "betas": betas})
    ...
    ...     def states(self, group):
    ...         return {"exp_avg": 0.0}
    ...
    ...     @staticmethod
    ...     def update(p, g, s, h):
    ...         direction = h.beta1 * s.exp_avg + (1 - h.beta1) * g
    ...         s.exp_avg = h.beta2 * s.exp_avg + (1 - h.beta2) * g
    ...         return p - h.lr * direction.sign()
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = Lion([w], lr=0.5)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.5000, 1.5000], requires_grad=True)
    """

    #: Whether a state `step` counts the steps of each parameter.
    counts_steps: ClassVar[bool] = True
    #: Settings that are entered into groups which were saved without them.
    usual: ClassVar[Mapping[str, Any]] = {}
    #: Settings on which no formula depends.
    _UNREAD: ClassVar[frozenset[str]] = frozenset(
        ("capturable", "differentiable", "foreach", "fused", "params")
    )

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._prepare()
        if isinstance(params, Recorded):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, "
                f"but got {_full_name(params)}"
            )
        self.state: defaultdict[Any, Any] = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _prepare(self) -> None:
        """Set what copies and pickled optimisers do without."""
        self._prepare_hooks()
        self._steps = Steps()
        # Schedulers warn where they step first: whether a step was taken since there is one, and
        # the function by which a user had replaced `step` before. Without schedulers it is None.
        self._opt_called: bool | None = None
        self._replaced_step: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {
            "defaults": self.defaults,
            "state": self.state,
            "param_groups": self.param_groups,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        if "_steps" not in vars(self):
            self._prepare()
        self.defaults.setdefault("differentiable", False)
        for group in self.param_groups:
            for name, value in self.usual.items():
                group.setdefault(name, value)
            for own in [self.state[p] for p in group["params"] if p in self.state]:
                own.update(number_states(own, self._first_states(group)[0]))

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for i, group in enumerate(self.param_groups):
            text += f"\nParameter Group {i}\n"
            text += "".join([f"    {k}: {group[k]}\n" for k in sorted(group) if k != "params"])
        return f"{text})"

    # ------------------------------------------------------------------ groups

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group of parameters.

        Parameters
        ----------
        param_group : dict
            Its tensors under `"params"`, and settings of its own.

        Raises
        ------
        ValueError, TypeError
            For what is no group, or for parameters that may not be in it; then nothing is added.

        Examples
        --------
        >>> import symgrad as torch
        >>> v, w = torch.zeros(2, requires_grad=True), torch.ones(2, requires_grad=True)
        >>> optimizer = torch.optim.SGD([v], lr=0.1)
        >>> optimizer.add_param_group({"params": w, "lr": 0.5})
        >>> [group["lr"] for group in optimizer.param_groups]
        [0.1, 0.5]
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params, names = _tensors_and_names(param_group["params"])
        for x in params:
            if not isinstance(x, Recorded):
                raise TypeError(
                    "optimizer can only optimize Tensors, but one of the params is " + _full_name(x)
                )
            tensor: Any = x
            if not self.defaults.get("differentiable") and not (
                tensor.is_leaf or tensor.retains_grad
            ):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(
                    "parameter group didn't specify a value of required optimization parameter "
                    + name
                )
        if len(set(params)) != len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this "
                "will cause an error; see github.com/pytorch/pytorch/issues/40967 for more "
                "information",
                stacklevel=3,
            )
        for group in self.param_groups:
            if ("param_names" in group) != (names is not None):
                text = "with names" if names is not None else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. cannot add param "
                    f"group {text} to the optimizer"
                )
        if not {x for group in self.param_groups for x in group["params"]}.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        if names is not None:
            param_group["param_names"] = names
        for name, default in self.defaults.items():
            param_group.setdefault(name, default)
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters.

        Parameters
        ----------
        set_to_none : bool
            Whether gradients become None, instead of zeros.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> w.sum().backward()
        >>> torch.optim.SGD([w]).zero_grad()
        >>> w.grad is None
        True
        """
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                if set_to_none:
                    p.grad = None
                    continue
                if p.grad.grad_fn is not None:
                    p.grad.detach_()
                else:
                    p.grad.requires_grad_(False)
                p.grad.zero_()

    def state_dict(self) -> dict[str, Any]:
        """Return states and settings in PyTorch's form: parameters are numbered in their order.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.9)
        >>> w.sum().backward()
        >>> optimizer.step()
        >>> optimizer.state_dict()["state"]
        {0: {'momentum_buffer': tensor([1., 1.])}}
        """
        for hook in self._optimizer_state_dict_pre_hooks.values():
            hook(self)
        found = packed(self.param_groups, self.state)
        for hook in self._optimizer_state_dict_post_hooks.values():
            replaced = hook(self, found)
            found = found if replaced is None else replaced
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take states and settings from what `state_dict` returned, here or in PyTorch.

        Arrays may be tensors of another library; those of the parameters' kind take their dtype.

        Parameters
        ----------
        state_dict : dict
            The states and settings.

        Raises
        ------
        ValueError
            If its groups have other lengths; then nothing is taken.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> old, new = torch.optim.SGD([w], lr=0.1), torch.optim.SGD([w])
        >>> new.load_state_dict(old.state_dict())
        >>> new.param_groups[0]["lr"]
        0.1
        """
        given = state_dict.copy()
        for hook in self._optimizer_load_state_dict_pre_hooks.values():
            replaced = hook(self, given)
            given = given if replaced is None else replaced
        groups, states = loaded(self.param_groups, given)
        self.__setstate__({"state": states, "param_groups": groups})
        for hook in self._optimizer_load_state_dict_post_hooks.values():
            hook(self)

    # ------------------------------------------------------------------ states

    def _first_states(self, group: dict[str, Any]) -> tuple[dict[str, float], dict[str, float]]:
        """Return the names and first values of states: of those that are numbers, and arrays."""
        counter = {"step": 0.0} if self.counts_steps else {}
        return counter | self.numbers(group), self.states(group)

    def _make_states(self, group: dict[str, Any], p: Any) -> None:
        """Make the states of a parameter before its first step."""
        self.state[p].update(new_states(p, self.state[p], *self._first_states(group)))

    # ------------------------------------------------------------------ the formula

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        """Return the new value of a parameter, and set its new states.

        Each optimiser states its own. It is called with symbols, once for each structure, and may
        use all that formulas have; a condition may ask only what is no symbol.

        Parameters
        ----------
        p, g : ArrayExpr
            The parameter and its gradient.
        s : namespace
            The states, by name, to which new ones are assigned. What is assigned beside these is a
            part that the text of the formula shows by that name.
        h : namespace
            The settings of the group by name, `beta1` and `beta2` for `betas`, and `t`, the number
            of the step, from one on. `h.on("momentum")` tells whether a setting is not zero.

        Examples
        --------
        >>> import inspect
        >>> import symgrad as torch
        >>> print(inspect.getsource(torch.optim.SGD.update).splitlines()[-1].strip())
        return p - h.lr * g
        """
        raise NotImplementedError

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        """Return the names of the states that are arrays, with their elements in the beginning.

        Parameters
        ----------
        group : dict
            A group of parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.Adam([torch.zeros(2)])
        >>> optimizer.states(optimizer.param_groups[0])
        {'exp_avg': 0.0, 'exp_avg_sq': 0.0}
        """
        return {}

    def numbers(self, group: dict[str, Any]) -> dict[str, float]:
        """Return the names of the states that are numbers, beside `step`, with their first values.

        Parameters
        ----------
        group : dict
            A group of parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.Adam([torch.zeros(2)])
        >>> optimizer.numbers(optimizer.param_groups[0])
        {}
        """
        return {}

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]:
        """Return settings that follow from the number of the step, and that are no symbols.

        Parameters
        ----------
        group : dict
            A group of parameters.
        t : float
            The number of the step; infinity where steps are not counted.
        first : bool
            Whether a parameter has no states yet.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], momentum=0.9)
        >>> optimizer.phase(optimizer.param_groups[0], 1.0, True)
        {'first': True}
        """
        return {}

    def formula(self, group: int = 0, t: float = math.inf) -> StepFormula:
        """Return the formula of a step: `print` shows its lines, `formula["p"]` the new parameter.

        Parameters
        ----------
        group : int
            The number of the group, whose settings the formula depends on.
        t : float
            The number of the step, where early ones have another formula.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> torch.optim.SGD([w], weight_decay=0.1).formula()
        g = g + weight_decay * p
        p = p - lr * g
        """
        self._check_formula()
        own = self.param_groups[group]
        kind = real_kind(own["params"][0]) if own["params"] else default_dtype()
        phase = self.phase(own, t, t == 1)
        return StepFormula(self._structure(own, kind, phase)[0])

    def _check_formula(self) -> None:
        """Raise NotImplementedError unless a step is a formula."""
        if type(self).update is Optimizer.update:
            raise NotImplementedError(
                f"{type(self).__name__} has no update(), the formula of a step: it steps by other "
                "code, or has to define update() or step()"
            )

    def _settings_read(self) -> list[str]:
        """Return the names of the settings that a formula may depend on."""
        return [name for name in self.defaults if name not in self._UNREAD]

    def _structure(
        self, group: dict[str, Any], kind: Any, phase: Mapping[str, Any]
    ) -> tuple[Structure, dict[str, float]]:
        """Return what the formula of a group depends on, and the values of its settings."""
        numbers, fixed = read(group, self._settings_read())
        settings = (*numbers, "t") if self.counts_steps else tuple(numbers)
        structure = Structure(
            type(self).update, kind, tuple(self.states(group)), tuple(self.numbers(group)),
            settings, (*fixed.items(), *phase.items()),
        )  # fmt: skip
        return structure, numbers

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change all parameters that have a gradient, by one step.

        An error leaves all parameters and states as they are.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss anew, with its gradients, before the step; its result is returned.

        Raises
        ------
        RuntimeError
            If a gradient or a state does not fit its parameter, or a parameter may not be changed.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> optimizer = torch.optim.SGD([w], lr=0.1)
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (w * w).sum()
        ...     loss.backward()
        ...     return loss
        >>> optimizer.step(closure)
        tensor(5., grad_fn=<SumBackward0>)
        >>> w
        tensor([0.8000, 1.6000], requires_grad=True)
        """
        self._check_formula()
        loss = None
        if closure is not None:
            with recording(True):
                loss = closure()
        if any(group.get("capturable") for group in self.param_groups):
            raise AssertionError(
                "If capturable=True, params and state_steps must be on supported devices: ['cuda', "
                "'xpu', 'hpu', 'privateuseone', 'xla']."
            )
        self._steps.take(self)
        for group in self.param_groups:
            if group.get("differentiable"):
                recorded.take(self, group, type(self).update)
        return loss


def _full_name(x: Any) -> str:
    """Return what PyTorch's `typename` returns."""
    if isinstance(x, Recorded):
        return tensor_class(x._aval.dtype)
    kind = x if hasattr(x, "__qualname__") else type(x)
    module = kind.__module__ or ""
    return kind.__qualname__ if module in ("", "builtins") else f"{module}.{kind.__qualname__}"


def _tensors_and_names(params: Any) -> tuple[list[Any], list[Any] | None]:
    """Return the tensors of a group, and their names where they are given with them."""
    if isinstance(params, Recorded):
        return [params], None
    if isinstance(params, set):
        raise TypeError(
            "optimizer parameters need to be organized in ordered collections, but the ordering of "
            "tensors in sets will change between runs. Please use a list instead."
        )
    given = list(params)
    names = [x[0] for x in given if isinstance(x, tuple)]
    if names and len(names) != len(given):
        raise ValueError(
            "all optimizer params should be with/without names. Some param names are missing"
        )
    return [x[1] if isinstance(x, tuple) else x for x in given], names or None
