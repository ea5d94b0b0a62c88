"""The graph as users reach into it: names, links, metadata, edges, versions, nodes called."""

from ._harness import differs, each


def _tensor(values):
    """How a tensor of float32 without history is written down."""
    return {
        "tensor": values,
        "shape": [len(values)],
        "dtype": "float32",
        "requires_grad": False,
        "grad_fn": None,
    }


def _two(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    h = x * w
    return x, w, h, (h * h).sum()


def _names(node):
    return [(None if n is None else n.name(), i) for n, i in node.next_functions]


# ---------------------------------------------------------------- nodes


def nodes_are_of_one_class(torch, log):
    x, _, _, y = _two(torch)
    Node = torch.autograd.graph.Node
    log("a result's", isinstance(y.grad_fn, Node))
    log("a leaf's", isinstance(torch.autograd.graph.get_gradient_edge(x).node, Node))
    log("its type", issubclass(type(y.grad_fn), Node))
    log("a number", isinstance(3, Node))
    log("no node of a leaf", x.grad_fn)


def names_and_types(torch, log):
    x, w, h, y = _two(torch)
    for label, t in (("y", y), ("h", h), ("relu", x.relu()), ("pow", x**w), ("view", h.view(2, 1))):
        log(label, (t.grad_fn.name(), type(t.grad_fn).__name__))
    acc = h.grad_fn.next_functions[0][0]
    log("leaf", (acc.name(), type(acc).__name__))


def links(torch, log):
    x, _w, h, y = _two(torch)
    log("sum", _names(y.grad_fn))
    log("h * h", _names(y.grad_fn.next_functions[0][0]))
    log("x * w", _names(h.grad_fn))
    log("x * c", _names((x * torch.ones(2)).grad_fn))
    log("x * 2", _names((x * 2).grad_fn))
    log("accumulate", h.grad_fn.next_functions[0][0].next_functions)


def links_of_a_number_divided(torch, log):
    x, *_ = _two(torch)
    y = 2.5 / x
    log("name", y.grad_fn.name())
    log("links", _names(y.grad_fn))


def links_are_identical_to_the_nodes(torch, log):
    _, _, h, y = _two(torch)
    square = y.grad_fn.next_functions[0][0]
    log("both", [n is h.grad_fn for n, _ in square.next_functions])
    log("again", y.grad_fn is y.grad_fn)


def the_node_of_a_leaf_is_one(torch, log):
    x, w, h, _ = _two(torch)
    k = x.exp()
    first = h.grad_fn.next_functions[0][0]
    second = k.grad_fn.next_functions[0][0]
    log("same", first is second)
    log("variable", first.variable is x)
    log("other", h.grad_fn.next_functions[1][0].variable is w)


def a_node_says_that_it_requires_grad(torch, log):
    _x, _, h, _ = _two(torch)
    log("node", h.grad_fn.requires_grad)
    log("leaf", h.grad_fn.next_functions[0][0].requires_grad)


def nodes_take_no_attributes(torch, log):
    _, _, h, _ = _two(torch)
    with log.raises("set", words=False):
        h.grad_fn.note = 1
    with log.raises("get"):
        log("note", h.grad_fn.note)


def metadata_is_a_dict_of_the_user(torch, log):
    _, _, h, y = _two(torch)
    log("empty", h.grad_fn.metadata)
    h.grad_fn.metadata["layer"] = "first"
    log("through another way", y.grad_fn.next_functions[0][0].next_functions[0][0].metadata)
    acc = h.grad_fn.next_functions[0][0]
    acc.metadata["kind"] = "leaf"
    log("leaf", h.grad_fn.next_functions[0][0].metadata)
    try:
        h.grad_fn.metadata = {}
    except AttributeError as error:
        log("is not set", type(error).__name__)


def metadata_outlives_backward(torch, log):
    x, _, h, y = _two(torch)
    h.grad_fn.metadata["note"] = 1
    y.backward()
    log("kept", h.grad_fn.metadata)
    log("x.grad", x.grad)


def walking_the_whole_graph(torch, log):
    _x, _, _, y = _two(torch)
    seen, queue, names = set(), [y.grad_fn], []
    while queue:
        node = queue.pop(0)
        if node in seen:
            continue
        seen.add(node)
        names.append(node.name())
        queue += [n for n, _ in node.next_functions if n is not None]
    log("names", names)


def sequence_numbers_grow(torch, log):
    _, _, h, y = _two(torch)
    square = y.grad_fn.next_functions[0][0]
    log("later", h.grad_fn._sequence_nr() < square._sequence_nr() < y.grad_fn._sequence_nr())
    acc = h.grad_fn.next_functions[0][0]
    log("leaf", acc._sequence_nr() > y.grad_fn._sequence_nr())


def what_comes_in(torch, log):
    _, _, h, y = _two(torch)
    (m,) = h.grad_fn._input_metadata
    log("h", (list(m.shape), m.dtype, str(m.device), m.is_nested_tensor))
    (m,) = y.grad_fn._input_metadata
    log("y", (list(m.shape), m.dtype))
    (m,) = h.grad_fn.next_functions[0][0]._input_metadata
    log("leaf", (list(m.shape), m.dtype))


def a_changed_tensor_has_another_node(torch, log):
    _x, _, h, _ = _two(torch)
    before = h.grad_fn
    h.mul_(2)
    log("name", h.grad_fn.name())
    log("link", h.grad_fn.next_functions[0][0] is before)


def output_nr_of_ordinary_results(torch, log):
    x, _, h, _ = _two(torch)
    log("leaf", x.output_nr)
    log("result", h.output_nr)


# ---------------------------------------------------------------- nodes called


def called(torch, log):
    x, _w, h, y = _two(torch)
    log("sum", y.grad_fn(torch.tensor(1.0)))
    log("x * w", h.grad_fn(torch.ones(2)))
    log("x * 2", (x * 2).grad_fn(torch.ones(2)))
    log("x * c", (x * torch.tensor([5.0, 6.0])).grad_fn(torch.ones(2)))
    log("exp", x.exp().grad_fn(torch.ones(2)))
    log("x.grad", x.grad)


def called_with_none(torch, log):
    x, _, h, _ = _two(torch)
    log("two", h.grad_fn(None))
    log("one", x.exp().grad_fn(None))


def called_wrongly(torch, log):
    _, _, h, _ = _two(torch)
    with log.raises("nothing"):
        h.grad_fn()
    with log.raises("two"):
        h.grad_fn(torch.ones(2), torch.ones(2))
    with log.raises("a number"):
        h.grad_fn(1)
    with log.raises("a list"):
        h.grad_fn([1.0, 2.0])


def called_under_no_grad(torch, log):
    _, _, h, _ = _two(torch)
    with torch.no_grad():
        log("gradients", h.grad_fn(torch.ones(2)))


def called_with_what_has_a_history(torch, log):
    _x, _, h, _ = _two(torch)
    g = torch.ones(2, requires_grad=True)
    first, second = h.grad_fn(g * 2)
    (dg,) = torch.autograd.grad((first + second).sum(), g)
    log("dg", dg)


def called_twice_and_after_backward(torch, log):
    _, _, h, y = _two(torch)
    h.grad_fn(torch.ones(2))
    log("twice", [t.detach() for t in h.grad_fn(torch.ones(2))])
    y.backward()
    with log.raises("freed"):
        h.grad_fn(torch.ones(2))
    log("nothing was saved", y.grad_fn(torch.tensor(1.0)))


def calling_the_node_of_a_leaf_accumulates(torch, log):
    x, _, h, _ = _two(torch)
    acc = h.grad_fn.next_functions[0][0]
    log("returns", acc(torch.tensor([5.0, 6.0])))
    acc(torch.tensor([1.0, 1.0]))
    log("x.grad", x.grad)


def calling_a_node_runs_its_hooks(torch, log):
    _, _, h, _ = _two(torch)
    events = []
    h.grad_fn.register_prehook(lambda go: events.append("pre"))
    h.grad_fn.register_hook(lambda gi, go: events.append("post"))
    h.register_hook(lambda g: events.append("tensor"))
    log("gradients", [t.detach() for t in h.grad_fn(torch.ones(2))])
    log("events", events)


# ---------------------------------------------------------------- gradient edges


def edges(torch, log):
    x, _, h, _ = _two(torch)
    edge = torch.autograd.graph.get_gradient_edge(h)
    log("node", edge.node is h.grad_fn)
    log("rest", (edge.output_nr, edge.ownership_token))
    leaf = torch.autograd.graph.get_gradient_edge(x)
    log("leaf", (leaf.node.name(), leaf.node.variable is x, leaf.output_nr))
    log("equal", leaf == torch.autograd.graph.get_gradient_edge(x))
    node, number, token = edge
    log("a tuple", (node is h.grad_fn, number, token))
    with log.raises("constant"):
        torch.autograd.graph.get_gradient_edge(torch.ones(2))
    with torch.no_grad():
        log("no_grad", torch.autograd.graph.get_gradient_edge(x).node.name())


def grad_with_respect_to_an_edge(torch, log):
    x, w, h, y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    log("h", torch.autograd.grad(y, at(h), retain_graph=True))
    log("mixed", torch.autograd.grad(y, [at(x), w, at(h)], retain_graph=True))
    log("y", torch.autograd.grad(y, at(y), retain_graph=True))
    log("twice", torch.autograd.grad(y, [at(x), at(x)], retain_graph=True))
    log("as a dict", torch.autograd.grad(y, {"a": at(x), "b": w}))


def grad_of_an_edge(torch, log):
    x, w, h, y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    log("y", torch.autograd.grad(at(y), [x, w], retain_graph=True))
    log("h", torch.autograd.grad(at(h), x, torch.tensor([1.0, 10.0]), retain_graph=True))
    log("of a leaf", torch.autograd.grad(at(x), x, torch.ones(2)))
    with log.raises("needs a gradient"):
        torch.autograd.grad(at(h), x, retain_graph=True)
    with log.raises("of another shape"):
        torch.autograd.grad(at(h), x, torch.ones(3), retain_graph=True)
    with log.raises("complex"):
        torch.autograd.grad(at(h), x, torch.ones(2) * 1j, retain_graph=True)


def an_edge_outlives_its_tensor(torch, log):
    _x, _w, h, y = _two(torch)
    edge = torch.autograd.graph.get_gradient_edge(h)
    del h
    log("grad", torch.autograd.grad(y, edge))


def an_edge_keeps_the_graph(torch, log):
    x, _w, h, y = _two(torch)
    edge = torch.autograd.graph.get_gradient_edge(y)
    del y, h
    torch.autograd.backward(edge)
    log("x.grad", x.grad)


def an_edge_made_by_hand(torch, log):
    _, _, h, y = _two(torch)
    Edge = torch.autograd.graph.GradientEdge
    log("h", torch.autograd.grad(y, Edge(h.grad_fn, 0), retain_graph=True))
    log(
        "from a link", torch.autograd.grad(y, Edge(*h.grad_fn.next_functions[1]), retain_graph=True)
    )
    for label, edge in (
        ("a string", Edge("a", 0)),
        ("no node", Edge(None, 0)),
        ("number", Edge(h.grad_fn, "a")),
        ("a node", [h.grad_fn]),
        ("a link", h.grad_fn.next_functions[0]),
    ):
        with log.raises(label):
            torch.autograd.grad(y, edge, retain_graph=True)


def backward_of_an_edge(torch, log):
    x, w, h, y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    torch.autograd.backward(at(y), retain_graph=True)
    torch.autograd.backward([at(h), y], [torch.ones(2), None])
    log("x.grad", x.grad)
    log("w.grad", w.grad)


def backward_into_an_edge(torch, log):
    x, w, h, y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    torch.autograd.backward(y, inputs=[at(x)], retain_graph=True)
    log("x.grad", x.grad)
    log("w.grad", w.grad)
    torch.autograd.backward(y, inputs=at(h), retain_graph=True)
    with log.warns("h does not retain it"):
        log("h.grad", h.grad)
    log("retains", h.retains_grad)


def backward_into_an_edge_of_what_retains(torch, log):
    _, _, h, y = _two(torch)
    h.retain_grad()
    torch.autograd.backward(y, inputs=torch.autograd.graph.get_gradient_edge(h))
    log("h.grad", h.grad)


def edges_out_of_reach(torch, log):
    _, _, _, y = _two(torch)
    edge = torch.autograd.graph.get_gradient_edge(torch.ones(2, requires_grad=True))
    with log.raises("unused"):
        torch.autograd.grad(y, edge, retain_graph=True)
    log("allowed", torch.autograd.grad(y, edge, allow_unused=True, retain_graph=True))
    with log.raises("materialized"):
        torch.autograd.grad(y, edge, materialize_grads=True, retain_graph=True)


def edges_in_a_recorded_gradient(torch, log):
    x, _w, h, y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    (g,) = torch.autograd.grad(y, at(h), create_graph=True)
    log("second", torch.autograd.grad(g.sum(), at(x)))


def edges_of_results_changed_in_place(torch, log):
    _x, _w, h, _ = _two(torch)
    before = torch.autograd.graph.get_gradient_edge(h)
    h.mul_(3)
    after = torch.autograd.graph.get_gradient_edge(h)
    log("old and new", torch.autograd.grad((h * h).sum(), [before, after]))


def a_batch_of_gradients_for_an_edge(torch, log):
    x, _w, h, _y = _two(torch)
    at = torch.autograd.graph.get_gradient_edge
    g = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    log("to an edge", torch.autograd.grad(h, at(x), g, is_grads_batched=True, retain_graph=True))
    log("of an edge", torch.autograd.grad(at(h), x, g, is_grads_batched=True))


def hooks_at_an_edge(torch, log):
    _x, _w, h, y = _two(torch)
    h.register_hook(lambda g: 10 * g)
    log("after the hook", torch.autograd.grad(y, torch.autograd.graph.get_gradient_edge(h)))


def edges_of_several_results(torch, log):
    x = torch.arange(4.0, requires_grad=True)
    at = torch.autograd.graph.get_gradient_edge
    a, b = x.view(2, 2).unbind()
    log("numbers", [(t.grad_fn.name(), t.output_nr, at(t).output_nr) for t in (a, b)])
    log("grad", torch.autograd.grad((a * b).sum(), [at(a), at(b)]))
    edge = torch.autograd.graph.GradientEdge(b.grad_fn, b.output_nr)
    log("of an edge", torch.autograd.grad(edge, x, torch.ones(2)))
    _, second = x.split([1, 3])
    log("split", torch.autograd.grad((second * 2).sum(), at(second)))


def the_node_of_several_results(torch, log):
    a, b = torch.arange(4.0, requires_grad=True).view(2, 2).unbind()
    log("one", a.grad_fn is b.grad_fn)
    log("outputs", len(a.grad_fn._input_metadata))


SEVERAL = {
    "unbind": lambda torch, y: y.unbind(),
    "rows": lambda torch, y: list(y),
    "split": lambda torch, y: y.split(1),
    "split by sizes": lambda torch, y: y.split([1, 2]),
    "chunk": lambda torch, y: y.chunk(3),
    "tensor_split": lambda torch, y: y.tensor_split(3),
    "std_mean": lambda torch, y: torch.std_mean(y, 1),
    "var_mean": lambda torch, y: torch.var_mean(y),
    "aminmax": lambda torch, y: torch.aminmax(y, dim=0),
    "one": lambda torch, y: y[:1].unbind(),
}


@each(of=list(SEVERAL))
def one_node_of_several_results(torch, log, of):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0], [4.0, 7.0]], requires_grad=True)
    y = x + 1
    outs = SEVERAL[of](torch, y)
    fn = outs[0].grad_fn
    log("numbers", [t.output_nr for t in outs])
    log("nodes", [t.grad_fn is fn for t in outs])
    log("class", (type(fn).__name__, fn.name(), isinstance(fn, torch.autograd.graph.Node)))
    log("metadata of inputs", [(list(m.shape), str(m.dtype)[-7:]) for m in fn._input_metadata])
    log("next", [n.name() for n, _ in fn.next_functions])
    z = outs[0].sum() * outs[-1].sum()
    found = [n.next_functions[0] for n, _ in z.grad_fn.next_functions]
    log("edges to it", [(n is fn, nr) for n, nr in found])
    fn.metadata["note"] = 1
    log("metadata", [t.grad_fn.metadata for t in outs])
    log("order", y.grad_fn._sequence_nr() < fn._sequence_nr() < z.grad_fn._sequence_nr())


