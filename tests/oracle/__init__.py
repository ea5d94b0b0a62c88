"""PyTorch's recorded behaviour as test data: cases, recorder, replay."""
