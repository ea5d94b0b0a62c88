"""What both families of scenarios about checkpoints use."""

import importlib


def _utils(torch):
    return importlib.import_module(f"{torch.__name__}.utils.checkpoint")


def _x(torch, *values):
    values = list(values or (0.5, -1.0, 2.0))
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


def _text(call):
    """What a call returns, or its error with the first line of the message."""
    try:
        return call()
    except Exception as error:  # whatever it is, it is the outcome
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0]}"


VARIANTS = [False, True]