@each(of=list(SEVERAL))
def gradient_edges_at_one_node_of_several_results(torch, log, of):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0], [4.0, 7.0]], requires_grad=True)
    outs = SEVERAL[of](torch, x + 1)
    edge = torch.autograd.graph.GradientEdge
    last, shapes = len(outs) - 1, [t.shape for t in outs]
    loss = outs[0].sum() * 2 + outs[-1].sum() * 3
    fn, nr = outs[-1].grad_fn, outs[-1].output_nr
    log("to", torch.autograd.grad(loss, edge(fn, nr), retain_graph=True))
    found = [torch.autograd.graph.get_gradient_edge(t) for t in outs]
    log("found", [(e.node is t.grad_fn, e.output_nr) for e, t in zip(found, outs, strict=True)])
    del found, loss, outs
    log("of one that is gone", torch.autograd.grad(edge(fn, nr), x, torch.ones(shapes[last])))


def an_edge_to_a_result_that_there_is_not(torch, log):
    x = torch.ones(2, 2, requires_grad=True)
    a, _ = x.unbind()
    with log.raises("of several"):
        torch.autograd.grad(torch.autograd.graph.GradientEdge(a.grad_fn, 2), x, torch.ones(2))
    y = x * 2
    with log.raises("of one"):
        torch.autograd.grad(torch.autograd.graph.GradientEdge(y.grad_fn, 1), x, torch.ones(2, 2))


