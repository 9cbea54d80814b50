"""Streams that outlive their connections."""

from __future__ import annotations

import random
import time
from abc import ABC, abstractmethod
from typing import Callable, Dict, Generic, Iterator, Literal, Mapping, Optional, TypedDict, TypeVar, Union, cast

from .errors import SpacesError, unreachable
from .operations import Event, Signal
from .sse import Message, messages
from .timing import delay_after
from .transport import Operation, Transport

#: The longest wait that a server can ask for.
_MAX_RETRY_AFTER = 300.0

#: Called whenever a connection stands, including the first.
OnConnect = Callable[[], None]

#: Called before each wait for another connection, with what went wrong (None if the server closed it) and the seconds.
OnReconnect = Callable[[Optional[SpacesError], float], None]

Item = TypeVar("Item")


class EventMessage(TypedDict):
    kind: Literal["context_event"]
    event: Event


#: A message of an actor's stream.
ActorMessage = Union[EventMessage, Signal]


class _LastingStream(ABC, Generic[Item]):
    """The messages of connections that are renewed whenever they break. Nothing is read before it is asked for."""

    def __init__(
        self, transport: Transport, on_reconnect: Optional[OnReconnect], on_connect: Optional[OnConnect]
    ) -> None:
        self._transport = transport
        self._on_reconnect = on_reconnect
        self._on_connect = on_connect
        self._has_items = False
        self._connected_at: Optional[float] = None

    def __iter__(self) -> Iterator[Item]:
        failures = 0
        while True:
            self._has_items, self._connected_at = False, None
            failure: Optional[SpacesError] = None
            try:
                yield from self._connection()
            except SpacesError as error:
                if not error.may_pass:
                    raise
                failure = error
            failures = 0 if self._has_worked() else failures + 1
            delay = self._delay(failures, failure)
            if self._on_reconnect is not None:
                self._on_reconnect(failure, delay)
            time.sleep(delay)

    @abstractmethod
    def _messages(self) -> Iterator[Optional[Message]]:
        """Yields None once a new connection stands, and then its messages."""

    @abstractmethod
    def _take(self, message: Message) -> Optional[Item]:
        """Returns None for what is not for the reader."""

    def _opened(
        self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Optional[str]]
    ) -> Iterator[Optional[Message]]:
        with self._transport.opened(operation, path, query, "text/event-stream") as pieces:
            self._connected_at = time.monotonic()
            # Errors of the caller's function must not be raised in here, where some are those of the connection.
            yield None
            try:
                yield from messages(pieces)
            except ValueError as error:
                raise unreachable(error) from error

    def _connection(self) -> Iterator[Item]:
        for message in self._messages():
            if message is None:
                if self._on_connect is not None:
                    self._on_connect()
                continue
            item = self._take(message)
            if item is not None:
                self._has_items = True
                yield item

    def _has_worked(self) -> bool:
        # Otherwise a connection that is closed as soon as it stands would be opened again and again without a pause.
        lasted = 0.0 if self._connected_at is None else time.monotonic() - self._connected_at
        return self._has_items or lasted >= self._transport.timing.first_delay

    def _delay(self, failures: int, failure: Optional[SpacesError]) -> float:
        """Returns a short delay after a connection that worked, but a random one: all clients may have lost theirs."""
        timing = self._transport.timing
        delay = random.random() * timing.reconnect if failures == 0 else delay_after(failures, timing)
        return max(delay, min((failure.retry_after if failure else None) or 0, _MAX_RETRY_AFTER))


class SpaceStream(_LastingStream[Event]):
    """The events of a space, first the history and then live, each once and in the order of the space.

    The stream outlives its connections: when one breaks, it continues after its cursor, however long that takes. It
    raises a `SpacesError` when the server refuses it: the credential has ended (401), there is no such space or no such
    event (404). After `break`, the next loop continues after the cursor.
    """

    _OPERATION = Operation("event.stream", "GET", "/api/spaces/{space_id}/events/stream", is_idempotent=True)

    def __init__(
        self,
        transport: Transport,
        space_id: str,
        since: Optional[str],
        on_reconnect: Optional[OnReconnect],
        on_connect: Optional[OnConnect],
    ) -> None:
        super().__init__(transport, on_reconnect, on_connect)
        self._space_id = space_id
        #: The id of the event that was returned last, at first `since`: where another stream would continue.
        self.cursor = since

    def _messages(self) -> Iterator[Optional[Message]]:
        return self._opened(self._OPERATION, {"space_id": self._space_id}, {"since": self.cursor})

    def _take(self, message: Message) -> Optional[Event]:
        if message.name != "context_event":
            return None
        event = cast(Event, message.data)
        self.cursor = event["event_id"]
        return event


class ActorStream(_LastingStream[ActorMessage]):
    """All that changes for an actor, over one connection, and the events of the spaces that it follows.

    An event comes as `{"kind": "context_event", "event": …}`, once and in the order of its space. Other messages have
    ids and counts, by their `kind`. They are not repeated after a connection has broken: read again what you keep in
    `on_connect` and at `missed`. Raises like `SpaceStream`; a space or an event that does not exist is `unfollowed`.
    """

    _OPERATION = Operation("actor.stream", "GET", "/api/actors/me/stream", is_idempotent=True)

    def __init__(
        self,
        transport: Transport,
        follow: Mapping[str, Optional[str]],
        on_reconnect: Optional[OnReconnect],
        on_connect: Optional[OnConnect],
    ) -> None:
        super().__init__(transport, on_reconnect, on_connect)
        #: The last event of each space that is followed: what another stream would `follow`.
        self.cursors: Dict[str, Optional[str]] = dict(follow)

    def _messages(self) -> Iterator[Optional[Message]]:
        places = [space if since is None else f"{space}/{since}" for space, since in self.cursors.items()]
        return self._opened(self._OPERATION, {}, {"follow": ",".join(places) or None})

    def _take(self, message: Message) -> ActorMessage:
        if message.name == "context_event":
            event = cast(Event, message.data)
            self.cursors[event["space_id"]] = event["event_id"]
            return {"kind": "context_event", "event": event}
        if message.name == "unfollowed":
            self.cursors.pop(message.data["space_id"], None)
        return cast(ActorMessage, message.data)
