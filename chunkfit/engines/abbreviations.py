"""Which words keep their full stop without ending a sentence, by language."""

from dataclasses import dataclass
from functools import cache

MID_SENTENCE = "e.g i.e eg ie cf viz vs resp p.ex c.-à-d c.à.d z.b d.h u.a bzw vgl bijv d.w.z p.ej ad.es np tj"
"""Of any language: something always follows these, whatever its first letter."""

BEFORE_NAMES = {
    "en": "dr mr mrs ms prof st mt capt col gen gov hon lt maj messrs rep rev sen sgt supt pres",
    "fr": "dr mr mrs m mm mme mmes mlle mlles me mgr pr prof st ste",
    "de": "dr hr fr prof st dipl ing mag",
    "es": "dr dra sr sra srta d dña prof lic ing sto sta",
    "it": "dr dott dssa prof sig sigra avv ing on egr spett",
    "nl": "dr dhr mevr mr prof ir ing drs st",
    "pt": "dr dra sr sra prof eng exmo exma",
}

BEFORE_NUMBERS = {
    "en": "art arts no nos p pp sec secs fig figs ch chap cl par para paras pt reg vol eq tab app ref ed ver rev pg st",
    "fr": "art no nos n p pp chap fig vol al par sect t éd tab ann réf",
    "de": "art nr no s abs kap bd abb tab ziff rn rz lit anm ca",
    "es": "art núm no n p pág págs cap fig vol párr tab",
    "it": "art n nn p pag pagg cap fig vol c co tab",
    "nl": "art nr p pag hfst fig lid blz",
    "pt": "art n p pág cap fig vol par tab",
}

OPENERS = {
    "en": "a after all an and as at but by for from he her here his how however i if in it its many most no of on our "
    "she since so some such that the their then there these they this those thus to under we what when where which "
    "while who why with you",
    "fr": "à après au aux avec ce cela ces cette dans de depuis des elle elles en et il ils je la le les leur mais "
    "nous on or où par pour qui sa selon ses si son sur un une vous",
    "de": "als am an auch auf aus bei da das der die dies diese dieser ein eine er es für hier ich ihr im in ist mit "
    "nach sie so und von was wenn wer wie wir zu",
    "es": "a al con cuando de el ella ellos en es este esta la las los no para pero por se si sin su un una y",
    "it": "a al con da di e gli i il in la le lo ma nel per se si su un una",
    "nl": "als bij dat de deze die dit een en er het hij ik in is maar met na op te van voor we wij ze zij",
    "pt": "a ao as com da de do e ela ele em esta este não no na o os para por se um uma",
}
"""Words that, capitalised, open a sentence: they tell "in the U.S. The court" from "the U.S. Court"."""

ORDINAL_STOP = frozenset({"cs", "da", "de", "et", "fi", "hr", "hu", "is", "lv", "no", "sk", "sl"})
"""Languages that write ordinals as a number and a full stop: "am 3. März"."""


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """Lower-case words without their final stop."""

    known: frozenset[str]  # these end a sentence only before a capital
    never_final: frozenset[str]
    before_numbers: frozenset[str]
    openers: frozenset[str]
    ordinal_stop: bool


@cache
def abbreviations(language: str | None) -> Abbreviations:
    """Those of a language: pySBD's list of it (22 languages; English where there is none) and our own additions."""
    from pysbd.languages import LANGUAGE_CODES

    code = language or "en"
    listed = LANGUAGE_CODES.get(code, LANGUAGE_CODES["en"]).Abbreviation
    before_names = frozenset(BEFORE_NAMES.get(code, BEFORE_NAMES["en"]).split())
    before_numbers = frozenset(BEFORE_NUMBERS.get(code, BEFORE_NUMBERS["en"]).split())
    known = frozenset(word.strip().lower() for word in listed.ABBREVIATIONS)
    return Abbreviations(
        known=known | {"approx", "assoc", "est", "excl", "incl", "intl", "max"},
        never_final=before_names | frozenset(MID_SENTENCE.split()),
        before_numbers=before_numbers | frozenset(word.lower() for word in listed.NUMBER_ABBREVIATIONS),
        openers=frozenset(OPENERS.get(code, "").split()),
        ordinal_stop=code in ORDINAL_STOP,
    )
