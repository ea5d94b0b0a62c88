"""What programs say of mixed precision on a machine without a GPU, and factors of losses."""

import copy
import pickle

from ._harness import each

CALLS = {
    "autocast": lambda t: t.autocast("cuda"),
    "autocast of half": lambda t: t.amp.autocast("cuda", dtype=t.float16),
    "autocast by its old name": lambda t: t.cuda.amp.autocast(),
    "autocast by its old name, off": lambda t: t.cuda.amp.autocast(enabled=False),
    "autocast, off": lambda t: t.autocast("cpu", enabled=False),
    "autocast of float32": lambda t: t.autocast("cpu", dtype=t.float32),
    "autocast of a number": lambda t: t.autocast(3),
    "scaler": lambda t: t.amp.GradScaler(),
    "scaler by its old name": lambda t: t.cuda.amp.GradScaler(),
    "scaler, off": lambda t: t.amp.GradScaler("cuda", enabled=False),
    "forward by its old name": lambda t: t.cuda.amp.custom_fwd(cast_inputs=t.float32),
    "backward by its old name": lambda t: t.cuda.amp.custom_bwd(len),
}


@each(call=list(CALLS))
def warnings_and_errors(torch, log, call):
    with log.warns("warnings"):
        log.attempt("made", lambda: type(CALLS[call](torch)).__name__ != "")


def a_loop_for_gpus(torch, log):
    """As courses write it, run without one."""
    use = torch.cuda.is_available()
    layer = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=use)
    x, y = torch.ones(4, 2), torch.zeros(4, 1)
    for i in range(2):
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type="cuda", dtype=torch.float16, enabled=use):
            out = layer(x)
            loss = torch.nn.functional.mse_loss(out, y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
        log(f"step {i}", scaler.step(optimizer))
        scaler.update()
        log(f"loss {i}", loss)
    log("state", (scaler.state_dict(), scaler.get_scale(), scaler.is_enabled()))
    log("loaded", scaler.load_state_dict({}))
    log("itself", scaler.scale(loss) is loss)
    log("enabled", (torch.is_autocast_enabled(), torch.amp.is_autocast_available("cuda")))


def decorators(torch, log):
    @torch.autocast("cuda", enabled=False)
    def double(x):
        return 2 * x

    class Square(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float16)
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = torch.tensor(3.0, requires_grad=True)
    log("double", double(x))
    Square.apply(x).backward()
    log("grad", x.grad)
    log.attempt("device", lambda: torch.amp.custom_fwd(len, device_type=3))


def _scaled(torch, **options):
    w = torch.ones(2, requires_grad=True)
    options = {"init_scale": 4.0, "growth_interval": 2, **options}
    return w, torch.optim.SGD([w], lr=0.25), torch.amp.GradScaler("cpu", **options)


def factors_of_losses(torch, log):
    w, optimizer, scaler = _scaled(torch)
    for i, x in enumerate((1.0, 0.5, float("inf"), 1.0, -1.0, float("nan"), 2.0)):
        optimizer.zero_grad()
        loss = scaler.scale((w * x).sum())
        log(f"loss {i}", loss)
        loss.backward()
        if i % 2:
            scaler.unscale_(optimizer)
            log(f"gradient {i}", w.grad)
        log(f"step {i}", scaler.step(optimizer))
        scaler.update()
        log(f"weight {i}", w)
        log(f"state {i}", scaler.state_dict())
    scaler.update(8.0)
    log("given", scaler.get_scale())
    scaler.update(torch.tensor(2.0))
    log("given as a tensor", scaler.get_scale())
    log.attempt("two numbers", lambda: scaler.update(torch.ones(2)))
    log("copied", copy.deepcopy(scaler).get_scale())
    log("pickled", pickle.loads(pickle.dumps(scaler)).state_dict())


def several_losses(torch, log):
    _, _, scaler = _scaled(torch)
    one = torch.ones(1)
    log("list", scaler.scale([one, (one, one.double())]))
    log("iterator", list(scaler.scale(x for x in (one, 2 * one))))
    log("half", scaler.scale(torch.tensor(2.0, dtype=torch.float16)))
    log.attempt("number", lambda: scaler.scale(3.0))


def two_optimizers(torch, log):
    w, first, scaler = _scaled(torch)
    v = torch.ones(1, requires_grad=True)
    second = torch.optim.SGD([v], lr=0.5)
    scaler.scale((w * 2).sum() + (v * float("inf")).sum()).backward()
    scaler.step(first)
    scaler.step(second)
    scaler.update()
    log("weights", (w, v))
    log("factor", scaler.get_scale())


def order_of_calls(torch, log):
    w, optimizer, scaler = _scaled(torch)
    log.attempt("update first", lambda: scaler.update())
    log.attempt("step first", lambda: scaler.step(optimizer))
    log.attempt("unscale first", lambda: scaler.unscale_(optimizer))
    log.attempt("closure", lambda: scaler.step(optimizer, closure=lambda: 1.0))
    scaler.scale(w.sum()).backward()
    scaler.unscale_(optimizer)
    log.attempt("unscale twice", lambda: scaler.unscale_(optimizer))
    scaler.step(optimizer)
    log.attempt("step twice", lambda: scaler.step(optimizer))
    log.attempt("unscale late", lambda: scaler.unscale_(optimizer))
    scaler.update()
    log.attempt("update twice", lambda: scaler.update())
    optimizer.zero_grad()
    log.attempt("no gradients", lambda: scaler.step(optimizer))


def options_of_scalers(torch, log):
    def make(**options):
        return lambda: torch.amp.GradScaler("cpu", **options)

    log.attempt("growth", make(growth_factor=1.0))
    log.attempt("backoff", make(backoff_factor=1.0))
    scaler = torch.amp.GradScaler("cpu")
    log("at first", (scaler.state_dict(), scaler.is_enabled()))
    scaler.set_growth_factor(3.0)
    scaler.set_backoff_factor(0.25)
    scaler.set_growth_interval(7)
    log("changed", scaler.state_dict())
    log(
        "asked",
        (scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()),
    )
    other = torch.amp.GradScaler("cpu", init_scale=2.0)
    other.scale(torch.ones(1))
    other.load_state_dict(scaler.state_dict())
    log("loaded", other.state_dict())
    log.attempt("nothing", lambda: other.load_state_dict({}))


def gradients_of_half(torch, log):
    w = torch.ones(1, dtype=torch.float16, requires_grad=True)
    scaler = torch.amp.GradScaler("cpu")
    scaler.scale((w.float() * 2).sum()).backward()
    log.attempt("step", lambda: scaler.step(torch.optim.SGD([w], lr=0.1)))
