"""The client."""

from __future__ import annotations

import os
from typing import Iterator, Mapping, Optional

from .inbox import Inbox
from .operations import Event, EventOperations, Operations
from .streams import ActorStream, OnConnect, OnReconnect, SpaceStream
from .timing import TIMING, Timing
from .transport import OnRetry, Transport

#: As many events as the server puts in a page.
_PAGE = 200


class Spaces(Operations):
    """A client for the service at `url`: every operation is a method, under its noun.

    A call that got no answer or a 5xx is repeated, up to four times within `timeout` seconds, if that can do no harm:
    reads, idempotent changes, and writes with an idempotency key, which is generated when none is given. Whatever fails
    raises a `SpacesError`. A client may be shared by threads.

    `token` is an API key or a personal access token; without one, only public operations can be called.
    `installation_id` is that of a connected agent. `on_retry` is called before each wait for another attempt.
    """

    inbox: Inbox

    def __init__(
        self,
        url: str,
        token: Optional[str] = None,
        *,
        installation_id: Optional[str] = None,
        timeout: float = 30.0,
        on_retry: Optional[OnRetry] = None,
        timing: Timing = TIMING,
    ) -> None:
        transport = Transport(url, token, installation_id, timeout, timing, on_retry)
        super().__init__(transport)
        self._transport = transport
        self.inbox = Inbox(transport, self.event)

    @classmethod
    def from_environment(cls) -> Spaces:
        """Returns a client for `SPACES_URL`, with `SPACES_TOKEN` and `SPACES_INSTALLATION_ID`, where they are set."""
        url = os.environ.get("SPACES_URL", "http://127.0.0.1:8080")
        return cls(
            url, os.environ.get("SPACES_TOKEN"), installation_id=os.environ.get("SPACES_INSTALLATION_ID") or None
        )

    def stream(
        self,
        space_id: str,
        *,
        since: Optional[str] = None,
        on_reconnect: Optional[OnReconnect] = None,
        on_connect: Optional[OnConnect] = None,
    ) -> SpaceStream:
        """Returns the events of a space as they happen, after the event `since`, or with all of its history."""
        return SpaceStream(self._transport, space_id, since, on_reconnect, on_connect)

    def actor_stream(
        self,
        *,
        follow: Optional[Mapping[str, Optional[str]]] = None,
        on_reconnect: Optional[OnReconnect] = None,
        on_connect: Optional[OnConnect] = None,
    ) -> ActorStream:
        """Returns all that changes for the actor.

        `follow` names spaces whose events come too, each with the event after which they begin, or None for all.
        """
        return ActorStream(self._transport, follow or {}, on_reconnect, on_connect)

    def events(self, space_id: str, *, since: Optional[str] = None) -> Iterator[Event]:
        """Yields the events of a space up to its newest, read page by page as the loop takes them."""
        cursor = since
        while True:
            page = self.event.list(space_id, since=cursor, limit=_PAGE)
            yield from page
            if len(page) < _PAGE:
                return
            cursor = page[-1]["event_id"]
