"""The paper's Table 3 from its own documents, ours beside theirs, cell by cell."""

import json
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from prefect import flow
from prefect.task_runners import ThreadPoolTaskRunner

from chunkfit.engines import default_engines
from chunkfit.errors import BadDocument
from chunkfit.keys import EngineIds, Recipe
from chunkfit.model import Stage
from chunkfit.settings import ChanceSettings, Settings
from flows.evaluate import WORKERS, documents, through_stages
from flows.home import Home
from flows.progress import watcher
from tasks import artifacts
from tasks.units import Job

# The lines of Table 3 that need no model of the paper's. A star marks post-processing, as in print.
LINES: dict[Stage, tuple[str, ...]] = {
    "no_small_chunks": ("recursive_1100", "page", "recursive_600"),
    "raw": ("page", "langchain_default", "langchain_1100"),
}
EXACT = ("RC", "BI", "SC")  # they need nothing but the documents and the published mentions
EMBEDDED = ("ICC", "DCC")  # the paper's embedder is another: ours stand beside, and need not agree


@dataclass(frozen=True, slots=True)
class Cell:
    """One figure of Table 3 in percent, rounded as printed."""

    line: str
    metric: str
    ours: float
    theirs: float

    @property
    def differs(self) -> bool:
        return self.metric in EXACT and self.ours != self.theirs


@flow(name="replicate-paper", task_runner=ThreadPoolTaskRunner(max_workers=WORKERS))
def replicate_paper(data: str, home: str | None = None) -> tuple[Cell, ...]:
    """Six lines of Table 3. `data` holds parsed/, mentions.parquet and golden/table3.json.

    Raises BadDocument where one of the documents cannot be used: the means are over all of them.
    """
    folder = Path(data)
    printed = json.loads((folder / "golden" / "table3.json").read_text(encoding="utf-8"))
    place = Home(Path(home)) if home else Home.default()
    place.prepare()
    store = str(place.store.absolute())
    watcher.get().say("looking for documents")
    units, unfound = documents([str(folder / "parsed")], str(folder / "mentions.parquet"), store)
    if unfound:
        raise BadDocument(f"{unfound[0].path}: {unfound[0].reason}")
    cells: list[Cell] = []
    for stage, methods in LINES.items():
        # No null: the paper has none.
        settings = Settings(methods=methods, profile="paper", chance=ChanceSettings(draws=0))
        job = Job(store, Recipe(settings, EngineIds.of(default_engines()), scored=stage))
        done = through_stages(units, job)
        if done.failures:
            raise BadDocument(f"{done.failures[0].path}: {done.failures[0].reason}")
        cards = [artifacts.scorecards(unit, job) for unit in done.units]
        for index, method in enumerate(methods):
            line = method if stage == "raw" else f"{method}*"
            theirs = dict(zip(printed["columns"], printed["rows"][line]["values"], strict=True))
            for metric in (*EXACT, *EMBEDDED):
                values = [document[index].scores[metric].value for document in cards]
                known = [value for value in values if value is not None]
                cells.append(Cell(line, metric, round(100 * fmean(known), 1), theirs[metric]))
    return tuple(cells)
