"""Streams that resume: once and in order."""

from __future__ import annotations

import random
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, List

from support import Relay, ServerTest, SpacesError, eventually, kill


class Streams(ServerTest):
    def test_a_stream_replays_the_history_then_continues_live(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        first = spaces.event.speech(space_id, text="1")
        stream = spaces.stream(space_id)
        texts: List[str] = []
        for event in stream:
            texts.append(event["text"])
            if len(texts) == 3:
                break
            spaces.event.speech(space_id, text=str(len(texts) + 1))
        self.assertEqual(texts, ["1", "2", "3"])
        spaces.event.speech(space_id, text="4")
        self.assertEqual(next(iter(stream))["text"], "4")
        self.assertEqual(next(iter(spaces.stream(space_id, since=first["event_id"])))["text"], "2")

    def test_a_refused_stream_raises(self) -> None:
        spaces = self.client(self.human()["api_key"])
        with self.assertRaises(SpacesError) as raised:
            next(iter(spaces.stream("nowhere")))
        self.assertEqual(raised.exception.status, 404)

    def test_a_stream_raises_when_its_credential_ends(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        spaces.event.speech(space_id, text="1")
        token = spaces.token.create(name="watcher")
        stream = iter(self.client(token["token"]).stream(space_id))
        next(stream)
        spaces.token.revoke(token["pat_id"])
        with self.assertRaises(SpacesError) as raised:
            next(stream)
        self.assertEqual(raised.exception.status, 401)

    def test_an_actor_stream_has_changes_and_the_events_of_followed_spaces(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        spaces.participant.join(space_id)
        event = spaces.event.speech(space_id, text="Followed")
        stream = spaces.actor_stream(follow={space_id: None, "nowhere": None})
        seen: Any = {}
        for message in stream:
            seen[message["kind"]] = message
            if {"unfollowed", "context_event"} <= seen.keys():
                break
        self.assertEqual(seen["context_event"]["event"], event)
        self.assertEqual(seen["unfollowed"]["space_id"], "nowhere")
        self.assertEqual(stream.cursors, {space_id: event["event_id"]})
        later = spaces.event.speech(space_id, text="Later")
        events = (message["event"] for message in stream if message["kind"] == "context_event")
        self.assertEqual(next(events), later)

    def test_on_connect_is_called_whenever_a_connection_stands(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        calls: List[int] = []

        def on_connect() -> None:
            calls.append(len(calls))
            if len(calls) == 1:
                raise SpacesError("The state could not be read", may_pass=True)
            spaces.event.speech(space_id, text="Connected")

        stream = spaces.actor_stream(follow={space_id: None}, on_connect=on_connect)
        message: Any = next(message for message in stream if message["kind"] == "context_event")
        self.assertEqual((message["event"]["text"], calls), ("Connected", [0, 1]))

    def test_on_reconnect_is_called_and_retry_after_is_respected(self) -> None:
        ada = self.human()
        space_id = self.space(ada)
        self.client(ada["api_key"]).event.speech(space_id, text="1")
        relay = Relay(self.server.url)
        self.addCleanup(relay.close)
        relay.conduct = lambda request: (503, {"Retry-After": "1"})
        calls: Any = []

        def on_reconnect(error: Any, delay: float) -> None:
            calls.append((error.status, delay))
            if len(calls) == 2:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            next(iter(self.client(ada["api_key"], relay.url).stream(space_id, on_reconnect=on_reconnect)))
        self.assertEqual(calls, [(503, 1.0), (503, 1.0)])


class Kills(ServerTest):
    """Streams across `kill -9` of the server and of the client."""

    EVENTS = 300

    def setUp(self) -> None:
        self.ada = self.human()
        self.space_id = self.space(self.ada)
        self.writer = self.client(self.ada["api_key"], timeout=60)

    def write_all(self) -> None:
        """Writes events, and retries each until it is acknowledged."""
        for number in range(self.EVENTS):
            while True:
                try:
                    self.writer.event.speech(self.space_id, text=str(number), idempotency_key=f"number {number}")
                    break
                except SpacesError as error:
                    if not error.may_pass:
                        raise

    def history(self) -> List[str]:
        return [event["text"] for event in self.writer.events(self.space_id)]

    def test_a_stream_resumes_when_the_server_is_killed(self) -> None:
        writing = threading.Thread(target=self.write_all)
        writing.start()
        texts: List[str] = []
        breaks: List[Any] = []
        kills = set(random.sample(range(10, self.EVENTS - 10), 3))
        for event in self.client(self.ada["api_key"]).stream(self.space_id, on_reconnect=lambda *why: breaks.append(why)):
            texts.append(event["text"])
            if len(texts) in kills:
                self.server.kill()
                self.server.start()
            if len(texts) == self.EVENTS:
                break
        writing.join()
        self.assertEqual(texts, [str(number) for number in range(self.EVENTS)])
        self.assertEqual(self.history(), texts)
        self.assertGreaterEqual(len(breaks), 3)

    def test_a_stream_resumes_when_the_client_is_killed(self) -> None:
        writing = threading.Thread(target=self.write_all)
        writing.start()
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "events.txt"
            path.touch()
            kills = sorted(random.sample(range(10, self.EVENTS - 10), 5))
            for count in [*kills, self.EVENTS]:
                follower = self.program("follow.py", self.ada["api_key"], self.space_id, str(path))
                eventually(lambda: len(path.read_bytes().split(b"\n")) > count)
                kill(follower)
            writing.join()
            lines = path.read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split(" ")[1] for line in lines], [str(number) for number in range(self.EVENTS)])


if __name__ == "__main__":
    unittest.main()
