"""Operations with several results: one node, one computation, and what is saved once."""

from ._harness import each


def _matrix(torch):
    return torch.tensor([[3.0, 1.0, 2.0], [0.5, 4.0, -1.0]], requires_grad=True)


#: Operations whose derivative reads the indices that they return.
_LOCATED = {
    "sort": lambda torch, x: torch.sort(x, 1),
    "sort descending": lambda torch, x: torch.sort(x, 0, descending=True),
    "topk": lambda torch, x: torch.topk(x, 2, 1),
    "kthvalue": lambda torch, x: torch.kthvalue(x, 2, 1),
    "median": lambda torch, x: torch.median(x, 1),
    "max": lambda torch, x: torch.max(x, 1),
    "min": lambda torch, x: torch.min(x, 1, keepdim=True),
    "cummax": lambda torch, x: torch.cummax(x, 1),
    "cummin": lambda torch, x: torch.cummin(x, 0),
}

#: Operations all of whose results have a derivative.
_JOINT = {
    "aminmax": lambda torch, x: torch.aminmax(x),
    "aminmax of rows": lambda torch, x: torch.aminmax(x, dim=1),
    "var_mean": lambda torch, x: torch.var_mean(x, 1),
    "std_mean": lambda torch, x: torch.std_mean(x, 1, correction=0),
    "unbind": lambda torch, x: torch.unbind(x, 1),
    "split": lambda torch, x: torch.split(x, 2, 1),
    "split_with_sizes": lambda torch, x: torch.split(x, [1, 2], 1),
    "chunk": lambda torch, x: torch.chunk(x, 2, 0),
}


@each("name", name=list(_LOCATED))
def places_that_are_read(torch, log, name):
    x = _matrix(torch)
    values, indices = _LOCATED[name](torch, x)
    log("values", values)
    log("indices", indices)
    log("saved", values.grad_fn._saved_indices)
    log("results of the node", len(values.grad_fn._input_metadata))
    (values * torch.arange(1.0, values.numel() + 1).view(values.shape)).sum().backward()
    log("gradient", x.grad)


@each("name", name=list(_LOCATED))
def places_changed_in_place(torch, log, name):
    values, indices = _LOCATED[name](torch, _matrix(torch))
    indices.zero_()
    with log.raises("backward"):
        values.sum().backward()


@each("name", name=list(_LOCATED))
def values_changed_in_place(torch, log, name):
    x = _matrix(torch)
    values, _ = _LOCATED[name](torch, x)
    values.mul_(2.0)
    log.attempt("backward", lambda: values.sum().backward())
    log("gradient", x.grad)


@each("name", name=list(_JOINT), which=[0, -1])
def one_result_of_several(torch, log, name, which):
    x = _matrix(torch)
    results = _JOINT[name](torch, x)
    chosen = results[which]
    log("result", chosen)
    log("node", chosen.grad_fn.name())
    log("number", chosen.output_nr)
    log("same node", chosen.grad_fn is results[0].grad_fn)
    (chosen * chosen).sum().backward()
    log("gradient", x.grad)


@each("name", name=list(_JOINT))
def all_results(torch, log, name):
    x = _matrix(torch)
    results = _JOINT[name](torch, x)
    total = sum((i + 1) * (y * y).sum() for i, y in enumerate(results))
    (first,) = torch.autograd.grad(total, x, create_graph=True)
    log.gradient("first", first)
    (second,) = torch.autograd.grad((first * first).sum(), x, allow_unused=True)
    log.gradient("second", second)


@each("name", name=list(_JOINT))
def a_hook_on_the_node(torch, log, name):
    x = _matrix(torch)
    results = _JOINT[name](torch, x)
    results[0].grad_fn.register_prehook(lambda cts: log("before", list(cts)))
    results[0].grad_fn.register_hook(lambda inputs, outputs: log("after", list(inputs)))
    results[-1].register_hook(lambda g: log("last", g))
    (results[-1] * 2).sum().backward()
    log("gradient", x.grad)


@each("name", name=["aminmax", "std_mean", "var_mean", "max", "sort"])
def packed_once(torch, log, name):
    x = _matrix(torch)
    packed, unpacked = [], []

    def pack(t):
        packed.append(list(t.shape))
        return t

    def unpack(t):
        unpacked.append(list(t.shape))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        results = {**_LOCATED, **_JOINT}[name](torch, x)
    log("packed", len(packed))
    sum(y.sum() for y in results if y.requires_grad).backward()
    log("unpacked", len(unpacked))
    log("gradient", x.grad)


@each("name", name=["std_mean", "aminmax"])
def a_saved_result_changed(torch, log, name):
    results = _JOINT[name](torch, _matrix(torch))
    with torch.no_grad():
        results[0].mul_(2.0)
    log.attempt("backward", lambda: results[1].sum().backward())


@each("name", name=list(_JOINT))
def freed_together(torch, log, name):
    x = _matrix(torch)
    results = _JOINT[name](torch, x)
    results[0].sum().backward()
    log.attempt("of another result", lambda: results[-1].sum().backward())
    log("gradient", x.grad)
