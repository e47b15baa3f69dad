"""What a run folder says of the versions behind its results."""

from dataclasses import replace

from fakes.chat import RuleChat

from chunkfit.engines import default_engines
from chunkfit.results import versions
from chunkfit.settings import Settings


def test_every_part_that_has_a_say_is_there_with_its_version() -> None:
    asked = Settings(methods=("page", "recursive[size=400]"), diagnostics=("reference_chains",))
    found = versions(asked, replace(default_engines(), chat=RuleChat()))
    assert {"embedder", "segmenter", "coreference", "chat"} <= set(found)
    assert found["chat"] == "rules/1"
    assert "language_model" not in found  # none is configured
    parts = {name for name in found if name.startswith(("chunker ", "diagnostic "))}
    assert parts == {"chunker page", "chunker recursive[size=400]", "diagnostic reference_chains"}
    assert found["metric coverage"].isdigit()
