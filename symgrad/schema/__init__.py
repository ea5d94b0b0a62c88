"""The texts that signatures are written in, and all that follows from them."""
