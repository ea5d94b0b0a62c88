"""Layers: their text, parameters, results and gradients; and networks that are trained."""

import copy

from ._harness import each


def _numbers(torch, *shape, start=0.0):
    """Numbers that look irregular, and are the same on every machine."""
    count = 1
    for n in shape:
        count *= n
    values = [((i * 37 + 11) % 64) / 16 - 2 + start for i in range(count)]
    return torch.tensor(values, dtype=torch.float64).reshape(shape)


def _leaf(torch, *shape, start=0.0):
    return _numbers(torch, *shape, start=start).requires_grad_()


_ROW = ((3, 6),)
_IMAGE = ((2, 4, 3, 2),)
#: Layers, and the shapes of what they are given.
_LAYERS = {
    "Identity": (lambda nn: nn.Identity(3, x=4), _ROW),
    "Linear": (lambda nn: nn.Linear(6, 2), _ROW),
    "Linear without bias": (lambda nn: nn.Linear(6, 2, bias=False), ((2, 3, 6),)),
    "Bilinear": (lambda nn: nn.Bilinear(6, 3, 2), ((2, 6), (2, 3))),
    "Flatten": (lambda nn: nn.Flatten(), _IMAGE),
    "Flatten of some": (lambda nn: nn.Flatten(0, 1), _IMAGE),
    "Unflatten": (lambda nn: nn.Unflatten(1, (2, 3)), _ROW),
    "Threshold": (lambda nn: nn.Threshold(0.5, 3.0), _ROW),
    "ReLU": (lambda nn: nn.ReLU(), _ROW),
    "ReLU6": (lambda nn: nn.ReLU6(), _ROW),
    "RReLU": (lambda nn: nn.RReLU(0.1, 0.4), _ROW),
    "RReLU evaluated": (lambda nn: nn.RReLU(0.1, 0.4).eval(), _ROW),
    "Hardtanh": (lambda nn: nn.Hardtanh(-0.5, 1.5), _ROW),
    "Sigmoid": (lambda nn: nn.Sigmoid(), _ROW),
    "Tanh": (lambda nn: nn.Tanh(), _ROW),
    "SiLU": (lambda nn: nn.SiLU(), _ROW),
    "Mish": (lambda nn: nn.Mish(), _ROW),
    "Hardswish": (lambda nn: nn.Hardswish(), _ROW),
    "ELU": (lambda nn: nn.ELU(0.5), _ROW),
    "SELU": (lambda nn: nn.SELU(), _ROW),
    "GLU": (lambda nn: nn.GLU(), _ROW),
    "GELU": (lambda nn: nn.GELU(), _ROW),
    "GELU by tanh": (lambda nn: nn.GELU("tanh"), _ROW),
    "Hardshrink": (lambda nn: nn.Hardshrink(), _ROW),
    "LeakyReLU": (lambda nn: nn.LeakyReLU(0.2), _ROW),
    "LogSigmoid": (lambda nn: nn.LogSigmoid(), _ROW),
    "Softplus": (lambda nn: nn.Softplus(2.0, 3.0), _ROW),
    "Softshrink": (lambda nn: nn.Softshrink(0.25), _ROW),
    "PReLU": (lambda nn: nn.PReLU(), _ROW),
    "PReLU of channels": (lambda nn: nn.PReLU(6, 0.5), _ROW),
    "Softsign": (lambda nn: nn.Softsign(), _ROW),
    "Tanhshrink": (lambda nn: nn.Tanhshrink(), _ROW),
    "Softmin": (lambda nn: nn.Softmin(1), _ROW),
    "Softmax": (lambda nn: nn.Softmax(dim=1), _ROW),
    "Softmax2d": (lambda nn: nn.Softmax2d(), _IMAGE),
    "LogSoftmax": (lambda nn: nn.LogSoftmax(0), _ROW),
    "Dropout": (lambda nn: nn.Dropout(0.3), _ROW),
    "Dropout evaluated": (lambda nn: nn.Dropout(0.3).eval(), _ROW),
    "Dropout1d": (lambda nn: nn.Dropout1d(0.4), ((2, 4, 3),)),
    "Dropout2d": (lambda nn: nn.Dropout2d(0.4), _IMAGE),
    "Dropout3d": (lambda nn: nn.Dropout3d(0.4), ((2, 3, 1, 2, 2),)),
    "AlphaDropout": (lambda nn: nn.AlphaDropout(0.3), _ROW),
    "FeatureAlphaDropout": (lambda nn: nn.FeatureAlphaDropout(0.3), _IMAGE),
    "LayerNorm": (lambda nn: nn.LayerNorm(6), _ROW),
    "LayerNorm of two axes": (lambda nn: nn.LayerNorm([3, 2], eps=0.01), _IMAGE),
    "LayerNorm without bias": (lambda nn: nn.LayerNorm(6, bias=False), _ROW),
    "LayerNorm alone": (lambda nn: nn.LayerNorm(6, elementwise_affine=False), _ROW),
    "RMSNorm": (lambda nn: nn.RMSNorm(6), _ROW),
    "RMSNorm alone": (lambda nn: nn.RMSNorm((3, 2), 0.1, False), _IMAGE),
    "GroupNorm": (lambda nn: nn.GroupNorm(2, 4), _IMAGE),
    "GroupNorm alone": (lambda nn: nn.GroupNorm(4, 4, affine=False), _IMAGE),
    "BatchNorm1d": (lambda nn: nn.BatchNorm1d(6), _ROW),
    "BatchNorm1d of sequences": (lambda nn: nn.BatchNorm1d(4, momentum=None), ((2, 4, 3),)),
    "BatchNorm1d evaluated": (lambda nn: nn.BatchNorm1d(6).eval(), _ROW),
    "BatchNorm1d without statistics": (
        lambda nn: nn.BatchNorm1d(6, track_running_stats=False).eval(), _ROW
    ),
    "BatchNorm2d": (lambda nn: nn.BatchNorm2d(4, affine=False), _IMAGE),
    "BatchNorm3d": (lambda nn: nn.BatchNorm3d(3), ((2, 3, 1, 2, 2),)),
    "InstanceNorm1d": (lambda nn: nn.InstanceNorm1d(4), ((2, 4, 3),)),
    "InstanceNorm1d of one": (lambda nn: nn.InstanceNorm1d(4, affine=True), ((4, 3),)),
    "InstanceNorm2d": (
        lambda nn: nn.InstanceNorm2d(4, affine=True, track_running_stats=True), _IMAGE
    ),
    "InstanceNorm3d": (lambda nn: nn.InstanceNorm3d(3), ((2, 3, 1, 2, 2),)),
    "LocalResponseNorm": (lambda nn: nn.LocalResponseNorm(3, 0.5, k=2.0), _IMAGE),
    "ConstantPad1d": (lambda nn: nn.ConstantPad1d((1, 2), 3.5), ((2, 3),)),
    "ConstantPad2d": (lambda nn: nn.ConstantPad2d(1, 3.5), _IMAGE),
    "ConstantPad3d": (lambda nn: nn.ConstantPad3d((1, 0, 0, 1, 1, 1), 2.0), ((1, 1, 2, 2, 2),)),
    "ZeroPad1d": (lambda nn: nn.ZeroPad1d(2), ((2, 3),)),
    "ZeroPad2d": (lambda nn: nn.ZeroPad2d((1, -1, 2, 0)), _IMAGE),
    "ZeroPad3d": (lambda nn: nn.ZeroPad3d(1), ((1, 1, 2, 1, 1),)),
    "ReflectionPad1d": (lambda nn: nn.ReflectionPad1d(2), ((2, 3),)),
    "ReflectionPad2d": (lambda nn: nn.ReflectionPad2d((1, 0, 2, 1)), _IMAGE),
    "ReflectionPad3d": (lambda nn: nn.ReflectionPad3d(1), ((1, 2, 2, 2),)),
    "ReplicationPad1d": (lambda nn: nn.ReplicationPad1d(2), ((2, 3),)),
    "ReplicationPad2d": (lambda nn: nn.ReplicationPad2d(1), _IMAGE),
    "ReplicationPad3d": (lambda nn: nn.ReplicationPad3d(1), ((1, 2, 1, 2),)),
    "CircularPad1d": (lambda nn: nn.CircularPad1d((1, 2)), ((2, 3),)),
    "CircularPad2d": (lambda nn: nn.CircularPad2d(1), _IMAGE),
    "CircularPad3d": (lambda nn: nn.CircularPad3d(1), ((1, 2, 1, 2),)),
    "PixelShuffle": (lambda nn: nn.PixelShuffle(2), _IMAGE),
    "PixelUnshuffle": (lambda nn: nn.PixelUnshuffle(2), ((1, 2, 4, 2),)),
    "ChannelShuffle": (lambda nn: nn.ChannelShuffle(2), _IMAGE),
    "PairwiseDistance": (lambda nn: nn.PairwiseDistance(), ((3, 4), (3, 4))),
    "PairwiseDistance of order 1": (
        lambda nn: nn.PairwiseDistance(1.0, keepdim=True), ((3, 4), (3, 4))
    ),
    "CosineSimilarity": (lambda nn: nn.CosineSimilarity(), ((3, 4), (3, 4))),
    "RNN": (lambda nn: nn.RNN(2, 3), ((4, 2, 2),)),
    "RNN of relu": (lambda nn: nn.RNN(2, 3, 2, nonlinearity="relu", bias=False), ((4, 2, 2),)),
    "RNN of one": (lambda nn: nn.RNN(2, 3, bidirectional=True), ((4, 2), (2, 3))),
    "LSTM": (lambda nn: nn.LSTM(2, 3), ((4, 2, 2),)),
    "LSTM of two layers": (
        lambda nn: nn.LSTM(2, 3, 2, batch_first=True, bidirectional=True), ((2, 4, 2),)
    ),
    "LSTM with projections": (lambda nn: nn.LSTM(2, 3, proj_size=2), ((4, 2, 2),)),
    "LSTM of one": (lambda nn: nn.LSTM(2, 3, bias=False), ((4, 2),)),
    "GRU": (lambda nn: nn.GRU(2, 3), ((4, 2, 2), (1, 2, 3))),
    "GRU with dropout": (lambda nn: nn.GRU(2, 3, 2, dropout=0.5), ((4, 2, 2),)),
    "RNNCell": (lambda nn: nn.RNNCell(2, 3), ((4, 2), (4, 3))),
    "RNNCell of relu": (lambda nn: nn.RNNCell(2, 3, False, "relu"), ((2,),)),
    "LSTMCell": (lambda nn: nn.LSTMCell(2, 3), ((4, 2),)),
    "GRUCell": (lambda nn: nn.GRUCell(2, 3), ((4, 2), (4, 3))),
    "MultiheadAttention": (lambda nn: nn.MultiheadAttention(4, 2), ((3, 2, 4),) * 3),
    "MultiheadAttention of one": (
        lambda nn: nn.MultiheadAttention(4, 2, bias=False), ((3, 4), (2, 4), (2, 4))
    ),
    "MultiheadAttention of other lengths": (
        lambda nn: nn.MultiheadAttention(
            4, 2, batch_first=True, kdim=3, vdim=5, add_bias_kv=True, add_zero_attn=True
        ),
        ((2, 3, 4), (2, 2, 3), (2, 2, 5)),
    ),
}  # fmt: skip


