"""From the tape to a gradient: the structural key of a graph, and the plan that it finds.

A plan is a gradient formula and its program. It is built once for each structure, interpreted the
first time and compiled when the structure returns.
"""

from __future__ import annotations

import enum
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from symgrad.backward.assumptions import NO_EXCEPTIONS, Assumptions, Exceptions, MaskAssumption
from symgrad.backward.collector import held_off
from symgrad.backward.finish import Finish, whole_derivatives
from symgrad.backward.moving import NO_VIEWS, met, moving_views
from symgrad.backward.reading import ReadFormulas, read_formulas
from symgrad.backward.walking import Walk, nodes_between
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Placeholder
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.deriving import Planning, deriving
from symgrad.ops.identity import forward_value
from symgrad.ops.slopes import with_slopes
from symgrad.record.operations import AloneOperation, Output
from symgrad.record.signature import Signature, number_leaf
from symgrad.record.tape import Alone, Boundary, LeafVertex, Node, Number
from symgrad.support.locks import new_lock


class Replay(enum.Enum):
    """Whether a plan is replayed by operations on tensors, and whether these have tangents."""

    # An enumeration's own hash is slow, and it is part of the key of each plan.
    __hash__ = object.__hash__

    NONE = enum.auto()
    RECORDED = enum.auto()
    WITH_TANGENTS = enum.auto()


class Plan(Executable):
    """How the gradients of one structure are computed.

    Attributes
    ----------
    formulas : tuple of ArrayExpr or None
        The formula of each target's gradient; None where nothing depends on it. Empty where they
        are not kept.
    given : dict
        The nodes of the formulas that a run provides, and their position among its values.
    keeps_formulas : bool
        Whether the formulas are kept with their program.
    ran : list of int
        The vertices that are differentiated, whose residuals are then freed.
    retained : list of int
        Those among them that retain their own gradient, which follows the gradients of targets.
    assumes : Assumptions
        The assumptions under which the gradients of the plan are correct.
    bytes : int
        The approximate number of bytes of the plan and its key in the cache.
    """

    __slots__ = ("assumes", "bytes", "keeps_formulas", "ran", "retained")

    def __init__(
        self,
        gradients: Sequence[ArrayExpr | None],
        given: dict[ArrayExpr, int],
        ran: list[int],
        retained: list[int],
        assumes: Assumptions,
        replays: bool,
        keeps_formulas: bool,
    ) -> None:
        super().__init__(gradients, given, name="gradient")
        self.keeps_formulas = keeps_formulas
        self.ran = ran
        self.retained = retained
        self.assumes = assumes
        # As measured: for any plan, for an instruction with its compiled text, with formulas also
        # for that of an instruction and for the leaf of a given value.
        count = len(self.program)
        self.bytes = 5_000 + 700 * count
        self.bytes += sum(getattr(x, "nbytes", 0) for x in self.program.constants.values())
        if replays:
            self._replay = self.replay_of_formulas()
            self.bytes += 400 * len(self._replay)
        if keeps_formulas:
            self.bytes += 5_000 + 1_100 * count + 500 * len(given)
        else:
            # They are most of what a plan holds, and Python's collector looks at all that is held.
            self.formulas, self.given = (), {}


def _placeholder(i: int, vertex: Any) -> ArrayExpr:
    if isinstance(vertex, Number):
        return number_leaf(i, vertex.sig)
    return Placeholder(f"v{i}", vertex.aval.shape, vertex.aval.dtype)


