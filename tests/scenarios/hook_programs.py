"""Random graphs in which hooks, retained gradients and places to capture meet, up to second order.

Among the operations are those whose derivative reads the result in PyTorch, which whoever looks at
the gradient of the result sees at second order. Not among them are those whose masks have a history
here alone (`clamp`, `maximum`). Products have no factor of zero: PyTorch's derivative then reads
the factors alone. Roots are of positive numbers.

A program is drawn from its number: operations, hooks on tensors and on nodes that look at or change
gradients, results that retain theirs, what is differentiated, and with respect to what. All that
hooks are called with is compared, in order.
"""

import random

from ._harness import each


def _norm(x):
    return (x * x).sum().sqrt()


def _operations(torch):
    return [
        ("sin", lambda a, b: a.sin()),
        ("exp", lambda a, b: (a * 0.3).exp()),
        ("neg", lambda a, b: -a),
        ("square", lambda a, b: a * a),
        ("add", lambda a, b: a + b),
        ("mul", lambda a, b: a * b),
        ("sub", lambda a, b: a - 2 * b),
        ("relu", lambda a, b: a.relu()),
        ("linear", lambda a, b: a * 3 + 1),
        ("cos", lambda a, b: a.cos()),
        ("sum", lambda a, b: a.sum() * b),
        ("unbind", lambda a, b: (lambda parts: parts[0] * b + parts[1])(a.unbind())),
        ("split", lambda a, b: torch.cat(a.split(1)[::-1])),
        ("detach", lambda a, b: a.detach() + b),
        ("view", lambda a, b: a.view(2, 1).view(2)),
        ("where", lambda a, b: torch.where(a > b, a, b * 2)),
        ("div", lambda a, b: a / (b * b + 1)),
        ("abs", lambda a, b: a.abs()),
        ("leaky_relu", lambda a, b: torch.nn.functional.leaky_relu(a, 0.1)),
        ("amax", lambda a, b: a.amax(0) + b),
        ("sort", lambda a, b: a.sort()[0] * b),
        ("topk", lambda a, b: a.topk(2)[0] * b),
        ("cummax", lambda a, b: a.cummax(0)[0] * b),
        ("cumsum", lambda a, b: a.cumsum(0) * b),
        ("masked_fill", lambda a, b: a.masked_fill(b > 0, 0.5) * a),
        ("index", lambda a, b: a[[1, 0]] * b),
        ("gather", lambda a, b: a.gather(0, torch.tensor([1, 1])) * b),
        ("softmax", lambda a, b: a.softmax(0)),
        ("logsumexp", lambda a, b: a.logsumexp(0) * b),
        ("norm", lambda a, b: a.norm() * b),
        ("var", lambda a, b: a.var(0) * b),
        ("mean", lambda a, b: a.mean() * b),
        ("atan", lambda a, b: a.atan()),
        ("softplus", lambda a, b: torch.nn.functional.softplus(a)),
        ("pow", lambda a, b: a**3),
        ("outer", lambda a, b: torch.outer(a, b) @ a),
        ("dot", lambda a, b: a.dot(b) * a),
        ("atan2", lambda a, b: torch.atan2(a, b)),
        ("lerp", lambda a, b: torch.lerp(a, b, 0.3)),
        ("addcmul", lambda a, b: torch.addcmul(a, a, b, value=0.5)),
        ("round", lambda a, b: a.round() + b),
        ("sign", lambda a, b: a.sign() * b),
        ("remainder", lambda a, b: a.remainder(0.7)),
        ("expand", lambda a, b: a[0].expand(2) * b),
        ("stack", lambda a, b: torch.stack((a, b)).sum(0)),
        ("flip", lambda a, b: a.flip(0) * b),
        ("clone", lambda a, b: a.clone() * b),
        ("tanh", lambda a, b: a.tanh()),
        ("sigmoid", lambda a, b: a.sigmoid()),
        ("expm1", lambda a, b: (a * 0.3).expm1()),
        ("prod", lambda a, b: (lambda inner: (inner, inner * b))((a - 3.7).prod())),
        ("prod of rows", lambda a, b: torch.stack((a, b - 3.7)).sub(3.7).prod(0)),
        ("cumprod", lambda a, b: (a - 3.7).cumprod(0)),
        ("logsumexp itself", lambda a, b: torch.stack((a, b)).logsumexp(0)),
        ("log_softmax", lambda a, b: a.log_softmax(0)),
        ("norm of squares", lambda a, b: (a * a + b * b + 0.1).sqrt()),
        ("root of squares", lambda a, b: ((a * a).sum() + 0.1).sqrt() * b),
        ("norm by hand", lambda a, b: (lambda inner: (inner, inner * b))(_norm((a * 0.3).exp()))),
        ("total of exponentials", lambda a, b: (lambda inner: (inner, a - inner))(a.logsumexp(0))),
        ("log of exponentials", lambda a, b: (1 + a.exp()).log()),
        ("sinc", lambda a, b: a.tanh().sinc()),
        ("rsqrt", lambda a, b: (a * a + 1).rsqrt()),
        ("reciprocal", lambda a, b: (a * a + 1).reciprocal()),
        ("hypot", lambda a, b: torch.hypot(a, b * b + 1)),
        ("std", lambda a, b: torch.stack((a, b, a * b)).std(0)),
        ("exp2", lambda a, b: (a * 0.3).exp2()),
        ("tan", lambda a, b: (a * 0.3).tan()),
    ]


