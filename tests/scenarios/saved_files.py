"""`save` and `load`: what comes back from a file, what is refused, and files that are damaged."""

import io
import pickle
import zipfile
from collections import OrderedDict

from ._harness import each


def _saved(torch, obj):
    file = io.BytesIO()
    torch.save(obj, file)
    return file.getvalue()


def _back(torch, obj, **keywords):
    return torch.load(io.BytesIO(_saved(torch, obj)), **keywords)


_OBJECTS = {
    "none": lambda torch: None,
    "truth": lambda torch: [True, False],
    "integers": lambda torch: [
        0,
        255,
        256,
        65535,
        65536,
        -1,
        -129,
        2**31,
        -(2**31),
        2**63,
        -(2**70),
    ],
    "floats": lambda torch: [0.5, -0.0, float("inf"), 1e-300],
    "complex": lambda torch: (1 + 2j, -1j),
    "strings": lambda torch: ["", "a", "ä€𝄞", "a\nb", "a"],
    "bytes": lambda torch: [bytes(range(256)).hex(), b"ab" == b"ab"],
    "tuples": lambda torch: [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), ((), [()])],
    "dicts": lambda torch: {"a": 1, 2: {"b": []}, (1, "c"): {}},
    "ordered": lambda torch: OrderedDict([("b", 1), ("a", OrderedDict())]),
    "sets": lambda torch: sorted({3, 1, 2}),
    "dtypes": lambda torch: [torch.float32, torch.bool, torch.complex128, torch.int64],
    "size": lambda torch: torch.ones(2, 3).shape,
    "device": lambda torch: str(torch.device("cpu")),
    "tensors": lambda torch: [torch.arange(6.0).view(2, 3), torch.tensor(3), torch.zeros(0, 2)],
    "a leaf": lambda torch: torch.ones(2, requires_grad=True),
    "a result": lambda torch: torch.ones(2, requires_grad=True) * 2,
    "a parameter": lambda torch: torch.nn.Parameter(torch.ones(2)),
    "a constant parameter": lambda torch: torch.nn.Parameter(torch.ones(2), requires_grad=False),
    "transposed": lambda torch: torch.arange(6.0).view(2, 3).t(),
    "expanded": lambda torch: torch.tensor([[1.0], [2.0]]).expand(2, 3),
    "every third": lambda torch: torch.arange(10.0)[1::3],
    "special values": lambda torch: torch.tensor([float("nan"), -float("inf"), -0.0, 1e-45]),
}


@each(what=list(_OBJECTS))
def objects(torch, log, what):
    found = _back(torch, _OBJECTS[what](torch))
    log("found", found)
    log("class", type(found))
    log("with the location", _back(torch, _OBJECTS[what](torch), map_location="cpu"))
    if isinstance(found, torch.Tensor):
        log("strides", [found.stride(), found.storage_offset(), found.is_leaf])


@each(
    dtype=["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
           "complex64", "complex128"]
)  # fmt: skip
def of_a_dtype(torch, log, dtype):
    log("found", _back(torch, torch.tensor([0, 1, 1]).to(getattr(torch, dtype))))


def shared(torch, log):
    base = torch.arange(6.0)
    words = ["again"]
    first, view, rows, same, a, b = _back(
        torch, [base, base[2:4], base.view(3, 2), base, words, words]
    )
    first.add_(10.0)
    log("view", view)
    log("rows", rows)
    log("one object", [first is same, a is b])
    log("places", [view.storage_offset(), rows.stride()])
    cycle = []
    cycle.append((cycle,))
    found = _back(torch, cycle)
    log("in itself", found[0][0] is found)


def states_of_modules(torch, log):
    torch.manual_seed(1)
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1))
    x = torch.tensor([[0.5, -1.0], [2.0, 0.25], [1.0, 1.0]])
    net(x)
    state = _back(torch, net.state_dict())
    log("state", state)
    log("class", type(state))
    log("metadata", state._metadata)
    torch.manual_seed(2)
    twin = torch.nn.Sequential(
        torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3), torch.nn.Linear(3, 1)
    )
    log("keys", str(twin.load_state_dict(state)))
    log("same", torch.equal(twin(x), net(x)))


