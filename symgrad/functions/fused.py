"""PyTorch's face of `symgrad.ops.fused`."""

from symgrad.ops.fused import addcdiv, addcmul, lerp
from symgrad.record.face import numbered, shows

shows(addcdiv, addcmul, saved=("self", "tensor1", "tensor2"))
shows(lerp, name=numbered("Lerp", 2, number=0, tensor=1), saved=("self", "end", "weight"))
