"""The loss of sequences whose alignment is not known, beside sums over all alignments."""

from __future__ import annotations

import itertools
from typing import Any

from .table import Differs, f, f32, i, table

case = table("sequences", rtol=1e-9)
CASES = case.cases


def _loss(targets: Any, inputs: Any, lengths: Any, *given: Any) -> Any:
    """Of scores: PyTorch's derivative by the logarithms is that of scores already."""
    return lambda t, x: t.nn.functional.ctc_loss(
        x.log_softmax(-1), t.tensor(targets), inputs, lengths, *given
    )


def _read(path: Any, blank: int) -> list[int]:
    return [c for c, _ in itertools.groupby(path) if c != blank]


def _over_paths(targets: Any, inputs: Any, reduction: str, blank: int = 0) -> Any:
    """The same as a sum over all paths; targets that do not fit count 0."""

    def loss(t: Any, x: Any) -> Any:
        logs = x.log_softmax(-1)
        found = []
        for n, (target, length) in enumerate(zip(targets, inputs, strict=True)):
            paths = [
                path
                for path in itertools.product(range(x.shape[2]), repeat=length)
                if _read(path, blank) == list(target)
            ]
            ways = [sum(logs[k, n, c] for k, c in enumerate(path)) for path in paths]
            found.append(-t.stack(ways).logsumexp(0) if ways else 0 * logs[0, n, 0])
            if reduction == "mean":
                found[-1] = found[-1] / max(len(target), 1)
        losses = t.stack(found)
        return losses if reduction == "none" else getattr(losses, reduction)()

    return loss


_VALUES = "the derivative is that of the value, to every order"
_TWO = [[1, 2], [2, 2]]
for name, targets, inputs, reduction, blank in (
    ("mean", _TWO, (3, 3), "mean", 0),
    ("sum", _TWO, (3, 3), "sum", 0),
    ("none", _TWO, (3, 3), "none", 0),
    ("short", [[1, 2], [1]], (3, 2), "mean", 0),
    ("blank", [[1, 0], [1, 1]], (3, 3), "mean", 2),
    ("empty", [[], [1]], (2, 3), "mean", 0),
):
    flat = [c for target in targets for c in target]
    lengths = tuple(map(len, targets))
    case(
        f"ctc-loss-{name}", _loss(flat, inputs, lengths, blank, reduction), f(3, 2, 3),
        differs=Differs(_VALUES, as_case=f"sequences-ctc-loss-{name}-written"),
    )  # fmt: skip
    case(f"ctc-loss-{name}-written", _over_paths(targets, inputs, reduction, blank), f(3, 2, 3))
case(
    "ctc-loss-zero-infinity", _loss([[1, 2], [2, 2]], (3, 2), (2, 2), 0, "mean", True), f(3, 2, 3),
    differs=Differs(_VALUES, as_case="sequences-ctc-loss-zero-infinity-written"),
)  # fmt: skip
case("ctc-loss-zero-infinity-written", _over_paths(_TWO, (3, 2), "mean"), f(3, 2, 3))
case(
    "ctc-loss-alone", _loss([1, 2], (3,), (2,), 0, "none"), f(3, 3),
    differs=Differs(_VALUES, as_case="sequences-ctc-loss-alone-written"),
)  # fmt: skip
case(
    "ctc-loss-alone-written",
    lambda t, x: _over_paths([[1, 2]], (3,), "sum")(t, x.unsqueeze(1)), f(3, 3),
)  # fmt: skip
SINGLE = _loss([[1, 2]], (4,), (2,))
case("ctc-loss-single", SINGLE, f32(4, 1, 3, grad=False), rtol=1e-6)
for name, given in {
    "batch": (_TWO, (3,), (2, 2)),
    "lengths": (_TWO, (3, 3), (2,)),
    "long": (_TWO, (3, 4), (2, 2)),
    "targets": ([[1], [2]], (3, 3), (2, 2)),
    "flat": ([1, 2, 1], (3, 3), (2, 2)),
    "no-blank": (_TWO, (3, 3), (2, 2), 3),
    "reduction": (_TWO, (3, 3), (2, 2), 0, "all"),
}.items():
    case(f"ctc-loss-{name}", _loss(*given), f(3, 2, 3), same_words=name != "targets")
case("ctc-loss-floats", _loss([[1.0], [2.0]], (3, 3), (1, 1)), f(3, 2, 3, grad=False))
case(
    "ctc-loss-integers",
    lambda t, x: t.nn.functional.ctc_loss(x, t.tensor(_TWO), (3, 3), (2, 2)), i(3, 2, 3),
)  # fmt: skip
case("ctc-loss-no-time", _loss(_TWO, (3, 3), (2, 2)), f(0, 2, 3))
