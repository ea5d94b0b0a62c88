"""What the graph shows where PyTorch has several nodes for one operation, and what nodes keep."""

from ._harness import each


def _leaf(torch, *shape):
    count = 1
    for n in shape:
        count *= n
    return (torch.arange(float(count)).reshape(shape) / 7 - 0.5).requires_grad_()


def _tree(node):
    if node is None:
        return "None"
    inner = [_tree(x) for x, _ in node.next_functions]
    return f"{node.name()}({', '.join(inner)})" if inner else node.name()


_CALLS = {
    "linear": lambda torch: torch.nn.functional.linear(
        _leaf(torch, 2, 3), _leaf(torch, 4, 3), _leaf(torch, 4)
    ),
    "linear without bias": lambda torch: torch.nn.functional.linear(
        _leaf(torch, 2, 3), _leaf(torch, 4, 3)
    ),
    "linear of a vector": lambda torch: torch.nn.functional.linear(
        _leaf(torch, 3), _leaf(torch, 4, 3)
    ),
    "linear of a stack": lambda torch: torch.nn.functional.linear(
        _leaf(torch, 2, 2, 3), _leaf(torch, 4, 3), _leaf(torch, 4)
    ),
    "linear, only the bias": lambda torch: torch.nn.functional.linear(
        torch.ones(2, 3), torch.ones(4, 3), _leaf(torch, 4)
    ),
    "linear, only the weight": lambda torch: torch.nn.functional.linear(
        torch.ones(2, 3), _leaf(torch, 4, 3), torch.ones(4)
    ),
    "real": lambda torch: torch.complex(_leaf(torch, 2), _leaf(torch, 2)).real,
    "outer": lambda torch: torch.outer(_leaf(torch, 2), _leaf(torch, 3)),
    "vector times matrix": lambda torch: _leaf(torch, 2) @ _leaf(torch, 2, 3),
    "stack times matrix": lambda torch: _leaf(torch, 2, 2, 3) @ _leaf(torch, 3, 4),
    "stack times stack": lambda torch: _leaf(torch, 2, 2, 3) @ _leaf(torch, 2, 3, 4),
    "number over a tensor": lambda torch: 2 / _leaf(torch, 2),
    "sum to another dtype": lambda torch: _leaf(torch, 2).sum(dtype=torch.float64),
    "loss of a plane": lambda torch: torch.nn.functional.nll_loss(
        _leaf(torch, 2, 3, 4, 5), torch.zeros(2, 4, 5, dtype=torch.int64)
    ),
    "loss of a row": lambda torch: torch.nn.functional.nll_loss(
        _leaf(torch, 2, 3, 4), torch.zeros(2, 4, dtype=torch.int64)
    ),
}


@each(call=list(_CALLS))
def nodes(torch, log, call):
    y = _CALLS[call](torch)
    log("tree", _tree(y.grad_fn))
    first = [x for x, _ in y.grad_fn.next_functions if x is not None]
    again = [x for x, _ in y.grad_fn.next_functions if x is not None]
    log("the same objects", [a is b for a, b in zip(first, again, strict=True)])
    log("classes", [type(x).__name__ for x in first])


@each(
    given=["nothing", "weight", "ignored", "both"],
    reduction=["mean", "sum", "none"],
)
def what_a_loss_of_classes_keeps(torch, log, given, reduction):
    weight = torch.tensor([0.5, 2.0, 1.25]) if given in ("weight", "both") else None
    ignored = 1 if given in ("ignored", "both") else -100
    target = torch.tensor([2, 1, 1, 0])
    loss = torch.nn.functional.nll_loss(
        _leaf(torch, 4, 3), target, weight, ignore_index=ignored, reduction=reduction
    )
    node = loss.grad_fn
    log("names", sorted(n for n in dir(node) if n.startswith("_saved_")))
    log("weight", node._saved_weight)
    log("total weight", node._saved_total_weight)
    log("reduction", node._saved_reduction)
    if ignored > 0:
        log("ignored", node._saved_ignore_index)


@each(given=["nothing", "weight", "pos_weight", "both"])
def what_a_loss_of_logits_keeps(torch, log, given):
    x, y = _leaf(torch, 2, 3), torch.full((2, 3), 0.25)
    names = ("weight", "pos_weight") if given == "both" else (given,)
    weights = {name: torch.tensor([0.5, 2.0, 1.25]) for name in names if name != "nothing"}
    node = torch.nn.functional.binary_cross_entropy_with_logits(x, y, **weights).grad_fn
    log("names", sorted(n for n in dir(node) if n.startswith("_saved_")))
    log("weight", node._saved_weight)
    log("pos_weight", node._saved_pos_weight)