def _build(
    walked: Walk,
    roots: Sequence[Any],
    seeds: Sequence[int | None],
    targets: Sequence[int] | None,
    batch: int | None,
    stable: bool,
    exceptions: Exceptions,
    seen: tuple[int, ...],
    replays: Replay,
    finish: Finish,
    keeps_formulas: bool,
    moving: Mapping[int, int] = NO_VIEWS,
) -> Plan:
    order, position = walked.order, walked.position
    if targets is None:
        targets = [i for i, v in enumerate(order) if isinstance(v, LeafVertex) and v.requires_grad]
        tags: set[int] = set()
    else:
        tags = set(targets)
    ran = nodes_between(walked, targets)
    wanted = set(targets)
    retaining = set(walked.retained) - wanted
    # As in PyTorch, a single root retains its gradient although no target is reached from it.
    first = [position[v] for v in roots] if len(roots) == 1 else []
    retained = [i for i in dict.fromkeys((*ran, *first)) if i in retaining]
    tags.update(retained)
    tags.update(seen)
    read = read_formulas(
        order,
        position,
        _placeholder,
        tags,
        keep_masks=stable,
        exceptions=exceptions,
        seen=seen,
        intermediates=replays is Replay.NONE,
        moving=moving,
    )
    given = read.given
    ends = [order[i] for i in targets] if finish is Finish.HESSIAN_PRODUCT else roots
    cotangents, batched = _cotangents(ends, seeds, batch, given)
    reached = _reached(
        order, position, ran, roots
    )  # first, since PyTorch's refusals are raised there
    found, formulas = _gradients(
        order,
        position,
        read,
        roots,
        cotangents,
        (*targets, *retained),
        stable,
        seen,
        replays,
        finish,
    )
    if replays is Replay.WITH_TANGENTS:
        found = with_slopes(found)
    if finish is Finish.GRADIENT:
        for k, i in enumerate((*targets, *retained)):
            if found[k] is None and i in reached:  # a derivative that is zero everywhere
                x = read.exprs[i]
                found[k] = Const(0, x.dtype).broadcast_to(x.shape)
    if batch is not None:
        found = _batched(found, batched, batch, given)
    zeros = {i: MaskAssumption(*masked, given) for i, masked in read.masked_values.items()}
    assumes = Assumptions(read.merged, read.equal, formulas, zeros, read.intermediates)
    is_replayed = replays is not Replay.NONE
    return Plan(found, given, ran, retained, assumes, is_replayed, keeps_formulas)


def _cotangents(
    roots: Sequence[Any],
    seeds: Sequence[int | None],
    batch: int | None,
    given: dict[ArrayExpr, int],
) -> tuple[list[ArrayExpr], dict[ArrayExpr, ArrayExpr]]:
    """Return the cotangent of each root: ones, or a leaf, which is entered in `given`.

    For a batch of cotangents, return also the leaf with the batch axis for each leaf.
    """
    cotangents: list[ArrayExpr] = []
    batched: dict[ArrayExpr, ArrayExpr] = {}
    for root, seed in zip(roots, seeds, strict=True):
        out = root.aval
        if seed is None:
            ct: ArrayExpr = Const(1, out.dtype)
            if out.shape:
                ct = ct.broadcast_to(out.shape)
        else:
            ct = Placeholder(f"g{seed}", out.shape, out.dtype)
            given[ct] = seed
            if batch is not None:
                batched[ct] = Placeholder(f"g{seed}", (batch, *out.shape), out.dtype)
        cotangents.append(ct)
    return cotangents, batched


def _gradients(
    order: Sequence[Any],
    position: dict[Any, int],
    read: ReadFormulas,
    roots: Sequence[Any],
    cotangents: Sequence[ArrayExpr],
    targets: Sequence[int],
    stable: bool,
    seen: Sequence[int],
    replays: Replay,
    finish: Finish,
) -> tuple[list[ArrayExpr | None], list[int]]:
    """Return the gradients of targets, and the vertices whose formulas the gradients assume."""
    exprs = read.exprs
    xs = [exprs[i] if i >= 0 else _nowhere for i in targets]
    computed = read.computed_as(seen)

    def differentiate(
        ys: Sequence[ArrayExpr], cts: Sequence[ArrayExpr], again: bool
    ) -> list[ArrayExpr | None]:
        deriving.again = again and stable  # else what further derivatives read is gone
        return vjp(ys, cts, xs, stable=stable, changed=read.changed, seen=computed)

    ends = [exprs[i] for i, v in enumerate(order) if isinstance(v, Boundary)]
    boundaries = {x.operands[0] if type(x) is forward_value else x for x in ends}
    plan = Planning(read.given, boundaries, [], [])
    ys = [exprs[position[v]] for v in roots]
    outer = deriving.plan, deriving.again
    try:
        deriving.plan = plan
        if finish is Finish.GRADIENT:
            found = differentiate(ys, cotangents, replays is not Replay.NONE)
        else:
            steps = [partial(differentiate, again=k < finish.order) for k in (1, 2)]
            found = whole_derivatives(finish, ys[0], xs, cotangents, steps, read.given)
    finally:
        deriving.plan, deriving.again = outer
    # A stable form in place of a node assumes the value of that node only if the derivative of the
    # node itself would read it; and the values whose formulas the rules used.
    assumed = {i for i in read.vertices_of(plan.replaced) if _keeps_result(order[i])}
    assumed.update(read.vertices_of(plan.read))
    return found, sorted(assumed, key=lambda i: order[i].seq)


