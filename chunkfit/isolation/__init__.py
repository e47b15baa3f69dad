"""Run what may crash, hang or eat memory in a process that can be killed.

A `Child` is a Python process started with `python -m`, spoken to in length-prefixed JSON over pipes: no pickle, no
`multiprocessing`, so it works from the top level of a script, in a notebook and under `python -c`. A `Pool` keeps a
few of them warm. Whatever happens in there is an ordinary exception here. POSIX only; memory limits need Linux.
"""

from chunkfit.isolation.child import Child
from chunkfit.isolation.failures import CallFailed, CallRaised, Crashed, Garbled, OutOfMemory, TimedOut
from chunkfit.isolation.pool import Pool

__all__ = ["CallFailed", "CallRaised", "Child", "Crashed", "Garbled", "OutOfMemory", "Pool", "TimedOut"]
