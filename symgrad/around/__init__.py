"""What programs say around their computations: settings, devices and compilers of PyTorch's."""
