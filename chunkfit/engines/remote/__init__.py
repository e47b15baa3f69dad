"""Engines on a server that speaks OpenAI's API, through its own client: OpenAI, Azure OpenAI, Jina, vLLM, Ollama."""

from chunkfit.engines.remote import factories  # noqa: F401 - registers
from chunkfit.engines.remote.recorded import for_run, write_transcript

__all__ = ["for_run", "write_transcript"]
