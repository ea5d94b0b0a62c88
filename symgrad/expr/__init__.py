"""Formulas: nodes, shapes, dtypes, how they print and what SymPy asks of them; no data."""
