"""Methods in place whose argument lies in the memory that they change: all of it, or a part."""

import warnings

from ._harness import each

#: How methods are called whose argument is not one tensor; `o` is the argument, of 2 by 2.
CALLS = {
    "addmm": lambda torch, x, o: x.addmm_(o, o),
    "addmv": lambda torch, x, o: x[0].addmv_(torch.ones(2, 2).double(), o[0]),
    "addr": lambda torch, x, o: x.addr_(o[0], o[0]),
    "baddbmm": lambda torch, x, o: x[None].baddbmm_(o[None], o[None]),
    "addbmm": lambda torch, x, o: x.addbmm_(o[None], o[None]),
    "lerp": lambda torch, x, o: x.lerp_(o, 0.5),
    "addcmul": lambda torch, x, o: x.addcmul_(o, o),
    "addcdiv": lambda torch, x, o: x.addcdiv_(o, o),
    "scatter": lambda torch, x, o: x.scatter_(0, torch.zeros(2, 2).long(), o),
    "scatter_add": lambda torch, x, o: x.scatter_add_(0, torch.zeros(2, 2).long(), o),
    "scatter_reduce": lambda torch, x, o: x.scatter_reduce_(0, torch.zeros(2, 2).long(), o, "sum"),
    "put": lambda torch, x, o: x.put_(torch.tensor([[0, 1], [2, 3]]), o),
    "masked_scatter": lambda torch, x, o: x.masked_scatter_(torch.tensor([[True], [False]]), o),
    "masked_fill": lambda torch, x, o: x.masked_fill_(torch.tensor([[True], [False]]), o[0, 0]),
    "index_add": lambda torch, x, o: x.index_add_(0, torch.tensor([1, 0]), o),
    "index_copy": lambda torch, x, o: x.index_copy_(0, torch.tensor([1, 0]), o),
    "index_fill": lambda torch, x, o: x.index_fill_(0, torch.tensor([1]), o[0, 0]),
    "index_reduce": lambda torch, x, o: x.index_reduce_(0, torch.tensor([1, 0]), o, "prod"),
    "index_put": lambda torch, x, o: x.index_put_((torch.tensor([1, 0]),), o),
}  # fmt: skip

#: Those whose argument is one tensor, broadcast.
ELEMENTWISE = [
    "add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide",
    "remainder", "fmod", "pow", "float_power", "clamp", "clip", "clamp_min", "clamp_max",
    "heaviside", "lt", "less", "le", "less_equal", "gt", "greater", "ge", "greater_equal", "eq",
    "ne", "not_equal", "logical_and", "logical_or", "logical_xor", "xlogy", "hypot", "atan2",
    "arctan2", "ldexp", "nextafter", "igamma", "igammac", "copysign",
]  # fmt: skip

#: Those of integers.
INTEGRAL = [
    "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift", "gcd",
    "lcm",
]  # fmt: skip

_ARGUMENTS = {
    "itself": lambda memory, x: x,
    "its memory": lambda memory, x: memory[:4].view(2, 2),
    "some of it": lambda memory, x: memory[1:5].view(2, 2),
    "in another order": lambda memory, x: x.t(),
    "none of it": lambda memory, x: memory[4:].view(2, 2),
}


@each("name", name=[*CALLS, *ELEMENTWISE, *INTEGRAL])
def shared_memory(torch, log, name):
    call = CALLS.get(name, lambda torch, x, o: getattr(x, f"{name}_")(o))
    kind = torch.int64 if name in INTEGRAL else torch.float64
    for argument, of in _ARGUMENTS.items():
        memory = torch.arange(1, 9, dtype=kind)
        x = memory[:4].view(2, 2)
        o = of(memory, x)
        with warnings.catch_warnings(action="ignore"):  # PyTorch's word on the age of a function
            # What is computed of memory that is written meanwhile is nobody's promise.
            log.attempt(argument, lambda x=x, o=o: call(torch, x, o) is not None)
