"""Pairs of primes, and the numbers that a hash function draws from a text.

The powers of one number modulo p that repeat after q steps are an exponential function: what is
added modulo q is multiplied modulo p. So q divides p - 1. There is a root of -1 modulo p, which
brings sines and cosines to exponentials.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import sympy

#: The length of q in bits. What is equal by chance is so with a probability of 2**-BITS times the
#: size of a formula.
BITS = 150


class Field(NamedTuple):
    """Two primes, and what exponentials are powers of.

    Attributes
    ----------
    key : bytes
        What all numbers are drawn from.
    p, q : int
        Primes; `q` and 4 divide `p - 1`.
    base, turn : int
        Two powers of order `q`, modulo `p`: of exponentials, and of those of imaginary numbers.
    unit : int
        A root of -1, modulo `p`.
    """

    key: bytes
    p: int
    q: int
    base: int
    turn: int
    unit: int

    def draw(self, text: str, below: int) -> int:
        """Return the number from 1 up to `below` that belongs to a text."""
        return drawn(self.key, text, below)


def drawn(key: bytes, text: str, below: int) -> int:
    """Return the number from 1 up to `below` that belongs to a key and a text."""
    digest = hashlib.blake2b(text.encode(), digest_size=32, key=key).digest()
    return 1 + int.from_bytes(digest, "big") % (below - 1)


def field_of(seed: bytes) -> Field:
    """Return the pair of primes that belongs to a seed.

    Examples
    --------
    >>> field = field_of(b"one")
    >>> (field.p - 1) % field.q, pow(field.unit, 2, field.p) == field.p - 1
    (0, True)
    """
    key = hashlib.blake2b(seed, digest_size=32).digest()
    tries = 0
    q = 0
    while not (q and sympy.isprime(q)):
        q = 1 << (BITS - 1) | drawn(key, f"prime {tries}", 1 << (BITS - 1)) | 1
        tries += 1
    step = 4
    while not sympy.isprime(step * q + 1):
        step += 4
    p = step * q + 1
    base, turn = [_of_order(q, p, key, text) for text in ("base", "turn")]
    unit, tries = 1, 0
    while unit * unit % p != p - 1:
        unit = pow(drawn(key, f"unit {tries}", p), (p - 1) // 4, p)
        tries += 1
    return Field(key, p, q, base, turn, unit)


def _of_order(q: int, p: int, key: bytes, text: str) -> int:
    found = pow(drawn(key, text, p), (p - 1) // q, p)
    return found if found != 1 else _of_order(q, p, key, text + "'")
