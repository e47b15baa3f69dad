"""The registries of metrics: one a profile, and the diagnostics beside both."""

from collections.abc import Callable

from chunkfit.model import Score
from chunkfit.registry import Registry

Metric = Callable[..., Score]
"""`metric(chunking, evidence, *, setting=default, ...) -> Score`: scores one chunking.

Traits at registration: `chance` (whether the length-shuffled null tells something: False where the score depends on the
lengths alone) and `gate` (a gate disqualifies below 1 and does not join the mean). A diagnostic has `chance` and
`costly` (it is measured only where it is named), and where chance is dear too `draws`: how many of it are enough. Its
keyword settings can be given on its line, as those of a method are. Every score is better the higher it is.
"""

strict: Registry[Metric] = Registry("metric of the strict profile")
paper: Registry[Metric] = Registry("metric of the paper profile")
diagnostics: Registry[Metric] = Registry("diagnostic")
