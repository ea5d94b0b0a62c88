"""Layers of sequences: the loss without an alignment, packed sequences, transformers."""

from ._harness import each


def _scores(torch, *shape):
    x = torch.sin(1.7 * torch.arange(1.0, 1.0 + int(torch.Size(shape).numel())).double() ** 1.5)
    return x.reshape(shape)


def losses_without_alignment(torch, log):
    """Twenty steps that teach scores to read their targets."""
    loss_of = torch.nn.CTCLoss()
    log("text", repr(loss_of))
    scores = _scores(torch, 6, 2, 4).requires_grad_()
    targets = torch.tensor([[1, 2, 2], [3, 1, 0]])
    optimizer = torch.optim.SGD([scores], lr=1.0)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = loss_of(scores.log_softmax(2), targets, torch.tensor([6, 5]), torch.tensor([3, 2]))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    log("losses", losses)
    log("scores", scores.detach())


def losses_without_alignment_by_options(torch, log):
    scores = _scores(torch, 4, 2, 3).log_softmax(2)
    targets = torch.tensor([1, 1, 1, 2])
    for options in (
        {"reduction": "none"},
        {"zero_infinity": True},
        {"blank": 2, "reduction": "sum"},
    ):
        loss = torch.nn.CTCLoss(**options)
        log(f"{options}", loss(scores, targets % 2, (4, 3), (2, 2)))
    log("infinite", torch.nn.CTCLoss()(scores, targets, (2, 2), (2, 2)))
    log("no input", torch.nn.CTCLoss(reduction="none")(scores, targets[:1], (0, 0), (0, 1)))


def _ragged(torch, lengths, size=3):
    x = _scores(torch, sum(lengths), size)
    return list(x.split(list(lengths)))


def packed(torch, log):
    rnn = torch.nn.utils.rnn
    made = rnn.pack_sequence(_ragged(torch, (2, 4, 1)), enforce_sorted=False)
    for name in ("data", "batch_sizes", "sorted_indices", "unsorted_indices"):
        log(name, getattr(made, name))
    padded, lengths = rnn.pad_packed_sequence(made, True, -1.0, 5)
    log("padded", padded)
    log("lengths", lengths)
    log("unpacked", rnn.unpack_sequence(made))
    log("left", rnn.pad_sequence(_ragged(torch, (2, 1)), padding_value=9.0, padding_side="left"))
    log("unpadded", rnn.unpad_sequence(padded, lengths, batch_first=True))
    single = made.float()
    log("single", [single.data.dtype, single.batch_sizes.dtype, single.is_cuda])
    log("same", made.to(torch.float64) is made)
    x = torch.ones(3, 2, 1)
    calls = {
        "unsorted": lambda: rnn.pack_sequence([torch.ones(1), torch.ones(2)]),
        "count": lambda: rnn.pack_padded_sequence(x, [3]),
        "zero": lambda: rnn.pack_padded_sequence(x, [3, 0]),
        "empty": lambda: rnn.pack_padded_sequence(x[:0], [1, 1]),
        "total": lambda: rnn.pad_packed_sequence(made, total_length=2),
        "no sequences": lambda: rnn.pad_sequence([]),
        "no list": lambda: rnn.pad_sequence(3),
        "wider": lambda: rnn.pad_sequence([torch.ones(2, 3), torch.ones(2, 2)]),
        "one for all": lambda: rnn.pad_sequence([torch.ones(2, 3), torch.ones(1, 1).int()]),
        "side": lambda: rnn.pad_sequence([torch.ones(1)], padding_side="top"),
        "one": lambda: rnn.PackedSequence(torch.ones(3)),
    }
    for name, call in calls.items():
        log.attempt(name, call)


