"""The regular expression in a chat model's answer, however it is wrapped."""

import ast
import re
from collections.abc import Iterator

from chunkfit.chunking.asking import UselessAnswer, in_short, json_objects

# What a model writes that forgets to double its backslashes: {"pattern": "^\d+"} is no JSON, but plain enough.
_NEARLY_JSON = re.compile(r'"pattern"\s*:\s*"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_LITERAL = re.compile(r"""(?:re\.compile\(\s*)?([rR]?("{3}|'{3}|["'])(?:[^\\]|\\.)*?\2)\s*(?:,[^,()]*)?\)?""")


def pattern_in(answer: str) -> str:
    """The pattern of `{"pattern": "..."}`, else of the last code block, the only inline code, or the only line.

    There a Python string literal (`r"^\\d+"`, also within `re.compile(...)`) stands for what it says. Whether the
    pattern is any good is not looked at. Raises UselessAnswer where there is none.
    """
    named = [found["pattern"] for found in json_objects(answer) if "pattern" in found]
    if named:
        if not isinstance(named[-1], str):
            raise UselessAnswer(f'its "pattern" is {in_short(str(named[-1]))} and not a string')
        return _meant(named[-1])
    if nearly := _NEARLY_JSON.findall(answer):
        return str(nearly[-1]).replace('\\"', '"')
    blocks = list(_code_blocks(answer))
    codes = _INLINE.findall(answer) if not blocks else []
    if blocks:
        bare = blocks[-1]
    elif len(codes) == 1:
        bare = codes[0]
    else:
        bare = answer.strip()
    if not bare or "\n" in bare or len(codes) > 1:
        raise UselessAnswer(f'there is no {{"pattern": "..."}} in it; it begins with {in_short(answer.strip())}')
    return _without_quotes(bare)


def _code_blocks(answer: str) -> Iterator[str]:
    lines = answer.replace("\r\n", "\n").split("\n")
    fences = [n for n, line in enumerate(lines) if line.lstrip().startswith("```")]
    return ("\n".join(lines[start + 1 : end]) for start, end in zip(fences[::2], fences[1::2], strict=False))


def _without_quotes(written: str) -> str:
    literal = _LITERAL.fullmatch(written.strip())
    if literal is None:
        return written
    try:
        return str(ast.literal_eval(literal[1]))
    except (SyntaxError, ValueError):
        return written


def _meant(pattern: str) -> str:
    # "\b" in JSON is a backspace, which no document holds; what was meant is the edge of a word.
    return pattern.replace("\b", r"\b")
