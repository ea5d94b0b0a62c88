"""Bad input to operations: PyTorch's class and first line, and nothing changed."""

import warnings

from ._harness import ABSENT, STRAY, differs, each


def _x(torch):
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)


_SHAPES = {
    "add": lambda torch, x: x + torch.ones(2),
    "sub": lambda torch, x: x - torch.ones(2),
    "mul": lambda torch, x: x * torch.ones(4, 3),
    "div": lambda torch, x: x / torch.ones(2, 2),
    "pow": lambda torch, x: x ** torch.ones(5),
    "maximum": lambda torch, x: torch.maximum(x, torch.ones(2)),
    "where": lambda torch, x: torch.where(x > 0, x, torch.ones(2)),
    "eq": lambda torch, x: x == torch.ones(2),
    "gt": lambda torch, x: x > torch.ones(2),
    "atan2": lambda torch, x: torch.atan2(x, torch.ones(2)),
    "three_axes": lambda torch, x: x + torch.ones(2, 3, 2),
    "matmul": lambda torch, x: x @ x,
    "matmul_vector": lambda torch, x: x @ torch.ones(2),
    "vector_matmul": lambda torch, x: torch.ones(3) @ x,
    "matmul_scalar": lambda torch, x: x @ torch.tensor(1.0),
    "batched_matmul": lambda torch, x: torch.ones(2, 3, 4) @ torch.ones(3, 4, 5),
    "mm": lambda torch, x: torch.mm(x, x),
    "mm_of_a_vector": lambda torch, x: torch.mm(x, torch.ones(3)),
    "mv": lambda torch, x: torch.mv(x, torch.ones(2)),
    "bmm": lambda torch, x: torch.bmm(torch.ones(2, 3, 4), torch.ones(2, 3, 4)),
    "bmm_of_matrices": lambda torch, x: torch.bmm(x, x),
    "dot": lambda torch, x: torch.dot(torch.ones(2), torch.ones(3)),
    "dot_of_matrices": lambda torch, x: torch.dot(x, x),
    "outer": lambda torch, x: torch.outer(x, x),
    "cat": lambda torch, x: torch.cat([x, torch.ones(2, 2)]),
    "cat_other_rank": lambda torch, x: torch.cat([x, torch.ones(3)]),
    "cat_nothing": lambda torch, x: torch.cat([]),
    "cat_of_0d": lambda torch, x: torch.cat([torch.tensor(1.0)]),
    "stack": lambda torch, x: torch.stack([x, torch.ones(3)]),
    "stack_nothing": lambda torch, x: torch.stack([]),
    "reshape": lambda torch, x: x.reshape(4, 2),
    "reshape_minus_one": lambda torch, x: x.reshape(-1, 4),
    "reshape_two_minus_ones": lambda torch, x: x.reshape(-1, -1),
    "reshape_minus_two": lambda torch, x: x.reshape(-2, 3),
    "view": lambda torch, x: x.view(7),
    "view_of_a_transpose": lambda torch, x: x.t().view(6),
    "expand": lambda torch, x: x.expand(2, 4),
    "expand_fewer": lambda torch, x: x.expand(3),
    "broadcast_to": lambda torch, x: torch.broadcast_to(x, (3, 3)),
    "permute": lambda torch, x: x.permute(0),
    "permute_twice": lambda torch, x: x.permute(0, 0),
    "transpose": lambda torch, x: x.transpose(0, 2),
    "t_of_three_axes": lambda torch, x: torch.ones(2, 2, 2).t(),
    "unsqueeze": lambda torch, x: x.unsqueeze(4),
    "squeeze": lambda torch, x: x.squeeze(2),
    "flatten": lambda torch, x: x.flatten(1, 0),
    "split": lambda torch, x: x.split([1, 2]),
    "chunk": lambda torch, x: x.chunk(0),
    "einsum": lambda torch, x: torch.einsum("ij,jk->ik", x, x),
    "einsum_operands": lambda torch, x: torch.einsum("ij,jk->ik", x),
    "einsum_rank": lambda torch, x: torch.einsum("ijk->i", x),
    "diag": lambda torch, x: torch.diag(torch.ones(2, 2, 2)),
    "trace": lambda torch, x: torch.trace(torch.ones(2)),
    "tril": lambda torch, x: torch.tril(torch.ones(2)),
}


