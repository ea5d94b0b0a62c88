"""Modules as functions of their parameters: called with others, and those of several in stacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symgrad.functions.joining import _stack_function as stack
from symgrad.record.modes import no_grad

#: What a table of a module has where it has nothing.
_ABSENT = object()


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    args: Any = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other parameters and buffers, and leave its own as they are.

    Parameters
    ----------
    module : torch.nn.Module
        The module.
    parameter_and_buffer_dicts : dict, or sequence of dicts
        Tensors, or formulas, by their paths; where a buffer is given, the call writes into that one,
        and a path of which the module knows nothing is an attribute for this call.
    args : tuple or object, optional
        The arguments; one that is no tuple is the only one.
    kwargs : dict, optional
        The arguments by keyword.
    tie_weights : bool
        Whether what is given for one path counts for all paths of the same parameter.
    strict : bool
        Whether the paths must be those of all parameters and buffers.

    Returns
    -------
    object
        What the module returns.

    Raises
    ------
    ValueError
        If a path is given twice, or two tensors for one parameter.
    RuntimeError
        If `strict`, and paths are missing or unknown.
    AttributeError
        If the module has no part at a path.

    Examples
    --------
    >>> import symgrad as torch
    >>> net = torch.nn.Linear(2, 1, bias=False)
    >>> w, x = torch.tensor([[3.0, 4.0]], requires_grad=True), torch.tensor([1.0, 2.0])
    >>> y = torch.func.functional_call(net, {"weight": w}, x)
    >>> y
    tensor([11.], grad_fn=<SqueezeBackward4>)
    >>> torch.func.grad(lambda p: torch.func.functional_call(net, p, x).sum())({"weight": w})
    {'weight': tensor([[1., 2.]])}
    """
    given = _joined(parameter_and_buffer_dicts)
    own = {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    if tie_weights:
        given = _tied(own, given)
    if strict:
        _check_paths(own, given)
    tables = {path: _table_of(module, path) for path in given}
    arguments = () if args is None else args if isinstance(args, tuple) else (args,)
    before = {path: table.get(name, _ABSENT) for path, (table, name) in tables.items()}
    try:
        for path, (table, name) in tables.items():
            table[name] = given[path]
        return module(*arguments, **(kwargs or {}))
    finally:
        for path, (table, name) in tables.items():
            if before[path] is _ABSENT:
                del table[name]
            else:
                table[name] = before[path]


def _joined(dicts: Any) -> dict[str, Any]:
    if isinstance(dicts, Mapping):
        return dict(dicts)
    if not isinstance(dicts, Sequence) or not all(isinstance(d, Mapping) for d in dicts):
        raise ValueError(
            "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
            f"{type(dicts)}"
        )
    made: dict[str, Any] = {}
    for d in dicts:
        twice = made.keys() & d.keys()
        if twice:
            raise ValueError(f"{', '.join(sorted(twice))} appears in multiple dictionaries")
        made.update(d)
    return made


def _check_paths(own: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    missing, unexpected = [p for p in own if p not in given], [p for p in given if p not in own]
    words = [
        f"{kind} key(s): {', '.join([repr(p) for p in paths])}."
        for kind, paths in (("Unexpected", unexpected), ("Missing", missing))
        if paths
    ]
    if words:
        raise RuntimeError("Error(s) in reparametrizing:\n\t" + "\n\t".join(words))


def _tied(own: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given, with what follows for other paths of the same parameters."""
    paths: dict[int, list[str]] = {}
    for path, x in own.items():
        paths.setdefault(id(x), []).append(path)
    made = dict(given)
    for alike in paths.values():
        found = [given[p] for p in alike if p in given]
        if any(x is not found[0] for x in found):
            raise ValueError(
                f"functional_call got multiple values for keys {alike}, which are tied. Consider "
                "using tie_weights=False"
            )
        if found:
            made.update(dict.fromkeys(alike, found[0]))
    return made


def _table_of(module: Any, path: str) -> tuple[dict[str, Any], str]:
    """Return the table of a module's part that holds what is at a path, and its name there."""
    parent, _, name = path.rpartition(".")
    part = module.get_submodule(parent)
    for table in (part._parameters, part._buffers):
        if name in table:
            return table, name
    return part.__dict__, name


def stack_module_state(models: Iterable[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters and buffers of modules of one class in stacks, for `vmap` over them.

    Parameters
    ----------
    models : list of torch.nn.Module
        The modules, all in training mode or none.

    Returns
    -------
    (params, buffers)
        By their paths the parameters, which are new leaves, and the buffers; the first axis counts
        the modules.

    Raises
    ------
    RuntimeError
        If there are no modules, or they are of several classes or modes.

    Examples
    --------
    >>> import symgrad as torch
    >>> nets = [torch.nn.Linear(3, 2) for _ in range(5)]
    >>> params, buffers = torch.func.stack_module_state(nets)
    >>> {path: tuple(p.shape) for path, p in params.items()}
    {'weight': (5, 2, 3), 'bias': (5, 2)}
    >>> call = lambda p, x: torch.func.functional_call(nets[0], p, x)
    >>> torch.func.vmap(call, in_dims=(0, None))(params, torch.ones(3)).shape
    torch.Size([5, 2])
    """
    modules = list(models)
    if not modules:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    first = modules[0]
    if any(m.training != first.training for m in modules):
        raise RuntimeError(
            "stack_module_state: Expected all models to have the same training/eval mode."
        )
    if any(type(m) is not type(first) for m in modules):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return (
        _stacked([dict(m.named_parameters()) for m in modules]),
        _stacked([dict(m.named_buffers()) for m in modules]),
    )


def _stacked(states: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    made = {}
    for path in states[0]:
        alike = [state[path] for state in states]
        wanted = alike[0].requires_grad
        if any(x.requires_grad != wanted for x in alike):
            raise RuntimeError(f"Expected {path} from each model to have the same .requires_grad")
        with no_grad():
            made[path] = stack(alike)
        if wanted:
            made[path].requires_grad_()
    return made


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Take the running statistics from all batch norms of a module, and return the module.

    Parameters
    ----------
    root : torch.nn.Module
        The module, which is changed in place.

    Returns
    -------
    torch.nn.Module
        The same, of which `vmap` may run copies: no layer writes into its buffers.

    Examples
    --------
    >>> import symgrad as torch
    >>> net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))
    >>> torch.func.replace_all_batch_norm_modules_(net)[1].running_mean is None
    True
    """
    for module in root.modules():
        if getattr(module, "_is_of_batches", False) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
