"""Checks of gradients: proved, measured and compared, to any order."""

from symgrad.checks.check import check_gradients
from symgrad.checks.report import Finding, Report
from symgrad.checks.singular import Singularity, singularities

__all__ = ["Finding", "Report", "Singularity", "check_gradients", "singularities"]