@each(op=list(_SHAPES))
def shapes_that_do_not_fit(torch, log, op):
    x = _x(torch)
    with log.raises("raises"):
        _SHAPES[op](torch, x)


_AXES = {
    "sum": lambda x: x.sum(2),
    "sum_negative": lambda x: x.sum(-3),
    "sum_tuple": lambda x: x.sum((0, 5)),
    "sum_twice": lambda x: x.sum((0, 0)),
    "sum_float": lambda x: x.sum(1.0),
    "sum_string": lambda x: x.sum("rows"),
    "mean": lambda x: x.mean(2),
    "prod": lambda x: x.prod(2),
    "max": lambda x: x.max(2),
    "amax": lambda x: x.amax(2),
    "argmax": lambda x: x.argmax(2),
    "logsumexp": lambda x: x.logsumexp(2),
    "softmax": lambda x: x.softmax(2),
    "softmax_missing": lambda x: x.softmax(),
    "cumsum": lambda x: x.cumsum(2),
    "cumsum_missing": lambda x: x.cumsum(),
    "var": lambda x: x.var(2),
    "flip": lambda x: x.flip(2),
    "index_select": lambda x: x.index_select(2, x.detach().argmax(1)),
    "size": lambda x: x.size(2),
    "unbind": lambda x: x.unbind(2),
    "movedim": lambda x: x.movedim(0, 3),
}


@each(op=list(_AXES))
def axes_that_do_not_exist(torch, log, op):
    x = _x(torch)
    with log.raises("raises"):
        _AXES[op](x)


_INDICES = {
    "too_large": lambda torch, x: x[2],
    "too_small": lambda torch, x: x[-3],
    "second_axis": lambda torch, x: x[0, 3],
    "too_many": lambda torch, x: x[0, 0, 0],
    "of_0d": lambda torch, x: x.sum()[0],
    "float": lambda torch, x: x[1.0],
    "string": lambda torch, x: x["a"],
    "negative_step": lambda torch, x: x[::-1],
    "zero_step": lambda torch, x: x[::0],
    "float_slice": lambda torch, x: x[0.5:1],
    "tensor_too_large": lambda torch, x: x[torch.tensor([0, 2])],
    "tensor_too_small": lambda torch, x: x[torch.tensor([-3])],
    "float_tensor": lambda torch, x: x[torch.tensor([0.0])],
    "mask_shape": lambda torch, x: x[torch.tensor([True, False, True])],
    "mask_rank": lambda torch, x: x[torch.ones(2, 3, 1, dtype=torch.bool)],
    "tensors_that_do_not_broadcast": lambda torch, x: x[
        torch.tensor([0, 1]), torch.tensor([0, 1, 2])
    ],
    "two_ellipses": lambda torch, x: x[..., ...],
    "gather_index_dtype": lambda torch, x: x.gather(1, torch.zeros(2, 1)),
    "gather_rank": lambda torch, x: x.gather(1, torch.tensor([0])),
    "gather_range": lambda torch, x: x.gather(1, torch.tensor([[3], [0]])),
    "index_select_range": lambda torch, x: x.index_select(0, torch.tensor([2])),
    "index_select_dtype": lambda torch, x: x.index_select(0, torch.tensor([0.0])),
    "select": lambda torch, x: x.select(0, 2),
    "narrow": lambda torch, x: x.narrow(1, 2, 2),
    "masked_select_dtype": lambda torch, x: x.masked_select(torch.ones(2, 3)),
    "masked_fill_dtype": lambda torch, x: x.masked_fill(torch.ones(2, 3), 0.0),
    "masked_fill_value": lambda torch, x: x.masked_fill(x > 0, "zero"),
    "take": lambda torch, x: x.take(torch.tensor([6])),
}


