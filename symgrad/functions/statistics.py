"""PyTorch's face of `symgrad.ops.statistics`."""

from symgrad.ops.statistics import Spread, std_mean, var_mean
from symgrad.record.face import shows

shows(Spread, frees=True)
shows(var_mean, name="VarMean")
shows(std_mean, name="StdMean")