def calls_of_a_node_of_several_results(torch, log):
    x = torch.arange(6.0, requires_grad=True)
    a, _, _ = x.view(3, 2).unbind()
    one = torch.ones(2)
    log("all", a.grad_fn(one, 2 * one, 3 * one))
    log("two", a.grad_fn(one, None, 3 * one))
    log("none", a.grad_fn(None, None, None))
    with log.raises("one"):
        a.grad_fn(one)


@each(of=["std_mean", "var_mean", "aminmax", "unbind", "split"], first=[0, 1])
def one_pass_frees_what_several_results_saved(torch, log, of, first):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0]], requires_grad=True)
    outs = SEVERAL[of](torch, x + 1)
    fn = outs[0].grad_fn
    outs[first].sum().backward()
    log.attempt("again", lambda: outs[1 - first].sum().backward())
    log("x.grad", x.grad)
    if of in ("std_mean", "var_mean", "aminmax"):
        with log.raises("saved"):
            log("self", fn._saved_self)


@each(of=["std_mean", "var_mean", "aminmax"])
def what_the_node_of_several_results_saved(torch, log, of):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0]], requires_grad=True)
    outs = SEVERAL[of](torch, x)
    log("x", outs[-1].grad_fn._saved_self is x)
    for name in ("result0", "min", "max"):
        log(name, getattr(outs[0].grad_fn, f"_saved_{name}", None))


