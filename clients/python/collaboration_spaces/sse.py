"""Server-Sent Events."""

from __future__ import annotations

import json
from typing import Any, Iterable, Iterator, List, NamedTuple, Optional

#: Far above the largest event: a line that never ends does not come from our server.
_MAX_LINE_BYTES = 32 * 1024 * 1024


class Message(NamedTuple):
    #: What the server calls it, such as `context_event`.
    name: str
    #: The value of its JSON.
    data: Any


def messages(pieces: Iterable[bytes]) -> Iterator[Message]:
    """Yields the messages in a stream of bytes. One that the end of the stream cuts off is dropped."""
    name = ""
    data: List[str] = []
    for line in _lines(pieces):
        if line == "":
            if data:
                yield Message(name, json.loads("\n".join(data)))
            name, data = "", []
            continue
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if field == "event":
            name = value
        elif field == "data":
            data.append(value)


def _lines(pieces: Iterable[bytes]) -> Iterator[str]:
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.rstrip(b"\r").decode()
        if len(rest) > _MAX_LINE_BYTES:
            raise ValueError("A line of the stream is too long")