def _tensors(result):
    """Yield the tensors of a result, which may be nested."""
    if isinstance(result, tuple):
        for part in result:
            yield from _tensors(part)
    elif result is not None:
        yield result


@each(layer=list(_LAYERS))
def results_and_gradients(torch, log, layer):
    torch.manual_seed(5)
    make, shapes = _LAYERS[layer]
    made = make(torch.nn).double()
    xs = [_leaf(torch, *shape, start=k / 7) for k, shape in enumerate(shapes)]
    log("text", repr(made))
    log("parameters", [(name, tuple(p.shape)) for name, p in made.named_parameters()])
    found = list(_tensors(made(*xs)))
    for k, y in enumerate(found):
        log(f"result {k}", y.detach())
    total = sum((y * _numbers(torch, *y.shape).cos()).sum() for y in found)
    total.backward()
    for k, x in enumerate(xs):
        log(f"gradient {k}", x.grad)
    for name, p in made.named_parameters():
        log(f"gradient of {name}", p.grad)
    log("buffers", dict(made.named_buffers()))


def _target(torch, kind):
    return {
        "numbers": lambda: _numbers(torch, 3, 4, start=0.3),
        "signs": lambda: _numbers(torch, 3, 4, start=0.03).sign(),
        "chances": lambda: _numbers(torch, 3, 4, start=0.7).sigmoid(),
        "classes": lambda: torch.tensor([0, 3, 1]),
        "sets": lambda: torch.tensor([[0, 2, -1, 1], [1, -1, 0, 0], [-1, 0, 0, 0]]),
        "counts": lambda: _numbers(torch, 3, 4).abs().round(),
    }[kind]()


