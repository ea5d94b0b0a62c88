"""PyTorch's `torch.utils.data`: data sets, in which order they are read, and batches of them."""

from symgrad.support.absent import refused
from symgrad.support.homes import at_home
from symgrad.utils.data.collate import default_collate, default_convert
from symgrad.utils.data.dataloader import DataLoader
from symgrad.utils.data.dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from symgrad.utils.data.sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from symgrad.utils.data.worker import get_worker_info

__all__ = [
    "BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset",
    "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset",
    "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate",
    "default_convert", "get_worker_info", "random_split",
]  # fmt: skip

at_home(__name__, **{name: globals()[name] for name in __all__})

__getattr__ = refused("utils.data")
