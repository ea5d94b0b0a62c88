"""What several families of scenarios about `vmap` use."""

from __future__ import annotations

import numpy as np


def _numbers(torch, *shape, requires_grad=False, dtype=None, start=0.0):
    """Consecutive numbers in a shape."""
    count = int(np.prod(shape))
    x = torch.arange(start, start + count, dtype=dtype or torch.float32).reshape(shape)
    return x.requires_grad_(requires_grad)


def _inside(torch, log, label, call, *args, **options):
    """Map `call`, which returns anything, and write down what it returns for one entry."""
    seen = []

    def body(*inside):
        seen.append(call(*inside))
        return inside[0]

    torch.vmap(body, **options)(*args)
    log(label, seen[0])
