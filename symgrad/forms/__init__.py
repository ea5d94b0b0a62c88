"""To and from plain SymPy."""