def in_place_on_one_of_several_results(torch, log):
    x = torch.tensor([1.0, 2.0, 6.0], requires_grad=True)
    std, mean = torch.std_mean(x + 1)
    mean.mul_(2)
    log("node", (mean.grad_fn.name(), mean.output_nr, mean.grad_fn.next_functions[0][1]))
    (std + mean).backward()
    log("x.grad", x.grad)


def numbers_of_results_without_a_graph(torch, log):
    x = torch.ones(2, 2)
    log("constant", [t.output_nr for t in (*x.unbind(), *x.split(1), *torch.std_mean(x))])
    x.requires_grad_()
    with torch.no_grad():
        log("no_grad", [t.output_nr for t in (*x.unbind(), *x.split(1), *torch.std_mean(x))])


@each(of=["unbind", "std_mean", "aminmax"])
def packed_values_of_several_results(torch, log, of):
    x = torch.tensor([[1.0, 5.0], [2.0, 3.0]], requires_grad=True)
    unpacked = []
    hooks = (lambda t: t.clone(), lambda t: unpacked.append(tuple(t.shape)) or t)
    with torch.autograd.graph.saved_tensors_hooks(*hooks):
        outs = SEVERAL[of](torch, x + 1)
    outs[0].grad_fn.register_prehook(lambda o: log("before", [g is None for g in o]))
    (outs[0].sum() * 2 + outs[1].sum()).backward()
    log("unpacked", sorted(set(unpacked)))
    log("x.grad", x.grad)


