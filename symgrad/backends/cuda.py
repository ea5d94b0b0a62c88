"""PyTorch's `backends.cuda` on a machine without GPUs: attention is computed by its formula."""

from types import SimpleNamespace

from symgrad.around.constant import answer

__all__ = [
    "cudnn_sdp_enabled", "flash_sdp_enabled", "is_built", "is_flash_attention_available",
    "math_sdp_enabled", "mem_efficient_sdp_enabled",
]  # fmt: skip

_OTHER = "Return that attention is computed by its formula alone"

is_built = answer("backends.cuda", "is_built", False, "Return that no GPU could be used")
math_sdp_enabled = answer("backends.cuda", "math_sdp_enabled", True, _OTHER)
flash_sdp_enabled = answer("backends.cuda", "flash_sdp_enabled", False, _OTHER)
cudnn_sdp_enabled = answer("backends.cuda", "cudnn_sdp_enabled", False, _OTHER)
mem_efficient_sdp_enabled = answer("backends.cuda", "mem_efficient_sdp_enabled", False, _OTHER)
is_flash_attention_available = answer(
    "backends.cuda", "is_flash_attention_available", False, _OTHER
)
#: The flags of products of matrices.
matmul = SimpleNamespace(
    allow_bf16_reduced_precision_reduction=True,
    allow_fp16_accumulation=False,
    allow_fp16_reduced_precision_reduction=True,
    allow_tf32=False,
)
