"""Modules and parameters in a row, in a list, in a dictionary."""

from collections import OrderedDict

from ._harness import each


def _layers(torch, n=4):
    return [torch.nn.ReLU(), torch.nn.Tanh(), torch.nn.Sigmoid(), torch.nn.Identity()][:n]


def _rows(torch):
    return {
        "sequential": torch.nn.Sequential(*_layers(torch)),
        "list": torch.nn.ModuleList(_layers(torch)),
    }


_CHANGES = {
    "item": lambda nn, c: c[1],
    "last": lambda nn, c: c[-1],
    "outside": lambda nn, c: c[4],
    "before": lambda nn, c: c[-5],
    "string": lambda nn, c: c["0"],
    "slice": lambda nn, c: c[1:3],
    "steps": lambda nn, c: c[::2],
    "set": lambda nn, c: c.__setitem__(1, nn.GELU()),
    "set last": lambda nn, c: c.__setitem__(-1, nn.GELU()),
    "set outside": lambda nn, c: c.__setitem__(7, nn.GELU()),
    "set number": lambda nn, c: c.__setitem__(0, 3),
    "delete": lambda nn, c: c.__delitem__(0),
    "delete slice": lambda nn, c: c.__delitem__(slice(1, 3)),
    "append": lambda nn, c: c.append(nn.GELU()),
    "append number": lambda nn, c: c.append(3),
    "extend": lambda nn, c: c.extend([nn.GELU(), nn.ReLU()]),
    "extend itself": lambda nn, c: c.extend(list(c)),
    "insert": lambda nn, c: c.insert(1, nn.GELU()),
    "insert first": lambda nn, c: c.insert(0, nn.GELU()),
    "insert last": lambda nn, c: c.insert(4, nn.GELU()),
    "pop": lambda nn, c: c.pop(1),
    "pop last": lambda nn, c: c.pop(-1),
    "add": lambda nn, c: c + type(c)(),
    "iterate": lambda nn, c: [type(m).__name__ for m in c],
    "length": lambda nn, c: len(c),
    "contains": lambda nn, c: c[0] in c,
    "dir": lambda nn, c: "0" in dir(c),
}


@each(row=["sequential", "list"], change=list(_CHANGES))
def rows(torch, log, row, change):
    container = _rows(torch)[row]
    log.attempt(
        "outcome", lambda: repr(_CHANGES[change](torch.nn, container)), words="string" not in change
    )
    log("after", repr(container))
    log("names", list(container._modules))


def sequences(torch, log):
    nn = torch.nn
    named = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))
    log("named", repr(named))
    log("first", repr(named[0]))
    log("part", repr(named[1:]))
    log("attribute", repr(named.b))
    del named[0]
    log("numbered", repr(named))
    two = nn.Sequential(nn.ReLU(), nn.Tanh())
    log("sum", repr(two + nn.Sequential(nn.GELU())))
    log.attempt("no sum", lambda: two.__add__([nn.GELU()]))
    log("twice", repr(two * 2))
    log("twice from the left", repr(2 * two))
    log.attempt("by zero", lambda: two * 0)
    log.attempt("by a float", lambda: two * 1.5)
    two *= 2
    log("in place", repr(two))
    two += nn.Sequential(nn.GELU())
    log("added in place", repr(two))
    log("empty", repr(nn.Sequential()))
    log("nothing", nn.Sequential()(3))
    log.attempt("insert outside", lambda: two.insert(9, nn.ReLU()))
    log.attempt("no module", lambda: nn.Sequential(3))
    log.attempt("call of a list", lambda: nn.ModuleList()(3))
    lists = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)] + [nn.ReLU()] + [nn.Linear(2, 2)])
    log("repeated", repr(lists))
    log("joined", len(lists.__add__([nn.ReLU()])))
    log.attempt("extend by none", lambda: lists.extend(3))
    log("empty list", repr(nn.ModuleList()))


def dictionaries(torch, log):
    nn = torch.nn
    d = nn.ModuleDict({"a": nn.ReLU(), "b": nn.Tanh()})
    log("text", repr(d))
    log("keys", list(d.keys()))
    log("values", [repr(m) for m in d.values()])
    log("items", [(k, repr(m)) for k, m in d.items()])
    log("in", ("a" in d, "c" in d, len(d)))
    d["c"] = nn.GELU()
    log("popped", repr(d.pop("a")))
    d.update([("e", nn.ReLU()), ("d", nn.ReLU())])
    d.update(OrderedDict(g=nn.ReLU()))
    d.update(nn.ModuleDict({"h": nn.ReLU()}))
    log("order", list(d))
    del d["b"]
    log.attempt("missing", lambda: d["zz"])
    log.attempt("number", lambda: d.update(3))
    log.attempt("numbers", lambda: d.update([3]))
    log.attempt("triples", lambda: d.update([(1, 2, 3)]))
    log.attempt("no module", lambda: d.update({"a": 3}))
    log.attempt("a name of its own", lambda: d.update({"keys": nn.ReLU()}))
    d.clear()
    log("empty", repr(d))


def parameters_in_a_list(torch, log):
    nn = torch.nn
    p = nn.ParameterList([nn.Parameter(torch.ones(2)), torch.zeros(3, 1), torch.tensor(2.0)])
    log("text", repr(p))
    log("names", [name for name, _ in p.named_parameters()])
    log("item", p[-1])
    log("part", repr(p[1:]))
    p[0] = torch.full((1,), 4.0)
    p.append(torch.ones(1))
    p += [torch.ones(2)]
    p.append("word")
    log("changed", repr(p))
    log("length", len(p))
    log("iterate", [type(x).__name__ for x in p])
    log.attempt("outside", lambda: p[9])
    log.attempt("no list", lambda: p.extend(3))
    log.attempt("a tensor", lambda: p.extend(torch.ones(2)))
    log.attempt("call", lambda: p(3))


def parameters_in_a_dictionary(torch, log):
    nn = torch.nn
    p = nn.ParameterDict({"b": torch.ones(2), "a": nn.Parameter(torch.zeros(1))})
    log("text", repr(p))
    log("names", [name for name, _ in p.named_parameters()])
    p["c"] = torch.ones(1)
    p.update([("e", torch.ones(1)), ("d", 3)])
    log("keys", list(p.keys()))
    log("reversed", list(reversed(p)))
    log("values", [type(x).__name__ for x in p.values()])
    log("items", [k for k, _ in p.items()])
    log("text with a number", repr(p))
    log("default", p.setdefault("f", torch.ones(2)))
    log("get", p.get("zz", 5))
    log("popitem", p.popitem())
    log("pop", p.pop("d"))
    log("copy", list(p.copy()))
    log("fromkeys", list(p.fromkeys(["x", "y"], torch.ones(1))))
    log("or", list(p | nn.ParameterDict({"z": torch.ones(1)})))
    p |= nn.ParameterDict({"y": torch.ones(1)})
    del p["a"]
    log("after", list(p))
    log("in", ("a" in p, "b" in p))
    log.attempt("number", lambda: p[3])
    log.attempt("call", lambda: p(3))
    p.clear()
    log("empty", repr(p))
