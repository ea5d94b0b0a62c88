import torch

x = torch.randn(3, requires_grad=True)
y = torch.randn(3, requires_grad=True)
z = x * y  # Element-wise multiplication resulting in a vector

try:
    z.backward()
except RuntimeError as e:
    print(f"Error: {e}")
