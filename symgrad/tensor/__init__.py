"""The class `Tensor`, and what its members do."""