def _seen(walked: Walk, roots: Sequence[Any], asked: Sequence[int]) -> tuple[int, ...]:
    """Return the vertices whose own gradient the user sees: targets, and vertices with hooks."""
    order, position = walked.order, walked.position
    found = [i for i in asked if i >= 0 and isinstance(order[i], Node)]
    found += [position[v] for v in roots if v.__class__ is Alone or _is_of_alone(v)]
    return tuple(dict.fromkeys(found))


def _is_of_alone(vertex: Any) -> bool:
    return isinstance(vertex, Output) and isinstance(vertex.inputs[0], AloneOperation)


def _keeps_result(vertex: Any) -> bool:
    return len(vertex.sig.operands) in vertex.sig.reads


# The expression of a target that the graph does not contain. No formula contains it either.
_nowhere = Placeholder("_nowhere")


@with_derivative_rewrites
def _batched(
    gradients: Sequence[ArrayExpr | None],
    leaves: dict[ArrayExpr, ArrayExpr],
    size: int,
    given: dict[ArrayExpr, int],
) -> list[ArrayExpr | None]:
    """Return gradients, which are linear in the cotangents, over the batch axis of these."""
    for old, new in leaves.items():
        given[new] = given.pop(old)
    found = [g for g in gradients if g is not None]
    made = iter(batch_expressions(found, leaves, size))
    return [None if g is None else next(made) for g in gradients]


def _reached(
    order: Sequence[Any], position: dict[Any, int], ran: Sequence[int], roots: Sequence[Any]
) -> set[int]:
    """Return the vertices to which the nodes that ran pass a gradient, zero or not.

    An undefined gradient is not passed on, as in PyTorch. A node that refuses gradients raises its
    error.
    """
    reached = {position[v] for v in roots}
    for i in reversed(ran):
        vertex = order[i]
        if i in reached and not vertex.sig.undefined:
            if vertex.sig.refusal:
                raise RuntimeError(vertex.sig.refusal)
            for passes, x in zip(vertex.sig.passes, vertex.inputs, strict=True):
                if passes:
                    reached.add(position[x])
    return reached


class CacheInfo(NamedTuple):
    """How the plan cache has been used.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.autograd.cache_clear()
    >>> torch.autograd.cache_info()
    CacheInfo(hits=0, misses=0, maxsize=512, currsize=0)
    """

    hits: int
    misses: int
    maxsize: int
    currsize: int


# The number of vertices from which a plan is built with the garbage collector held off.
_LARGE = 30
_MAX_PLANS = 512
# The most bytes of all plans together. A plan with more is used once and not kept.
_MAX_BYTES = 2**30
_plans: OrderedDict[tuple[Any, ...], Plan] = OrderedDict()
_lock = new_lock()
_counts = [0, 0]
_held = [0]


def cache_info() -> CacheInfo:
    """Return hits, misses, capacity and size of the plan cache.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.autograd.cache_clear()
    >>> x = torch.ones(2, requires_grad=True)
    >>> for _ in range(3):
    ...     x.exp().sum().backward()
    >>> info = torch.autograd.cache_info()
    >>> info.misses, info.hits
    (1, 2)
    """
    with _lock:
        return CacheInfo(_counts[0], _counts[1], _MAX_PLANS, len(_plans))


def cache_clear() -> None:
    """Forget all plans.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> x.exp().sum().backward()
    >>> torch.autograd.cache_clear()
    >>> torch.autograd.cache_info().currsize
    0
    """
    with _lock:
        _plans.clear()
        _counts[:] = [0, 0]
        _held[0] = 0
    met.clear()


