"""PyTorch's face of `symgrad.ops.softmax`."""

from symgrad.ops.softmax import log_softmax, steady_logsumexp
from symgrad.record.face import shows

shows(steady_logsumexp, name="Logsumexp")
shows(log_softmax, name="LogSoftmax")
