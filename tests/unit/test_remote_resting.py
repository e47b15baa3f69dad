"""A server that gave up is left alone for a while."""

import pytest
from fakes.chat import ScriptedChat

from chunkfit.engines import Question
from chunkfit.engines.remote.resting import Resting
from chunkfit.errors import BudgetSpent, EngineRefused, EngineUnavailable

ASKED = Question("", "what?")


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_after_it_gave_up_it_is_asked_again_only_once_it_has_rested():
    clock = Clock()
    chat = ScriptedChat(EngineUnavailable("connection refused"), "yes")
    resting = Resting(chat, rest=60, clock=clock)
    with pytest.raises(EngineUnavailable, match="connection refused"):
        resting.ask(ASKED)
    clock.now = 59
    with pytest.raises(EngineRefused, match="connection refused; it is not asked again for 60 s"):
        resting.ask(ASKED)
    assert len(chat.questions) == 1
    clock.now = 60
    assert resting.ask(ASKED).text == "yes"
    clock.now = 61
    assert resting.ask(ASKED).text == "yes"


@pytest.mark.parametrize("problem", [BudgetSpent("10 calls are spent"), EngineRefused("no such model")])
def test_what_is_refused_for_another_reason_keeps_its_own(problem):
    resting = Resting(ScriptedChat(problem))
    for _ in range(2):
        with pytest.raises(type(problem), match=f"^{problem}$"):
            resting.ask(ASKED)


def test_it_is_the_same_model():
    assert Resting(ScriptedChat("yes")).id == "scripted"
