"""The sampler of programs of several processes, each of which reads a part of a data set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sized
from itertools import cycle, islice

from symgrad.random.streams import Generator
from symgrad.utils.data.sampler import Sampler


class DistributedSampler(Sampler[int]):
    """Every n-th index of a data set: those of one of n processes.

    There is one process here. So n and the number of the process are to be given; a program asks
    `torch.distributed.is_initialized` before it makes such a sampler.

    Parameters
    ----------
    dataset : sized
        The data set.
    num_replicas : int
        How many processes there are.
    rank : int
        The number of this one, from 0 on.
    shuffle : bool
        Whether the order is random.
    seed : int
        Of the order, which depends on `set_epoch`, too.
    drop_last : bool
        Whether indices are left out, where n does not divide their number; else some come again.

    Raises
    ------
    RuntimeError
        If `num_replicas` or `rank` is not given.
    ValueError
        If there is no such process.

    Examples
    --------
    >>> from symgrad.utils.data import DistributedSampler
    >>> [list(DistributedSampler(range(5), 2, rank, shuffle=False)) for rank in (0, 1)]
    [[0, 2, 4], [1, 3, 0]]
    """

    def __init__(
        self, dataset: Sized, num_replicas: int | None = None, rank: int | None = None,
        shuffle: bool = True, seed: int = 0, drop_last: bool = False,
    ) -> None:  # fmt: skip
        if num_replicas is None or rank is None:
            raise RuntimeError("Requires distributed package to be available")
        if not 0 <= rank < num_replicas:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last, self.epoch = shuffle, seed, drop_last, 0
        share = len(dataset) / num_replicas
        self.num_samples = math.floor(share) if drop_last else math.ceil(share)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        count = len(self.dataset)
        drawn = Generator(self.seed + self.epoch).permutation(count) if self.shuffle else None
        indices = range(count) if drawn is None else drawn.tolist()
        return islice(cycle(indices), self.rank, self.total_size, self.num_replicas)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Let the next iteration have another order.

        Parameters
        ----------
        epoch : int
            Which is added to the seed.

        Examples
        --------
        >>> from symgrad.utils.data import DistributedSampler
        >>> sampler = DistributedSampler(range(6), num_replicas=1, rank=0)
        >>> first = list(sampler)
        >>> sampler.set_epoch(1)
        >>> list(sampler) == first
        False
        """
        self.epoch = epoch
