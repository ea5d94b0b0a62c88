"""Functions of layers and losses: activations, normalisations, distances, embeddings, attention."""

from __future__ import annotations

from typing import Any

from .table import Differs, f, f32, i, table, v

case = table("layers", rtol=1e-9)
CASES = case.cases


def signs(t: Any) -> Any:
    return t.tensor([1, -1, 1])


def call(name: str, *given: Any, **options: Any) -> Any:
    """Return a function of a library and of tensors that calls a function of `nn.functional`."""
    return lambda t, *xs: getattr(t.nn.functional, name)(*xs, *given, **options)


# The zeros of PyTorch's `softshrink` have the signs of its operand.
for name in ("hardshrink", "softshrink", "hardswish", "mish", "softsign", "tanhshrink"):
    signed = {"signed_zeros": name != "softshrink"}
    case(f"{name}", call(name), f(3, 4, lo=-5, hi=5), **signed)
    case(f"{name}-0d", call(name), f())
    case(f"{name}-float32", call(name), f32(5, lo=1, hi=2), rtol=1e-6, **signed)
    case(f"{name}-int", call(name), i(3))
for name in ("hardshrink", "softshrink", "hardswish"):
    signed = {"signed_zeros": name != "softshrink"}
    case(f"{name}-edges", call(name), v([-3.0, -0.5, 0.0, 0.5, 3.0]), **signed)
    # At nan PyTorch's derivative depends on where the element lies.
    case(f"{name}-nan", call(name), v([float("nan"), float("inf")], grad=False))
case("hardshrink-bound", call("hardshrink", 1.5), f(6))
case("softshrink-bound", call("softshrink", 1.5), f(6), signed_zeros=False)
# PyTorch computes these derivatives with factors of single precision.
case(
    "hardsigmoid", call("hardsigmoid"), v([-4.0, 0.5, 7.0]), rtol=1e-6,
    differs=Differs("to any order", second=[[0.0, 0.0, 0.0], [0.0, -1 / 6, 0.0]]),
)  # fmt: skip
case("celu-float32", call("celu", 1.5), f32(3, 4), rtol=1e-6)
case("glu", call("glu"), f(2, 4))
case("glu-axis", call("glu", 0), f(4, 3))
case("prelu", call("prelu"), f(2, 3), f(3))
case("prelu-one", call("prelu"), f(2, 3, 2), f(1))
case("prelu-image", call("prelu"), f(2, 3, 2), f(3))
case("prelu-0d", call("prelu"), f(), f(1))
case("rrelu", call("rrelu"), f(2, 3))

case("layer-norm", call("layer_norm", (3,)), f(2, 4, 3))
case("layer-norm-float32", call("layer_norm", (3,)), f32(2, 3), rtol=1e-6)
for name, shape in (("layer_norm", (4, 3)), ("rms_norm", (4, 3))):
    word = name.replace("_", "-")
    for k in range(1, 3 if name == "layer_norm" else 2):
        case(
            f"{word}-affine{k}",
            lambda t, x, *parts, n=name, s=shape: getattr(t.nn.functional, n)(x, s, *parts),
            f(2, *shape), *[f(*shape)] * k,
        )  # fmt: skip