@each(index=list(_INDICES))
def indices_that_do_not_fit(torch, log, index):
    x = _x(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a string, PyTorch first says that it is a sequence
        log.attempt("outcome", lambda: _INDICES[index](torch, x))


_OPERANDS = {
    "add_string": lambda torch, x: x + "a",
    "radd_string": lambda torch, x: "a" + x,
    "sub_string": lambda torch, x: x - "a",
    "mul_string": lambda torch, x: x * "a",
    "div_none": lambda torch, x: x / None,
    "add_none": lambda torch, x: x + None,
    "radd_none": lambda torch, x: None + x,
    "pow_string": lambda torch, x: x ** "a",
    "add_list": lambda torch, x: x + [1.0, 2.0, 3.0],  # noqa: RUF005
    "add_dict": lambda torch, x: x + {},
    "add_object": lambda torch, x: x + object(),
    "matmul_number": lambda torch, x: x @ 2,
    "matmul_list": lambda torch, x: x @ [1, 2, 3],
    "rmatmul_number": lambda torch, x: 2 @ x,
    "lt_string": lambda torch, x: x < "a",
    "lt_none": lambda torch, x: x < None,
    "mod_string": lambda torch, x: x % "a",
    "floordiv_none": lambda torch, x: x // None,
    "and_float": lambda torch, x: x & x,
    "invert_float": lambda torch, x: ~x,
    "shift_float": lambda torch, x: x << 1,
    "neg_bool": lambda torch, x: -(x > 0),
    "sub_bool": lambda torch, x: (x > 0) - (x > 0),
    "rsub_bool": lambda torch, x: 1 - (x > 0),
    "torch_add_number_first": lambda torch, x: torch.add("a", x),
    "torch_exp_number": lambda torch, x: torch.exp(1.0),
    "torch_exp_none": lambda torch, x: torch.exp(None),
    "torch_exp_list": lambda torch, x: torch.exp([1.0]),
    "torch_exp_nothing": lambda torch, x: torch.exp(),
    "torch_exp_two": lambda torch, x: torch.exp(x, x),
    "torch_sin_keyword": lambda torch, x: torch.sin(x, dim=0),
    "torch_sum_number": lambda torch, x: torch.sum(1.0),
    "torch_matmul_number": lambda torch, x: torch.matmul(x, 2.0),
    "torch_maximum_number": lambda torch, x: torch.maximum(x, 2.0),
    "torch_where_number_condition": lambda torch, x: torch.where(1, x, x),
    "torch_where_float_condition": lambda torch, x: torch.where(x, x, x),
    "torch_cat_tensor": lambda torch, x: torch.cat(x),
    "torch_cat_numbers": lambda torch, x: torch.cat([1.0, 2.0]),
    "torch_stack_number": lambda torch, x: torch.stack(1.0),
    "clamp_nothing": lambda torch, x: x.clamp(),
    "clamp_string": lambda torch, x: x.clamp("a"),
    "sum_unknown_keyword": lambda torch, x: x.sum(axes=0),
    "mean_of_integers": lambda torch, x: torch.tensor([1, 2]).mean(),
    "var_of_integers": lambda torch, x: torch.tensor([1, 2]).var(),
    "norm_of_integers": lambda torch, x: torch.tensor([1, 2]).norm(),
    "integer_to_negative_power": lambda torch, x: torch.tensor([1, 2]) ** -1,
    "matmul_dtypes": lambda torch, x: x @ torch.ones(3, dtype=torch.float64),
    "matmul_int_float": lambda torch, x: x @ torch.tensor([1, 2, 3]),
    "dot_dtypes": lambda torch, x: torch.ones(2).dot(torch.ones(2, dtype=torch.float64)),
    "matmul_of_bools": lambda torch, x: torch.ones(2, 2, dtype=torch.bool) @ torch.ones(2, 2),
    "compare_complex": lambda torch, x: torch.tensor(1j) < torch.tensor(2j),
    "max_complex": lambda torch, x: torch.tensor([1j]).max(),
    "floor_complex": lambda torch, x: torch.tensor([1j]).floor(),
    "max_of_nothing": lambda torch, x: torch.zeros(0).max(),
    "amax_of_nothing": lambda torch, x: torch.zeros(0).amax(),
    "argmax_of_nothing": lambda torch, x: torch.zeros(0).argmax(),
    "min_dim_of_nothing": lambda torch, x: torch.zeros(0, 2).min(0),
    "unknown_attribute": lambda torch, x: x.gradient_please,
    "unknown_method": lambda torch, x: x.sinus(),
    "call": lambda torch, x: x(),
}


@each(op=list(_OPERANDS))
def operands_of_wrong_kind(torch, log, op):
    x = _x(torch)
    log.attempt("outcome", lambda: _OPERANDS[op](torch, x))


def a_failed_operation_changes_nothing(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    with log.raises("shape"):
        y.add_(torch.ones(3))
    with log.raises("dtype"):
        y.add_("a")
    log("y", y)
    log("version", y._version)
    y.sum().backward()
    log("grad", x.grad)


def a_failed_backward_changes_nothing(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * x
    with log.raises("no gradient"):
        y.backward()
    with log.raises("shape"):
        y.backward(torch.ones(3))
    with log.raises("inputs"):
        y.backward(torch.ones(2), inputs=[])
    log("grad", x.grad)
    y.backward(torch.ones(2))
    log("grad after all", x.grad)


def first_lines_name_the_call(torch, log):
    with log.raises("zeros"):
        torch.zeros("two")
    with log.raises("ones"):
        torch.ones(2, 2.5)
    with log.raises("negative size"):
        torch.zeros(-1)
    with log.raises("full without value"):
        torch.full((2,))
    with log.raises("full of a string"):
        torch.full((2,), "one")
    with log.raises("eye"):
        torch.eye(-1)
    with log.raises("eye of a float"):
        torch.eye(1.5)
    with log.raises("arange step zero"):
        torch.arange(0, 5, 0)
    with log.raises("arange wrong way"):
        torch.arange(5, 0)
    with log.raises("arange of nothing"):
        torch.arange()
    with log.raises("linspace without steps"):
        torch.linspace(0, 1)
    with log.raises("linspace negative steps"):
        torch.linspace(0, 1, -1)
    with log.raises("unknown keyword"):
        torch.zeros(2, shape=3)
    with log.raises("dtype of a string"):
        torch.zeros(2, dtype="float32")
    with log.raises("zeros_like of a list"):
        torch.zeros_like([1.0])
    with log.raises("randn of a string"):
        torch.randn("two")
    with log.raises("randint empty range"):
        torch.randint(5, 5, (2,))


@each(
    data=[
        ("ragged", [[1, 2], [3]]),
        ("ragged deeper", [[[1], [2]], [[1], [2, 3]]]),
        ("number beside list", [1, [2]]),
        ("list beside number", [[2], 1]),
        ("string", "abc"),
        ("list of strings", ["a"]),
        ("None", None),
        ("list of None", [None]),
        ("dict", {"a": 1}),
        ("set", {1}),
        ("object", object()),
        ("too large an integer", [2**63]),
        ("bytes", b"ab"),
    ]
)
def data_that_is_not_numeric(torch, log, data):
    with log.raises("tensor"):
        torch.tensor(data[1])
    with log.raises("as_tensor"):
        torch.as_tensor(data[1])


def tensor_without_data(torch, log):
    with log.raises("nothing"):
        torch.tensor()
    with log.raises("two positional"):
        torch.tensor([1.0], torch.float64)
    with log.raises("unknown keyword"):
        torch.tensor([1.0], shape=(1,))
    with log.raises("dtype of a string"):
        torch.tensor([1.0], dtype="float64")
    with log.raises("dtype of a Python type"):
        torch.tensor([1.0], dtype=str)


def item_and_conversions(torch, log):
    x = _x(torch)
    with log.raises("item of many"):
        x.item()
    with log.raises("item of none"):
        torch.zeros(0).item()
    with log.raises("bool of many"):
        bool(x.detach())
    with log.raises("float of many"):
        float(x.detach())
    with log.raises("int of many"):
        int(x.detach())
    with log.raises("len of 0-d"):
        len(x.sum())
    with log.raises("iteration over 0-d"):
        list(x.sum())
    with log.raises("index of a float"):
        range(3)[torch.tensor(1.0)]
    with log.raises("int of nan"):
        int(torch.tensor(float("nan")))
    with log.raises("float of complex"):
        float(torch.tensor(1j))
    with log.raises("numpy of a tensor with grad"):
        x.numpy()
    with log.raises("hash is by identity, not a set of values"):
        {torch.tensor(1): "a"}[torch.tensor(1)]


def default_dtype_errors(torch, log):
    with log.raises("integer"):
        torch.set_default_dtype(torch.int64)
    log.attempt("string", lambda: torch.set_default_dtype("float32"))
    log.attempt("Python type", lambda: torch.set_default_dtype(float))
    log("still", torch.get_default_dtype())


def conversion_errors(torch, log):
    x = torch.tensor([1.5])
    with log.raises("to a string"):
        x.to("float99")
    log.attempt("to nothing", lambda: x.to())
    with log.raises("type of nonsense"):
        x.type("nonsense")
    with log.warns("complex to real warns"):
        log("real part", torch.tensor([1 + 2j]).float())


@each(kind=["int", "bool", "float", "mixed"], beta=[1, 2.5, True], alpha=[2, 2.5, False, 2j])
def factors_of_addr(torch, log, kind, beta, alpha):
    v = torch.arange(2)
    m = torch.ones(2, 2) if kind in ("float", "mixed") else torch.ones(2, 2, dtype=torch.int64)
    v = v.float() if kind == "float" else v > 0 if kind == "bool" else v
    m = m > 0 if kind == "bool" else m
    log.attempt("addr", lambda: torch.addr(m, v, v, beta=beta, alpha=alpha))


def lists_in_the_place_of_tensors(torch, log):
    a, b = torch.ones(2), torch.ones(1)
    for name in ("broadcast_tensors", "cartesian_prod"):
        f = getattr(torch, name)
        with log.raises(f"{name} of a list"):
            f([a, b])
        with log.raises(f"{name} of a tuple"):
            f((a, b))
        with log.raises(f"{name} of a number"):
            f(a, 3)
    log("nothing", torch.broadcast_tensors())


def sums_of_products_of_integers(torch, log):
    i = torch.arange(1, 3)
    x = torch.ones(2)
    for name, operands in {
        "of integers": (i, i, i), "to floats": (x, i, i), "of one": (i, x, i),
        "of the other": (i, i, x), "of masks": (i > 1, i > 1, i > 1),
    }.items():  # fmt: skip
        log.attempt(f"addcdiv {name}", lambda operands=operands: torch.addcdiv(*operands))
        log.attempt(f"addcmul {name}", lambda operands=operands: torch.addcmul(*operands))
    log.attempt("lerp", lambda: torch.lerp(i, i, 0.5))
    log.attempt("lerp by 1", lambda: torch.lerp(i, i, 1))
    log.attempt("lerp by integers", lambda: torch.lerp(i, i, i))
    log.attempt("lerp of masks", lambda: torch.lerp(i > 1, i > 1, 0.5))


def norms_of_a_truth_value(torch, log):
    x = torch.tensor([3.0, -4.0, 0.0])
    log("norm", [x.norm(p=True), x.norm(p=False), torch.norm(x, p=True)])
    log("vector_norm", torch.linalg.vector_norm(x, True))


def complex_views_of_odd_places(torch, log):
    x = torch.arange(12.0)
    log("even", torch.view_as_complex(x[2:6].view(2, 2)))
    for name, part in {
        "odd": x[1:5].view(2, 2), "stride": x[:9].view(3, 3)[:, :2], "last": x.view(2, 6).t(),
    }.items():  # fmt: skip
        with log.raises(name):
            torch.view_as_complex(part)


@each(mode=["circular", "reflect", "replicate"], before=[-3, -1, 0, 1], behind=[-2, 0, 1])
def padding_by_less_than_nothing(torch, log, mode, before, behind):
    x = torch.arange(1.0, 5.0).view(1, 4)
    log.attempt("pad", lambda: torch.nn.functional.pad(x, (before, behind), mode=mode))


@differs(
    "of several errors in one pass, the order is that of the formula",
    {
        "two changed": {
            "raises": "RuntimeError",
            "message": "one of the variables needed for gradient computation has been modified by "
            "an inplace operation: [torch.FloatTensor [2]], which is output 0 of Exp, is at "
            "version 1; expected version 0 instead. Hint: enable anomaly detection to find the "
            "operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False).",
        }
    },
)
def two_values_changed(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    a, b = x.exp(), x.sigmoid()
    c, d = a * 1, b * 1
    b.add_(1)
    a.add_(1)
    with log.raises("two changed"):
        (c + d).sum().backward()


@differs(
    "a graph that was freed is found before anything runs",
    {
        "hook": [],
        "leaf": None,
    },
)
def a_leaf_beside_what_was_freed(torch, log):
    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    seen = []
    y = x.exp()
    y.sum().backward()
    z = x.sin()
    z.register_hook(lambda g: seen.append("called"))
    with log.raises("second"):
        (z * w + y * 3).sum().backward()
    log("hook", seen)
    log("leaf", w.grad)


@differs(
    "a type has one name",
    {
        "a number": {
            "raises": "RuntimeError",
            "message": "result type Float can't be cast to the desired output type Long",
        }
    },
)
def casts_that_clamp_refuses(torch, log):
    x = torch.tensor([1, 2])
    log.attempt("a number", lambda: x.clamp_min_(1.5))
    log.attempt("a tensor", lambda: x.clamp_min_(torch.tensor([1.5])))


_LEAF_IN_PLACE = {
    "raises": "RuntimeError",
    "message": "a leaf Variable that requires grad is being used in an in-place operation.",
}


@differs(
    "a leaf is not overwritten, and that is looked at first",
    {"not": _LEAF_IN_PLACE, "and": _LEAF_IN_PLACE, "float_power": _LEAF_IN_PLACE},
)
def truth_values_written_to_a_leaf(torch, log):
    x = torch.ones(2, requires_grad=True)
    log.attempt("not", lambda: x.clone().detach().requires_grad_().logical_not_())
    log.attempt("and", lambda: x.clone().detach().requires_grad_().logical_and_(torch.ones(2)))
    log.attempt("float_power", lambda: x.float_power_(2))


@differs("numbers are refused before a function warns", {STRAY: ABSENT})
def a_number_where_functional_reads_an_attribute(torch, log):
    f, x, i = torch.nn.functional, torch.rand(1, 2, 4, 4), torch.zeros(1, 2, 4, dtype=torch.int64)
    names = "mse_loss l1_loss smooth_l1_loss huber_loss binary_cross_entropy"
    for name in (*names.split(), "binary_cross_entropy_with_logits"):
        loss = getattr(f, name)
        log.attempt(name, lambda loss=loss: loss(1.0, x))
        log.attempt(f"{name} of targets", lambda loss=loss: loss(x, None))
    log.attempt("MSELoss", lambda: torch.nn.MSELoss()(x, [1.0]))
    log.attempt("ranking", lambda: f.margin_ranking_loss(x, x, 1.0))
    log.attempt("distance", lambda: f.triplet_margin_with_distance_loss(x, 1.0, x))
    for name in [
        "glu",
        "tanhshrink",
        "softsign",
        "normalize",
        "dropout1d",
        "dropout2d",
        "dropout3d",
    ]:
        log.attempt(name, lambda name=name: getattr(f, name)(1.0))
    for name in ["softmax", "log_softmax", "group_norm", "instance_norm", "local_response_norm"]:
        options = {"softmax": {"dim": 0}, "log_softmax": {"dim": 0}, "instance_norm": {}}
        given = options.get(name, {"num_groups": 1} if name == "group_norm" else {"size": 1})
        log.attempt(name, lambda name=name, given=given: getattr(f, name)(1.0, **given))
    for name in ["interpolate", "upsample", "upsample_nearest", "upsample_bilinear"]:
        log.attempt(name, lambda name=name: getattr(f, name)(1.0, scale_factor=2))
    for name in ("adaptive_avg_pool2d", "adaptive_avg_pool3d"):
        log.attempt(name, lambda name=name: getattr(f, name)(1.0, 2))
    for name in ("lp_pool1d", "lp_pool2d", "lp_pool3d"):
        log.attempt(name, lambda name=name: getattr(f, name)(1.0, 2, 2))
    log.attempt("max_unpool1d", lambda: f.max_unpool1d(1.0, i, 2))
    log.attempt("affine_grid", lambda: f.affine_grid(1.0, (1, 1, 2, 2)))
    log.attempt("softmin", lambda: f.softmin(1.0, dim=0))
    log.attempt("embedding_bag", lambda: f.embedding_bag(1, 1))
    log.attempt("embedding_bag of a table", lambda: f.embedding_bag(i[0], 1.0))
    log.attempt("gaussian_nll_loss", lambda: f.gaussian_nll_loss(1.0, 1.0, 1.0))
    log.attempt("gaussian_nll_loss of variances", lambda: f.gaussian_nll_loss(1.0, x, x))


def losses_of_tensors_and_a_number(torch, log):
    f, x = torch.nn.functional, torch.tensor([[1.0, 2.0]])
    log("gaussian_nll_loss", f.gaussian_nll_loss(x, 1.0, torch.tensor([[1.0, 4.0]])))
    log("gaussian_nll_loss of one variance", f.gaussian_nll_loss(x, 1.0, 2.0))
    log("multilabel_soft_margin_loss", f.multilabel_soft_margin_loss(x, 1.0))


@differs(
    "dropout2d does not tell of a change that is planned",
    {
        STRAY: [
            {
                "warns": "UserWarning",
                "message": "input's size at dim=0 does not match num_features. You can silence "
                "this warning by not passing in num_features, which is not used because "
                "affine=False",
            }
        ]
    },
)
def shapes_and_dtypes_that_do_not_fit(torch, log):
    f, ones, eye = torch.nn.functional, torch.ones, torch.eye(3)
    for name in ("dropout1d", "dropout2d", "alpha_dropout", "feature_alpha_dropout"):
        call = getattr(f, name)
        log.attempt(name, lambda call=call: call(ones(2, 3, 4, 4).long()[0], 0.5, True))
        log(f"{name} of nothing", call(ones(2, 3, 4, 4).long()[0], 0.0, True).dtype)
    lstsq = torch.linalg.lstsq
    log.attempt("lstsq of more", lambda: lstsq(eye, ones(2, 3, 3)))
    log.attempt("lstsq of fewer", lambda: lstsq(ones(2, 3, 3), ones(3)))
    log("lstsq of vectors", lstsq(eye.repeat(2, 1, 1), ones(2, 3)).solution)
    log.attempt("unfold (3, 3)", lambda: f.unfold(ones(3, 3), 2))
    log.attempt("baddbmm", lambda: torch.baddbmm(ones(1), ones(2, 2), ones(2, 2)))
    for name, layer in {"LSTM": torch.nn.LSTM(3, 2), "GRU": torch.nn.GRU(3, 2)}.items():
        log.attempt(name, lambda layer=layer: layer(ones(0, 3)))
    log("no samples", [f.group_norm(ones(0, 4), 2).shape, f.group_norm(ones(0, 4, 2), 1).shape])
    log("no samples of instances", torch.nn.InstanceNorm1d(3)(ones(0, 3)).shape)


def gpus_that_there_are_not(torch, log):
    x = torch.ones(2)
    for name, device in {"none": None, "a number": 1, "a name": "cuda", "cuda:1": "cuda:1"}.items():
        log.attempt(name, lambda device=device: x.cuda(device))
        log.attempt(f"to {name}", lambda device=device: x.to(device or "cuda"))
