"""Tests of `symgrad.optim`."""
