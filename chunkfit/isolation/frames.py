"""The wire between parent and child: a marker, a length, and that many bytes of JSON."""

import json
import struct
from typing import Any

HEADER = struct.Struct("!4sQ")
MARKER = b"\x00cf1"
MAX_BYTES = 1 << 30  # a longer reply is no reply: the parent must not be made to hold whatever a child sends


class BadFrame(ValueError):  # noqa: N818
    """The bytes are no frame."""


def encode(message: object) -> bytes:
    """One frame. ASCII inside, so that lone surrogates in file names and broken texts survive."""
    body = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
    return HEADER.pack(MARKER, len(body)) + body


def body_length(header: bytes | bytearray) -> int:
    """How many bytes follow this header. Raises BadFrame."""
    marker, length = HEADER.unpack(header)
    if marker != MARKER or length > MAX_BYTES:
        raise BadFrame(f"no frame starts with {bytes(header)!r}")
    return int(length)


def decode(body: bytes | bytearray) -> dict[str, Any]:
    """The message of a frame's body. Raises BadFrame."""
    try:
        message = json.loads(body)
    except ValueError as error:
        raise BadFrame(f"the body of {len(body)} bytes is not JSON: {error}") from error
    if not isinstance(message, dict):
        raise BadFrame(f"expected an object, got {type(message).__name__}")
    return message
