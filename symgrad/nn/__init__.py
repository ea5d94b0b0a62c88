"""PyTorch's `nn`: layers, networks, losses, and the functions of `symgrad.nn.functional`."""

import importlib
from typing import TYPE_CHECKING, Any

from symgrad.nn import functional as functional
from symgrad.nn import parameter as parameter
from symgrad.nn.parameter import Buffer as Buffer
from symgrad.nn.parameter import Parameter as Parameter
from symgrad.support.absent import error_of

# Programs that define no network do not need these.
_LATER = frozenset({"init", "modules", "utils"})
_HERE = ["Buffer", "Parameter", "functional", "parameter", *sorted(_LATER)]

if TYPE_CHECKING:
    from symgrad.nn import init as init
    from symgrad.nn import modules as modules
    from symgrad.nn import utils as utils
    from symgrad.nn.modules import *


def __getattr__(name: str) -> Any:
    found: Any
    if name in _LATER:
        found = importlib.import_module(f"{__name__}.{name}")
    elif name.startswith("__") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        layers = importlib.import_module(f"{__name__}.modules")
        if name == "__all__":
            found = sorted([*_HERE, *layers.__all__])
        elif name in layers.__all__:
            found = getattr(layers, name)
        else:
            raise error_of("nn", name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
