"""What all pages share: templates, a style sheet, and a policy that lets nothing else in."""

import base64
import hashlib
import re
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from chunkfit.reporting import plots, text

# Lone surrogates stand in file names that are not UTF-8, and no page can hold them. Overrides of the reading direction
# would turn the words around them, so that one reads another name.
HARMFUL = re.compile("[\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def environment() -> Environment:
    """Templates that escape all they are given and know no undefined name."""
    made = Environment(
        loader=PackageLoader("chunkfit.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"number": text.number, "signed": text.signed, "duration": text.duration, "breakable": breakable}
    made.globals |= {"bullet": plots.bullet, "share": plots.share, "plural": text.plural, "percent": text.percent}
    return made


def breakable(name: str) -> Markup:
    """A name that may wrap where its words and settings end, so that a narrow column need not cut it."""
    return Markup("<wbr>").join(re.split(r"(?<=[_\[,])(?=.)", name))


def asset(name: str) -> Markup:
    """A file beside the templates."""
    return Markup(resources.files(__package__).joinpath("templates", name).read_text("utf-8"))  # noqa: S704 - our own


def policy(**assets: str) -> str:
    """Nothing may be loaded or run but these assets, known by hash (`style="report.css"`), and pictures in the page."""
    sources = {kind: base64.b64encode(hashlib.sha256(asset(name).encode()).digest()) for kind, name in assets.items()}
    allowed = "".join(f"{kind}-src 'sha256-{digest.decode()}'; " for kind, digest in sources.items())
    return (
        f"default-src 'none'; {allowed}img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