@each(kind=["RNN", "LSTM", "GRU"], directions=[1, 2])
def recurrent_layers_read_packed_sequences(torch, log, kind, directions):
    """Results and gradients."""
    rnn = torch.nn.utils.rnn
    torch.manual_seed(3)
    options = {"num_layers": 2, "bidirectional": directions == 2, "dtype": torch.float64}
    net = getattr(torch.nn, kind)(3, 2, **options)
    x = [part.requires_grad_() for part in _ragged(torch, (2, 4, 1))]
    output, last = net(rnn.pack_sequence(x, enforce_sorted=False))
    log("sizes", output.batch_sizes)
    padded, lengths = rnn.pad_packed_sequence(output)
    log("states", padded.detach())
    log("lengths", lengths)
    ends = last if isinstance(last, tuple) else (last,)
    for i, end in enumerate(ends):
        log(f"last {i}", end.detach())
    (sum(end.sin().sum() for end in ends) + (padded * padded).sum()).backward()
    for i, part in enumerate(x):
        log(f"gradient {i}", part.grad)
    for name, p in net.named_parameters():
        log(f"gradient of {name}", p.grad)
    log.attempt("dtype of what is not packed", lambda: net(torch.ones(2, 1, 3)))
    if kind == "LSTM":  # which PyTorch checks in the kernels of the machine
        other = rnn.pack_sequence([torch.ones(2, 3)])
        log.attempt("dtype", lambda: net(other), words=False)
        return
    log.attempt("axes", lambda: net(rnn.pack_sequence([torch.ones(2).double()])))
    log.attempt("size", lambda: net(rnn.pack_sequence([torch.ones(2, 4).double()])))
    log.attempt("dtype", lambda: net(rnn.pack_sequence([torch.ones(2, 3)])))
    state = torch.ones(1, 1, 2).double()
    log.attempt("state", lambda: net(rnn.pack_sequence([torch.ones(2, 3).double()]), state))


def a_reader_of_packed_sequences_is_trained(torch, log):
    """Twenty steps: the sums of sequences of several lengths are learned."""
    nn, rnn = torch.nn, torch.nn.utils.rnn
    torch.manual_seed(5)
    net, last = nn.GRU(1, 4, dtype=torch.float64), nn.Linear(4, 1, dtype=torch.float64)
    x = _ragged(torch, (3, 1, 5, 2), 1)
    y = torch.stack([part.sum() for part in x])
    made = rnn.pack_sequence(x, enforce_sorted=False)
    optimizer = torch.optim.Adam([*net.parameters(), *last.parameters()], lr=0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(last(net(made)[1][0]).squeeze(1), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    log("losses", losses)


_TRANSFORMERS = {
    "plain": {},
    "batch first": {"batch_first": True, "activation": "gelu"},
    "norms first": {"norm_first": True, "bias": False},
    "of other norms": {"layer_norm_eps": 0.1, "dropout": 0.0},
}


def _transformer(torch, options):
    torch.manual_seed(4)
    return torch.nn.Transformer(4, 2, 1, 2, 6, dtype=torch.float64, **options)


@each(options=list(_TRANSFORMERS))
def transformers(torch, log, options):
    """The parameters for the same seed, results and gradients in training, masks."""
    given = _TRANSFORMERS[options]
    net = _transformer(torch, given)
    log("text", repr(net))
    for name, value in net.state_dict().items():
        log(name, value)
    src, tgt = _scores(torch, 5, 2, 4), _scores(torch, 3, 2, 4).cos()
    hidden = torch.tensor([[False] * 5, [False] * 3 + [True] * 2])
    if given.get("batch_first"):
        src, tgt = src.transpose(0, 1), tgt.transpose(0, 1)
    mask = net.generate_square_subsequent_mask(3, dtype=torch.float64)
    options = {"tgt_mask": mask, "src_key_padding_mask": hidden, "memory_key_padding_mask": hidden}
    y = net(src, tgt, **options)
    log("result", y.detach())
    (y * y * y).sum().backward()
    for name, p in net.named_parameters():
        log(f"gradient of {name}", p.grad)
    net.eval()
    log("evaluated", net(src, tgt, **options).detach())
    batch = 0 if given.get("batch_first") else 1
    alone = net(src.select(batch, 0), tgt.select(batch, 0), tgt_mask=mask, tgt_is_causal=True)
    log("alone", alone.detach())
    log.attempt("batch", lambda: net(src, tgt.narrow(batch, 0, 1)))
    log.attempt("length", lambda: net(src, tgt[..., :2]))
    log.attempt("causal", lambda: net(src, tgt, tgt_is_causal=True))
    log.attempt("kind of mask", lambda: net(src, tgt, src_mask=torch.ones(5, 5).long()))


def parts_of_transformers(torch, log):
    nn = torch.nn
    torch.manual_seed(6)
    kind = {"dtype": torch.float64}
    layer = nn.TransformerEncoderLayer(4, 2, 6, 0.0, nn.GELU(), **kind)
    x = _scores(torch, 3, 2, 4)
    log("layer", layer(x).detach())
    encoder = nn.TransformerEncoder(layer, 2, nn.LayerNorm(4, **kind), enable_nested_tensor=False)
    log("encoder", encoder(x).detach())
    mask = nn.Transformer.generate_square_subsequent_mask(3)
    log("mask", mask)
    hidden = torch.tensor([[False, False, True], [False] * 3])
    with log.warns("of two kinds"):
        encoder(x, mask.double(), hidden)
    with log.warns("of two kinds in a layer"):
        layer(x, mask.double(), hidden)
    decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2, 6, 0.0, **kind), 2)
    log("decoder", decoder(x, x[:2], mask.double(), memory_mask=mask[:, :2].double()).detach())
    log("keys", list(decoder.state_dict()))
    custom = nn.Transformer(4, 2, custom_encoder=encoder, custom_decoder=decoder, **kind)
    log("custom", custom(x, x).detach())
    log.attempt("activation", lambda: nn.TransformerEncoderLayer(4, 2, activation="tanh"))


