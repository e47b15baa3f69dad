"""Which language a document is written in."""

import threading
from functools import cache
from typing import Any

SAMPLE = 2_000
"""Code points read at each of three places; more changes no answer and costs time."""

CONFIDENCE = 0.35
"""Blind guessing among the known languages gives 0.02; names and codes stay below 0.25, short sentences above."""

NAMES = {
    "am": "Amharic", "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "eu": "Basque",
    "fa": "Persian", "fi": "Finnish", "fr": "French", "ga": "Irish", "he": "Hebrew", "hi": "Hindi",
    "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "is": "Icelandic",
    "it": "Italian", "ja": "Japanese", "kk": "Kazakh", "ko": "Korean", "la": "Latin", "lt": "Lithuanian",
    "lv": "Latvian", "mr": "Marathi", "mt": "Maltese", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian",
    "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip
"""Only these are told apart: with the detector's whole list, short English is taken for a dozen rare languages."""

_loading = threading.Lock()


def detect_language(text: str) -> str | None:
    """ISO 639-1 code of the language, or None where there are no letters or the detector is not sure.

    Reads the beginning, the middle and the end, so that an English cover page does not speak for a French report.
    Deterministic.
    """
    sample = _sample(text)
    if not any(character.isalpha() for character in sample):
        return None
    language, confidence = _identifier().classify(sample)
    return str(language) if confidence >= CONFIDENCE else None


def language_name(language: str) -> str:
    """ "French" for "fr"; the code itself where no name is known."""
    return NAMES.get(language, language)


def _sample(text: str) -> str:
    if len(text) <= 3 * SAMPLE:
        return text
    middle = (len(text) - SAMPLE) // 2
    return "\n".join((text[:SAMPLE], text[middle : middle + SAMPLE], text[-SAMPLE:]))


def _identifier() -> Any:
    with _loading:  # two threads must not both pay for the model
        return _load_identifier()


@cache
def _load_identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(NAMES)
    return identifier