#: Losses, what becomes of the input first, and their targets.
_LOSSES = {
    "L1Loss": (lambda nn: nn.L1Loss(), lambda x: x, "numbers"),
    "MSELoss": (lambda nn: nn.MSELoss(reduction="sum"), lambda x: x, "numbers"),
    "SmoothL1Loss": (lambda nn: nn.SmoothL1Loss(beta=0.5), lambda x: x, "numbers"),
    "HuberLoss": (lambda nn: nn.HuberLoss(delta=0.5), lambda x: x, "numbers"),
    "CrossEntropyLoss": (lambda nn: nn.CrossEntropyLoss(), lambda x: x, "classes"),
    "CrossEntropyLoss smoothed": (
        lambda nn: nn.CrossEntropyLoss(ignore_index=3, label_smoothing=0.1), lambda x: x, "classes"
    ),
    "NLLLoss": (lambda nn: nn.NLLLoss(), lambda x: x.log_softmax(1), "classes"),
    "BCELoss": (lambda nn: nn.BCELoss(), lambda x: x.sigmoid(), "chances"),
    "BCEWithLogitsLoss": (lambda nn: nn.BCEWithLogitsLoss(), lambda x: x, "chances"),
    "KLDivLoss": (
        lambda nn: nn.KLDivLoss(reduction="batchmean"), lambda x: x.log_softmax(1), "chances"
    ),
    "PoissonNLLLoss": (lambda nn: nn.PoissonNLLLoss(full=True), lambda x: x, "counts"),
    "HingeEmbeddingLoss": (lambda nn: nn.HingeEmbeddingLoss(0.5), lambda x: x, "signs"),
    "SoftMarginLoss": (lambda nn: nn.SoftMarginLoss(), lambda x: x, "signs"),
    "MultiMarginLoss": (lambda nn: nn.MultiMarginLoss(p=2), lambda x: x, "classes"),
    "MultiLabelMarginLoss": (lambda nn: nn.MultiLabelMarginLoss(), lambda x: x, "sets"),
    "MultiLabelSoftMarginLoss": (
        lambda nn: nn.MultiLabelSoftMarginLoss(), lambda x: x, "chances"
    ),
}  # fmt: skip