case("layer-norm-eps", call("layer_norm", (3,), None, None, 0.1), f(2, 3))
case("rms-norm", call("rms_norm", (3,)), f(2, 4, 3))
case("rms-norm-eps", call("rms_norm", (3,), None, 0.1), f(2, 3))
case("group-norm", call("group_norm", 2), f(2, 4, 3))
case("group-norm-rows", call("group_norm", 1), f(2, 4))
case(
    "group-norm-affine",
    lambda t, x, w, b: t.nn.functional.group_norm(x, 2, w, b, 0.01), f(2, 4, 3, 2), f(4), f(4),
)  # fmt: skip
case("batch-norm", call("batch_norm", None, None, training=True), f(4, 3))
case(
    "batch-norm-affine",
    lambda t, x, w, b: t.nn.functional.batch_norm(x, None, None, w, b, True),
    f(4, 3, 2), f(3), f(3),
)  # fmt: skip
case(
    "batch-norm-given",
    lambda t, x, m, s, w, b: t.nn.functional.batch_norm(x, m, s, w, b),
    f(4, 3, 2), f(3, grad=False), f(3, lo=0.5, grad=False), f(3), f(3),
)  # fmt: skip
INSTANCES = Differs("groups of one channel each", node="NativeGroupNormBackward0")
case("instance-norm", call("instance_norm"), f(2, 4, 3), differs=INSTANCES)
case(
    "instance-norm-affine",
    lambda t, x, w, b: t.nn.functional.instance_norm(x, None, None, w, b),
    f(2, 3, 2, 2), f(3), f(3), differs=INSTANCES,
)  # fmt: skip
case("local-response-norm", call("local_response_norm", 3, 0.5, 0.75, 2.0), f(2, 5, 3))
case("local-response-norm-even", call("local_response_norm", 2), f(2, 5, 2, 2))

case("cosine-similarity", call("cosine_similarity"), f(3, 4), f(3, 4))
case("cosine-similarity-axis", call("cosine_similarity", dim=-1), f(2, 3), f(3))
case("cosine-similarity-float32", call("cosine_similarity", 0), f32(3), f32(3))
NORMS = Differs("the norm of a difference", node="LinalgVectorNormBackward0")
case("pairwise-distance", call("pairwise_distance"), f(3, 4), f(3, 4), differs=NORMS)
case("pairwise-distance-order", call("pairwise_distance", 3.5, 0.1), f(3, 4), f(4), differs=NORMS)
case(
    "pairwise-distance-keep", call("pairwise_distance", keepdim=True), f(4), f(3, 4), differs=NORMS
)
case("pixel-shuffle", call("pixel_shuffle", 2), f(2, 8, 2, 3), exact=True)
case("pixel-unshuffle", call("pixel_unshuffle", 2), f(2, 2, 4, 6), exact=True)
case("channel-shuffle", call("channel_shuffle", 3), f(2, 6, 2), exact=True)
case("native-channel-shuffle", lambda t, x: t.native_channel_shuffle(x.detach(), 3), f(2, 6, 2))
# PyTorch's second derivative does not divide by how often a row is named.
OFTEN = Differs("how often a row is named", free=tuple(range(3, 9)))
for name, options, differs in (
    ("embedding", {}, None),
    ("embedding-padding", {"padding_idx": 1}, None),
    ("embedding-often", {"scale_grad_by_freq": True}, OFTEN),
):
    case(
        name,
        lambda t, w, o=options: t.nn.functional.embedding(t.tensor([[0, 1], [1, 2]]), w, **o),
        f(4, 3), differs=differs,
    )  # fmt: skip
# PyTorch has no second derivative of `embedding_bag`: that of what a user writes holds.
BAG = (1, 2, 1, 0)
for name, given, options, written in (
    ("mean", [[0, 1], [1, 2]], {}, lambda t, w: (w[:2] + w[1:3]) / 2),
    (
        "sum", BAG, {"offsets": [0, 0, 3], "mode": "sum", "padding_idx": 2},
        lambda t, w: t.stack([w[0] * 0, w[1] * 2, w[0]]),
    ),
    (
        "ragged", BAG, {"offsets": [0, 3, 4], "include_last_offset": True},
        lambda t, w: t.stack([(w[1] * 2 + w[2]) / 3, w[0]]),
    ),
    (
        "max", BAG, {"offsets": [0, 0, 3], "mode": "max"},
        lambda t, w: t.stack([w[0] * 0, t.maximum(w[1], w[2]), w[0]]),
    ),
):  # fmt: skip
    case(
        f"embedding-bag-{name}",
        lambda t, w, x=given, o=options: t.nn.functional.embedding_bag(
            t.tensor(x), w, **{k: t.tensor(x) if k == "offsets" else x for k, x in o.items()}
        ),
        f(4, 3),
        differs=Differs("rows", as_case=f"layers-embedding-bag-{name}-written"),
    )  # fmt: skip
    case(f"embedding-bag-{name}-written", written, f(4, 3))
