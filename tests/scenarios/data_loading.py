"""`torch.utils.data`: the order of elements for a seed, batches, workers, and what is refused."""

import collections
import functools
import importlib

import numpy as np

from ._harness import each


def _data(torch):
    return importlib.import_module(f"{torch.__name__}.utils.data")


def _seeded(torch, seed=3):
    return torch.Generator().manual_seed(seed)


@functools.cache
def _squares(torch):
    class Squares(_data(torch).Dataset):
        def __init__(self, length=7):
            self.length = length

        def __len__(self):
            return self.length

        def __getitem__(self, i):
            if i == 5 and self.length == 6:
                raise KeyError("five")
            return i, float(i * i)

    return Squares


@functools.cache
def _drawing(torch):
    class Drawing(_data(torch).Dataset):
        def __len__(self):
            return 6

        def __getitem__(self, i):
            return torch.rand(2) + i

    return Drawing


@functools.cache
def _stream(torch):
    class Stream(_data(torch).IterableDataset):
        def __init__(self, start, stop):
            self.start, self.stop = start, stop

        def __iter__(self):
            worker = _data(torch).get_worker_info()
            if worker is None:
                return iter(range(self.start, self.stop))
            return iter(range(self.start + worker.id, self.stop, worker.num_workers))

        def __len__(self):
            return self.stop - self.start

    return Stream


# ---------------------------------------------------------------- samplers

_SAMPLERS = {
    "sequential": lambda d, g: d.SequentialSampler(range(4)),
    "random": lambda d, g: d.RandomSampler(range(9)),
    "random of a generator": lambda d, g: d.RandomSampler(range(9), generator=g),
    "fewer": lambda d, g: d.RandomSampler(range(9), num_samples=4, generator=g),
    "more": lambda d, g: d.RandomSampler(range(4), num_samples=10, generator=g),
    "as often as elements": lambda d, g: d.RandomSampler(range(4), num_samples=8, generator=g),
    "again": lambda d, g: d.RandomSampler(range(5), True, generator=g),
    "again, many": lambda d, g: d.RandomSampler(range(5), True, 70, generator=g),
    "again, a whole number": lambda d, g: d.RandomSampler(range(5), True, 64, generator=g),
    "subset": lambda d, g: d.SubsetRandomSampler([10, 20, 30, 40]),
    "subset of a generator": lambda d, g: d.SubsetRandomSampler([10, 20, 30, 40], generator=g),
    "weighted": lambda d, g: d.WeightedRandomSampler([0.1, 3.0, 0.5, 1.0], 12, generator=g),
    "weighted, once each": lambda d, g: d.WeightedRandomSampler(
        [0.1, 3.0, 0.5, 1.0], 3, replacement=False, generator=g
    ),
    "weighted by the default": lambda d, g: d.WeightedRandomSampler([1.0, 2.0], 5),
    "batches": lambda d, g: d.BatchSampler(d.RandomSampler(range(7), generator=g), 3, False),
    "whole batches": lambda d, g: d.BatchSampler(d.RandomSampler(range(7), generator=g), 3, True),
    "batches of a list": lambda d, g: d.BatchSampler([4, 5, 6, 7], 2, True),
}


@each(sampler=list(_SAMPLERS))
def samplers(torch, log, sampler):
    g = _seeded(torch)
    found = _SAMPLERS[sampler](_data(torch), g)
    log("length", len(found))
    log("first", list(found))
    log("second", list(found))
    log("drawn next by the generator", torch.rand(1, generator=g))
    log("drawn next by default", torch.rand(1))


_REFUSED_SAMPLERS = {
    "empty": lambda d: d.RandomSampler([]),
    "none": lambda d: d.RandomSampler([1], num_samples=0),
    "half": lambda d: d.RandomSampler([1], num_samples=0.5),
    "replacement": lambda d: d.RandomSampler([1], replacement=1),
    "weighted, none": lambda d: d.WeightedRandomSampler([1.0], 0),
    "weighted, true": lambda d: d.WeightedRandomSampler([1.0], True),
    "weighted, replacement": lambda d: d.WeightedRandomSampler([1.0], 1, replacement=0),
    "weights of two axes": lambda d: d.WeightedRandomSampler([[1.0]], 1),
    "negative weights": lambda d: list(d.WeightedRandomSampler([1.0, -1.0], 2)),
    "too many": lambda d: list(d.WeightedRandomSampler([1.0, 1.0], 3, replacement=False)),
    "batches of none": lambda d: d.BatchSampler([1], 0, False),
    "batches, dropped": lambda d: d.BatchSampler([1], 1, 1),
    "no length": lambda d: len(d.Sampler()),
    "nothing to iterate": lambda d: next(iter(d.Sampler())),
    "none of nothing": lambda d: list(d.RandomSampler([], num_samples=2)),
}


