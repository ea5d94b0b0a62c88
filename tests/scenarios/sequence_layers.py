"""Layers of sequences: the loss without an alignment, packed sequences, transformers."""


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