case(
    "embedding-bag-weighted",
    lambda t, w, v: t.nn.functional.embedding_bag(
        t.tensor([[0, 1], [1, 2]]), w, mode="sum", per_sample_weights=v
    ),
    f(4, 3), f(2, 2),
    differs=Differs("rows of a table", as_case="layers-embedding-bag-weighted-written"),
)  # fmt: skip
case(
    "embedding-bag-weighted-written",
    lambda t, w, v: w[:2] * v[:, :1] + w[1:3] * v[:, 1:], f(4, 3), f(2, 2),
)  # fmt: skip
for name, options in {
    "scaled-dot-product-attention": {},
    "scaled-dot-product-attention-causal": {"is_causal": True},
    "scaled-dot-product-attention-scale": {"scale": 0.3},
}.items():
    case(name, call("scaled_dot_product_attention", **options), f(3, 4), f(5, 4), f(5, 2))
case(
    "scaled-dot-product-attention-mask",
    lambda t, q, k, x: t.nn.functional.scaled_dot_product_attention(
        q, k, x, t.tensor([[True, False], [False, True], [True, True]])
    ),
    f(3, 4), f(2, 4), f(2, 2),
)  # fmt: skip
case(
    "scaled-dot-product-attention-added",
    call("scaled_dot_product_attention"), f(2, 3, 4), f(2, 2, 4), f(2, 2, 2), f(3, 2),
)  # fmt: skip
HEADS = Differs("attention is computed by its formula", node="ReshapeBackward0")
for name, options in {
    "multi-head-attention-forward": {},
    "multi-head-attention-forward-heads": {"average_attn_weights": False},
    "multi-head-attention-forward-zero": {"add_zero_attn": True},
}.items():
    case(
        name,
        lambda t, q, k, w, b, o, options=options: t.nn.functional.multi_head_attention_forward(
            q, k, k, 4, 2, w, b, None, None, **{"add_zero_attn": False, **options},
            dropout_p=0.0, out_proj_weight=o, out_proj_bias=None,
        ),
        f(3, 2, 4), f(2, 2, 4), f(12, 4), f(12), f(4, 4),
    )  # fmt: skip
case(
    "multi-head-attention-forward-separate",
    lambda t, q, k, w, v, b, o: t.nn.functional.multi_head_attention_forward(
        q, k, k, 4, 2, None, None, b, b * b, False, 0.0, o, b[0, 0], True, None, True,
        use_separate_proj_weight=True, q_proj_weight=o, k_proj_weight=w, v_proj_weight=v,
    )[0],
    f(3, 4), f(2, 3), f(4, 3), f(4, 3), f(1, 1, 4), f(4, 4),
)  # fmt: skip
TIMES = Differs("a convolution of exchanged axes", node="CloneBackward0")
for pad in (0, 2):
    case(
        f"conv-tbc-{pad}", lambda t, x, w, b, pad=pad: t.conv_tbc(x, w, b, pad),
        f(5, 2, 3), f(2, 3, 2), f(2), differs=TIMES,
    )  # fmt: skip

