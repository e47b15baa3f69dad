"""Engines on a server that speaks OpenAI's API, through its own client: OpenAI, Azure OpenAI, Jina, vLLM, Ollama."""

from chunkfit.engines.remote.recorded import for_run, write_transcript

from chunkfit.engines.remote import factories as factories  # isort: skip - registers

__all__ = ["for_run", "write_transcript"]