BOUNDS = {
    "min": lambda torch, y, b: y.clamp(min=b),
    "max": lambda torch, y, b: y.clamp(max=b),
    "both": lambda torch, y, b: y.clamp(b, b),
    "in place": lambda torch, y, b: y.clamp_(max=b),
    "clip": lambda torch, y, b: y.clip(min=b),
    "clamp_min": lambda torch, y, b: y.clamp_min(b),
    "clamp_max": lambda torch, y, b: y.clamp_max_(b),
}


@each(of=list(BOUNDS), bound=["constant", "leaf", "number"])
def edges_of_bounds(torch, log, of, bound):
    x = torch.tensor([0.5, 3.0], requires_grad=True)
    b = 1.0 if bound == "number" else torch.ones(2, requires_grad=bound == "leaf")
    y = BOUNDS[of](torch, x * 1, b)
    log("node", y.grad_fn.name())
    log("edges", [n and n.name() for n, _ in y.grad_fn.next_functions])
    with torch.no_grad():
        log("called", y.grad_fn(torch.ones(2)))


def the_conjugate_in_place_of_real_numbers(torch, log):
    x = torch.tensor([0.5, 3.0], requires_grad=True)
    y = (x * 1).conj_physical_()
    log("node", (y.grad_fn.name(), y.grad_fn.next_functions[0][0].name(), y._version))
    y.sum().backward()
    log("x.grad", x.grad)


