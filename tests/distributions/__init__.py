"""Tests of `symgrad.distributions`."""
