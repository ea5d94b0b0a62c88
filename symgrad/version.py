"""`version`: symgrad's own, and that of the PyTorch whose functions it has."""

__all__: list[str] = []

__version__ = "0.1.0"
#: The version of PyTorch that symgrad follows.
pytorch = "2.13.0"
cuda = hip = rocm = xpu = git_version = None
debug = False