@each(what=list(_REFUSED_SAMPLERS))
def refused_samplers(torch, log, what):
    log.attempt("outcome", lambda: _REFUSED_SAMPLERS[what](_data(torch)), words=False)


# ---------------------------------------------------------------- data sets


def data_sets(torch, log):
    d = _data(torch)
    rows = d.TensorDataset(torch.arange(6).view(3, 2), torch.tensor([0.5, 1.5, 2.5]))
    log("length", len(rows))
    log("row", rows[1])
    log("rows", rows[1:])
    joined = rows + d.TensorDataset(torch.zeros(2, 2), torch.ones(2))
    log("joined", [len(joined), joined.cumulative_sizes, joined[3], joined[-5]])
    log("side by side", d.StackDataset(rows, [1, 2, 3])[2])
    named = d.StackDataset(x=rows, n=[1, 2, 3])
    log("by names", [named[0], len(named), named.__getitems__([2, 0])])
    part = d.Subset(rows, [2, 0])
    log("part", [len(part), part[0], part.__getitems__([1, 0])])
    log("part of a part", d.Subset(part, [1])[0])
    log("chained", list(d.ChainDataset([_stream(torch)(0, 2), _stream(torch)(5, 7)])))
    log("sum", [list(_stream(torch)(0, 2) + _stream(torch)(3, 4))])
    log("length of the chain", len(d.ChainDataset([_stream(torch)(0, 2), _stream(torch)(5, 9)])))


@each(lengths=[[4, 3], [0.5, 0.5], [0.3, 0.3, 0.4], [0.99, 0.01], [7], [7, 0], [1.0]])
def splits(torch, log, lengths):
    d = _data(torch)
    with log.warns("warnings"):
        parts = d.random_split(range(7), lengths, generator=_seeded(torch))
    log("parts", [list(part) for part in parts])
    log("indices", [part.indices for part in parts])
    with log.warns("warnings of the default"):
        log("by default", [list(part) for part in d.random_split(range(7), lengths)])


_REFUSED_SETS = {
    "lengths": lambda torch, d: d.TensorDataset(torch.ones(2), torch.ones(3)),
    "stacked lengths": lambda torch, d: d.StackDataset([1, 2], [1]),
    "stacked nothing": lambda torch, d: d.StackDataset(),
    "stacked twice": lambda torch, d: d.StackDataset([1], a=[1]),
    "joined nothing": lambda torch, d: d.ConcatDataset([]),
    "joined streams": lambda torch, d: d.ConcatDataset([_stream(torch)(0, 2)]),
    "before the first": lambda torch, d: d.ConcatDataset([[1, 2]])[-3],
    "behind the last": lambda torch, d: d.ConcatDataset([[1, 2]])[2],
    "chained lists": lambda torch, d: list(d.ChainDataset([[1, 2]])),
    "too short": lambda torch, d: d.random_split(range(5), [1, 2]),
    "too long": lambda torch, d: d.random_split(range(5), [3, 3]),
    "fractions above one": lambda torch, d: d.random_split(range(5), [0.9, 0.3]),
    "fraction below zero": lambda torch, d: d.random_split(range(5), [1.5, -0.5]),
    "no item": lambda torch, d: d.Dataset()[0],
    "no length": lambda torch, d: len(d.Dataset()),
    "half a subset": lambda torch, d: type("Half", (d.Subset,), {"__getitem__": lambda self, i: i})(
        [1], [0]
    ),
}


@each(what=list(_REFUSED_SETS))
def refused_data_sets(torch, log, what):
    log.attempt("outcome", lambda: _REFUSED_SETS[what](torch, _data(torch)), words=False)


# ---------------------------------------------------------------- collating

_Point = collections.namedtuple("_Point", ["x", "y"])

