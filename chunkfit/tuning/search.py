"""One search through the space, as an Optuna study that can be taken up again."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from chunkfit.errors import MethodFailed
from chunkfit.tuning.candidate import Candidate
from chunkfit.tuning.objective import Measure, Outcome, Subject
from chunkfit.tuning.space import STARTERS, suggested

if TYPE_CHECKING:
    from optuna import Study
    from optuna.samplers import TPESampler
    from optuna.trial import FrozenTrial, Trial

BEFORE_PRUNING = 5  # complete trials that a median needs to mean something
ATTEMPTS = 10  # at a candidate that is new
FEW = 2  # documents after which a trial may be hopeless


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate and what is known of it. Where `given_up` says why, some documents are missing."""

    candidate: Candidate
    outcomes: Mapping[str, Outcome]  # by document
    given_up: str | None = None

    def over(self, documents: Sequence[str]) -> float:
        """Mean quality over documents, each of the same weight."""
        return fmean(self.outcomes[name].quality for name in documents)

    @property
    def quality(self) -> float:
        return self.over(list(self.outcomes))

    @property
    def chunks(self) -> int:
        return sum(one.chunks for one in self.outcomes.values())

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Plan:
    """How a search goes about it."""

    methods: tuple[str, ...]  # names of the space
    trials: int  # in all, those of earlier sittings included
    seed: int = 0
    storage: str | None = None  # URL of Optuna's database; None keeps the study in memory
    study: str = "chunkfit"  # its name there


def search(subjects: Sequence[Subject], plan: Plan, measure: Measure, tell: Callable[[], None]) -> tuple[Tried, ...]:
    """All trials of the study, in order; those that are there already are not repeated.

    Proposals are those of the tree-structured Parzen estimator (Bergstra et al., "Algorithms for Hyper-Parameter
    Optimization", 2011). Each is seeded by its number, so that a search in two sittings proposes the same as in one.
    Documents come in the order given, and from the second on a trial whose mean is below the median of the others' at
    that point is pruned. A method that cannot cut a document is given up too. `tell` is called after each trial.
    """
    study = _study(plan)
    starters = [one for one in STARTERS if one["method"] in plan.methods]
    while (done := len(known := [_tried(trial) for trial in _finished(study)])) < plan.trials:
        if done < len(starters):
            study.enqueue_trial(dict(starters[done]))
        trial, candidate = _proposed(study, plan, {one.candidate for one in known}, done)
        _try(study, trial, candidate, subjects, measure)
        tell()
    return tuple(known[: plan.trials])


def _study(plan: Plan) -> "Study":
    import optuna

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        storage=plan.storage,
        study_name=plan.study,
        direction="maximize",
        pruner=optuna.pruners.MedianPruner(n_startup_trials=BEFORE_PRUNING, n_warmup_steps=FEW),
        load_if_exists=True,
    )
    for trial in study.get_trials(deepcopy=False, states=(optuna.trial.TrialState.RUNNING,)):
        study.tell(trial.number, state=optuna.trial.TrialState.FAIL)  # an interrupted sitting left it
    return study


def _sampler(seed: Sequence[int]) -> "TPESampler":
    from optuna.samplers import TPESampler

    return TPESampler(seed=int(np.random.SeedSequence(list(seed)).generate_state(1)[0]))


def _finished(study: "Study") -> list["FrozenTrial"]:
    from optuna.trial import TrialState

    return study.get_trials(deepcopy=False, states=(TrialState.COMPLETE, TrialState.PRUNED))


def _proposed(study: "Study", plan: Plan, known: Collection[Candidate], done: int) -> tuple["Trial", Candidate]:
    """The next trial; a candidate that was tried already only where the estimator insists on it."""
    from optuna.trial import TrialState

    for attempt in range(ATTEMPTS):
        study.sampler = _sampler([plan.seed, done, attempt])
        trial = study.ask()
        candidate = suggested(trial, plan.methods)
        if candidate not in known:
            break
        if attempt < ATTEMPTS - 1:
            study.tell(trial, state=TrialState.FAIL)  # which the estimator does not look at
    return trial, candidate


def _try(study: "Study", trial: "Trial", candidate: Candidate, subjects: Sequence[Subject], measure: Measure) -> None:
    from optuna.trial import TrialState

    trial.set_user_attr("method", candidate.method)
    trial.set_user_attr("min_tokens", candidate.min_tokens)
    outcomes: dict[str, Outcome] = {}
    given_up = _go_through(trial, candidate, subjects, measure, outcomes)
    facts = {name: [one.quality, one.chunks, one.tokens] for name, one in outcomes.items()}
    trial.set_user_attr("outcomes", facts)
    trial.set_user_attr("given_up", given_up)
    if given_up is not None:
        study.tell(trial, state=TrialState.PRUNED)
    else:
        study.tell(trial, fmean(one.quality for one in outcomes.values()))


def _go_through(
    trial: "Trial",
    candidate: Candidate,
    subjects: Sequence[Subject],
    measure: Measure,
    outcomes: dict[str, Outcome],
) -> str | None:
    """Add the outcome of one document after the other; why this was given up, or None."""
    for step, subject in enumerate(subjects, start=1):
        try:
            outcomes[subject.name] = measure(candidate, subject)
        except MethodFailed as failure:
            return f"{subject.name}: {failure}"
        trial.report(fmean(one.quality for one in outcomes.values()), step)
        if step < len(subjects) and trial.should_prune():
            return f"pruned after {step} of {len(subjects)} documents"
    return None


def _tried(trial: "FrozenTrial") -> Tried:
    facts = trial.user_attrs
    outcomes = {name: Outcome(quality, chunks, tokens) for name, (quality, chunks, tokens) in facts["outcomes"].items()}
    return Tried(Candidate(facts["method"], facts["min_tokens"]), outcomes, facts["given_up"])