@each(loss=list(_LOSSES))
def losses(torch, log, loss):
    make, before, kind = _LOSSES[loss]
    made, x = make(torch.nn), _leaf(torch, 3, 4)
    log("text", repr(made))
    found = made(before(x), _target(torch, kind))
    log("loss", found.detach())
    (g,) = torch.autograd.grad(found, x)
    log("gradient", g)
    log("attributes", {k: v for k, v in sorted(vars(made).items()) if k[0] != "_"})


def losses_of_pairs(torch, log):
    nn = torch.nn
    x, y, z = (_leaf(torch, 3, 4, start=k / 5) for k in range(3))
    signs = torch.tensor([1, -1, 1])
    losses = {
        "CosineEmbeddingLoss": lambda: nn.CosineEmbeddingLoss(0.1)(x, y, signs),
        "MarginRankingLoss": lambda: nn.MarginRankingLoss(0.1)(x[:, 0], y[:, 1], signs),
        "TripletMarginLoss": lambda: nn.TripletMarginLoss(0.5, swap=True)(x, y, z),
        "TripletMarginWithDistanceLoss": lambda: nn.TripletMarginWithDistanceLoss()(x, y, z),
        "GaussianNLLLoss": lambda: nn.GaussianNLLLoss(full=True)(x, y, z.abs()),
    }
    for name, loss in losses.items():
        found = loss()
        log(name, found.detach())
        grads = torch.autograd.grad(found, [x, y, z], allow_unused=True)
        log(f"gradients of {name}", list(grads))
    weighted = nn.CrossEntropyLoss(torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64))
    log("weight", list(weighted.state_dict()))
    log("weighted", weighted(x, _target(torch, "classes")).detach())
    with log.warns("old flags"):
        log("reduction", nn.MSELoss(size_average=False).reduction)


def embeddings(torch, log):
    nn = torch.nn
    torch.manual_seed(2)
    layer = nn.Embedding(5, 3, padding_idx=-4)
    log("text", repr(layer))
    log("weight", layer.weight)
    ids = torch.tensor([[0, 1], [4, 4]])
    layer(ids).sum().backward()
    log("gradient", layer.weight.grad)
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    frozen = nn.Embedding.from_pretrained(table)
    log("frozen", frozen(torch.tensor([1])))
    log("options", repr(nn.Embedding(5, 3, 1, 2.0, 1.0, True, False)))
    short = nn.Embedding.from_pretrained(table, freeze=False, max_norm=1.0, scale_grad_by_freq=True)
    short(torch.tensor([1, 1])).sum().backward()
    log("shortened", short.weight.detach())
    log("by frequency", short.weight.grad)
    log.attempt("outside", lambda: layer(torch.tensor([5])))
    log.attempt("no integers", lambda: layer(torch.tensor([0.5])))
    log.attempt("padding", lambda: nn.Embedding(3, 2, padding_idx=3))
    log.attempt("pretrained", lambda: nn.Embedding.from_pretrained(torch.ones(3)))


