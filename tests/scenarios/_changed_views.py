"""What several families of scenarios about changed views use."""

from .views import _names

_W = 2.0


def _state(torch, log, label, t):
    """What a tensor has become: its value, where it came from, and how often it was changed."""
    log.attempt(label, lambda: t)
    log.attempt(f"{label} next", lambda: _names(torch, t))
    log.attempt(f"{label} state", lambda: [t.requires_grad, t.is_leaf, t._version])


def _weighted(torch, t):
    return (t * torch.arange(1.0, 1.0 + t.numel()).reshape(t.shape)).sum()


def _gradients(torch, log, label, t, inputs):
    def call():
        return torch.autograd.grad(
            _weighted(torch, t), inputs, retain_graph=True, allow_unused=True
        )

    log.attempt(label, lambda: [None if g is None else g.detach() for g in call()])
