"""Weight, slant and spacing of a font, read from its name."""

import re
from dataclasses import dataclass
from functools import lru_cache

_SUBSET_PREFIX = re.compile(r"^[A-Z]{6}\+")
_BOLD = re.compile(r"bold|black|heavy|demi|[-_]?bd$|[-_]bd|[-_]b(?:i|it)?$|medi(?!um|ev|ter)|^cmb|^cmssbx|^sfbx", re.I)
_ITALIC = re.compile(r"italic|oblique|slanted|ital$|[-_](?:it|bi|i)$|^cmti|^cmsl|^sfti", re.I)
_MONOSPACED = re.compile(r"mono(?!type)|monl|courier|consol|typewriter|menlo|inconsolata|fixed|^cmtt|^sftt|code", re.I)


@dataclass(frozen=True, slots=True)
class Typeface:
    """What a font's name says about its look."""

    bold: bool = False
    italic: bool = False
    monospaced: bool = False


@lru_cache(maxsize=4096)
def typeface(font_name: str) -> Typeface:
    """`ABCDEF+DejaVuSans-Bold` is bold; a name that says nothing is taken as regular."""
    name = _SUBSET_PREFIX.sub("", font_name.lstrip("/"))
    return Typeface(
        bold=bool(_BOLD.search(name)),
        italic=bool(_ITALIC.search(name)),
        monospaced=bool(_MONOSPACED.search(name)),
    )