_BATCHES = {
    "tensors": lambda torch: [torch.ones(2), torch.zeros(2)],
    "tensors that require gradients": lambda torch: [torch.ones(2, requires_grad=True)] * 2,
    "arrays": lambda torch: [np.array([1.5, 2.5]), np.array([3.5, 4.5])],
    "arrays of int32": lambda torch: [np.array([1], np.int32)] * 2,
    "arrays without axes": lambda torch: [np.array(1.5), np.array(2.5)],
    "numpy numbers": lambda torch: [np.float32(1.5), np.float32(2.5)],
    "numpy doubles": lambda torch: [np.float64(1.5), np.float64(2.5)],
    "numpy truth": lambda torch: [np.bool_(True), np.bool_(False)],
    "floats": lambda torch: [1.5, 2.5],
    "integers": lambda torch: [1, 2],
    "truth": lambda torch: [True, False],
    "strings": lambda torch: ["a", "bc"],
    "bytes": lambda torch: [b"a", b"bc"],
    "tuples": lambda torch: [(1, 2.5, "a"), (2, 3.5, "b")],
    "lists": lambda torch: [[1, 2], [3, 4]],
    "dicts": lambda torch: [{"a": 1, "b": [2.5]}, {"a": 3, "b": [4.5]}],
    "ordered": lambda torch: [collections.OrderedDict(a=1), collections.OrderedDict(a=2)],
    "points": lambda torch: [_Point(1, 2.5), _Point(3, 4.5)],
    "ranges": lambda torch: [range(2), range(1, 3)],
    "nested": lambda torch: [((1, torch.ones(1)), {"k": (2,)}), ((3, torch.zeros(1)), {"k": (4,)})],
    "one": lambda torch: [(torch.ones(1), 1)],
    "texts of numpy": lambda torch: [np.array(["a"]), np.array(["b"])],
    "objects of numpy": lambda torch: [np.array([None]), np.array([None])],
    "none": lambda torch: [None, None],
    "sets": lambda torch: [{1}, {2}],
    "different lengths": lambda torch: [[1], [2, 3]],
    "different shapes": lambda torch: [torch.ones(2), torch.ones(3)],
    "nothing": lambda torch: [],
    "complex": lambda torch: [1j, 2j],
}


@each(batch=list(_BATCHES))
def batches(torch, log, batch):
    d = _data(torch)
    words = batch not in ("nothing", "complex", "different shapes")
    log.attempt("collated", lambda: d.default_collate(_BATCHES[batch](torch)), words)
    log.attempt("its class", lambda: type(d.default_collate(_BATCHES[batch](torch))), False)
    converted = d.default_convert(_BATCHES[batch](torch))
    if "of numpy" in batch:
        log("converted", [type(x).__name__ for x in converted])
    else:
        log("converted", converted)


# ---------------------------------------------------------------- loading

_LOADERS = {
    "one by one": {},
    "in order": {"batch_size": 3},
    "shuffled": {"batch_size": 3, "shuffle": True},
    "whole batches": {"batch_size": 3, "shuffle": True, "drop_last": True},
    "elements": {"batch_size": None},
    "shuffled elements": {"batch_size": None, "shuffle": True},
    "own order": {"batch_size": 2, "sampler": [6, 0, 3]},
    "own batches": {"batch_sampler": [[1], [2, 3, 4]]},
    "own collating": {"batch_size": 4, "collate_fn": lambda items: len(items)},
}


@each(loader=list(_LOADERS), workers=[0, 1, 3])
def loaders(torch, log, loader, workers):
    d = _data(torch)
    found = d.DataLoader(_squares(torch)(), num_workers=workers, **_LOADERS[loader])
    log("length", len(found))
    log("first", list(found))
    log("second", list(found))
    log("drawn next", torch.rand(1))
    log("attributes", [found.batch_size, found.drop_last, found.prefetch_factor])


@each(workers=[0, 2])
def loaders_with_a_generator(torch, log, workers):
    d, g = _data(torch), _seeded(torch)
    found = d.DataLoader(range(6), 2, shuffle=True, generator=g, num_workers=workers)
    log("first", list(found))
    log("second", list(found))
    log("drawn next", torch.rand(1, generator=g))
    log("drawn next by default", torch.rand(1))


@each(workers=[0, 1, 2, 3], persistent=[False, True])
def data_sets_that_draw(torch, log, workers, persistent):
    if persistent and not workers:
        log("nothing persists", True)
        return
    d = _data(torch)
    found = d.DataLoader(
        _drawing(torch)(), 2, shuffle=True, num_workers=workers, persistent_workers=persistent
    )
    log("first", list(found))
    log("second", list(found))
    log("drawn next", torch.rand(1))


