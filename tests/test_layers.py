"""What a layer calls and a layer above it states is stated; `lint-imports` holds the layers."""

from __future__ import annotations

import inspect

import pytest

import symgrad  # noqa: F401 - states everything
from symgrad.support.above import everything_from_above


@pytest.mark.parametrize("place", everything_from_above, ids=lambda place: place.module)
def test_each_is_stated_where_it_says(place):
    assert inspect.getmodule(place.call).__name__ == place.module
