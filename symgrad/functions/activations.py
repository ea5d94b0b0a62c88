"""PyTorch's face of `symgrad.ops.activations`."""

from symgrad.ops.activations import elu_folded, leaky_relu_folded
from symgrad.record.face import shows

shows(elu_folded, name="EluBackward0")
shows(leaky_relu_folded, name="LeakyReluBackward0")