def masks_of_attention(torch, log):
    torch.manual_seed(3)
    layer = torch.nn.MultiheadAttention(4, 2, batch_first=True).double()
    x = _leaf(torch, 2, 3, 4)
    padding = torch.tensor([[False, False, True], [False, True, False]])
    causal = torch.ones(3, 3).triu(1).bool()
    calls = {
        "padding": {"key_padding_mask": padding},
        "mask": {"attn_mask": causal},
        "both": {"key_padding_mask": padding, "attn_mask": causal},
        "added": {"attn_mask": _numbers(torch, 3, 3)},
        "of heads": {"attn_mask": _numbers(torch, 4, 3, 3)},
        "causal": {"attn_mask": causal, "is_causal": True, "need_weights": False},
        "each head": {"average_attn_weights": False},
    }
    for name, given in calls.items():
        y, weights = layer(x, x, x, **given)
        log(name, y.detach())
        log(f"weights of {name}", None if weights is None else weights.detach())
    log.attempt("causal alone", lambda: layer(x, x, x, is_causal=True))
    log.attempt("rank", lambda: layer(x[0, 0], x, x))
    log.attempt("ranks", lambda: layer(x, x[0], x))
    log.attempt("shape", lambda: layer(x, x, x, attn_mask=causal[:2]))
    log.attempt("integers", lambda: layer(x, x, x, attn_mask=torch.ones(3, 3, dtype=torch.int64)))
    log.attempt("heads", lambda: torch.nn.MultiheadAttention(4, 3))


def norms_over_channels(torch, log):
    for size in (1, 2, 3, 5):
        layer = torch.nn.CrossMapLRN2d(size, 0.5, 0.5, 2.0)
        log(repr(layer), layer(_numbers(torch, 2, 6, 1, 2)))
    log.attempt("three axes", lambda: layer(torch.ones(1, 2, 3)))


def heads_of_given_weights(torch, log):
    attend, x = torch.nn.functional.multi_head_attention_forward, _leaf(torch, 3, 2, 4)
    w, b, o = _numbers(torch, 12, 4), _numbers(torch, 12), _numbers(torch, 4, 4)
    more = _numbers(torch, 1, 1, 4)

    def of(*given, q=x, k=x, v=x, size=4, heads=2, w=w, extra=(None, None), **options):
        return attend(q, k, v, size, heads, w, b, *extra, False, 0.0, o, None, *given, **options)

    log("no weights", of(need_weights=False)[1])
    log("static", of(static_k=_numbers(torch, 4, 3, 2))[0].detach())
    torch.manual_seed(2)
    dropped = attend(x, x, x, 4, 2, w, b, None, None, False, 0.5, o, None)
    log("left out", [part.detach() for part in dropped])
    log("unbatched", of(q=x[0], k=x[1], v=x[2])[1].detach())
    one = {"use_separate_proj_weight": True}
    log.attempt("length", lambda: of(size=5))
    log.attempt("heads", lambda: of(heads=3))
    log.attempt("no weight", lambda: of(w=None))
    log.attempt("no separate weight", lambda: of(**one, q_proj_weight=o))
    log.attempt("batches", lambda: of(v=x[:, :1], **one))
    log.attempt("values", lambda: of(v=x[:2]))
    log.attempt("half of one more", lambda: of(extra=(more, None)))
    log.attempt("other half of one more", lambda: of(extra=(None, more)))
    log.attempt("bias and static", lambda: of(extra=(more, more), static_v=x))
    log.attempt("static length", lambda: of(static_k=x))
    log.attempt("static heads", lambda: of(static_v=torch.ones(4, 3, 3)))
    mask = torch.ones(1, 3, 3, dtype=torch.bool)
    log.attempt("mask", lambda: of(q=x[:, 0], k=x[:, 0], v=x[:, 0], attn_mask=mask))