@differs(
    "padding in a circle is one operation; PyTorch writes the parts into an empty tensor",
    {"node": "IndexBackward0"},
)
def the_node_of_padding_in_a_circle(torch, log):
    x = torch.arange(6.0, requires_grad=True)
    y = torch.nn.functional.pad(x.view(1, 2, 3), (1, 2), mode="circular")
    log("node", y.grad_fn.name())
    (y * y).sum().backward()
    log("x.grad", x.grad)


def edges_of_masked_scatter(torch, log):
    x, s = torch.zeros(3, requires_grad=True), torch.ones(2, requires_grad=True)
    y = x.masked_scatter(torch.tensor([True, False, True]), s * 2)
    log("edges", [n and n.name() for n, _ in y.grad_fn.next_functions])


@differs(
    "what a longer source gives is a slice of it, which has a node",
    {"edges": ["torch::autograd::AccumulateGrad", "SliceBackward0"]},
)
def edges_of_masked_scatter_of_a_longer_source(torch, log):
    x, s = torch.zeros(3, requires_grad=True), torch.ones(5, requires_grad=True)
    y = x.masked_scatter(torch.tensor([True, False, True]), s * 2)
    log("edges", [n and n.name() for n, _ in y.grad_fn.next_functions])
    y.sum().backward()
    log("s.grad", s.grad)


_SET = ["is_leaf", "grad_fn", "output_nr", "_version", "retains_grad", "shape", "dtype", "T"]


def attributes_that_are_not_set(torch, log):
    x = torch.ones(2, requires_grad=True)
    for name in _SET:
        with log.raises(name, words=False):
            setattr(x, name, 1)


# ---------------------------------------------------------------- versions


def versions_counted_by_hand(torch, log):
    x = torch.tensor([1.0, 2.0])
    y = torch.tensor([1.0, 2.0])
    count = torch.autograd.graph.increment_version
    log("returns", count(x))
    count([x, y])
    log("versions", (x._version, y._version))
    log("nothing", count([]))
    count(t for t in (x,))
    count((x[:1],))
    log("through a view", x._version)
    with log.raises("a number"):
        count(3)
    with log.raises("numbers"):
        count([3])


def what_was_counted_is_found_in_backward(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    y = (h * h).sum()
    torch.autograd.graph.increment_version(h)
    with log.raises("backward"):
        y.backward()


def counting_of_what_is_not_needed(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    y = (h + h).sum()
    torch.autograd.graph.increment_version(h)
    y.backward()
    log("x.grad", x.grad)


# ---------------------------------------------------------------- hooks on several tensors


def _watched(torch, mode="all"):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    c, d = a * b, a * b
    calls = []
    handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), calls.append, mode=mode)
    return a, b, c, d, calls, handle


def all_gradients_of_several(torch, log):
    _a, _b, c, d, calls, _ = _watched(torch)
    (c + d).sum().backward(retain_graph=True)
    log("both", calls)


def those_out_of_reach_are_not_waited_for(torch, log):
    a, _b, c, _d, calls, _ = _watched(torch)
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    log("calls", calls)


@each(mode=["all", "any"])
def inputs_out_of_reach_are_not_waited_for(torch, log, mode):
    a, b, c, d, calls, _ = _watched(torch, mode)
    for name, inputs in {"a, d": (a, d), "d": (d,), "b": (b,), "c, d": (c, d)}.items():
        c.sum().backward(inputs=inputs, retain_graph=True)
        log(name, calls)


