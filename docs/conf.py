"""How the pages of this folder are built: ``sphinx-build -W -b html docs docs/_build``."""

import tomllib
from pathlib import Path

_project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]

project = _project["name"]
version = release = _project["version"]
author = _project["authors"][0]["name"]
copyright = f"2026, {author}"

extensions = ["myst_parser"]
myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = True

html_theme = "furo"
html_title = f"symgrad {release}"