def bags_of_embeddings(torch, log):
    nn = torch.nn
    torch.manual_seed(2)
    layer = nn.EmbeddingBag(5, 3, padding_idx=-4, scale_grad_by_freq=True)
    log("text", repr(layer))
    log("weight", layer.weight)
    layer(torch.tensor([0, 4, 4, 1]), torch.tensor([0, 3])).sum().backward()
    log("gradient", layer.weight.grad)
    table = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    frozen = nn.EmbeddingBag.from_pretrained(table, mode="max", max_norm=3.0)
    log("frozen", frozen(torch.tensor([[1, 0]])))
    log("options", repr(frozen))
    ids, offsets, empty = torch.tensor([0, 1, 0]), torch.tensor([0, 2]), torch.tensor([0, 0])
    bag = nn.functional.embedding_bag
    with log.warns("swapped"):
        log("in the old order", bag(table, ids, offsets).detach())
    log("empty", bag(ids[:0], table.requires_grad_(), empty).detach())
    calls = {
        "no offsets": lambda: bag(ids, table),
        "offsets of rows": lambda: bag(ids[None], table, offsets),
        "matrix of offsets": lambda: bag(ids, table, offsets[None]),
        "rank": lambda: bag(ids[None, None], table),
        "weights": lambda: bag(ids, table, offsets, per_sample_weights=torch.ones(3)),
        "other weights": lambda: bag(ids, table, offsets, per_sample_weights=torch.ones(2)),
        "dtype of weights": lambda: bag(
            ids, table, offsets, mode="sum", per_sample_weights=torch.ones(3).double()
        ),
        "mode": lambda: bag(ids, table, offsets, mode="most"),
        "frequency": lambda: bag(ids, table, offsets, mode="max", scale_grad_by_freq=True),
        "sparse": lambda: bag(ids, table, offsets, mode="max", sparse=True),
        "vector": lambda: bag(ids, table[0], offsets),
        "start": lambda: bag(ids, table, offsets + 1),
        "end": lambda: bag(ids, table, offsets * 2),
        "no end": lambda: bag(ids, table, offsets[:0], include_last_offset=True),
        "no numbers": lambda: bag(torch.zeros(2, 0, dtype=torch.int64), table),
        "no integers": lambda: bag(ids.double(), table, offsets),
        "integers": lambda: bag(ids, table.long(), offsets),
        "outside": lambda: bag(ids, table, offsets, padding_idx=5),
        "no row": lambda: bag(ids + 1, table, offsets),
        "no row for a maximum": lambda: bag(ids - 1, table, offsets, mode="max"),
    }
    for name, call in calls.items():
        log.attempt(name, call)
    log.attempt("padding", lambda: nn.EmbeddingBag(3, 2, padding_idx=3))
    log.attempt("pretrained", lambda: nn.EmbeddingBag.from_pretrained(torch.ones(3)))


def losses_with_a_layer(torch, log):
    nn = torch.nn
    torch.manual_seed(12)
    kind = {"dtype": torch.float64}
    loss = nn.LinearCrossEntropyLoss(3, 4, out_features=(2,), bias=True, **kind)
    log("text", repr(loss))
    log("state", dict(loss.state_dict()))
    x = torch.sin(torch.arange(6.0).double()).reshape(2, 3)
    found = loss(x, torch.tensor([[0, 3], [1, 2]]))
    log("loss", found.detach())
    found.backward()
    log("gradient", loss.linear.weight.grad)
    factors = torch.tensor([1.0, 2.0, 0.5, 0.0]).double()
    other = nn.LinearCrossEntropyLoss(3, 4, weight=factors, reduction="none", **kind)
    log("factors", other(x, torch.tensor([0, 2])).detach())
    log.attempt("number of factors", lambda: nn.LinearCrossEntropyLoss(3, 5, weight=factors))
    log.attempt("share", lambda: nn.LinearCrossEntropyLoss(3, 5, label_smoothing=1.5))


def very_many_classes(torch, log):
    """Twenty steps, the probabilities of all classes, and what is refused."""
    nn = torch.nn
    torch.manual_seed(11)
    layer = nn.AdaptiveLogSoftmaxWithLoss(6, 12, (3, 7), 2.0, True, dtype=torch.float64)
    log("text", repr(layer))
    log("state", dict(layer.state_dict()))
    x = torch.sin(1.7 * torch.arange(1.0, 31.0).double() ** 1.5).reshape(5, 6)
    y = torch.tensor([0, 11, 4, 2, 5])
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.5)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        found = layer(x, y)
        found.loss.backward()
        optimizer.step()
        losses.append(found.loss.item())
    log("losses", losses)
    log("output", layer(x, y).output.detach())
    log("of one", [part.detach() for part in layer(x[1], y[1])])
    log("of the first ones", layer(x[:1], y[:1]).loss.detach())
    log("all", layer.log_prob(x).detach())
    log("predicted", layer.predict(x))
    log.attempt("class", lambda: layer(x, y + 1))
    log.attempt("batch", lambda: layer(x[:2], y))
    log.attempt("axes", lambda: layer(x[0], y[:1]))
    log.attempt("no axes", lambda: layer(x, y[0]))
    log.attempt("targets", lambda: layer(x, y[None]))
    for cutoffs in ((), (3, 3), (5, 2), (0, 4), (3, 12), (1.5,)):
        log.attempt(f"{cutoffs}", lambda c=cutoffs: nn.AdaptiveLogSoftmaxWithLoss(6, 12, c))