for reduction in ("mean", "sum", "none"):
    given = {"reduction": reduction}
    case(f"smooth-l1-loss-{reduction}", call("smooth_l1_loss", beta=0.3, **given), f(3, 4), f(3, 4))
    case(f"huber-loss-{reduction}", call("huber_loss", delta=0.7, **given), f(3, 4), f(3, 4))
    case(
        f"soft-margin-loss-{reduction}",
        lambda t, x, g=given: t.nn.functional.soft_margin_loss(x, signs(t).double(), **g), f(3),
    )  # fmt: skip
    case(
        f"hinge-embedding-loss-{reduction}",
        lambda t, x, g=given: t.nn.functional.hinge_embedding_loss(x, signs(t), **g), f(3),
    )  # fmt: skip
    case(
        f"cosine-embedding-loss-{reduction}",
        lambda t, x, y, g=given: t.nn.functional.cosine_embedding_loss(x, y, signs(t), 0.1, **g),
        f(3, 4), f(3, 4),
    )  # fmt: skip
    case(
        f"margin-ranking-loss-{reduction}",
        lambda t, x, y, g=given: t.nn.functional.margin_ranking_loss(x, y, signs(t), 0.2, **g),
        f(3), f(3),
    )  # fmt: skip
    case(f"triplet-margin-loss-{reduction}", call("triplet_margin_loss", 0.5, swap=True, **given),
         f(3, 4), f(3, 4), f(3, 4))  # fmt: skip
    case(
        f"kl-div-{reduction}",
        lambda t, x, y, g=given: t.nn.functional.kl_div(x, y, log_target=True, **g),
        f(3, 4), f(3, 4),
    )  # fmt: skip
    case(f"poisson-nll-loss-{reduction}", call("poisson_nll_loss", full=True, **given),
         f(3, 4), f(3, 4, lo=0.1))  # fmt: skip
    case(f"gaussian-nll-loss-{reduction}", call("gaussian_nll_loss", full=True, **given),
         f(3, 4), f(3, 4), f(3, lo=0.1))  # fmt: skip
    case(
        f"multilabel-soft-margin-loss-{reduction}",
        call("multilabel_soft_margin_loss", **given), f(3, 4), f(3, 4, lo=0, hi=1),
    )  # fmt: skip
case("kl-div-batch", call("kl_div", reduction="batchmean"), f(3, 4), f(3, 4, lo=0.1))
case("smooth-l1-loss-edges", call("smooth_l1_loss"), v([1.0, -1.0, 0.0]), v([0.0, 0.0, 0.0]))
case("huber-loss-edges", call("huber_loss"), v([1.0, -1.0, 0.0]), v([0.0, 0.0, 0.0]))

for name, shapes, target, options in (
    ("", ((3, 4), (5, 4)), [0, 4, 2], {}),
    ("-one", ((4,), (5, 4)), 3, {}),
    ("-several", ((2, 3), (4, 2, 3)), [[0, 3], [2, 1]], {}),
    ("-sum", ((3, 4), (5, 4)), [0, -1, 2], {"reduction": "sum", "ignore_index": -1}),
    ("-smooth", ((3, 4), (5, 4)), [0, 4, 2], {"reduction": "none", "label_smoothing": 0.2}),
    ("-length", ((3, 4), (5, 3)), [0, 4, 2], {}),
    ("-vector", ((3, 4), (4,)), [0, 4, 2], {}),
    ("-batch", ((3,), (4, 2, 3)), [0, 1], {}),
    ("-rank", ((1, 3, 4), (5, 4)), [[0, 4, 2]], {}),
):
    case(
        f"linear-cross-entropy{name}",
        lambda t, x, w, y=target, o=options: t.nn.functional.linear_cross_entropy(
            x, w, t.tensor(y), **o
        ),
        *[f(*shape) for shape in shapes],
    )
case(
    "linear-cross-entropy-bias",
    lambda t, x, w, b, c: t.nn.functional.linear_cross_entropy(
        x, w, t.tensor([[0, 3], [2, 1]]), linear_bias=b, weight=c
    ),
    f(2, 3), f(4, 2, 3), f(4, 2), f(4, lo=0.5, grad=False),
)  # fmt: skip
case(
    "linear-cross-entropy-shares",
    lambda t, x, w, y: t.nn.functional.linear_cross_entropy(x, w, y),
    f(2, 3), f(4, 3), f(2, 4, lo=0, hi=1),
)  # fmt: skip
case(
    "linear-cross-entropy-ignored",
    lambda t, x, w, y: t.nn.functional.linear_cross_entropy(x, w, y, ignore_index=1),
    f(2, 3), f(4, 3), f(2, 4, lo=0, hi=1),
)  # fmt: skip