_KEEPING = {
    "sum": lambda x: x.sum(1, keepdim=True),
    "mean": lambda x: x.mean(),
    "max": lambda x: x.max(0).values,
    "select": lambda x: x[1],
    "slice": lambda x: x[:, 1:],
    "transpose": lambda x: x.transpose(0, 1),
    "permute": lambda x: x.permute(1, 0),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "clamp": lambda x: x.clamp(-1, 2),
    "relu": lambda x: x.relu(),
    "pow": lambda x: x**3,
    "add": lambda x: x + x,
    "cumsum": lambda x: x.cumsum(1),
    "sort": lambda x: x.sort(1).values,
    "prod": lambda x: x.prod(0),
    "nansum": lambda x: x.nansum(),
    "nansum over no axis": lambda x: x.nansum(()),
    "sum over no axis": lambda x: x.sum(()),
    "sum over None": lambda x: x.sum(None, keepdim=True),
    "mean over None": lambda x: x.mean(None),
    "std": lambda x: x.std(),
    "var": lambda x: x.var(),
    "var by name": lambda x: x.var(1, correction=None),
    "var along an axis": lambda x: x.var(1),
    "var over no axis": lambda x: x.var(()),
    "var, unbiased": lambda x: x.var(unbiased=True),
    "var, corrected": lambda x: x.var(correction=1),
    "amax": lambda x: x.amax(),
    "amin over all axes": lambda x: x.amin((0, 1)),
    "amin, kept": lambda x: x.amin(keepdim=True),
    "aminmax": lambda x: x.aminmax()[0],
    "aminmax, kept": lambda x: x.aminmax(keepdim=True)[0],
    "aminmax along an axis": lambda x: x.aminmax(dim=1)[0],
}
_PADDINGS = [(1, 1), (1, 2, 3, 0), (1, 1, 0, 0), (0, 0), (-1, 1)]


@each(call=list(_KEEPING))
def what_else_a_node_shows(torch, log, call):
    node = _KEEPING[call](_leaf(torch, 2, 3)).grad_fn
    names = sorted(n for n in dir(node) if n.startswith("_saved_"))
    log("names", names)
    for name in names:
        value = getattr(node, name)
        log(name, list(value.shape) if isinstance(value, torch.Tensor) else value)


@each(widths=_PADDINGS)
def what_padding_shows(torch, log, widths):
    log("pad", torch.nn.functional.pad(_leaf(torch, 2, 3), widths).grad_fn._saved_pad)


_SINGLE = {
    **{
        f"bags, {mode}": lambda t, mode=mode: t.nn.functional.embedding_bag(
            t.tensor([[0, 2], [1, 1]]), _leaf(t, 3, 2).exp(), mode=mode
        )
        for mode in ("mean", "sum", "max")
    },
    "bags with a gap": lambda t: t.nn.functional.embedding_bag(
        t.tensor([0, 2, 1]), _leaf(t, 3, 2), t.tensor([0, 2, 2]), mode="max", padding_idx=0
    ),
    "bags of nothing": lambda t: t.nn.functional.embedding_bag(
        t.zeros(0, dtype=t.int64), _leaf(t, 3, 2), t.tensor([0, 0])
    ),
    "glu": lambda t: t.nn.functional.glu(_leaf(t, 4)),
    "pixel_shuffle": lambda t: t.nn.functional.pixel_shuffle(_leaf(t, 4, 1, 2), 2),
    "pixel_shuffle by one": lambda t: t.nn.functional.pixel_shuffle(_leaf(t, 4, 1, 2), 1),
    "pixel_unshuffle": lambda t: t.nn.functional.pixel_unshuffle(_leaf(t, 1, 2, 2), 2),
    "channel_shuffle": lambda t: t.nn.functional.channel_shuffle(_leaf(t, 1, 4, 2), 2),
    **{
        f"grid_sample, {mode}": lambda t, mode=mode: t.nn.functional.grid_sample(
            _leaf(t, 1, 1, 3, 3), _leaf(t, 1, 2, 2, 2), mode=mode, align_corners=False
        )
        for mode in ("bilinear", "nearest", "bicubic")
    },
    "grid_sample of a volume": lambda t: t.nn.functional.grid_sample(
        t.ones(1, 1, 2, 2, 2), _leaf(t, 1, 1, 1, 2, 3), align_corners=True
    ),
    "affine_grid": lambda t: t.nn.functional.affine_grid(
        _leaf(t, 1, 2, 3), (1, 1, 2, 2), align_corners=False
    ),
    "multi_margin_loss": lambda t: t.nn.functional.multi_margin_loss(
        _leaf(t, 2, 3), t.tensor([0, 2])
    ),
    "multilabel_margin_loss": lambda t: t.nn.functional.multilabel_margin_loss(
        _leaf(t, 2, 3), t.tensor([[0, -1, 1], [2, 1, -1]]), reduction="none"
    ),
    "attention, its heads joined": lambda t: (
        t.nn.functional.scaled_dot_product_attention(
            *[x.view(1, 2, 2, 3).transpose(1, 2) for x in _leaf(t, 1, 2, 18).chunk(3, -1)],
            is_causal=True,
        )
        .transpose(1, 2)
        .view(1, 2, 6)
    ),
    "attention of shared heads": lambda t: t.nn.functional.scaled_dot_product_attention(
        _leaf(t, 1, 4, 2, 3), t.ones(1, 2, 3, 3), _leaf(t, 1, 2, 3, 3), enable_gqa=True
    ),
    "pack_padded_sequence": lambda t: (
        t.nn.utils.rnn.pack_padded_sequence(_leaf(t, 3, 2, 1), t.tensor([3, 1])).data
    ),
}


@each(call=list(_SINGLE))
def one_node(torch, log, call):
    y = _SINGLE[call](torch)
    log("tree", _tree(y.grad_fn))
    seen = []
    y.grad_fn.register_prehook(lambda grads: seen.append(tuple(grads[0].shape)))
    y.sum().backward()
    log("hook", seen)
