"""PyTorch's face: what users call, by family, and how their arguments are read."""
