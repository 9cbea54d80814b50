"""Calls, errors and retries."""

from __future__ import annotations

import base64
import json
import unittest
from typing import Any

from support import Relay, ServerTest, SpacesError, eventually


#: A PNG of one pixel.
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mMwTjsDAAI1AWa0b5eeAAAAAElFTkSuQmCC"
)


class Calls(ServerTest):
    def test_operations_match_the_document(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        event = spaces.event.speech(space_id, text="Where?", metadata={"mood": "curious", "next": None})
        self.assertEqual((event["text"], event["posted_by"]), ("Where?", ada["actor_id"]))
        self.assertEqual(event["metadata"], {"mood": "curious", "next": None})
        self.assertEqual(spaces.event.list(space_id, tail=True, limit=1), [event])
        self.assertEqual(spaces.event.get(space_id, event["event_id"]), event)
        self.assertEqual(spaces.inbox.get()["items"], [])

    def test_none_is_null_and_an_omitted_field_stays(self) -> None:
        spaces = self.client(self.human()["api_key"])
        actor_id = spaces.actor.me()["actor_id"]
        self.assertEqual(spaces.actor.change(actor_id, metadata={"a": 1})["metadata"], {"a": 1})
        self.assertEqual(spaces.actor.change(actor_id, display_name="Grace")["metadata"], {"a": 1})
        self.assertIsNone(spaces.actor.change(actor_id, metadata=None)["metadata"])

    def test_any_text_fits_into_a_path_and_a_query(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        spaces.event.speech(space_id, text="Grüße & Küsse 100%")
        spaces.participant.join(space_id)
        self.assertEqual(len(spaces.search.events(q="Grüße & Küsse 100%")), 1)
        with self.assertRaises(SpacesError) as raised:
            spaces.event.get(space_id, "../../status?x=1")
        self.assertEqual(raised.exception.status, 404)

    def test_a_header_that_cannot_be_sent_is_named(self) -> None:
        spaces = self.client(self.human()["api_key"])
        for key in ("answer to 👍", "é", "a\nb"):
            with self.assertRaisesRegex(ValueError, "Idempotency-Key: must be printable ASCII"):
                spaces.event.speech("plans", text="Hello", idempotency_key=key)

    def test_a_history_is_read_page_by_page(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        events: Any = [{"text": str(n), "speaker_id": "a", "speaker_name": "A"} for n in range(100)]
        for _ in range(4):
            spaces.event.append_batch(space_id, events=events)
        texts = [event["text"] for event in spaces.events(space_id)]
        self.assertEqual(texts, [str(n) for n in range(100)] * 4)

    def test_a_file_arrives_with_an_event_and_comes_back(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        content = bytes(range(256)) * 4096
        file = spaces.file.upload(space_id, name="map.bin", content=content)
        self.assertEqual((file["size"], file["content_type"]), (len(content), "application/octet-stream"))
        event = spaces.event.speech(space_id, text="Here", file_ids=[file["file_id"]])
        self.assertEqual([each["name"] for each in event["files"]], ["map.bin"])
        self.assertEqual(spaces.file.content(space_id, file["file_id"]), content)
        text = spaces.file.upload(space_id, name="a.txt", content=b"Hello", content_type="text/plain")
        self.assertEqual(text["content_type"], "text/plain")

    def test_a_picture_is_set_read_and_removed(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        actor_id = ada["actor_id"]
        actor = spaces.picture.set(actor_id, content=base64.b64encode(PIXEL).decode())
        self.assertEqual(spaces.picture.list(actor_ids=actor_id), [{"actor_id": actor_id, "picture": actor["picture"]}])
        self.assertEqual(spaces.picture.content(actor_id), PIXEL)
        self.assertIsNone(spaces.picture.remove(actor_id)["picture"])

    def test_lines_are_read_as_they_arrive(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        spaces.event.speech(space_id, text="Sealed")
        checkpoint = eventually_sealed(spaces, space_id)
        lines = [json.loads(line) for line in spaces.log.export(space_id)]
        self.assertEqual(checkpoint["size"], 1)
        self.assertIn("Sealed", json.dumps(lines))

    def test_a_refusal_has_status_error_and_detail(self) -> None:
        ada = self.human()
        spaces = self.client(ada["api_key"])
        space_id = self.space(ada)
        event_id = spaces.event.speech(space_id, text="Who?")["event_id"]
        spaces.claim.take(space_id, event_id=event_id)
        scout = self.client(self.agent(ada)["api_key"])
        with self.assertRaises(SpacesError) as raised:
            scout.claim.take(space_id, event_id=event_id)
        error = raised.exception
        self.assertEqual((error.status, error.error, error.may_pass), (409, "claimed", False))
        self.assertEqual(error.fields["holder"], ada["actor_id"])
        self.assertIn("Ada", str(error))
        self.assertIsNotNone(error.request_id)
        with self.assertRaises(SpacesError) as raised:
            self.client("svc_nothing").actor.me()
        self.assertEqual((raised.exception.status, raised.exception.detail), (401, "Authentication required"))

    def test_addresses_and_tokens_are_checked_and_not_quoted(self) -> None:
        for url in ("spaces.example.org", "ftp://spaces.example.org", "http://ada:secret@spaces.example.org"):
            with self.assertRaises(ValueError) as raised:
                self.client(url=url)
            self.assertNotIn("example", str(raised.exception))
        with self.assertRaises(ValueError) as raised:
            self.client("svc_secret\n")
        self.assertNotIn("secret", str(raised.exception))


def eventually_sealed(spaces: Any, space_id: str) -> Any:
    def look() -> Any:
        try:
            return spaces.log.checkpoint(space_id)
        except SpacesError as error:
            if error.status != 409:
                raise
            return None

    return eventually(look)


class Retries(ServerTest):
    def setUp(self) -> None:
        self.relay = Relay(self.server.url)
        self.addCleanup(self.relay.close)
        self.ada = self.human()
        self.space_id = self.space(self.ada)
        self.spaces = self.client(self.ada["api_key"], self.relay.url)

    def conduct_first(self, count: int, verdict: Any) -> None:
        self.relay.conduct = lambda request: verdict if len(self.relay.requests) <= count else None

    def texts(self) -> Any:
        return [event["text"] for event in self.client(self.ada["api_key"]).event.list(self.space_id)]

    def test_a_write_whose_answer_is_lost_is_sent_again_with_the_same_key(self) -> None:
        self.conduct_first(3, "lose")
        self.spaces.event.speech(self.space_id, text="Once")
        self.assertEqual(self.texts(), ["Once"])
        keys = {request["headers"]["Idempotency-Key"] for request in self.relay.requests}
        self.assertEqual((len(self.relay.requests), len(keys)), (4, 1))

    def test_the_events_of_a_batch_get_a_key_each(self) -> None:
        self.conduct_first(1, "lose")
        events: Any = [{"text": str(n), "speaker_id": "a", "speaker_name": "A"} for n in range(3)]
        events[1]["idempotency_key"] = None
        self.spaces.event.append_batch(self.space_id, events=events)
        self.assertEqual(self.texts(), ["0", "1", "2"])
        self.assertNotIn("idempotency_key", events[0])

    def test_a_call_fails_after_five_attempts(self) -> None:
        self.relay.conduct = lambda request: (503, {})
        with self.assertRaises(SpacesError) as raised:
            self.spaces.actor.me()
        self.assertEqual((raised.exception.status, raised.exception.detail), (503, "Not now"))
        self.assertEqual(len(self.relay.requests), 5)

    def test_a_call_that_is_not_idempotent_is_sent_once(self) -> None:
        self.relay.conduct = lambda request: "lose"
        with self.assertRaises(SpacesError) as raised:
            self.spaces.space.change(self.space_id, description="New")
        self.assertEqual((raised.exception.status, raised.exception.may_pass), (None, True))
        self.assertEqual(len(self.relay.requests), 1)

    def test_an_idempotent_change_is_repeated(self) -> None:
        self.conduct_first(2, "lose")
        self.spaces.participant.join(self.space_id)
        self.assertEqual(len(self.relay.requests), 3)

    def test_a_4xx_is_raised_without_a_retry(self) -> None:
        self.relay.conduct = lambda request: (429, {"Retry-After": "1"})
        with self.assertRaises(SpacesError) as raised:
            self.spaces.actor.me()
        error = raised.exception
        self.assertEqual((error.status, error.retry_after, error.may_pass), (429, 1.0, True))
        self.assertEqual(len(self.relay.requests), 1)

    def test_a_retry_waits_for_retry_after(self) -> None:
        waits: Any = []
        spaces = self.client(
            self.ada["api_key"], self.relay.url, on_retry=lambda error, delay: waits.append((error.status, delay))
        )
        self.conduct_first(1, (503, {"Retry-After": "1"}))
        spaces.actor.me()
        self.assertEqual(waits, [(503, 1.0)])
        self.relay.requests.clear()
        self.conduct_first(1, (503, {"Retry-After": "60"}))
        with self.assertRaises(SpacesError):
            spaces.actor.me()
        self.assertEqual(len(self.relay.requests), 1)

    def test_a_token_does_not_follow_a_redirect(self) -> None:
        other = Relay(self.server.url)
        self.addCleanup(other.close)
        self.relay.conduct = lambda request: (307, {"Location": f"{other.url}/api/actors/me"})
        with self.assertRaises(SpacesError) as raised:
            self.spaces.actor.me()
        self.assertEqual(raised.exception.status, 307)
        self.assertEqual(other.requests, [])

    def test_a_call_has_a_time_limit(self) -> None:
        self.relay.conduct = lambda request: (503, {"Retry-After": "1"})
        with self.assertRaises(SpacesError) as raised:
            self.client(self.ada["api_key"], self.relay.url, timeout=0.5).actor.me()
        self.assertEqual(raised.exception.status, 503)
        self.assertEqual(len(self.relay.requests), 1)


if __name__ == "__main__":
    unittest.main()
