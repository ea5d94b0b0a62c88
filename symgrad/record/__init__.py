"""One operation as it happens: compute its result and leave a node behind."""
