"""Forward mode: dual levels, what moves, views and changes in place, both modes together."""

from ._harness import differs, each


def _mode(torch):
    return torch.autograd.forward_ad


def _vector(torch, *values, **keywords):
    return torch.tensor(list(values), dtype=torch.float64, **keywords)


def _dual(torch, values=(1.0, 2.0), tangent=(3.0, 4.0)):
    return _mode(torch).make_dual(_vector(torch, *values), _vector(torch, *tangent))


def _log_dual(torch, log, label, x):
    primal, tangent = _mode(torch).unpack_dual(x)
    log.gradient(f"{label}: primal", primal)
    log.gradient(f"{label}: tangent", tangent)


# ---------------------------------------------------------------- levels


def making_a_dual_without_a_level(torch, log):
    with log.raises("make_dual"):
        _dual(torch)


def unpacking_without_a_level(torch, log):
    found = _mode(torch).unpack_dual(_vector(torch, 1.0))
    log("type", type(found))
    log("fields", list(found._fields))
    log("primal", found.primal)
    log("tangent", found.tangent)


def exiting_without_a_level(torch, log):
    with log.raises("exit"):
        _mode(torch).exit_dual_level()


def levels_are_numbered_from_zero(torch, log):
    mode = _mode(torch)
    log("enter", mode.enter_dual_level())
    log("exit", mode.exit_dual_level())
    log("enter again", mode.enter_dual_level())
    log("exit by number", mode.exit_dual_level(level=0))
    with mode.dual_level() as level:
        log("as", level)


