"""Meta-evaluation: how well numbers that need no labels foretell what people's questions find.

one = measure(evidence, chunkings, labelled, purposes, {"probe": probe(evidence, 400).questions}, scorecards)
everything = together([one, another])
predict(everything, "probe", Purpose("hybrid", 2000), resamples(everything.groups)).correlation
"""

from chunkfit.metaeval.choosing import Choice, choices
from chunkfit.metaeval.columns import columns
from chunkfit.metaeval.held_out import HeldOut, held_out
from chunkfit.metaeval.measured import Measured, Purpose, together
from chunkfit.metaeval.measuring import measure, recalls
from chunkfit.metaeval.prediction import Prediction, correlation, predict, shortfall
from chunkfit.metaeval.reliability import Reliability, reliability

__all__ = [
    "Choice",
    "HeldOut",
    "Measured",
    "Prediction",
    "Purpose",
    "Reliability",
    "choices",
    "columns",
    "correlation",
    "held_out",
    "measure",
    "predict",
    "recalls",
    "reliability",
    "shortfall",
    "together",
]
