"""From formulas to programs over arrays, and to what runs them."""
