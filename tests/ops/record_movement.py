"""Calls that move data, written as expressions: on what PyTorch was recorded to return or raise.

The names they use are those of `names`; `python -m tests.ops.record_movement [gather …]` records
(it needs PyTorch).
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.recording import PerOperation, Recorded, run

CALLS = """
x[5]
x[-4]
x[0,0,0,0]
s[0]
s[0:1]
x[::-1]
x[1.5]
x['a']
x[torch.tensor([5])]
x[[0,5]]
x[:,[9]]
x[torch.tensor([True,False])]
x[:,torch.tensor([True,False])]
x[torch.tensor([1.5])]
x[[0,1],[0,1,2]]
x[0:2,...,...]
x[0,...,0,0,0]
x[None,...,0]
x[True]
x[False]
x[:,True]
x[0,True]
x[np.array([0,1])]
x[np.array(1)]
x[torch.tensor(1)]
x[:]
x[0:3]
x[:,:]
x[0:]
x[0:2:2]
x[slice(None,None,0)]
x[{}]
x[[]]
x[[0]]
x[[[0]]]
x[0,[0]]
x[[0,1],...,[0,1]]
x[None,None]
x[..., None]
x[torch.tensor(True)]
x[(slice(None),)*5]
x[1:2.5]
x[np.float64(1)]
x[torch.tensor(1.)]
x[np.array([True,False,True])]
x[[True,False]]
x[None,[0],None,1]
x[range(2)]
x[(0,1),]
x[((0,1),)]
x[torch.zeros(3,dtype=torch.uint8)]
x[torch.tensor([0],dtype=torch.int16)]
x.select(3,0)
x.select(0,9)
x.narrow(0,2,2)
x.narrow(0,-1,1)
x.narrow(0,0,-1)
x.narrow(0,7,1)
x.take(torch.tensor([99]))
x.take(torch.tensor([-1,0]))
x.take(torch.tensor([0.5]))
m.gather(0,torch.tensor([[0,5]]))
m.gather(0,torch.tensor([[-1]]))
m.gather(5,torch.tensor([[0]]))
m.gather(0,torch.tensor([0]))
m.gather(0,torch.tensor([[0,0,0,0]]))
m.gather(0,torch.tensor([[0.]]))
m.gather(0,torch.tensor([[0]],dtype=torch.int32))
m.index_select(0,torch.tensor([5]))
m.index_select(0,torch.tensor([-1]))
m.index_select(0,torch.tensor([[0]]))
m.index_select(0,torch.tensor([0.]))
m.masked_select(torch.tensor([1]))
m.masked_select(torch.tensor([True,False]))
torch.take_along_dim(m,torch.tensor([[1]]),1)
torch.take_along_dim(m,torch.tensor([1]),1)
torch.take_along_dim(m,torch.tensor([1,2]))
m.scatter(0,torch.tensor([[0,1]]),2.0)
m.scatter(0,torch.tensor([[0,1]]),m*2)
m.scatter(0,torch.tensor([[9,1]]),m*2)
m.scatter(0,torch.tensor([[0,1]]),torch.ones(1,2).double())
m.scatter(0,torch.tensor([[0,1]]),torch.ones(1,1))
m.scatter_add(0,torch.tensor([[0,1]]),torch.ones(1,2).double())
m.index_add(0,torch.tensor([0]),torch.ones(2,3))
m.index_add(0,torch.tensor([0,1]),torch.ones(2,3),alpha=2)
m.index_add(0,torch.tensor([7,1]),torch.ones(2,3))
m.index_put((torch.tensor([0]),),torch.ones(3))
m.index_put((torch.tensor([0]),),torch.ones(3),accumulate=True)
m.index_put((torch.tensor([0]),),torch.ones(3).double())
m.index_put((torch.tensor([0]),),torch.ones(5))
m.index_copy(0,torch.tensor([0]),torch.ones(1,3))
m.index_fill(0,torch.tensor([0]),1.)
m.masked_scatter(m>2,torch.ones(6))
m.masked_scatter(m>2,torch.ones(2))
m.select_scatter(torch.ones(3),0,1)
m.slice_scatter(torch.ones(1,3),0,1)
m.diagonal_scatter(torch.ones(2))
v.split(2)
v.split([2,2])
v.split(0)
v.split(-1)
v.split([1,-1,5])
m.chunk(0)
s.chunk(1)
s.split(1)
s.unbind()
torch.tensor_split(v,2)
torch.tensor_split(v,(1,3))
torch.tensor_split(v,0)
m.vsplit(2)
torch.cat([])
torch.cat([m,v])
torch.cat([m,m[:,:2]])
torch.cat([s,s])
torch.cat([m,m],5)
torch.cat(m)
torch.cat([m,1])
torch.cat(5)
torch.stack([])
torch.stack([m,v])
torch.stack([m,m],7)
torch.hstack([s,s])
torch.hstack([m,v])
torch.vstack([v,v])
torch.dstack([v,v])
torch.column_stack([v,v])
torch.atleast_1d(s)
torch.atleast_2d(v)
torch.atleast_3d(m)
m.reshape(7)
m.view(7)
m.t().view(6)
m.view(-1,-1)
m.reshape(-2,3)
m.view(3,-2)
m.reshape(4,-1)
m.reshape('a')
m.reshape()
s.reshape()
m.view()
m.flatten(1,0)
m.flatten(3)
s.flatten()
m.unflatten(1,(2,2))
m.unflatten(1,(3,1))
m.unflatten(1,(-1,1))
v.flatten()
m.ravel()
m.t().ravel()
m.t().flatten()
v.ravel()
m.squeeze(5)
m.squeeze(0)
m.squeeze((0,0))
m.squeeze((0,1))
m.unsqueeze(4)
m.unsqueeze(-4)
m.expand(2)
m.expand(2,4)
m.expand(-1,2,3)
m.expand(3,-1,3)
m.expand(2,3)
m.expand_as(x)
torch.broadcast_to(m,(4,2,3))
torch.broadcast_to(m,(4,3))
torch.broadcast_tensors(m,v)
torch.broadcast_tensors(m[:1],m)
m.transpose(0,2)
m.permute(0,0)
m.permute(0)
m.permute(0,3)
m.movedim(0,1)
m.movedim((0,1),(0,))
m.movedim((0,0),(0,1))
m.movedim(0,0)
x.T
v.T
x.t()
v.t()
m.t()
m.mT
v.mT
m.H
x.H
m.mH
v.mH
s.H
m.adjoint()
m.swapaxes(0,1)
torch.permute(m,(1,0))
m.contiguous()
m.t().contiguous()
m.flip(0,0)
m.flip(2)
m.flip()
s.flip(())
m.fliplr()
v.fliplr()
s.flipud()
m.flipud()
m.roll(1)
m.roll((1,2),0)
m.roll(1,5)
m.roll((),())
m.roll((1,1),(0,0))
m.rot90()
m.rot90(2)
m.rot90(-1,(1,0))
m.rot90(4)
m.rot90(1,(0,0))
m.rot90(1,(0,))
m.rot90(1,(0,5))
v.rot90()
m.repeat(2)
m.repeat(2,-1)
m.repeat(2,2)
m.repeat(1,1)
m.repeat(2,1,1)
s.repeat()
torch.tile(m,(2,))
torch.tile(m,(2,2,2))
m.tile(2,2)
m.repeat_interleave(2)
m.repeat_interleave(2,0)
m.repeat_interleave(2,dim=1)
m.repeat_interleave(torch.tensor([1,2]),0)
m.repeat_interleave(torch.tensor([1,2,3]),0)
m.repeat_interleave(-1)
torch.repeat_interleave(torch.tensor([1,2]))
v.repeat_interleave(0)
torch.meshgrid(v,v)
torch.meshgrid(v,v,indexing='xy')
torch.meshgrid(v,indexing='zz')
torch.meshgrid([v,v[:2]],indexing='ij')
torch.meshgrid(s,v,indexing='ij')
v.tril()
m.tril(1)
m.triu('a')
v.diag()
m.diag()
x.diag()
s.diag()
m.diag(7)
m.diagonal(7)
m.diagonal(0,0,0)
v.diagonal()
m.diagonal(0,0,5)
v.diag_embed()
v.diag_embed(1)
v.diag_embed(-1,0,1)
m.diag_embed(0,0,-1)
m.diag_embed(0,0,0)
v.diag(1)
x.trace()
v.trace()
m.trace()
torch.diagflat(m)
torch.nn.functional.pad(m,(1,2))
torch.nn.functional.pad(m,(1,))
torch.nn.functional.pad(m,(1,1,1,1,1,1))
torch.nn.functional.pad(m,(-2,-2))
torch.nn.functional.pad(m,(1,1),mode='reflect')
torch.nn.functional.pad(m,(5,1),mode='reflect')
torch.nn.functional.pad(m,(5,1),mode='replicate')
torch.nn.functional.pad(m,(1,1),mode='zzz')
torch.nn.functional.pad(m,(1,1),mode='reflect',value=1)
torch.nn.functional.pad(v,(1,1),mode='reflect')
torch.nn.functional.pad(x,(1,1,1,0),mode='reflect')
torch.nn.functional.pad(m,(0,0))
torch.nn.functional.pad(m,())
torch.nn.functional.pad(ii,(1,1),value=1.5)
m.to('cuda')
m.to('zz')
m.to(torch.float32) is m
m.to(torch.float32,copy=True)
m.to(m.double())
m.to('cpu',torch.float64)
m.to(device='cpu',dtype=torch.float64)
m.to()
m.to(5)
m.double()
m.type()
m.type('torch.DoubleTensor')
m.type('zz')
m.type(torch.float64)
m.type(torch.DoubleTensor)
m.type_as(ii)
m.long()
m.bool()
m.cfloat()
m.cfloat().float()
m.short()
m.char()
m.byte()
m.cpu()
m.to(torch.device('cpu'))
m.clone()
m.detach()
torch.detach(m)
m.cuda()
m.to(torch.float64,True,True)
m.to('float64')
m.to(dtype='float64')
m.to(float)
m.data
""".strip().splitlines()


def names(torch: Any) -> dict[str, Any]:
    """The variables of the calls: `x`, `v`, `m` are results with a history, `s`, `ii` are not."""

    def made(*shape: int) -> Any:
        values = torch.tensor(np.arange(float(np.prod(shape))).reshape(shape), dtype=torch.float32)
        return values.requires_grad_(True) * 1

    return {
        "torch": torch,
        "np": np,
        "x": made(3, 4, 2),
        "v": made(5),
        "m": made(2, 3),
        "s": torch.tensor(1.0),
        "ii": torch.arange(6),
    }


def outcome(torch: Any, call: str) -> Any:
    """What a call gives: values with shapes, dtypes and names in the graph; or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = eval(call, names(torch))
        except Exception as error:
            return {"error": type(error).__name__, "message": (str(error).splitlines() or [""])[0]}
    results = result if isinstance(result, tuple | list) else [result]
    return [_described(r) for r in results]


def _described(result: Any) -> Any:
    if not hasattr(result, "grad_fn"):
        return repr(result)
    node = result.grad_fn
    return {
        "shape": list(result.shape),
        "dtype": str(result.dtype),
        "grad_fn": node and node.name(),
        "values": np.asarray(result.detach().numpy()).astype(complex).real.ravel().tolist(),
    }


def operation(call: str) -> str:
    """Return the name of what is called; `subscripts` where nothing is called by a name."""
    found = re.match(r"(?:torch\.nn\.functional|\w+)\.(\w+)", call)
    return found[1] if found else "subscripts"


RECORDS = PerOperation(Path(__file__).parent / "data" / "movement", operation, lambda: CALLS)


def files(torch: Any, chosen: Sequence[str]) -> Recorded:
    yield from RECORDS.files(lambda call: outcome(torch, call), chosen)


if __name__ == "__main__":
    sys.exit(run(files))
