"""Sparse Jacobians: their pattern from the formula, and all of their columns in few passes."""
