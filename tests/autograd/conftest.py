"""Every test of the tape starts with an empty plan cache."""

import pytest

from symgrad.autograd import cache_clear


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache_clear()
