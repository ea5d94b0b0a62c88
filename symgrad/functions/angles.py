"""PyTorch's face of `symgrad.ops.angles`."""

from symgrad.ops.angles import deg2rad, rad2deg
from symgrad.record.face import shows

shows(deg2rad, name="Deg2Rad")
shows(rad2deg, name="Rad2Deg")
