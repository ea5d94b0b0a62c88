"""Whether two formulas are equal: proofs by exact number systems, refutations by intervals."""
