"""Files of tensors in PyTorch's format: `save` writes them, `load` reads them and runs nothing.

`archive` knows the zip archive, `unpickling` and `pickling` the pickle inside it, `reading` and
`writing` what stands for tensors there.
"""

from symgrad.serialization.files import load, save

__all__ = ["load", "save"]
