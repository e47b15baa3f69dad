"""Whatever a chat model answers, the text stays whole and no chunk is blank or begins inside a grapheme."""

import json
from dataclasses import replace

import pytest
import regex
from fakes.chat import ScriptedChat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chunkfit.chunking import chunkers
from chunkfit.engines import default_engines
from chunkfit.evidence import Evidence
from chunkfit.model import Document

PIECES = [
    "word",
    " ",
    "\n",
    "\r\n",
    "\n\n",
    "\r",
    "# Head\n",
    "One is. ",
    "1. ",
    "e\u0301",
    "👍🏽",
    "漢。",
    "\ud800",
    "\u2028",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
PATTERNS = [
    *("", ".", "^", "$", r"\b", r"(?=\b)", r"(?!)", "(?:)", r"\A", r"\Z", "x*", "(a)|(b)|", r"\s*;\s*", "[^a]", r"\n"),
    *(
        r"(?=\n#)",
        r"^#{1,6}\s",
        r"(?s).*",
        r"(?m)^",
        r"(?i)WORD",
        r"(\r?\n)+",
        r"\u0301",
        r"(?<=\. )",
        "(?x) w # o",
        "(",
    ),
]
SCALARS = st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=8)
NAMED = st.fixed_dictionaries(
    {},
    optional={
        "pattern": st.sampled_from(PATTERNS) | SCALARS,
        "starts": st.lists(st.integers(-1, 12), max_size=6)
        | st.lists(st.integers(1, 12), unique=True).map(sorted)
        | SCALARS,
        "kind": SCALARS,
        "units": SCALARS,
        "target_tokens": SCALARS,
    },
)
ANSWERS = st.one_of(
    st.sampled_from(PATTERNS),
    NAMED.map(json.dumps),
    NAMED.map(lambda found: f"Here:\n```json\n{json.dumps(found)}\n```"),
    st.text(alphabet='{}[]":,\\`\n apttern0123', max_size=60),
)
PLAN = json.dumps({"kind": "text", "units": "a thought", "target_tokens": 50})


@pytest.mark.parametrize(("method", "before"), [("llm_regex", []), ("agentic", []), ("agentic", [PLAN])])
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXTS, answers=st.lists(ANSWERS, min_size=1, max_size=3))
def test_the_text_stays_whole(method, before, text, answers):
    evidence = Evidence(Document("d", text), replace(default_engines(), chat=ScriptedChat(*before, *answers)))
    chunking = chunkers[method].make(evidence)
    assert "".join(span.of(text) for span in chunking.spans) == text
    assert len(evidence.engines.chat.questions) <= len(before) + 6
    edges = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert all(span.start in edges for span in chunking.spans)
    if chunking.fallback is None and text.strip():
        assert all(span.of(text).strip() for span in chunking.spans)
