"""The programs are data here: they are run by `test_documents.py`, not imported."""

collect_ignore = ["programs"]
