"""From formulas to formulas: vjp, jvp, batches, derivatives of any order, tracing."""
