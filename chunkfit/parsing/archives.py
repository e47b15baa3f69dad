"""What an Office file is allowed to unpack to."""

import io
import zipfile

from chunkfit.errors import BadDocument

_MOST_EXPANSION = 16  # times `max_bytes`: XML packs well, tenfold is common; a bomb packs a thousandfold


def check_archive(data: bytes, member: str, max_bytes: int) -> None:
    """Raises BadDocument where the bytes are no archive with that member, or unpack to an absurd size.

    Only the directory is read: nothing is unpacked.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise BadDocument(f"a corrupt archive: {error}; save the document again") from error
    if member not in {entry.filename for entry in entries}:
        raise BadDocument(f"an archive without {member}: not a document of this type")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > _MOST_EXPANSION * max_bytes:
        raise BadDocument(
            f"it unpacks to {unpacked:,} bytes, over {_MOST_EXPANSION} times the limit parsing.max_bytes={max_bytes:,}"
        )
