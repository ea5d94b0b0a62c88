"""What every layer uses and what knows neither formulas nor tensors: locks, blocks, tables."""