_REFUSED = {
    "Linear": lambda torch, nn: nn.Linear(3, 2)(torch.ones(4)),
    "BatchNorm1d": lambda torch, nn: nn.BatchNorm1d(3)(torch.ones(3)),
    "BatchNorm1d of one": lambda torch, nn: nn.BatchNorm1d(3)(torch.ones(1, 3)),
    "BatchNorm1d of others": lambda torch, nn: nn.BatchNorm1d(3)(torch.ones(2, 4)),
    "BatchNorm2d": lambda torch, nn: nn.BatchNorm2d(3)(torch.ones(2, 3)),
    "BatchNorm3d": lambda torch, nn: nn.BatchNorm3d(3)(torch.ones(2, 3)),
    "InstanceNorm1d": lambda torch, nn: nn.InstanceNorm1d(3)(torch.ones(3)),
    "InstanceNorm1d of others": lambda torch, nn: nn.InstanceNorm1d(3)(torch.ones(2, 4, 5)),
    "InstanceNorm2d of others": lambda torch, nn: nn.InstanceNorm2d(3, affine=True)(
        torch.ones(2, 4, 5, 2)
    ),
    "LayerNorm": lambda torch, nn: nn.LayerNorm(3)(torch.ones(2, 4)),
    "GroupNorm": lambda torch, nn: nn.GroupNorm(2, 3),
    "GroupNorm of others": lambda torch, nn: nn.GroupNorm(2, 4)(torch.ones(2, 3)),
    "Dropout": lambda torch, nn: nn.Dropout(1.5),
    "Unflatten of no sizes": lambda torch, nn: nn.Unflatten(1, 4),
    "Bilinear": lambda torch, nn: nn.Bilinear(0, 2, 3),
    "Hardtanh": lambda torch, nn: nn.Hardtanh(2, 1),
    "Sequential of a function": lambda torch, nn: nn.Sequential(nn.functional.relu),
    "MultiheadAttention with padding of others": lambda torch, nn: nn.MultiheadAttention(4, 2)(
        *(torch.ones(3, 2, 4),) * 3, key_padding_mask=torch.ones(2, 5).bool()
    ),
    "MultiheadAttention with padding of more": lambda torch, nn: nn.MultiheadAttention(4, 2)(
        *(torch.ones(3, 2, 4),) * 3, key_padding_mask=torch.ones(3, 3).bool()
    ),
    "Softmax2d": lambda torch, nn: nn.Softmax2d()(torch.ones(2)),
    "CircularPad2d": lambda torch, nn: nn.CircularPad2d(1)(torch.ones(2)),
    "RNN": lambda torch, nn: nn.RNN(2, 3)(torch.ones(2)),
    "RNN of others": lambda torch, nn: nn.RNN(2, 3)(torch.ones(4, 2, 3)),
    "RNN of another dtype": lambda torch, nn: nn.RNN(2, 3)(torch.ones(4, 2, 2).double()),
    "RNN of states": lambda torch, nn: nn.RNN(2, 3)(torch.ones(4, 2, 2), torch.ones(1, 3, 3)),
    "RNN of flat states": lambda torch, nn: nn.RNN(2, 3)(torch.ones(4, 2, 2), torch.ones(2, 3)),
    "RNN of a function": lambda torch, nn: nn.RNN(2, 3, nonlinearity="sin"),
    "RNN of no size": lambda torch, nn: nn.RNN(2, 0),
    "RNN of no layers": lambda torch, nn: nn.RNN(2, 3, 0),
    "RNN of words": lambda torch, nn: nn.RNN("a", 3),
    "LSTM": lambda torch, nn: nn.LSTM(2, 3)(torch.ones(4, 2), (torch.ones(1, 1, 3),) * 2),
    "LSTM of one state": lambda torch, nn: nn.LSTM(2, 3)(torch.ones(4, 1, 2), torch.ones(1, 1, 3)),
    "LSTM of projections": lambda torch, nn: nn.LSTM(2, 3, proj_size=3),
    "LSTM with dropout": lambda torch, nn: nn.LSTM(2, 3, dropout=2),
    "GRUCell": lambda torch, nn: nn.GRUCell(2, 3)(torch.ones(1, 1, 2)),
    "LSTMCell of states": lambda torch, nn: nn.LSTMCell(2, 3)(
        torch.ones(1, 2), (torch.ones(1, 1, 3),) * 2
    ),
    "MultiMarginLoss": lambda torch, nn: nn.MultiMarginLoss(p=3),
    "TripletMarginWithDistanceLoss": lambda torch, nn: nn.TripletMarginWithDistanceLoss(margin=-1),
    "TripletMarginLoss": lambda torch, nn: nn.TripletMarginLoss(margin=0),
    "CrossEntropyLoss": lambda torch, nn: nn.CrossEntropyLoss()(torch.ones(3, 2), torch.ones(2)),
    "MSELoss": lambda torch, nn: nn.MSELoss(reduction="most")(torch.ones(2), torch.ones(2)),
}