def _label(value):
    return (
        None
        if value is None
        else [round(v, 6) + 0.0 for v in (value.detach() + 0).flatten().tolist()]
    )


class _Drawn:
    """One random program, run with one of the two libraries."""

    def __init__(self, torch, seed):
        self.torch, self.draw = torch, random.Random(seed)
        self.calls = []
        self.values = [
            torch.tensor(
                [self.draw.uniform(-1.5, 1.5) for _ in range(2)],
                dtype=torch.float64,
                requires_grad=True,
            )
            for _ in range(2)
        ]
        self.names = ["x0", "x1"]
        self.inner = []

    def called(self, name, change):
        def hook(g):
            self.calls.append((name, _label(g)))
            return None if change is None or g is None else g * change

        return hook

    def node_hook(self, name, change):
        def hook(inputs, outputs):
            self.calls.append((name, [_label(g) for g in inputs], [_label(g) for g in outputs]))
            if change is None:
                return None
            return tuple(None if g is None else g * change for g in inputs)

        return hook

    def node_prehook(self, name, change):
        def hook(outputs):
            self.calls.append((name, [_label(g) for g in outputs]))
            if change is None:
                return None
            return tuple(None if g is None else g * change for g in outputs)

        return hook

    def attach(self, x, name):
        draw = self.draw
        if not x.requires_grad:
            return
        change = draw.choice([None, None, 2.0, -0.5])
        kind = draw.choice(["tensor", "tensor", "node", "prehook", "retain", "leaf"])
        if kind == "tensor":
            x.register_hook(self.called(f"{name} hook {change}", change))
        elif x.grad_fn is None:
            if kind == "leaf":
                x.register_post_accumulate_grad_hook(
                    lambda t: self.calls.append((f"{name} accumulated", _label(t.grad)))
                )
        elif kind == "node":
            x.grad_fn.register_hook(self.node_hook(f"{name} node {change}", change))
        elif kind == "prehook":
            x.grad_fn.register_prehook(self.node_prehook(f"{name} prehook {change}", change))
        elif kind == "retain":
            x.retain_grad()

    def build(self):
        draw, operations = self.draw, _operations(self.torch)
        for i in range(draw.randint(3, 7)):
            name, call = draw.choice(operations)
            a, b = (self.values[-1 - min(draw.randrange(3), i)] for _ in range(2))
            result = call(a, b)
            if isinstance(result, tuple):  # something on the way, that may have another shape
                inner, result = result
                self.inner.append(inner)
                if draw.random() < 0.6:
                    self.attach(inner, f"inside {name}{i}")
            self.values.append(result)
            self.names.append(f"{name}{i}")
            if draw.random() < 0.6:
                self.attach(result, f"{name}{i}")
        for i in range(2):
            if draw.random() < 0.4:
                self.attach(self.values[i], self.names[i])

    def go(self, log):
        torch, draw = self.torch, self.draw
        self.build()
        live = [i for i, x in enumerate(self.values) if x.requires_grad]
        last = [i for i in live if i >= 2][-2:] or live
        roots = sorted(set(draw.choices(last, k=2)))
        seeds = [torch.full_like(self.values[i], draw.choice([1.0, 0.5, -2.0])) for i in roots]
        outputs = [self.values[i] for i in roots]
        wanted = sorted(set(draw.choices(live, k=draw.randint(1, 3))))
        inputs = [self.values[i] for i in wanted]
        inputs += [x for x in self.inner if x.requires_grad and draw.random() < 0.3]
        log("operations", self.names)
        way = draw.choice(["backward", "inputs", "grad", "grad", "second"])
        log("way", [way, roots, wanted])
        if way == "backward":
            torch.autograd.backward(outputs, seeds)
        elif way == "inputs":
            torch.autograd.backward(outputs, seeds, inputs=inputs)
        elif way == "grad":
            found = torch.autograd.grad(outputs, inputs, seeds, allow_unused=True)
            log("found", [_label(g) for g in found])
        else:
            found = torch.autograd.grad(
                outputs, inputs, seeds, allow_unused=True, create_graph=True
            )
            log("found", [_label(g) for g in found])
            log("first calls", self.taken())
            # Zeros have a history in PyTorch where something was multiplied by them on the way.
            live = [g for g in found if g is not None and any(_label(g))]
            again = [(g * g).sum() for g in live if g.requires_grad]
            if again:
                second = torch.autograd.grad(sum(again), inputs, allow_unused=True)
                log("second", [_label(g) for g in second])
        log("calls", self.taken())
        log(
            "grads",
            [
                _label(x.grad)
                for x in [*self.values, *self.inner]
                if x.requires_grad and (x.is_leaf or x.retains_grad)
            ],
        )

    def taken(self):
        calls, self.calls = self.calls, []
        return [list(call) for call in calls]


@each(seed=list(range(150)))
def random_program(torch, log, seed):
    _Drawn(torch, seed).go(log)
