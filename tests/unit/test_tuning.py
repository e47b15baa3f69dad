"""Tuning: what is searched, how a search goes on where it ended, and what it is worth on what it has not seen."""

import json
from dataclasses import replace
from itertools import product
from statistics import fmean

import optuna
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from chunkfit.chunking import chunkers, cut_raw
from chunkfit.engines import default_engines
from chunkfit.errors import MethodFailed
from chunkfit.evidence import Evidence
from chunkfit.model import Document, Span
from chunkfit.reporting.tuning_table import front_markdown, front_table, tuning_sentences
from chunkfit.retrieval import Labelled
from chunkfit.settings import PostprocessRules, Settings, read_settings
from chunkfit.tuning import (
    SPACE,
    Aim,
    Candidate,
    NothingToTuneOn,
    Outcome,
    Plan,
    Subject,
    Tried,
    outcome,
    pareto_front,
    tune,
)
from chunkfit.tuning.keys import outcome as outcome_key
from chunkfit.tuning.keys import study
from chunkfit.tuning.objective import unfit
from chunkfit.tuning.search import search
from chunkfit.tuning.space import MIN_TOKENS, STARTERS, suggested
from chunkfit.tuning_results import FILES, MANIFEST, SETTINGS, require_own, write_tuning

WORDS = ["".join(syllables) for syllables in product(("ba", "ke", "mi", "tor", "lun", "sa"), repeat=3)]
SENTENCES = [" ".join(WORDS[3 * number : 3 * number + 6]).capitalize() + " now." for number in range(60)]
TEXT = " ".join(SENTENCES)  # of words that are in one sentence, or in two


def subject(name: str = "a", text: str = TEXT) -> Subject:
    return Subject(Evidence(Document(name, text), default_engines()))


SUBJECTS = [subject("a"), subject("b", TEXT[:1500]), subject("c", TEXT[:1800])]
AIM = Aim("probe", budget=100)


