"""The classes of results with names, as in `torch.return_types`."""

from symgrad.functions import families as _families  # noqa: F401 - states schemas
from symgrad.schema.results import RESULTS

__all__ = sorted(RESULTS)

globals().update(RESULTS)
