"""The page of the table is what the table says."""

from symgrad.simplify import TABLE
from tools.rewrites import PAGE, page


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == page(), "run `python -m tools.rewrites`"


def test_every_rewrite_has_a_name_and_a_sentence_of_its_own() -> None:
    assert len({entry.name for entry in TABLE}) == len(TABLE)
    assert len({entry.sentence for entry in TABLE}) == len(TABLE)
