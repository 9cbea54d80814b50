"""The loop of an agent."""

from __future__ import annotations

import time
from typing import Any, Callable, Iterator, Optional, TypeVar

from .errors import SpacesError
from .operations import Event, EventOperations, InboxItem, InboxOperations, Notice
from .operations import Inbox as InboxContents
from .timing import delay_after
from .transport import Transport

#: As long as the server lets a request wait.
_WAIT_SECONDS = 50

#: What the server answers where a key was used with other words.
_KEY_REUSED = "Idempotency-Key was already used"

OnNotice = Callable[[Notice], None]

Result = TypeVar("Result")


class Inbox(InboxOperations):
    """The caller's inbox. Called, it is a loop over what arrives; `get` and `done` are its two operations."""

    def __init__(self, transport: Transport, events: EventOperations) -> None:
        super().__init__(transport)
        self._events = events

    def __call__(self, *, space_id: Optional[str] = None, on_notice: Optional[OnNotice] = None) -> Iterator[InboxItem]:
        """Yields each item that is not done, in the order of its space, and waits for further ones.

        An item is done once the body of the loop ends: a `break`, an exception or a crash leaves it, and the next loop
        begins with it. Notices are passed to `on_notice`, and are done after that. The loop outlives outages; it raises
        a `SpacesError` that no other attempt would change, such as 401 after the key was replaced.
        """
        while True:
            started = time.monotonic()
            inbox = self._persistently(lambda: self.get(wait=_WAIT_SECONDS, space_id=space_id))
            # An agent that is stopped may only read, and not even mark something as done.
            is_useful = not inbox.get("stopped") and bool(inbox["items"] or inbox["done"]["notices"])
            if not is_useful:
                # An answer that is of no use here must not be asked for again and again.
                time.sleep(max(0.0, self._transport.timing.reconnect - (time.monotonic() - started)))
                continue
            for item in inbox["items"]:
                yield item
                event_id = item["event"]["event_id"]
                if not self._mark_done(through=[{"space_id": item["space_id"], "event_id": event_id}]):
                    break
            else:
                self._take_notices(inbox, on_notice)

    def answer(self, item: InboxItem, text: str, **fields: Any) -> Optional[Event]:
        """Posts the one answer to an item, in reply to its event and in its thread.

        The idempotency key derives from the event, so an agent that was killed may answer again: the first answer
        stays. Returns None if that has another text. `fields` are those of `event.response`.
        """
        event = item["event"]
        try:
            return self._events.response(
                item["space_id"],
                text=text,
                idempotency_key=f"answer to {event['event_id']}",
                **{"parent_event_id": event["event_id"], "thread_id": event["thread_id"], **fields},
            )
        except SpacesError as error:
            if error.status == 409 and error.detail.startswith(_KEY_REUSED):
                return None
            raise

    def _take_notices(self, inbox: InboxContents, on_notice: Optional[OnNotice]) -> None:
        done = inbox["done"]["notices"]
        for notice in inbox["notices"]:
            if on_notice is not None and notice["notice_id"] in done:
                on_notice(notice)
        if done:
            self._mark_done(notices=done)

    def _mark_done(self, **done: Any) -> bool:
        """Returns whether the loop may go on with the items that it has: not after a stop of the agent."""
        try:
            self._persistently(lambda: self.done(**done))
        except SpacesError as error:
            # 404: the actor has lost the space since, and with it the item.
            if error.status != 404 and error.error != "agent_stopped":
                raise
            return error.status == 404
        return True

    def _persistently(self, call: Callable[[], Result]) -> Result:
        """Returns the result of a call, however long the server is away."""
        failures = 0
        while True:
            try:
                return call()
            except SpacesError as error:
                if not error.may_pass:
                    raise
                failures += 1
                timing = self._transport.timing
                time.sleep(max(delay_after(failures, timing), error.retry_after or 0))