def by_size(candidate: Candidate, subject: Subject) -> Outcome:
    """The closer chunks are to 300 tokens the better, on any document."""
    if candidate.method.startswith(("recursive[", "fixed[")):
        size = int(candidate.method.partition("size=")[2].partition(",")[0].rstrip("]"))
        return Outcome(1 - abs(size - 300) / 2000, 1000 // size, 500)
    return Outcome(0.2, 10, 500)


def plan(**changes) -> Plan:
    return replace(Plan(("recursive", "fixed"), 12), **changes)


@pytest.mark.parametrize("name", SPACE)
def test_the_space_is_of_registered_methods_and_their_settings(name) -> None:
    trial = optuna.trial.FixedTrial({"method": name, "min_tokens": 50} | _lowest(name))
    found = suggested(trial, [name])
    assert found.min_tokens == 50
    assert found.method.partition("[")[0] == name
    assert name in chunkers
    assert cut_raw(found.method, Evidence(Document("a", TEXT), default_engines())).spans


def _lowest(name: str) -> dict:
    lows = {setting: getattr(values, "low", 0.0) for setting, values in SPACE[name].items()}
    return {f"{name}.{setting}": low for setting, low in lows.items()}


def test_searches_begin_inside_the_space() -> None:
    for starter in STARTERS:
        found = suggested(optuna.trial.FixedTrial(dict(starter)), list(SPACE))
        assert found.min_tokens in MIN_TOKENS


def test_an_overlap_is_a_share_of_its_size() -> None:
    params = {"method": "fixed", "fixed.size": 300, "fixed.overlap": 0.25, "min_tokens": 0}
    assert suggested(optuna.trial.FixedTrial(params), ["fixed"]).method == "fixed[size=300,overlap=75]"


def test_a_search_finds_what_is_good() -> None:
    found = search(SUBJECTS, plan(trials=40), by_size, lambda: None)
    assert len(found) == 40
    assert max(one.quality for one in found) > 0.97  # within 60 tokens of 300


def test_the_same_seed_gives_the_same_search() -> None:
    first, again = (search(SUBJECTS, plan(), by_size, lambda: None) for _ in range(2))
    assert first == again
    other = search(SUBJECTS, plan(seed=1), by_size, lambda: None)
    assert other != first


def test_candidates_are_not_tried_twice_while_there_are_others() -> None:
    found = search(SUBJECTS, plan(methods=("page", "sentence"), trials=30), by_size, lambda: None)
    assert len({one.candidate for one in found}) >= 20  # 17 where the estimator has its way
    few = search(SUBJECTS, plan(methods=("page",), trials=6), by_size, lambda: None)  # the space has four
    assert (len(few), len({one.candidate for one in few})) == (6, 4)


@pytest.mark.slow
def test_two_sittings_are_as_one(tmp_path) -> None:
    at_once = search(SUBJECTS, plan(trials=14), by_size, lambda: None)
    stored = plan(storage=f"sqlite:///{tmp_path / 'studies.db'}", trials=8)
    search(SUBJECTS, stored, by_size, lambda: None)

    def interrupted(candidate: Candidate, subject: Subject) -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search(SUBJECTS, replace(stored, trials=14), interrupted, lambda: None)
    told: list[None] = []
    resumed = search(SUBJECTS, replace(stored, trials=14), by_size, lambda: told.append(None))
    assert resumed == at_once
    assert len(told) == 6


def test_a_hopeless_trial_is_given_up_after_a_few_documents() -> None:
    measured: list[str] = []

    def falls(candidate: Candidate, subject: Subject) -> Outcome:
        measured.append(subject.name)
        return Outcome(1 / (1 + len(measured)), 1, 1)  # each trial is worse than all before it

    found = search(SUBJECTS, plan(trials=10), falls, lambda: None)
    assert [one.given_up for one in found[:5]] == [None] * 5
    assert {one.given_up for one in found[5:]} == {"pruned after 2 of 3 documents"}
    assert all(len(one.outcomes) == 2 for one in found[5:])


def test_a_method_that_fails_is_given_up_with_its_reason() -> None:
    def fails(candidate: Candidate, subject: Subject) -> Outcome:
        if subject.name == "b":
            raise MethodFailed("it cannot")
        return Outcome(0.5, 1, 1)

    found = search(SUBJECTS, plan(trials=3), fails, lambda: None)
    assert {one.given_up for one in found} == {"b: it cannot"}


def tried(method: str, quality: float, chunks: int, tokens: int) -> Tried:
    return Tried(Candidate(method, 0), {"a": Outcome(quality, chunks, tokens)})


def test_the_front_holds_what_none_beats_in_everything() -> None:
    best = tried("recursive[size=100]", 0.9, 90, 900)
    fewer = tried("recursive[size=300]", 0.8, 30, 900)
    overlapping = tried("recursive[size=300,overlap=100]", 0.8, 30, 1200)
    worse = tried("recursive[size=200]", 0.7, 50, 900)
    dearer = tried("semantic", 0.8, 30, 900)  # it embeds each sentence, which costs more than counting tokens
    cheaper = tried("page", 0.1, 30, 900)
    assert pareto_front([worse, cheaper, dearer, overlapping, fewer, best]) == (best, fewer, cheaper)


def test_gains_are_those_of_documents_that_a_search_has_not_seen() -> None:
    def overfitting(candidate: Candidate, subject: Subject) -> Outcome:
        """Each document likes a size of its own, and default methods are worth a half everywhere."""
        if "[" not in candidate.method:
            return Outcome(0.5, 10, 500)
        size = int(candidate.method.partition("size=")[2].partition(",")[0].rstrip("]"))
        likes = {"a": 64 <= size < 300, "b": 300 <= size < 700, "c": size >= 700}
        return Outcome(0.9 if likes[subject.name] else 0.4, 10, 500)

    tuned = tune(SUBJECTS, AIM, plan(trials=20), measure=overfitting)
    # On two documents, a size that one of them likes has (0.9 + 0.4) / 2 > 0.5; on the third it has 0.4.
    assert [fold.held_out for fold in tuned.folds] == [("b",), ("c",), ("a",)]
    assert [gain for fold in tuned.folds for gain in fold.gains.values()] == pytest.approx([-0.1] * 3)
    assert tuned.gain is not None
    assert tuned.gain.value == pytest.approx(-0.1)
    assert "the defaults may do as well" in tuning_sentences(tuned)[1]


def test_the_best_is_never_below_the_best_default() -> None:
    def defaults_are_best(candidate: Candidate, subject: Subject) -> Outcome:
        return Outcome(0.3 if "[" in candidate.method else 0.8, 10, 500)

    tuned = tune(SUBJECTS, AIM, plan(trials=4), measure=defaults_are_best, folds=0)
    assert tuned.best.quality == tuned.default.quality == pytest.approx(0.8)
    assert tuned.gain is None and tuned.folds == ()
    assert "Nothing was held out" in tuning_sentences(tuned)[1]


def test_documents_that_tell_nothing_are_left_out_with_the_reason() -> None:
    tuned = tune([*SUBJECTS, subject("short", "One line.")], AIM, plan(trials=2), measure=by_size, folds=0)
    assert tuned.documents == ("b", "c", "a")  # small ones first
    assert "fit the budget of 100" in tuned.left_out["short"]
    with pytest.raises(NothingToTuneOn, match="short"):
        tune([subject("short", "One line.")], AIM, plan(), measure=by_size)


def test_a_document_without_anything_to_ask_for_is_left_out() -> None:
    alike = " ".join(f"The roof of house {number} was mended." for number in range(60))
    assert unfit(subject("alike", alike), AIM) == "the probe finds no sentences in it to ask for"


def test_questions_are_needed_where_they_are_the_aim() -> None:
    assert unfit(SUBJECTS[0], Aim("labelled", budget=100)) == "no question is answered by it"
    assert unfit(SUBJECTS[0], AIM) is None


def test_unknown_methods_are_told() -> None:
    with pytest.raises(ValueError, match=r"recursive.*got pages"):
        tune(SUBJECTS, AIM, plan(methods=("pages",)), measure=by_size)


def test_quality_is_recall_of_the_questions_or_the_mean_with_the_probe() -> None:
    start = TEXT.index(SENTENCES[40])
    asked = (Labelled(SENTENCES[40], "a", (Span(start, start + len(SENTENCES[40])),)),)
    one = Subject(SUBJECTS[0].evidence, asked)
    candidate = Candidate("recursive[size=64]", 0)
    labelled = outcome(candidate, one, Aim("labelled", 100, "lexical"), Settings())
    probe = outcome(candidate, one, Aim("probe", 100, "lexical"), Settings())
    both = outcome(candidate, one, Aim("both", 100, "lexical"), Settings())
    assert labelled.quality == 1.0
    assert 0 < probe.quality < 1
    assert both.quality == pytest.approx(fmean([1.0, probe.quality]))
    assert labelled.chunks == probe.chunks > 5


def test_the_least_size_is_part_of_a_candidate() -> None:
    small = outcome(Candidate("sentence[sentences_per_chunk=1]", 0), SUBJECTS[0], AIM, Settings())
    merged = outcome(Candidate("sentence[sentences_per_chunk=1]", 100), SUBJECTS[0], AIM, Settings())
    assert small.chunks == 60 > merged.chunks


def test_keys_change_with_what_matters() -> None:
    asked = (Labelled("q", "a", (Span(0, 3),)),)
    key = outcome_key("chunks", asked, AIM, ["v/1", "s/1"])
    others = [
        outcome_key("others", asked, AIM, ["v/1", "s/1"]),
        outcome_key("chunks", (), AIM, ["v/1", "s/1"]),
        outcome_key("chunks", asked, replace(AIM, budget=200), ["v/1", "s/1"]),
        outcome_key("chunks", asked, AIM, ["v/2", "s/1"]),
    ]
    assert len({key, *others}) == 5
    facts = {"documents": [("a", "1")], "labelled": asked, "aim": AIM, "methods": ["page"], "engines": ["v/1"]}
    name = study(**facts, settings={}, seed=0)
    assert study(**facts, settings={}, seed=1) != name
    assert study(**facts | {"documents": [("b", "1")]}, settings={}, seed=0) != name


def test_the_files_of_a_run_and_settings_that_evaluate_takes(tmp_path) -> None:
    base = Settings(postprocess=PostprocessRules(min_tokens=80), profile="paper")
    tuned = tune(SUBJECTS, AIM, plan(trials=7), measure=by_size, settings=base)
    write_tuning(tmp_path, tuned, base, {"python": "3"})
    assert {path.name for path in tmp_path.iterdir()} == {*FILES, MANIFEST}
    settings = read_settings(tmp_path / SETTINGS)
    assert settings.methods == (tuned.best.candidate.method,)
    assert settings.postprocess.min_tokens == tuned.best.candidate.min_tokens
    assert settings.profile == "paper"
    rows = pq.read_table(tmp_path / "trials.parquet").to_pylist()
    assert {row["trial"] for row in rows} == {None, *range(7)}
    told = json.loads((tmp_path / MANIFEST).read_text())
    assert told["best"]["method"] == tuned.best.candidate.method
    assert len(told["folds"]) == 3
    (tmp_path / MANIFEST).unlink()
    with pytest.raises(ValueError, match="not from a run"):
        require_own(tmp_path)


def test_tables_hold_the_front_and_the_best_default() -> None:
    tuned = tune(SUBJECTS, AIM, plan(trials=7), measure=by_size, folds=0)
    with (console := Console(width=80)).capture() as captured:
        console.print(front_table(tuned))
    assert "(default)" in captured.get()
    assert max(map(len, captured.get().splitlines())) <= 80
    assert front_markdown(tuned).count("\n") == 2 + len(tuned.front) + 1


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "does not hold settings"),
        ('{"method": []}', "method: "),
        ('{"postprocess": {"min_tokens": -1}}', "min_tokens"),
    ],
)
def test_a_file_of_settings_says_what_is_wrong_in_it(tmp_path, content, told) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content)
    with pytest.raises(ValueError, match=told):
        read_settings(path)
