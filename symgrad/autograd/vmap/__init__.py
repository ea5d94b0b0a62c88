"""`vmap`: functions of one entry, applied to batches of them."""
