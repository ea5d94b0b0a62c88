"""What nodes show of the arguments of their calls, however these were given."""

from ._harness import each

#: Calls of a matrix `x` of two rows that requires a gradient.
CALLS = {
    "where, numbers first": lambda torch, x: torch.where(x > 1, 1.0, x),
    "where, numbers last": lambda torch, x: torch.where(x > 1, x, 0.0),
    "where, a constant first": lambda torch, x: torch.where(x > 1, x.detach(), x),
    "unfold": lambda torch, x: x.unfold(1, 2, 1),
    "narrow": lambda torch, x: x.narrow(0, 0, 1),
    "narrow to the end": lambda torch, x: x.narrow(1, 1, 2),
    "slice": lambda torch, x: x[:, 1:2],
    "slice to the end": lambda torch, x: x[:, 1:],
    "tensor_split": lambda torch, x: x.tensor_split((1, 2), 1)[2],
    "tensor_split in parts": lambda torch, x: x.tensor_split(2)[1],
    "hsplit": lambda torch, x: torch.hsplit(x, 3)[2],
    "select_scatter": lambda torch, x: x.select_scatter(x[0], 0, 1),
    "slice_scatter": lambda torch, x: x.slice_scatter(x[:, :1], 1, 1, 2),
    "slice_scatter of all": lambda torch, x: torch.slice_scatter(x, x),
    "sort": lambda torch, x: x.sort(0).values,
    "stable sort": lambda torch, x: x.sort(dim=0, stable=True).values,
    "sort, not stable": lambda torch, x: x.sort(stable=False, dim=1, descending=True).values,
    "a number over": lambda torch, x: 3 / x,
    "one over": lambda torch, x: 1.0 / x,
    "rsub": lambda torch, x: torch.rsub(x, 3),
    "rsub, scaled": lambda torch, x: torch.rsub(x, 3, alpha=2),
    "rsub of tensors": lambda torch, x: torch.rsub(x, x, alpha=2),
    "div, rounded": lambda torch, x: torch.div(x, x, rounding_mode="floor"),
    "div by a number, rounded": lambda torch, x: torch.div(x, 2, rounding_mode="trunc"),
    "a number divided, rounded": lambda torch, x: torch.div(2, x, rounding_mode="trunc"),
    "a number divided, not rounded": lambda torch, x: torch.div(2, x, rounding_mode=None),
    "a power of a number": lambda torch, x: 2**x,
    "logsigmoid": lambda torch, x: torch.nn.functional.logsigmoid(x),
    "elu": lambda torch, x: torch.nn.functional.elu(x),
    "elu of a whole slope": lambda torch, x: torch.nn.functional.elu(x, 2),
    "selu": lambda torch, x: torch.nn.functional.selu(x),
    "relu6": lambda torch, x: torch.nn.functional.relu6(x),
    "hardtanh": lambda torch, x: torch.nn.functional.hardtanh(x, -1, 2.5),
    "gather": lambda torch, x: x.gather(1, torch.tensor([[0], [2]])),
    "take": lambda torch, x: x.take(torch.tensor([0, 5])),
    "masked_select": lambda torch, x: x.masked_select(x > 1),
    "index_add": lambda torch, x: x.index_add(0, torch.tensor([1]), x[:1]),
    "index_add of a constant": lambda torch, x: x.index_add(0, torch.tensor([1]), torch.ones(1, 3)),
    "index_copy": lambda torch, x: x.index_copy(1, torch.tensor([1]), x[:, :1]),
    "classes": lambda torch, x: _classes(torch, x, [0, 1]),
    "classes, one ignored": lambda torch, x: _classes(torch, x, [0, 1], 1),
    "classes, one ignored that is no target": lambda torch, x: _classes(torch, x, [0, 1], 2),
    "classes, the usual one ignored": lambda torch, x: _classes(torch, x, [0, -100]),
}


def _classes(torch, x, target, *ignored):
    return torch.nn.functional.nll_loss(x, torch.tensor(target), None, None, *ignored)


def _shown(node):
    if node is None:
        return None
    names = [n for n in dir(node) if n.startswith("_saved_") and not n.endswith("_sym_strides")]
    kept = {n: getattr(node, n) for n in names}
    return node.name(), kept, [None if n is None else n.name() for n, _ in node.next_functions]


@each(call=list(CALLS))
def what_a_node_shows(torch, log, call):
    x = torch.tensor([[0.3, 1.7, 0.8], [2.2, 0.9, -1.0]], requires_grad=True)
    log("node", _shown(CALLS[call](torch, x).grad_fn))


KEEPING = [
    "gather", "take", "masked_select", "index_add", "index_copy", "a power of a number",
    "div, rounded", "div by a number, rounded", "index_add of a constant", "logsigmoid",
]  # fmt: skip


@each(call=KEEPING)
def what_a_node_keeps_is_changed(torch, log, call):
    x = torch.tensor([[0.3, 1.7, 0.8], [2.2, 0.9, -1.0]], requires_grad=True)
    kept = x * 1
    y = CALLS[call](torch, kept)
    kept.add_(1)
    with log.raises("refused"):
        y.sum().backward()
    log("gradient", x.grad)


@each(name=["var", "std", "var_mean", "std_mean"], dtype=["int64", "bool"])
def spread_of_whole_numbers(torch, log, name, dtype):
    x = torch.ones(2, 2, dtype=getattr(torch, dtype))
    with log.raises("refused"):
        getattr(torch, name)(x)


def extremes_of_nothing(torch, log):
    for label, given in (("all", {}), ("kept", {"keepdim": True}), ("one axis", {"dim": 0})):
        with log.raises(label):
            torch.aminmax(torch.zeros(0, 2), **given)
    log("another axis", tuple(torch.aminmax(torch.zeros(0, 2), dim=1)))