def a_transformer_is_trained(torch, log):
    """Twenty steps: sequences are copied."""
    net = _transformer(torch, {"dropout": 0.0})
    x = _scores(torch, 4, 3, 4)
    mask = net.generate_square_subsequent_mask(4, dtype=torch.float64)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(x, x, tgt_mask=mask, tgt_is_causal=True), x)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    log("losses", losses)


def nodes_of_outputs(torch, log):
    nn = torch.nn
    for name, made in {
        "LSTM": nn.LSTM(3, 3),
        "LSTM of double precision": nn.LSTM(3, 3, dtype=torch.float64),
        "GRU": nn.GRU(3, 3),
        "RNN": nn.RNN(3, 3),
        "LSTM, batches first": nn.LSTM(3, 3, batch_first=True),
        "GRU, batches first": nn.GRU(3, 3, batch_first=True),
        "two directions": nn.LSTM(3, 3, bidirectional=True),
    }.items():
        kind = made.weight_ih_l0.dtype
        for shape in ((2, 2, 3), (1, 1, 3)):
            outputs, last = made(torch.ones(shape, dtype=kind))
            last = last[0] if isinstance(last, tuple) else last
            log(f"{name} {shape}", [outputs.grad_fn.name(), last.grad_fn.name()])


def names_of_parameters(torch, log):
    nn = torch.nn
    for name, made in {
        "GRU": nn.GRU(2, 3, 2, bidirectional=True),
        "LSTM": nn.LSTM(3, 4, proj_size=2),
        "RNN": nn.RNN(2, 3, bias=False),
    }.items():
        log(f"{name}: names", made._flat_weights_names)
        log(f"{name}: sizes", [tuple(w.shape) for w in made._flat_weights])


def refused_sizes_of_cells(torch, log):
    ones = torch.ones
    for name in ("RNNCell", "LSTMCell", "GRUCell"):
        cell, pair = getattr(torch.nn, name)(3, 4), name == "LSTMCell"

        def state(*shape, pair=pair):
            return (ones(shape), ones(shape)) if pair else ones(shape)

        log.attempt(f"{name}: input", lambda cell=cell: cell(ones(2, 2)))
        log.attempt(f"{name}: one input", lambda cell=cell: cell(ones(2)))
        for shape in ((2, 5), (3, 4), (1, 4), (4,)):
            log.attempt(f"{name}: {shape}", lambda c=cell, s=shape, h=state: c(ones(2, 3), h(*s)))
        log.attempt(f"{name}: one input, a state of 5", lambda c=cell, h=state: c(ones(3), h(5)))
        log(f"{name}: fits", [x.shape for x in cell(ones(3), state(4))])
    cell = torch.nn.LSTMCell(3, 4)
    log.attempt("a tensor", lambda: cell(ones(2, 3), ones(2, 4)))
    log.attempt("three", lambda: cell(ones(2, 3), (ones(2, 4),) * 3))
    log.attempt("a cell of another size", lambda: cell(ones(2, 3), (ones(2, 4), ones(2, 5))))
    packed = torch.nn.utils.rnn.pad_packed_sequence
    log.attempt("padded already", lambda: packed(ones(2, 3)))