@each(workers=[0, 1, 2, 5], batch_size=[None, 2, 3], drop_last=[False, True])
def streams(torch, log, workers, batch_size, drop_last):
    d = _data(torch)
    drop_last = drop_last and batch_size is not None
    found = d.DataLoader(
        _stream(torch)(0, 7), batch_size=batch_size, num_workers=workers, drop_last=drop_last
    )
    log("first", list(found))
    log("second", list(found))
    log("length", len(found))
    log("drawn next", torch.rand(1))


def _widened(torch):
    def start(number):
        worker = _data(torch).get_worker_info()
        worker.dataset.start, worker.dataset.stop = 10 * number, 10 * number + number + 2

    return start


@each(persistent=[False, True])
def workers_that_set_their_data_set(torch, log, persistent):
    d = _data(torch)
    data = _stream(torch)(0, 2)
    found = d.DataLoader(
        data,
        batch_size=2,
        num_workers=2,
        worker_init_fn=_widened(torch),
        persistent_workers=persistent,
    )
    log("first", list(found))
    log("second", list(found))
    log("here", [data.start, data.stop])
    log("no worker", d.get_worker_info())


@each(workers=[0, 2])
def errors(torch, log, workers):
    found = iter(_data(torch).DataLoader(_squares(torch)(6), 2, num_workers=workers))
    log("first", next(found))
    log("second", next(found))
    with log.raises("third"):
        next(found)
    log.attempt("fourth", lambda: next(found), words=False)


def _fails(number):
    raise ZeroDivisionError(f"worker {number}")


def errors_at_the_start(torch, log):
    found = _data(torch).DataLoader(_squares(torch)(), num_workers=1, worker_init_fn=_fails)
    with log.raises("first"):
        next(iter(found))


def longer_than_said(torch, log):
    data = _stream(torch)(0, 3)
    type(data).__len__, kept = lambda self: 2, type(data).__len__
    found = _data(torch).DataLoader(data, batch_size=None)
    log("length", len(found))
    with log.warns("warnings"):
        log("found", len([*found]))
    type(data).__len__ = kept


_REFUSED_LOADERS = {
    "workers": lambda torch: {"num_workers": -1},
    "timeout": lambda torch: {"timeout": -1},
    "ahead": lambda torch: {"prefetch_factor": 2},
    "negative ahead": lambda torch: {"prefetch_factor": -2, "num_workers": 1},
    "persistent": lambda torch: {"persistent_workers": True},
    "sampler and shuffle": lambda torch: {"sampler": [1], "shuffle": True},
    "batches and size": lambda torch: {"batch_sampler": [[1]], "batch_size": 2},
    "batches and shuffle": lambda torch: {"batch_sampler": [[1]], "shuffle": True},
    "batches and sampler": lambda torch: {"batch_sampler": [[1]], "sampler": [1]},
    "batches and last": lambda torch: {"batch_sampler": [[1]], "drop_last": True},
    "no batches and last": lambda torch: {"batch_size": None, "drop_last": True},
    "no size": lambda torch: {"batch_size": 0},
    "last": lambda torch: {"drop_last": 3},
    "shuffled stream": lambda torch: {"dataset": _stream(torch)(0, 3), "shuffle": True},
    "sampled stream": lambda torch: {"dataset": _stream(torch)(0, 3), "sampler": [1]},
    "stream of batches": lambda torch: {"dataset": _stream(torch)(0, 3), "batch_sampler": [[1]]},
    "shuffled nothing": lambda torch: {"dataset": [], "shuffle": True},
    "unknown": lambda torch: {"batches": 3},
}


@each(what=list(_REFUSED_LOADERS))
def refused_loaders(torch, log, what):
    keywords = {"dataset": [1, 2, 3], **_REFUSED_LOADERS[what](torch)}
    words = what not in ("unknown", "ahead")
    if "stream" in what:
        words = False
    log.attempt("outcome", lambda: _data(torch).DataLoader(**keywords), words)


@each(name=["batch_size", "sampler", "drop_last", "dataset", "num_workers"])
def attributes_that_are_set(torch, log, name):
    found = _data(torch).DataLoader([1, 2, 3])
    log.attempt("outcome", lambda: setattr(found, name, 2))