def levels_do_not_nest(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        with log.raises("enter"):
            mode.enter_dual_level()
        with log.raises("with"), mode.dual_level():
            pass
        _log_dual(torch, log, "the outer level is intact", _dual(torch).exp())


def exiting_another_level(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        with log.raises("level 3"):
            mode.exit_dual_level(level=3)
        with log.raises("level -1"):
            mode.exit_dual_level(level=-1)
        log("still entered", mode.unpack_dual(_dual(torch) * 1).tangent)


def the_level_is_left_when_the_block_raises(torch, log):
    mode = _mode(torch)
    with log.raises("the error of the block"), mode.dual_level():
        raise ValueError("of the block")
    log("enter", mode.enter_dual_level())
    mode.exit_dual_level()


def levels_by_other_numbers(torch, log):
    mode = _mode(torch)
    x, t = _vector(torch, 1.0), _vector(torch, 2.0)
    with mode.dual_level():
        with log.raises("make_dual at 1"):
            mode.make_dual(x, t, level=1)
        with log.raises("make_dual at -1"):
            mode.make_dual(x, t, level=-1)
        with log.raises("unpack_dual at 5"):
            mode.unpack_dual(mode.make_dual(x, t), level=5)
        log("unpack_dual at -1", mode.unpack_dual(x, level=-1).tangent)
        log("make_dual at 0", mode.unpack_dual(mode.make_dual(x, t, level=0), level=0).tangent)


def tangents_end_with_their_level(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch)
        y = x * x
    log("x", mode.unpack_dual(x).tangent)
    log("y", mode.unpack_dual(y).tangent)
    with mode.dual_level():
        log("x, at the next level", mode.unpack_dual(x).tangent)
        log("y, at the next level", mode.unpack_dual(y).tangent)
        log("x * x", mode.unpack_dual(x * x).tangent)
        log("x moves anew", mode.unpack_dual(mode.make_dual(x, y)).tangent)


def a_decorated_function(torch, log):
    mode = _mode(torch)

    @mode.dual_level()
    def slope(x):
        return mode.unpack_dual(mode.make_dual(x, torch.ones_like(x)).sin()).tangent

    log("first call", slope(_vector(torch, 0.0, 1.0)))
    log("second call", slope(_vector(torch, 2.0)))


def switched_off(torch, log):
    mode = _mode(torch)
    log("at first", mode._is_fwd_grad_enabled())
    with mode.dual_level():
        x = _dual(torch)
        with mode._set_fwd_grad_enabled(False):
            log("inside", mode._is_fwd_grad_enabled())
            y = x * x
            log("x inside", mode.unpack_dual(x).tangent)
        log("x", mode.unpack_dual(x).tangent)
        log("y", mode.unpack_dual(y).tangent)
        log("x * x", mode.unpack_dual(x * x).tangent)
    log("at last", mode._is_fwd_grad_enabled())


# ---------------------------------------------------------------- making and unpacking


def a_dual_and_its_parts(torch, log):
    mode = _mode(torch)
    x, t = _vector(torch, 1.0, 2.0), _vector(torch, 3.0, 4.0)
    with mode.dual_level():
        d = mode.make_dual(x, t)
        log("type", type(d))
        log("dual", d)
        primal, tangent = mode.unpack_dual(d)
        log("primal", primal)
        log("tangent is the one given", tangent is t)
        log("shares memory", d.data_ptr() == x.data_ptr() and primal.data_ptr() == x.data_ptr())
        log("what it was made of does not move", mode.unpack_dual(x).tangent)
        log("the primal does not move", mode.unpack_dual(primal * 2).tangent)


def the_text_of_a_dual(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        d = mode.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
        log("dual", repr(d))
        log("result", repr(d * 2))
        r = torch.tensor([1.0, 2.0], requires_grad=True)
        log("with history", repr(mode.make_dual(r, torch.ones(2))))
        log("unpacked", repr(mode.unpack_dual(mode.make_dual(r, torch.ones(2)))))
    log("after the level", repr(d))


@each(primal=["int64", "bool", "float32"], tangent=["int64", "bool", "float32"])
def dtypes_that_cannot_move(torch, log, primal, tangent):
    mode = _mode(torch)
    x = torch.ones(2, dtype=getattr(torch, primal))
    t = torch.ones(2, dtype=getattr(torch, tangent))
    with mode.dual_level():
        log.attempt("make_dual", lambda: mode.unpack_dual(mode.make_dual(x, t)).tangent)


@each(shape=[(3,), (1,), (), (2, 1)])
def a_tangent_of_another_shape(torch, log, shape):
    mode = _mode(torch)
    with mode.dual_level(), log.raises("make_dual"):
        mode.make_dual(torch.ones(2), torch.ones(shape))


def what_is_no_tensor(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 1.0)
    with mode.dual_level():
        with log.raises("tangent None"):
            mode.make_dual(x, None)
        with log.raises("primal a number"):
            mode.make_dual(1.0, x)


def a_dual_of_a_dual(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        d = _dual(torch)
        with log.raises("primal moves"):
            mode.make_dual(d, _vector(torch, 1.0, 1.0))
        with log.raises("tangent moves"):
            mode.make_dual(_vector(torch, 1.0, 1.0), d)
        again = mode.make_dual(mode.unpack_dual(d).primal, _vector(torch, 5.0, 6.0))
        log("of its primal", mode.unpack_dual(again).tangent)
        log("the first one", mode.unpack_dual(d).tangent)


def a_tangent_laid_out_otherwise(torch, log):
    mode = _mode(torch)
    t = torch.arange(6.0).reshape(3, 2).t()
    with mode.dual_level():
        d = mode.make_dual(torch.ones(2, 3), t)
        tangent = mode.unpack_dual(d).tangent
        log("tangent", tangent)
        log("stride", tangent.stride())
        log("is a copy", tangent.data_ptr() != t.data_ptr())


def the_dtype_of_a_tangent_is_kept(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        d = mode.make_dual(torch.ones(2), torch.ones(2, dtype=torch.float64))
        log("float64 of float32", mode.unpack_dual(d).tangent)
        d = mode.make_dual(torch.ones(2), torch.ones(2, dtype=torch.complex64))
        log("complex of real", mode.unpack_dual(d).tangent)


def with_history(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 1.0, 2.0, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 3.0, 4.0))
        log("dual", d)
        primal, tangent = mode.unpack_dual(d)
        log("primal", primal)
        log("tangent", tangent)
        (g,) = torch.autograd.grad(primal.sum(), x)
        log("gradient through both", g)


# ---------------------------------------------------------------- what moves


_FUNCTIONS = {
    "add": lambda torch, x, y: x + y,
    "sub": lambda torch, x, y: x - 3 * y,
    "mul": lambda torch, x, y: x * y,
    "div": lambda torch, x, y: x / y,
    "pow": lambda torch, x, y: x**y,
    "number_power": lambda torch, x, y: 2.5**x,
    "exp_sin": lambda torch, x, y: (x * y).exp().sin(),
    "log1p": lambda torch, x, y: x.log1p() - y.log(),
    "where": lambda torch, x, y: torch.where(x > 1, x * x, y),
    "maximum": lambda torch, x, y: torch.maximum(x, y),
    "clamp": lambda torch, x, y: x.clamp(0.5, 1.5),
    "sum": lambda torch, x, y: (x * y).sum(),
    "mean": lambda torch, x, y: x.mean() + y,
    "prod": lambda torch, x, y: x.prod() * y.prod(),
    "std": lambda torch, x, y: x.std() + y.var(),
    "norm": lambda torch, x, y: x.norm() + y.norm(1),
    "softmax": lambda torch, x, y: (x + y).softmax(0),
    "logsumexp": lambda torch, x, y: (x - y).logsumexp(0),
    "cumsum": lambda torch, x, y: x.cumsum(0) * y,
    "cumprod": lambda torch, x, y: (x * y).cumprod(0),
    "max": lambda torch, x, y: x.max() + y.min(),
    "sort": lambda torch, x, y: (x * -1).sort().values * y,
    "matmul": lambda torch, x, y: torch.outer(x, y) @ x,
    "dot": lambda torch, x, y: x.dot(y),
    "stack": lambda torch, x, y: torch.stack([x, y, x * y]),
    "cat": lambda torch, x, y: torch.cat([x, torch.ones_like(y), y]),
    "index": lambda torch, x, y: x[[1, 0, 1]] * y[1:],
    "gather": lambda torch, x, y: x.gather(0, torch.tensor([1, 1, 0])),
    "flip": lambda torch, x, y: x.flip(0) * y,
    "masked_fill": lambda torch, x, y: x.masked_fill(y > 1, 0.0),
    "tril": lambda torch, x, y: torch.outer(x, y).tril(),
    "einsum": lambda torch, x, y: torch.einsum("i,j->ij", x, y),
    "relu": lambda torch, x, y: (x - 1.0).relu() + y.sigmoid(),
    "abs": lambda torch, x, y: (x - y).abs(),
    "float32": lambda torch, x, y: x.float() * y.float(),
}


@each(function=list(_FUNCTIONS))
def of_functions(torch, log, function):
    mode = _mode(torch)
    f = _FUNCTIONS[function]
    x, y = _vector(torch, 0.5, 1.25), _vector(torch, 2.0, 0.75)
    tx, ty = _vector(torch, 1.0, -2.0), _vector(torch, 0.5, 3.0)
    with mode.dual_level():
        for label, a, b in (
            ("both move", mode.make_dual(x, tx), mode.make_dual(y, ty)),
            ("the first moves", mode.make_dual(x, tx), y),
            ("the second moves", x, mode.make_dual(y, ty)),
            ("nothing moves", x, y),
        ):
            log(label, mode.unpack_dual(f(torch, a, b)).tangent)


@each(name=["floor", "ceil", "round", "trunc", "sign", "frac", "detach", "clone", "double", "int"])
def with_a_derivative_of_zero_or_none(torch, log, name):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch, (1.25, -2.5))
        log("tangent", mode.unpack_dual(getattr(x, name)()).tangent)


def what_has_no_tangent(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch)
        for label, y in (
            ("x > 1", x > 1),
            ("argmax", x.argmax()),
            ("ones_like", torch.ones_like(x)),
            ("zeros_like", torch.zeros_like(x)),
            ("data", x.data),
            ("max().indices", x.max(0).indices),
            ("isnan", torch.isnan(x)),
            ("shape", torch.tensor(x.shape)),
        ):
            log(label, mode.unpack_dual(y).tangent)
        log("max().values", mode.unpack_dual(x.max(0).values).tangent)


def values_that_leave(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch)
        log("item", x[0].item())
        log("tolist", x.tolist())
        log("float", float(x[1]))
        log("numpy", x.numpy())
        log("bool", bool(x[0] > 0))


def several_results(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch, (1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.0))
        for i, part in enumerate(x.chunk(2)):
            log(f"chunk {i}", mode.unpack_dual(part).tangent)
        for i, part in enumerate(x.unbind()):
            log(f"unbind {i}", mode.unpack_dual(part).tangent)
        values, indices = x.topk(2)
        log("topk values", mode.unpack_dual(values).tangent)
        log("topk indices", mode.unpack_dual(indices).tangent)
        var, mean = torch.var_mean(x)
        log("var", mode.unpack_dual(var).tangent)
        log("mean", mode.unpack_dual(mean).tangent)


@each(mode_name=["no_grad", "enable_grad", "inference_mode"])
def under_grad_modes(torch, log, mode_name):
    mode = _mode(torch)
    x = _vector(torch, 1.0, 2.0, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 3.0, 4.0))
        with getattr(torch, mode_name)():
            y = d * d
            log.gradient("tangent", mode.unpack_dual(y).tangent)
            log("requires_grad", y.requires_grad)


def complex_numbers(torch, log):
    mode = _mode(torch)
    x = torch.tensor([1 + 2j, -0.5 + 1j], dtype=torch.complex128)
    t = torch.tensor([1j, 2 - 1j], dtype=torch.complex128)
    with mode.dual_level():
        d = mode.make_dual(x, t)
        log("d * d", mode.unpack_dual(d * d).tangent)
        log("abs", mode.unpack_dual(d.abs()).tangent)
        log("real", mode.unpack_dual(d.real).tangent)
        log("imag", mode.unpack_dual(d.imag).tangent)
        log("conj product", mode.unpack_dual(d.conj() * d).tangent)
        log("angle", mode.unpack_dual(d.angle()).tangent)
        log("exp", mode.unpack_dual(d.exp()).tangent)
        log("view_as_real", mode.unpack_dual(torch.view_as_real(d)).tangent)
        r = mode.make_dual(x.real.clone(), t.imag.clone())
        log("real times complex", mode.unpack_dual(r * d).tangent)
        log("polar", mode.unpack_dual(torch.polar(r.abs(), r)).tangent)


def scalars_and_empty_tensors(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        s = mode.make_dual(torch.tensor(2.0), torch.tensor(1.0))
        log("0-d", mode.unpack_dual(s**3).tangent)
        e = mode.make_dual(torch.ones(0, 3), torch.ones(0, 3))
        log("empty", mode.unpack_dual(e.exp()).tangent)
        log("sum of nothing", mode.unpack_dual(e.sum()).tangent)
        log("broadcast", mode.unpack_dual(s + torch.ones(2, 1)).tangent)


def a_long_chain(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = mode.make_dual(
            torch.tensor(0.0, dtype=torch.float64), torch.tensor(1.0, dtype=torch.float64)
        )
        for _ in range(3000):
            x = x + x * 0.001
        log("tangent", mode.unpack_dual(x).tangent)


def copies(torch, log):
    import copy
    import pickle

    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch)
        log("copy", mode.unpack_dual(copy.copy(x)).tangent)
        log("deepcopy", mode.unpack_dual(copy.deepcopy(x)).tangent)
        log("pickle", mode.unpack_dual(pickle.loads(pickle.dumps(x))).tangent)
        log("still moves", mode.unpack_dual(x).tangent)


# ---------------------------------------------------------------- views


_VIEWS = {
    "slice": lambda x: x[1:],
    "element": lambda x: x[1, 0],
    "transpose": lambda x: x.t(),
    "reshape": lambda x: x.reshape(3, 2),
    "flatten": lambda x: x.view(-1),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "expand": lambda x: x.unsqueeze(0).expand(2, 2, 3),
    "diagonal": lambda x: x.diagonal(),
    "chain": lambda x: x.t()[1:].reshape(-1)[1:],
    "step": lambda x: x[:, ::2],
}


@each(view=list(_VIEWS))
def views_move_with_their_base(torch, log, view):
    mode = _mode(torch)
    x = torch.arange(6.0).reshape(2, 3)
    t = torch.arange(6.0).reshape(2, 3) * 10
    with mode.dual_level():
        y = _VIEWS[view](mode.make_dual(x, t))
        log("tangent", mode.unpack_dual(y).tangent)
        log("of the double", mode.unpack_dual(y * 2).tangent)


@each(view=["slice", "element", "transpose", "flatten", "diagonal", "step", "unsqueeze"])
def a_view_changed_in_place(torch, log, view):
    mode = _mode(torch)
    x = torch.arange(6.0).reshape(2, 3)
    t = torch.arange(6.0).reshape(2, 3) * 10
    with mode.dual_level():
        d = mode.make_dual(x, t)
        y = _VIEWS[view](d)
        y.mul_(3)
        log("view", mode.unpack_dual(y).tangent)
        log("base", mode.unpack_dual(d).tangent)
        log("the tangent given", t)


@each(view=["slice", "element", "transpose", "flatten", "diagonal", "step", "unsqueeze"])
def a_moving_value_written_into_a_view(torch, log, view):
    mode = _mode(torch)
    with mode.dual_level():
        base = torch.zeros(2, 3)
        seen_before = base[1]
        y = _VIEWS[view](base)
        y.add_(mode.make_dual(torch.tensor(1.0), torch.tensor(5.0)))
        log("view", mode.unpack_dual(y).tangent)
        log("base", mode.unpack_dual(base).tangent)
        log("another view", mode.unpack_dual(seen_before).tangent)
        log("a later view", mode.unpack_dual(base[0]).tangent)


def the_base_changed_after_the_view(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        base = torch.ones(3)
        view = base[1:]
        base.mul_(mode.make_dual(torch.arange(3.0), torch.ones(3)))
        _log_dual(torch, log, "view", view)
        view.mul_(2)
        _log_dual(torch, log, "base", base)


def a_view_of_what_a_dual_was_made_of(torch, log):
    mode = _mode(torch)
    x = torch.arange(3.0)
    view = x[1:]
    with mode.dual_level():
        d = mode.make_dual(x, torch.ones(3))
        log("x[1:]", mode.unpack_dual(view).tangent)
        d.mul_(3)
        log("x", x)
        log("x[1:] afterwards", mode.unpack_dual(view).tangent)
        log("d", mode.unpack_dual(d).tangent)


def a_view_of_an_unpacked_primal(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        d = _dual(torch)
        primal = mode.unpack_dual(d).primal
        view = primal[0:1]
        log("view", mode.unpack_dual(view).tangent)
        view.mul_(_dual(torch)[1:])
        log("view changed", mode.unpack_dual(view).tangent)
        log("primal", mode.unpack_dual(primal).tangent)


# ---------------------------------------------------------------- in place


_CHANGES = {
    "add": lambda torch, x, y: x.add_(y),
    "mul": lambda torch, x, y: x.mul_(y),
    "div": lambda torch, x, y: x.div_(y),
    "operator": lambda torch, x, y: x.__iadd__(y * 2),
    "exp": lambda torch, x, y: x.exp_(),
    "pow": lambda torch, x, y: x.pow_(2),
    "zero": lambda torch, x, y: x.zero_(),
    "fill": lambda torch, x, y: x.fill_(3.0),
    "fill_tensor": lambda torch, x, y: x.fill_(y[0]),
    "copy": lambda torch, x, y: x.copy_(y),
    "clamp": lambda torch, x, y: x.clamp_(1.2, 9),
    "masked_fill": lambda torch, x, y: x.masked_fill_(torch.tensor([True, False]), 7.0),
    "item": lambda torch, x, y: x.__setitem__(0, y[1]),
    "slice": lambda torch, x, y: x.__setitem__(slice(None), y),
    "number_item": lambda torch, x, y: x.__setitem__(1, 9.0),
    "mask_item": lambda torch, x, y: x.__setitem__(torch.tensor([False, True]), y[0]),
    "list_item": lambda torch, x, y: x.__setitem__([1, 0], y),
    "index_add": lambda torch, x, y: x.index_add_(0, torch.tensor([1, 1]), y),
    "scatter": lambda torch, x, y: x.scatter_(0, torch.tensor([1, 0]), y),
    "index_put": lambda torch, x, y: x.index_put_((torch.tensor([0]),), y[1], accumulate=True),
    "addcmul": lambda torch, x, y: x.addcmul_(y, y),
    "cumsum": lambda torch, x, y: x.cumsum_(0),
    "twice": lambda torch, x, y: x.mul_(y).add_(x),
}


@each(change=["t", "unsqueeze", "squeeze", "transpose"])
def changes_of_shape_in_place(torch, log, change):
    mode = _mode(torch)
    x = torch.arange(3.0).reshape(1, 3)
    with mode.dual_level():
        y = mode.make_dual(x, x * 10) * 1
        arguments = {"unsqueeze": (0,), "transpose": (0, 1)}.get(change, ())
        getattr(y, f"{change}_")(*arguments)
        log("tangent", mode.unpack_dual(y).tangent)
        y.mul_(2)
        log("twice", mode.unpack_dual(y).tangent)


@each(change=list(_CHANGES))
def changes_in_place(torch, log, change):
    mode = _mode(torch)
    f = _CHANGES[change]
    tangent = _vector(torch, 0.5, 3.0)
    with mode.dual_level():
        for label, x_moves, y_moves in (
            ("both move", True, True),
            ("it moves", True, False),
            ("the other moves", False, True),
            ("nothing moves", False, False),
        ):
            x, y = _vector(torch, 0.5, 1.25), _vector(torch, 2.0, 0.75)
            tx = _vector(torch, 1.0, -2.0)
            if x_moves:
                x = mode.make_dual(x, tx)
            if y_moves:
                y = mode.make_dual(y, tangent)
            f(torch, x, y)
            _log_dual(torch, log, label, x)


@differs(
    "PyTorch reads the tangent while it writes it: the derivative of x * x is 2 * x",
    {
        "tangent": {
            "tensor": [1.0, -5.0],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        }
    },
)
def a_tensor_multiplied_by_itself_in_place(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _dual(torch, (0.5, 1.25), (1.0, -2.0))
        x.mul_(x)
        log("tangent", mode.unpack_dual(x).tangent)


@each(records=[False, True])
def a_change_in_place_reaches_the_tangent_that_was_given(torch, log, records):
    mode = _mode(torch)
    t = _vector(torch, 3.0, 4.0)
    with mode.dual_level():
        x = _vector(torch, 1.0, 2.0, requires_grad=records)
        d = mode.make_dual(x * 1, t)
        d.mul_(2)
        log("given", t.detach())
        log("same object", mode.unpack_dual(d).tangent is t)


@differs(
    "PyTorch has changed the value before it refuses to change the tangent",
    {
        "tangent": {
            "tensor": [3 * 0.5403023058681398, 4 * -0.4161468365471424],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": True,
            "grad_fn": True,
        },
        "gradient of the tangent with respect to the tangent": {
            "tensor": [0.5403023058681398, -0.4161468365471424],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": None,
        },
    },
)
def a_tangent_that_is_a_leaf(torch, log):
    mode = _mode(torch)
    t = _vector(torch, 3.0, 4.0, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(_vector(torch, 1.0, 2.0), t)
        with log.raises("in place"):
            d.mul_(2)
        y = mode.unpack_dual(d.sin()).tangent
        log.gradient("tangent", y)
        (g,) = torch.autograd.grad(y.sum(), t)
        log("gradient of the tangent with respect to the tangent", g)


def a_change_without_record(torch, log):
    mode = _mode(torch)
    with mode.dual_level():
        x = _vector(torch, 1.0, 2.0, requires_grad=True)
        with torch.no_grad():
            x.mul_(_dual(torch))
        _log_dual(torch, log, "x", x)


@each(change=["add a number", "multiply by a dual"])
def a_change_of_a_part_without_record(torch, log, change):
    mode = _mode(torch)
    with mode.dual_level():
        x = mode.make_dual(_vector(torch, 1.0, 2.0, requires_grad=True), _vector(torch, 3.0, 4.0))
        y = x * 2
        with torch.no_grad():
            if change == "add a number":
                y[1:] += 1
            else:
                y[1:] *= x[1:]
        log("values and tangent", (y.tolist(), mode.unpack_dual(y).tangent.tolist()))
        log("gradient", torch.autograd.grad(y.sum(), x)[0])


@each(function=["sin", "add"])
def results_written_to_out(torch, log, function):
    mode = _mode(torch)
    operands = {"sin": 1, "add": 2}[function]
    f = getattr(torch, function)
    with mode.dual_level():
        x = _dual(torch)
        with log.raises("the operand moves"):
            f(*[x] * operands, out=torch.empty(2, dtype=torch.float64))
        with log.raises("out moves"):
            f(*[_vector(torch, 1.0, 2.0)] * operands, out=x)


# ---------------------------------------------------------------- both modes


def forward_over_reverse(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = (d**3 * d.flip(0)).sum()
        log.gradient("y", mode.unpack_dual(y).tangent)
        (g,) = torch.autograd.grad(y, x)
        log.gradient("gradient", mode.unpack_dual(g).primal)
        log.gradient("Hessian times tangent", mode.unpack_dual(g).tangent)


def forward_over_reverse_over_a_graph(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = (d**3 * d.flip(0)).sum()
        (g,) = torch.autograd.grad(y, d, create_graph=True)
        product = mode.unpack_dual(g).tangent
        log.gradient("Hessian times tangent", product)
        (third,) = torch.autograd.grad(product.sum(), x)
        log.gradient("its gradient", third)


@differs(
    "what is accumulated moves as the sum does; PyTorch forgets the first tangent",
    {
        "its tangent": {
            "tensor": [4.121803176750321, -22.68722922350197],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": False,
        },
        "the tangent then": {
            "tensor": [8.243606353500642, -45.37445844700394],
            "shape": [2],
            "dtype": "float64",
            "requires_grad": False,
            "grad_fn": False,
        },
    },
)
def forward_over_backward(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        (d.exp() * d).sum().backward()
        log.gradient("x.grad", mode.unpack_dual(x.grad).primal)
        log.gradient("its tangent", mode.unpack_dual(x.grad).tangent)
        (d.exp() * d).sum().backward()
        log.gradient("added to", mode.unpack_dual(x.grad).primal)
        log.gradient("the tangent then", mode.unpack_dual(x.grad).tangent)
        x.grad = None
        (d.exp() * d).sum().backward(create_graph=True)
        log.gradient("tangent under create_graph", mode.unpack_dual(x.grad).tangent)


def reverse_over_forward(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    t = _vector(torch, 1.0, -2.0, requires_grad=True)
    with mode.dual_level():
        y = mode.make_dual(x, t).sin().cumsum(0)
        tangent = mode.unpack_dual(y).tangent
    for name, wrt in (("x", x), ("t", t)):
        (g,) = torch.autograd.grad(tangent.sum(), wrt, retain_graph=True)
        log.gradient(f"gradient with respect to {name}", g)


def reverse_over_forward_in_place(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    t = _vector(torch, 1.0, -2.0, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, t * 1) * 1
        d.mul_(mode.make_dual(x * 2, t * 3))
        d[0] = d[1] * 3
        tangent = mode.unpack_dual(d).tangent
        log.gradient("tangent", tangent)
        for name, wrt in (("x", x), ("t", t)):
            (g,) = torch.autograd.grad(tangent.sum(), wrt, retain_graph=True)
            log.gradient(f"gradient with respect to {name}", g)


def a_tangent_may_be_part_of_a_graph(torch, log):
    mode = _mode(torch)
    w = _vector(torch, 2.0, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(_vector(torch, 1.5), w * w)
        y, t = mode.unpack_dual(d**3)
        log("the value has no history", y.requires_grad)
        (g,) = torch.autograd.grad(t, w)
        log("gradient", g)


def gradients_of_constants_move_not(torch, log):
    mode = _mode(torch)
    w = _vector(torch, 2.0, 3.0, requires_grad=True)
    with mode.dual_level():
        d = _dual(torch)
        (g,) = torch.autograd.grad((w * d).sum(), w)
        log("gradient", mode.unpack_dual(g).primal)
        log("moves as d does", mode.unpack_dual(g).tangent)
        (g,) = torch.autograd.grad((w * 2).sum(), w)
        log("of a function without d", mode.unpack_dual(g).tangent)


def moving_cotangents(torch, log):
    mode = _mode(torch)
    w = _vector(torch, 2.0, 3.0, requires_grad=True)
    with mode.dual_level():
        d = _dual(torch)
        (g,) = torch.autograd.grad(w * w, w, grad_outputs=d)
        log("gradient", mode.unpack_dual(g).primal)
        log("tangent", mode.unpack_dual(g).tangent)


def the_same_structure_at_other_values(torch, log):
    mode = _mode(torch)
    for k in range(7):
        with mode.dual_level():
            x = mode.make_dual(_vector(torch, 1.0 + k), _vector(torch, 1.0))
            log(f"run {k}", mode.unpack_dual((x * x * (0.01 + 0.01 * k)).tanh()).tangent)


def another_thread(torch, log):
    import threading

    mode = _mode(torch)
    seen = []
    with mode.dual_level():
        x = _dual(torch)

        def work():
            seen.append(mode._is_fwd_grad_enabled())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        log("enabled there", seen)
        log("here", mode.unpack_dual(x * 2).tangent)


# ---------------------------------------------------------------- with hooks and other modes


def _cubes(torch, log, prepare):
    """Log gradient and tangent of a sum of cubes, whose graph `prepare` does something to."""
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = d * d
        prepare(mode, x, d, y)
        for create_graph in (False, True):
            (g,) = torch.autograd.grad(
                (y * d).sum(), x, create_graph=create_graph, retain_graph=True
            )
            label = f"create_graph={create_graph}"
            log(f"{label}: gradient", mode.unpack_dual(g).primal.detach())
            tangent = mode.unpack_dual(g).tangent
            log(f"{label}: tangent", None if tangent is None else tangent.detach())


def a_hook_on_an_intermediate(torch, log):
    seen = []

    def prepare(mode, x, d, y):
        y.register_hook(lambda g: seen.append(mode.unpack_dual(g).tangent.detach()) or g * 2)

    _cubes(torch, log, prepare)
    log("tangents seen", seen)


def a_hook_on_a_leaf(torch, log):
    _cubes(torch, log, lambda mode, x, d, y: x.register_hook(lambda g: g.sin()) and None)


def hooks_on_nodes(torch, log):
    def prepare(mode, x, d, y):
        y.grad_fn.register_prehook(lambda gs: (gs[0] * 3,))
        y.grad_fn.register_hook(lambda gi, go: tuple(g + 1 for g in gi))

    _cubes(torch, log, prepare)


def saved_tensors_hooks(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    packed = []

    def pack(t):
        packed.append(1)
        return t

    with mode.dual_level(), torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = d.exp().sin()
        log("tangent", mode.unpack_dual(y).tangent.detach())
        (g,) = torch.autograd.grad(y.sum(), x)
        log("gradient", mode.unpack_dual(g).primal)
    log("something was packed", bool(packed))


def anomaly_mode(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with torch.autograd.detect_anomaly(check_nan=False), mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        (g,) = torch.autograd.grad((d.exp() * d).sum(), x)
        log("gradient", mode.unpack_dual(g).primal)
        log("tangent", mode.unpack_dual(g).tangent)


def retained_gradients(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = d * d
        y.retain_grad()
        (y * y).sum().backward()
        log("gradient", y.grad)
        log("x.grad", mode.unpack_dual(x.grad).primal)


def batches_of_cotangents(torch, log):
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        cotangents = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]], dtype=torch.float64)
        (g,) = torch.autograd.grad(d**3, x, cotangents, is_grads_batched=True)
        log("gradients", mode.unpack_dual(g).primal)
        log("tangents", mode.unpack_dual(g).tangent)


def checkpoints(torch, log):
    from importlib import import_module

    checkpoint = import_module(f"{torch.__name__}.utils.checkpoint").checkpoint
    mode = _mode(torch)
    x = _vector(torch, 0.5, 1.25, requires_grad=True)
    with mode.dual_level():
        d = mode.make_dual(x, _vector(torch, 1.0, -2.0))
        y = checkpoint(lambda d: d.exp().sin(), d, use_reentrant=False)
        log("tangent", mode.unpack_dual(y).tangent.detach())
        (g,) = torch.autograd.grad(y.sum(), x)
        log("gradient", mode.unpack_dual(g).primal)


@differs(
    "truth values have the tangent 0, in place, too",
    {
        "logical_and": {"tensor": [0.0, 0.0], "shape": [2], "dtype": "float64",
                        "requires_grad": False, "grad_fn": None},
    },
)  # fmt: skip
def truth_values_in_place(torch, log):
    with _mode(torch).dual_level():
        for label, other in (("number", 1.5), ("tensor", _vector(torch, 1.0, 3.0))):
            y = _dual(torch) * 1
            y.gt_(other)
            log(label, _mode(torch).unpack_dual(y).tangent)
        y = _dual(torch) * 1
        y.logical_and_(_vector(torch, 1.0, 0.0))
        log("logical_and", _mode(torch).unpack_dual(y).tangent)


@each(kind=["result", "dual", "view", "graph"])
def detached_in_place(torch, log, kind):
    with _mode(torch).dual_level():
        x = _dual(torch)
        y = {
            "result": x.clone,
            "dual": lambda: x,
            "view": lambda: x.clone()[:1],
            "graph": lambda: x * _vector(torch, 5.0, 6.0, requires_grad=True),
        }[kind]()
        log.attempt("detach_", lambda: y.detach_() is y)
        _log_dual(torch, log, "y", y)
        _log_dual(torch, log, "of it", 3 * y)
        y.mul_(x.clone()[: len(y)])
        _log_dual(torch, log, "moving again", y)