@each(what=list(_REFUSED))
def refused(torch, log, what):
    with log.warns("warns"):
        log.attempt("outcome", lambda: _REFUSED[what](torch, torch.nn))


def _step(torch, net, loss):
    """One step of gradient descent, by hand."""
    net.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= 0.1 * p.grad


def _classifier(torch):
    nn = torch.nn
    net = nn.Sequential(
        nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 3)
    )
    x, y = _numbers(torch, 6, 4), torch.tensor([0, 1, 2, 2, 1, 0])
    return net, lambda: nn.CrossEntropyLoss()(net(x), y)


def _regression(torch):
    nn = torch.nn
    net = nn.Sequential(nn.Linear(2, 5), nn.LayerNorm(5), nn.GELU(), nn.Linear(5, 1))
    x = _numbers(torch, 8, 2)
    return net, lambda: nn.HuberLoss()(net(x), x.sum(1, keepdim=True).sin())


def _sequence(torch):
    nn = torch.nn
    net = nn.ModuleDict({"table": nn.Embedding(5, 3), "cell": nn.GRU(3, 4), "out": nn.Linear(4, 5)})
    ids = torch.tensor([[0, 3], [1, 2], [4, 4], [2, 0]])

    def loss():
        states, _ = net["cell"](net["table"](ids[:-1]))
        return nn.CrossEntropyLoss()(net["out"](states).reshape(-1, 5), ids[1:].reshape(-1))

    return net, loss


def _attention(torch):
    nn = torch.nn
    net = nn.ModuleDict({"attention": nn.MultiheadAttention(4, 2), "out": nn.Linear(4, 1)})
    x = _numbers(torch, 5, 2, 4)

    def loss():
        y, _ = net["attention"](x, x, x)
        return nn.MSELoss()(net["out"](y).squeeze(-1), x.mean(-1))

    return net, loss


@each(network=["classifier", "regression", "sequence", "attention"])
def twenty_steps_of_training(torch, log, network):
    torch.manual_seed(11)
    make = {"classifier": _classifier, "regression": _regression, "sequence": _sequence,
            "attention": _attention}[network]  # fmt: skip
    net, loss = make(torch)
    net.double()
    found = []
    for _ in range(20):
        step = loss()
        found.append(float(step.detach()))
        _step(torch, net, step)
    log("losses", found)
    log("state", dict(net.state_dict()))
    net.eval()
    log("evaluated", float(loss().detach()))
    other = copy.deepcopy(net)
    log("loaded", repr(other.load_state_dict(net.state_dict())))


#: Batches without elements, and how many channels their statistics and weights have.
_NOTHING = {"no rows": ((0, 3), 3), "no sequence": ((2, 3, 0), 3), "no axis": ((0,), 0)}


@each(shape=_NOTHING, training=[True, False])
def a_batch_of_nothing(torch, log, shape, training):
    """It leaves the running statistics as they are."""
    size, channels = _NOTHING[shape]
    mean, spread = _numbers(torch, channels), _numbers(torch, channels, start=3.0)
    x, weight = _leaf(torch, *size), _leaf(torch, channels or 2)
    y = torch.nn.functional.batch_norm(x, mean, spread, weight, None, training)
    y.sum().backward()
    log("result", y)
    log("gradients", [x.grad, weight.grad])
    log("statistics", [mean, spread])


def helpers(torch, log):
    utils = torch.nn.utils
    torch.manual_seed(1)
    net = torch.nn.Linear(3, 2).double()
    (net(_numbers(torch, 4, 3)) ** 2).sum().backward()
    before = [p.grad.clone() for p in net.parameters()]
    log("norm", utils.clip_grad_norm_(net.parameters(), 1.0))
    log("clipped", [p.grad for p in net.parameters()])
    log("again", utils.clip_grad_norm_(net.weight, 100.0, norm_type=1))
    log("largest", utils.clip_grad_norm_(net.parameters(), 0.1, float("inf")))
    utils.clip_grad_value_(net.parameters(), 0.01)
    log("cut off", [p.grad for p in net.parameters()])
    log("total", utils.get_total_norm(before))
    vector = utils.parameters_to_vector(net.parameters())
    log("vector", vector.detach())
    utils.vector_to_parameters(vector.detach() * 2, net.parameters())
    log("doubled", dict(net.state_dict()))
    log.attempt("no vector", lambda: utils.vector_to_parameters([1.0], net.parameters()))
    log("no parameters", utils.clip_grad_norm_([], 1.0))
    with log.warns("empty"):
        utils.clip_grad_norm_((p for p in []), 1.0)
    net.bias.grad.fill_(float("nan"))
    log.attempt(
        "nan", lambda: utils.clip_grad_norm_(net.parameters(), 1.0, error_if_nonfinite=True)
    )
