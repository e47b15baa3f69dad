"""Names in the SQL that LanceDB filters by."""

from collections.abc import Iterable

from chunkfit.lone_surrogates import without_lone_surrogates


def quoted(names: Iterable[str]) -> str:
    """Names as literals, apart by commas. A quotation mark within one is doubled; nothing else has a meaning."""
    return ", ".join("'" + without_lone_surrogates(name).replace("'", "''") + "'" for name in names)