@each(optimizer=["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "NAdam"])
def states_of_optimizers(torch, log, optimizer):
    options = {"momentum": 0.9} if optimizer == "SGD" else {}

    def new():
        w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
        return w, getattr(torch.optim, optimizer)([w], lr=0.125, **options)

    def step(w, taken):
        taken.zero_grad()
        (w * w * w).sum().backward()
        taken.step()

    w, taken = new()
    for _ in range(2):
        step(w, taken)
    state = _back(torch, {"w": w, "state": taken.state_dict()})
    log("state", state["state"]["state"])
    log("parameters", [group["params"] for group in state["state"]["param_groups"]])
    v, other = new()
    with torch.no_grad():
        v.copy_(state["w"])
    other.load_state_dict(state["state"])
    for pair in ((w, taken), (v, other)):
        step(*pair)
    log("goes on as before", torch.equal(w, v))


def a_whole_training(torch, log):
    """The checkpoint of a program: the epoch, the losses, the model, the optimizer."""
    torch.manual_seed(0)
    net = torch.nn.Linear(2, 1)
    taken = torch.optim.Adam(net.parameters(), lr=0.25)
    losses = []
    x, y = torch.tensor([[1.0, 2.0], [3.0, -1.0]]), torch.tensor([[1.0], [0.0]])
    for _ in range(3):
        loss = ((net(x) - y) ** 2).mean()
        taken.zero_grad()
        loss.backward()
        taken.step()
        losses.append(loss.detach())
    kept = _back(
        torch,
        {"epoch": 3, "loss": losses, "net": net.state_dict(), "optimizer": taken.state_dict()},
    )
    log("epoch", kept["epoch"])
    log("losses", kept["loss"])
    log("net", kept["net"])
    log("groups", len(kept["optimizer"]["param_groups"]))


# ---------------------------------------------------------------- what is refused


def _changed(torch, **records):
    """The bytes of a file of which some records are others, or are left out for None."""
    out = io.BytesIO()
    given = zipfile.ZipFile(io.BytesIO(_saved(torch, {"a": torch.ones(100)})))
    with zipfile.ZipFile(out, "w") as made:
        for name in given.namelist():
            short = name.split("/", 1)[1]
            data = records.get(short, given.read(name))
            if data is not None:
                made.writestr(name, data)
    return out.getvalue()


def _pickled(torch, data):
    return _changed(torch, **{"data.pkl": data})


_FILES = {
    "eval": lambda torch: _pickled(torch, b"\x80\x02cbuiltins\neval\nX\x01\x00\x00\x001\x85R."),
    "system": lambda torch: _pickled(torch, b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R."),
    "a lambda's module": lambda torch: _pickled(torch, b"\x80\x02cfractions\nFraction\n)R."),
    "an object": lambda torch: _pickled(torch, pickle.dumps(zipfile.ZipInfo("a"), 2)),
    "an instruction": lambda torch: _pickled(torch, b"\x80\x02(cos\nsystem\no."),
    "a part": lambda torch: _saved(torch, [1])[:200],
    "short data": lambda torch: _changed(torch, **{"data/0": b"\0" * 10}),
    "long data": lambda torch: _changed(torch, **{"data/0": b"\0" * 404}),
    "no data": lambda torch: _changed(torch, **{"data/0": None}),
    "no pickle": lambda torch: _changed(torch, **{"data.pkl": None}),
    "no version": lambda torch: _changed(torch, version=None),
    "byte order": lambda torch: _changed(torch, byteorder=b"middle"),
    "empty": lambda torch: b"",
}


@each(file=list(_FILES))
def damaged_files(torch, log, file):
    log.attempt("outcome", lambda: torch.load(io.BytesIO(_FILES[file](torch))), words=False)


def big_endian(torch, log):
    data = b"\x3f\x80\x00\x00" * 100
    log("found", torch.load(io.BytesIO(_changed(torch, **{"byteorder": b"big", "data/0": data}))))


_REFUSED = {
    "to a number": lambda torch: torch.save(1, 3),
    "from a number": lambda torch: torch.load(3),
    "no file": lambda torch: torch.load("/there/is/nothing"),
    "no folder": lambda torch: torch.save(1, "/there/is/nothing"),
    "two dtypes": lambda torch: _saved(
        torch, [c := torch.ones(2, dtype=torch.complex64), torch.view_as_real(c)]
    ),
}


@each(what=list(_REFUSED))
def refused(torch, log, what):
    log.attempt("outcome", lambda: _REFUSED[what](torch), words=False)
