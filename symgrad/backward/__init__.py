"""From the record to gradients: walk, read, plan, run, accumulate."""
