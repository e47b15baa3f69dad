"""Where an API is, and the name of the secret that opens it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

from chunkfit.errors import EngineRefused

if TYPE_CHECKING:
    from openai import OpenAI

OPENAI_URL = "https://api.openai.com/v1"
# Of an environment variable, or of a Prefect Secret: words. What keys begin with, and long runs of digits, are neither.
_NAME = re.compile(r"(?!sk-)(?=.{1,64}\Z)(?!(?:\D*\d){8})(?:[A-Za-z_][A-Za-z0-9_]*|[a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
_UNUSED_KEY = "none"  # the client insists on one; servers that want none do not look at it


@dataclass(frozen=True)
class Server:
    """One API. Holds the name of its key and never the key, so it may be shown anywhere.

    Raises ValueError for an address that is none, or one that carries credentials, and for a key in place of its name.
    """

    url: str
    key: str | None = None  # name of the secret; None: the server wants no key
    api_version: str | None = None  # given: an Azure OpenAI resource, with addresses and headers of its own
    timeout: float = 60.0  # seconds without a byte from the server

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            parts.port  # noqa: B018 - raises where it is no number
        except ValueError:
            parts = SplitResult("", "", "", "", "")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the address of a server begins with http:// or https:// and a host; check base_url")
        if "@" in parts.netloc or parts.query or parts.fragment:  # not shown: what it holds may be secret
            raise ValueError(
                "the address of a server holds no user, password or ?query; name its key with key=VARIABLE"
            )
        if self.key is not None and not _NAME.fullmatch(self.key):  # not shown either
            raise ValueError(
                "key is the name of the environment variable that holds the server's key, such as OPENAI_API_KEY, and "
                "what was given is no such name; a key itself has no place in settings, which are stored and shown"
            )

    @property
    def host(self) -> str:
        """Host and port, for messages."""
        return urlsplit(self.url).netloc

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine."""
        host = urlsplit(self.url).hostname or ""
        try:
            return ip_address(host).is_loopback or ip_address(host).is_unspecified
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")


def key_of(server: Server, secret: Callable[[str], str | None]) -> str | None:
    """The server's key, None where it wants none.

    Raises EngineRefused where the secret is not there, or cannot be a key. No message holds it.
    """
    if server.key is None:
        return None
    key = (secret(server.key) or "").strip()  # files and shells like to add a line end
    if not key:
        raise EngineRefused(f"there is no key for {server.host}: set the environment variable {server.key}")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise EngineRefused(f"what {server.key} holds is no key: it has blanks or letters that no header can carry")
    return key


def client_of(server: Server, key: str | None) -> "OpenAI":
    """The client for a server. It does not retry by itself: `Connection` does, and checks what it gets as well."""
    import openai

    more: dict[str, Any] = {}
    if server.is_local:  # a proxy from the environment would look for the server on its own machine
        host = urlsplit(server.url).hostname or ""
        pattern = f"all://[{host}]" if ":" in host else f"all://{host}"
        more["http_client"] = openai.DefaultHttpxClient(mounts={pattern: None}, timeout=server.timeout)
    if server.api_version is None:
        return openai.OpenAI(
            api_key=key or _UNUSED_KEY, base_url=server.url, timeout=server.timeout, max_retries=0, **more
        )
    return openai.AzureOpenAI(
        api_key=key or _UNUSED_KEY,
        azure_endpoint=server.url,
        api_version=server.api_version,
        timeout=server.timeout,
        max_retries=0,
        **more,
    )