def find_plan(
    walked: Walk,
    roots: Sequence[Any],
    seeds: tuple[int | None, ...],
    targets: tuple[int, ...] | None,
    batch: int | None = None,
    stable: bool = True,
    create_graph: bool = False,
    replays: Replay = Replay.NONE,
    finish: Finish = Finish.GRADIENT,
    with_formulas: bool = False,
) -> Plan:
    """Return the plan of a walked graph, from the cache or newly built.

    Parameters
    ----------
    roots : sequence of vertex
        What is differentiated.
    seeds : tuple of int or None
        Where the cotangent of each root stands among the values; None is one.
    targets : tuple of int or None
        The positions of the vertices whose gradients are wanted (-1: not in the graph); None for
        all leaves, which the structure determines.
    batch : int, optional
        The length of the axis that cotangents have in addition.
    stable : bool
        Whether stable forms and masks may be read from values that were kept for them.
    create_graph : bool
        Whether the gradients may be differentiated again.
    replays : Replay
        How the plan is replayed by operations on tensors. It then reads no intermediates, which
        are values without a place in the graph.
    finish : Finish
        What is computed. Of other derivatives than gradients there is one root, no vertex retains
        its gradient, and nothing is replayed.
    with_formulas : bool
        Whether the plan must have its formulas. One without is built anew, and from then on the
        new one runs.
    """
    retained = tuple(walked.retained)
    freed = tuple([walked.position[v] for v in walked.freed])
    seen = _seen(walked, roots, (*(targets or ()), *retained)) if create_graph else ()
    # What follows the None cannot be confused with the structure, which holds none.
    key = (*walked.key, None, seeds, targets, retained, freed, batch, stable, seen, replays, finish)
    exceptions = NO_EXCEPTIONS
    may_move = replays is Replay.NONE and finish is Finish.GRADIENT and batch is None
    may_move &= not with_formulas
    while True:
        whole = key if exceptions is NO_EXCEPTIONS else (*key, *exceptions)
        with _lock:
            plan = _plans.get(whole)
            if plan is not None:
                _plans.move_to_end(whole)
        views: Mapping[int, int] = NO_VIEWS
        if plan is None and may_move and exceptions is NO_EXCEPTIONS:
            moving = moving_views(walked, key)
            if moving is not None:
                with _lock:
                    plan = _plans.get(moving.key)
                    if plan is not None:
                        _plans.move_to_end(moving.key)
                if plan is not None or met.often(moving.key):
                    whole, views = moving.key, moving.views
                    walked.values.extend(moving.places)
        is_new = plan is None or (with_formulas and not plan.keeps_formulas)
        if plan is None or is_new:
            how = (
                *(walked, roots, seeds, targets, batch, stable, exceptions, seen, replays, finish),
                *(with_formulas, views),
            )
            plan = held_off(_build, *how) if len(walked.order) > _LARGE else _build(*how)
            _remember(whole, plan)
        broken = plan.assumes.broken(walked)
        if broken is NO_EXCEPTIONS or not any(broken):
            _counts[is_new] += 1
            return plan
        former, exceptions = exceptions, exceptions | broken
        assert former != exceptions, "a plan does not assume what is an exception of it"


def _remember(key: tuple[Any, ...], plan: Plan) -> None:
    dropped = []  # freed outside the lock
    plan.bytes += _bytes_of_key(key)
    with _lock:
        former = _plans.pop(key, None)  # another thread built the same
        if former is not None:
            _held[0] -= former.bytes
            dropped.append(former)
        if plan.bytes <= _MAX_BYTES:
            _plans[key] = plan
            _held[0] += plan.bytes
        if _held[0] > _MAX_BYTES:  # or an interrupt came between an entry and its count
            _held[0] = sum([p.bytes for p in _plans.values()])
        while len(_plans) > _MAX_PLANS or _held[0] > _MAX_BYTES:
            _, oldest = _plans.popitem(last=False)
            _held[0] -= oldest.bytes
            dropped.append(oldest)


def _bytes_of_key(key: Sequence[Any]) -> int:
    """Return the approximate bytes of a key, with signatures that only it keeps alive."""
    return 50 * len(key) + 1_500 * len({x for x in key if x.__class__ is Signature})