@differs(
    "`grad` runs the hook as `backward` does: PyTorch cannot tell there which leaves it reaches",
    {
        "a leaf": {"tuple": [_tensor([1.0, 2.0])]},
        "calls": [[None, _tensor([1.0, 2.0]), _tensor([1.0, 1.0]), None]],
    },
)
def those_out_of_reach_of_grad(torch, log):
    _a, b, c, _d, calls, _ = _watched(torch)
    log.attempt("a leaf", lambda: torch.autograd.grad(c.sum(), b, retain_graph=True))
    log("calls", calls)


def the_hook_on_several_under_grad(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    c, d = a * 2, a * 3
    h, k = c.exp(), c.sin()
    calls = []
    torch.autograd.graph.register_multi_grad_hook((c, h, k), calls.append)
    torch.autograd.graph.register_multi_grad_hook((h, c), calls.append, mode="any")
    log("c", torch.autograd.grad((h + d).sum(), c, retain_graph=True))
    log("calls", calls)


def the_first_of_several(torch, log):
    _a, _b, c, d, calls, _ = _watched(torch, "any")
    (c + 2 * d).sum().backward(retain_graph=True)
    log("once", calls)
    c.sum().backward()
    log("again", calls)


@each(mode=["all", "any"])
def the_hook_on_several_is_removed(torch, log, mode):
    _a, _b, c, d, calls, handle = _watched(torch, mode)
    handle.remove()
    handle.remove()
    (c + d).sum().backward()
    log("calls", calls)


@each(mode=["all", "any"])
def the_hook_on_several_as_a_block(torch, log, mode):
    _a, _b, c, d, calls, handle = _watched(torch, mode)
    with handle:
        (c + d).sum().backward(retain_graph=True)
    (c + d).sum().backward()
    log("calls", len(calls))


def the_hook_on_several_comes_between(torch, log):
    events = []
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    h = a * b
    k = h.exp()
    for name, t in (("a", a), ("b", b), ("h", h), ("k", k)):
        t.register_hook(lambda g, name=name: events.append(name))
    torch.autograd.graph.register_multi_grad_hook((h, k), lambda gs: events.append("h and k"))
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda gs: events.append("a and b"))
    torch.autograd.graph.register_multi_grad_hook(
        (a, h, k), lambda g: events.append("any"), mode="any"
    )
    k.sum().backward()
    log("events", events)


def bad_hooks_on_several(torch, log):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    on = torch.autograd.graph.register_multi_grad_hook
    with log.raises("mode"):
        on((x,), print, mode="first")
    with log.raises("a constant"):
        on((x, torch.ones(2)), print)
    with log.raises("a number"):
        on((x, 3), print)
    log("none", type(on((), print)).__name__)
    log("a constant with any", type(on((x, torch.ones(2)), print, mode="any")).__name__)


def the_hook_on_several_that_raises(torch, log):
    a, b, c, d, _calls, _handle = _watched(torch)

    def fail(grads):
        raise ValueError("no")

    torch.autograd.graph.register_multi_grad_hook((a, b), fail)
    with log.raises("backward"):
        (c + d).sum().backward(retain_graph=True)
    log("a.grad", a.grad)
    log("b.grad", b.grad)


def the_hook_on_several_returns_nothing_of_effect(torch, log):
    a, b, c, d, _calls, _ = _watched(torch)
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda gs: [10 * g for g in gs])
    (c + d).sum().backward()
    log("a.grad", a.grad)


def one_tensor_named_twice(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    calls = []
    torch.autograd.graph.register_multi_grad_hook((a, a), calls.append)
    (a * a).sum().backward()
    log("calls", calls)


@each(mode=["all", "any"])
def under_create_graph(torch, log, mode):
    _a, _b, c, d, calls, _ = _watched(torch, mode)
    (c + d).sum().backward(create_graph=True)
    found = calls[0] if mode == "all" else calls
    log("with a history", [g.requires_grad for g in found])
    log("calls", len(calls))


def a_pass_within_a_pass(torch, log):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    calls = []
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda gs: calls.append([*gs]))
    inner = (a * b).sum()
    h = a * b
    h.register_hook(lambda g: inner.backward())
    (2 * h).sum().backward()
    log("calls", calls)
    log("a.grad", a.grad)
