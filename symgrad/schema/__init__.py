"""Signatures of public functions as texts, and the binding and checking of calls by them."""
