import base64
import hashlib
import json
import re
import weakref
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from html.parser import HTMLParser

from chunkfit.calls import base
from chunkfit.metrics import diagnostics
from chunkfit.model import (
    Chance,
    Chunking,
    Document,
    Failure,
    Mentions,
    Pair,
    Ranked,
    Score,
    Scorecard,
    Selection,
    SizeStatistics,
    Source,
    Span,
    Title,
)
from chunkfit.references import MEASURES, Comparison, Measure
from chunkfit.reporting import DocumentReport, RunSummary, report
from chunkfit.settings import PostprocessRules, Settings
from chunkfit.usage import Usage

IMAGE = "<img src=x onerror=alert(1)>"
SCRIPT = "</script><script>alert(1)</script>"
QUOTED = "\"'><svg onload=alert(1)>\u2028\u202e<!--"


class Reader(HTMLParser):
    """What a browser makes of the page: its elements, the text outside of scripts, and the scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts.append((self.elements[-1][1], data))
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def one(
    name: str = "report.pdf",
    text: str = "Ann left. She ran.",
    method: str = "page",
    path: str = "in/a.pdf",
    why: str = "it leads",
) -> DocumentReport:
    document = Document(
        name,
        text,
        titles=(Title(name, 1, Span(0, 1), Span(0, len(text))),),
        source=Source(path, "ab" * 32, "text/plain", why),
    )
    half = len(text) // 2
    chunkings = {
        method: Chunking(method, (Span(0, len(text)),)),
        "fixed": Chunking("fixed", (Span(0, half), Span(half, len(text)))),
    }
    tokens = {method: (6,), "fixed": (3, 3)}
    cards = (
        Scorecard(
            method,
            {"SC": Score(0.25), "RC": Score(0.75, chance=Chance(0.5, 0.1, 20))},
            SizeStatistics(1, 6, 0, 6, 6, 6),
        ),
        Scorecard("fixed", {"SC": Score(0.5), "RC": Score(None, why)}, SizeStatistics(2, 3, 0, 3, 3, 3)),
        Scorecard("semantic", disqualified=why),
    )
    ranking = (Ranked(method, 0.5, 1), Ranked("fixed", 0.375, 2))
    selection = Selection(method, ranking, 0.125, (method,), {"semantic": why}, ("SC",), {"RC": why}, why)
    mentions = Mentions(why, (), (Pair(Span(0, 3), Span(10, 13)),))
    return DocumentReport(document, cards, selection, chunkings, tokens, mentions)


def summary(**more: object) -> RunSummary:
    settled: dict[str, object] = {"started": datetime(2026, 1, 1), "seconds": 4.25, "settings": Settings()}
    return RunSummary("run-1", "data/samples", **(settled | more))  # type: ignore[arg-type]


def hostile() -> Reader:
    documents = [
        one(name, text=f"{IMAGE} Ann {SCRIPT} She {QUOTED}", method=SCRIPT, path=name, why=name)
        for name in (IMAGE, SCRIPT, QUOTED)
    ]
    run = summary(
        failures=(Failure(IMAGE, SCRIPT, QUOTED),),
        skipped={SCRIPT: IMAGE},
        versions={IMAGE: SCRIPT},
        settings=Settings(methods=(SCRIPT, IMAGE)),
    )
    return Reader(report(run, documents))


def test_markup_in_texts_names_titles_reasons_and_settings_stays_text():
    page = hostile()
    assert not any(tag == "img" for tag, _ in page.elements)
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert {attributes.get("type") for attributes, _ in page.scripts} == {"application/json", None}
    assert len([1 for attributes, _ in page.scripts if "type" not in attributes]) == 1  # the page's own
    assert IMAGE in page.text
    assert "\u202e" not in page.text


def test_the_viewer_gets_hostile_text_unchanged():
    data = [json.loads(body) for attributes, body in hostile().scripts if attributes.get("type") == "application/json"]
    assert [one["name"] for one in data] == [IMAGE, SCRIPT, QUOTED]
    assert data[0]["text"] == f"{IMAGE} Ann {SCRIPT} She {QUOTED}"


def test_the_page_loads_nothing_and_runs_only_its_own_script():
    page = report(summary(), [one()])
    read = Reader(page)
    for tag, attributes in read.elements:
        assert tag not in {"link", "img", "iframe", "object", "embed", "base", "form"}
        assert "src" not in attributes
        assert "style" not in attributes  # the policy would block it
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in page
    policy = next(a["content"] for tag, a in read.elements if tag == "meta" and "http-equiv" in a) or ""
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    script = next(body for attributes, body in read.scripts if "type" not in attributes)
    style = re.search("<style>(.*?)</style>", page, re.DOTALL)
    assert style is not None
    for body in (script, style.group(1)):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" in policy


def test_a_reader_finds_the_decision_its_margin_and_its_reason():
    text = Reader(report(summary(), [one(why="It keeps pages whole.")])).text
    assert "page is best for 1 of 1 document" in text
    assert "It keeps pages whole." in text
    assert "0.500 0.125" in text  # score and margin in the list of documents
    assert "Disqualified: It keeps pages whole." in text


def test_every_value_stands_beside_its_lift_and_chance():
    assert "0.750 +0.250 on 0.500" in Reader(report(summary(), [one()])).text


def test_what_is_missing_reads_na_with_its_reason():
    text = Reader(report(summary(), [one(why="no pronouns here")])).text
    assert "n/a" in text
    assert "RC did not count: no pronouns here" in text


def test_failures_and_parts_left_out_are_listed():
    run = summary(
        failures=(Failure("a.pdf", "parse", "The PDF is encrypted."),), skipped={"llm_regex": "no language model"}
    )
    text = Reader(report(run, [one()])).text
    assert "a.pdf parse The PDF is encrypted." in text
    assert "llm_regex no language model" in text
    assert "1 source failed" in text


def test_a_run_without_documents_still_gives_a_page():
    text = Reader(report(summary(failures=(Failure("a.pdf", "parse", "empty"),)), [])).text
    assert "No document could be evaluated." in text
    assert "a.pdf parse empty" in text


def test_a_document_without_any_method_is_shown():
    undecided = Selection(None, (), None, (), {}, (), {}, "No method can be used: no method was tried.")
    nothing = DocumentReport(Document("empty.txt", ""), (), undecided, {}, {}, Mentions("none", (), None, "no text"))
    text = Reader(report(summary(), [nothing])).text
    assert "empty.txt" in text
    assert "No method can be used" in text
    assert "1 undecided" in text


def test_text_beyond_the_bound_is_left_out_and_the_page_says_how_to_see_it():
    small, large = one("small.md"), one("large.md", text="word " * 600, path="in/it's large.md")
    page = Reader(report(summary(), [large, small], viewer_bytes=1500))
    data = [json.loads(body) for attributes, body in page.scripts if attributes.get("type") == "application/json"]
    assert [document["name"] for document in data] == ["small.md"]
    # its 3000 bytes fit no report, so its chunks are offered
    assert """chunkfit chunk 'in/it'"'"'s large.md' --method page --format markdown""" in page.text
    # here they fit a report of their own, but not this one beside another document
    page = Reader(report(summary(), [one("first.md", text="word " * 600), large], viewer_bytes=6100))
    assert """python -m flows evaluate 'in/it'"'"'s large.md'""" in page.text


def test_a_file_name_that_is_not_utf8_does_not_break_the_page():
    page = report(summary(), [one(name="caf\udce9.pdf", path="in/caf\udce9.pdf")])
    assert "caf\ufffd.pdf" in page
    page.encode("utf-8")


def test_documents_are_read_one_by_one_and_let_go():
    read: list[weakref.ref[Document]] = []

    def stream() -> Iterator[DocumentReport]:
        for number in range(4):
            assert all(document() is None for document in read[:-1])  # all but the one just handled
            current = one(f"{number}.md")
            read.append(weakref.ref(current.document))
            yield current
            del current

    assert report(summary(), stream()).count('class="doc"') == 4


def test_sizes_are_drawn_for_every_method_with_the_limits_asked_for():
    text = Reader(report(summary(), [one()])).text
    assert "fixed 2 chunks, mean 3, largest 3" in text
    assert "page 1 chunk, mean 6, largest 6" in text
    assert "smallest and largest size asked for: 100 and 1,100" in text


def test_a_lift_within_the_spread_of_the_draws_has_no_colour():
    # one deviation of 0.1 above chance is what chance gives now and then; two and a half are not
    for value, coloured in ((0.6, False), (0.75, True), (0.25, True)):
        card = Scorecard("page", {"RC": Score(value, chance=Chance(0.5, 0.1, 20))})
        base = one()
        page = report(summary(), [replace(base, scorecards=(card, *base.scorecards[1:]))])
        details = page[page.index('class="figures"') :]
        assert bool(re.search(r'<small class="(up|down)">', details)) is coloured


def test_histograms_follow_the_sizes_asked_for():
    # the largest size after post-processing ends the 23rd of 26 bins: 4600 / 23 = 200 tokens a bin
    settings = Settings(postprocess=PostprocessRules(max_tokens=4400, merged_max_tokens=4600))
    page = report(summary(settings=settings), [one()])
    assert "<title>0 to 199 tokens: 2 chunks</title>" in page
    assert "<title>0 to 49 tokens: 2 chunks</title>" in report(summary(), [one()])


def compared(method: str, value: float | None, annotator_levels: dict[str, float]) -> Comparison:
    measures = {
        name: Measure(value, better, None if value is not None else "none", value, annotator_levels)
        for name, better in MEASURES.items()
    }
    return Comparison("report.pdf", method, measures, tolerance=10)


def test_comparisons_with_people_stand_beside_every_chance_level():
    levels = {"no cuts": 0.125, "all cuts": 0.25, "even cuts": 0.375, "shuffled lengths": 0.4375}
    text = Reader(report(summary(), [replace(one(), comparisons=(compared("page", 0.75, levels),))])).text
    assert "Against chunks made by people" in text
    assert "page 1 document 0.750 shuffled 0.438 even 0.375" in text
    assert "no cuts 0.125" in text
    assert "all cuts 0.250" in text


def test_without_reference_chunks_the_page_has_no_word_of_them():
    page = report(summary(), [one()])
    assert "made by people" not in page
    assert 'href="#references"' not in page


def test_names_and_reasons_of_comparisons_stay_text():
    page = Reader(report(summary(), [replace(one(), comparisons=(compared(IMAGE, None, {}),))]))
    assert not any(tag == "img" for tag, _ in page.elements)
    assert f"{IMAGE} 1 document n/a" in page.text


def test_diagnostics_stand_apart_from_the_metrics_with_what_they_measure():
    document = one()
    values = {"reference_chains": Score(0.5, chance=Chance(0.25, 0.1, 20)), "retrieval_probe[budget=500]": Score(0.375)}
    first, *others = document.scorecards
    shown = report(summary(), [replace(document, scorecards=(replace(first, diagnostics=values), *others))])
    text = Reader(shown).text
    section = text[text.index("Measured beside the metrics") :]
    assert "0.500 +0.250 on 0.250" in section
    assert "0.375" in section
    for name in values:
        assert diagnostics[base(name)].summary in section  # settings on the line or not
    assert "retrieval_<wbr>probe[<wbr>budget=500]" in shown


def test_a_fallback_is_told_with_its_reason_and_stays_text():
    document = one()
    first, *others = document.scorecards
    page = Reader(report(summary(), [replace(document, scorecards=(replace(first, fallback=QUOTED), *others))]))
    assert "Fell back on another method:" in page.text
    assert "1 fell back" in page.text
    assert not any(tag == "svg" and "onload" in attributes for tag, attributes in page.elements)


def test_what_models_used_stands_with_the_settings():
    run = summary(usage=Usage(characters=1500), characters=1000)
    assert "1,500 characters embedded, 1.50 for each of the corpus." in Reader(report(run, [one()])).text
