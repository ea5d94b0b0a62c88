"""No malformed call of any public function or method ends in an error that nobody meant.

What it may raise is what PyTorch raises, by class, or an error that a `raise` statement of
symgrad's own raises; and it leaves its operands and all modes as they were.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator

import pytest

import symgrad
from tests.each import each

from .calls import by_kinds, callables, caller
from .judge import attempt, restore
from .record import RECORDS
from .record_messages import chosen_calls, messages
from .run import Call, calls, judged

# What takes memory in earnest is left to the process with bounded memory.
LARGE = ("2**31", "(2**62, 2**62)")


def test_every_callable_has_a_call_that_succeeds() -> None:
    for path in callables():
        assert RECORDS[path]["bases"], f"record {path} with tests.malformed.record"


@each("path", by_kinds(sorted(callables())))
def test_some_calls_of_each_kind(path: str) -> None:
    made = [c for c in calls(path, RECORDS[path]) if not c.text.endswith(LARGE)]
    drawn = random.Random(path).sample(made, min(len(made), 8))
    wrong = [judged(call)[0] for call in drawn]
    assert not any(wrong), "\n".join(filter(None, wrong))


@pytest.mark.slow
def test_many_calls() -> None:
    """`python -m tests.malformed.run` makes all."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.malformed.run", "--every", "10"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-10_000:] + run.stderr[-2_000:]


def test_calls_are_malformed() -> None:
    made: list[Call] = [c for path in ("add", "Tensor.sum") for c in calls(path, RECORDS[path])]
    assert sum(c.theirs == "T" for c in made) > len(made) / 2


#: Where other words are on purpose, and why.
OTHER_WORDS = {
    "Python binds the arguments, which is quicker than a schema, or makes an object of a class": (
        "Generator", "Tensor.as_subclass", "Tensor.is_contiguous", "Tensor.new", "Tensor.numpy",
        "Tensor.size", "Tensor.stride", "Tensor.type", "finfo", "iinfo",
        "autograd.graph.allow_mutation_on_saved_tensors", "is_tensor", "random.fork_rng",
        "set_default_dtype", "utils.dlpack.to_dlpack",
    ),
    "PyTorch refuses within, in the name of another function": (
        "Tensor.lu", "Tensor.norm", "Tensor.split", "autograd.gradcheck",
        "autograd.gradgradcheck", "lu", "nn.functional.normalize", "norm", "split", "tensordot",
        "nn.functional.unfold",
        *(f"nn.functional.lp_pool{rank}d" for rank in (1, 2, 3)),
        *(f"nn.functional.max_pool{rank}d_with_indices" for rank in (1, 2, 3)),
        *(f"nn.functional.adaptive_max_pool{rank}d_with_indices" for rank in (1, 2)),
        "nn.functional.embedding", "nn.functional.embedding_bag",
        "nn.functional.linear_cross_entropy",
        "nn.functional.gaussian_nll_loss", "nn.functional.gumbel_softmax",
        "nn.functional.local_response_norm", "nn.functional.multi_head_attention_forward",
        "nn.functional.multilabel_soft_margin_loss",
        *(f"masked.{name}" for name in (
            "amax", "amin", "argmax", "argmin", "logaddexp", "logsumexp", "mean", "median", "norm",
            "normalize", "prod", "softmin", "std", "sum", "var",
        )),
    ),
    "PyTorch reads the arguments by hand, or by parameters and overloads that nobody sees": (
        "Tensor.copy_", "Tensor.istft", "Tensor.stft", "stft",
        "atleast_1d", "atleast_2d", "atleast_3d", "nn.functional.elu_",
        "nn.functional.rrelu_", "nonzero",
    ),
    "PyTorch names a private function": (
        "nn.functional.threshold", "Tensor.unique", "unique", "unique_consecutive",
        *(f"nn.functional.adaptive_max_pool{rank}d" for rank in (1, 2, 3)),
        "nn.functional.max_pool2d", "nn.functional.max_pool3d",
        *(f"nn.functional.fractional_max_pool{rank}d" for rank in (2, 3)),
        *(f"nn.functional.fractional_max_pool{rank}d_with_indices" for rank in (2, 3)),
    ),
    "PyTorch has a function of its own, of other parameters, for what is another name here": (
        "special.log_softmax", "special.round", "special.scaled_modified_bessel_k0",
        "special.scaled_modified_bessel_k1", "special.softmax",
    ),
    "PyTorch writes defaults as C++ does": (
        "linalg.matrix_norm",
        *(f"{door}conv{rank}d" for door in ("", "nn.functional.") for rank in (1, 2, 3)),
    ),
}  # fmt: skip


def with_other_words(path: str) -> Iterator[tuple[Call, str]]:
    """Yield the calls that symgrad refuses in other words than PyTorch, and both texts."""
    for call, theirs in zip(chosen_calls(path, RECORDS[path]), messages(path), strict=True):
        if theirs and call.place != "name":  # which symgrad alone has
            f = caller(symgrad, path)
            assert f is not None
            ours = str(attempt(f, *call.arguments()).error)
            restore()
            if ours != theirs:
                yield call, f"{call.text}:\n{ours}\nand not\n{theirs}"


def test_there_are_messages_of_the_parser() -> None:
    assert sum(bool(text) for path in callables() for text in messages(path)) > 7000


@each("path", by_kinds(sorted(callables())))
def test_messages_of_the_parser_are_pytorchs(path: str) -> None:
    """Letter by letter, for a wrong value in each place of each function, and for each miscount."""
    others = {path for paths in OTHER_WORDS.values() for path in paths}
    found = [text for _, text in with_other_words(path)]
    assert bool(found) == (path in others), "\n".join([path, *found])
