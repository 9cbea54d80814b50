"""The loop of an agent: every item is answered exactly once."""

from __future__ import annotations

import random
import unittest
from typing import Any, List

from support import Relay, ServerTest, SpacesError, eventually, kill


class InboxLoop(ServerTest):
    def setUp(self) -> None:
        self.ada = self.human()
        self.spaces = self.client(self.ada["api_key"])
        self.space_id = self.space(self.ada)
        self.agent_actor = self.agent(self.ada)
        self.scout = self.client(self.agent_actor["api_key"])

    def ask(self, count: int, start: int = 0) -> List[str]:
        """Posts events that mention the agent. Returns their ids."""
        mention = {"mentions": [self.agent_actor["actor_id"]]}
        questions: List[str] = []
        for first in range(start, start + count, 100):
            numbers = range(first, min(first + 100, start + count))
            events: Any = [
                {"text": f"Question {n}", "speaker_id": "ada", "speaker_name": "A", "metadata": mention} for n in numbers
            ]
            questions += [event["event_id"] for event in self.spaces.event.append_batch(self.space_id, events=events)]
        return questions

    def answered(self) -> List[str]:
        """Returns the events that the agent has answered, in the order of its answers."""
        events = self.spaces.events(self.space_id)
        return [str(event["parent_event_id"]) for event in events if event["posted_by"] == self.agent_actor["actor_id"]]

    def unread(self) -> int:
        return self.scout.inbox.get(peek=True, limit=1)["counts"]["unread"]

    def test_an_item_is_done_after_the_body_of_the_loop(self) -> None:
        questions = self.ask(3)
        for item in self.scout.inbox():
            break
        self.assertEqual(self.scout.inbox.get()["counts"]["unread"], 3)
        seen: List[str] = []
        with self.assertRaises(ZeroDivisionError):
            for item in self.scout.inbox():
                seen.append(item["event"]["event_id"])
                self.assertEqual(self.scout.inbox.get()["counts"]["unread"], 4 - len(seen))
                if len(seen) == 3:
                    raise ZeroDivisionError
        self.assertEqual(seen, questions)
        self.assertEqual(self.scout.inbox.get()["counts"]["unread"], 1)

    def test_an_answer_is_a_reply_in_the_thread_and_is_posted_once(self) -> None:
        [event_id] = self.ask(1)
        thread = self.spaces.thread.start(self.space_id, parent_event_id=event_id, subject="Where")
        mention = {"mentions": [self.agent_actor["actor_id"]]}
        self.spaces.event.speech(self.space_id, text="Here?", thread_id=thread["thread_id"], metadata=mention)
        item = self.scout.inbox.get()["items"][1]
        first = self.scout.inbox.answer(item, "Yes")
        assert first is not None
        self.assertEqual((first["parent_event_id"], first["thread_id"]), (item["event"]["event_id"], thread["thread_id"]))
        self.assertEqual(self.scout.inbox.answer(item, "Yes"), first)
        self.assertIsNone(self.scout.inbox.answer(item, "No"))
        self.spaces.space.change(self.space_id, status="paused")
        with self.assertRaises(SpacesError) as raised:
            self.scout.inbox.answer(self.scout.inbox.get()["items"][0], "Yes")
        self.assertEqual((raised.exception.status, raised.exception.detail), (409, "Space is not active"))

    def test_notices_go_to_on_notice_and_are_marked_as_done(self) -> None:
        decision = self.spaces.decision.propose(
            self.space_id, proposed_by="Ada", text="Go?", assignees=[self.agent_actor["actor_id"]]
        )
        notices: Any = []
        self.ask(1)
        for item in self.scout.inbox(on_notice=notices.append):
            if notices:
                break
            self.ask(1, start=1)
        self.assertEqual(notices[0]["details"]["decision_id"], decision["decision_id"])
        self.assertEqual(self.scout.inbox.get()["counts"]["notices"], 0)

    def test_a_stopped_agent_waits_for_its_start(self) -> None:
        questions = self.ask(2)
        relay = Relay(self.server.url)
        self.addCleanup(relay.close)
        stopped_at: List[int] = []

        def conduct(request: Any) -> None:
            """Starts the agent once its loop has read that it is stopped, and reads again."""
            later = relay.requests[stopped_at[0] :] if stopped_at else []
            if sum(each["method"] == "GET" for each in later) == 2:
                self.spaces.actor.start(self.agent_actor["actor_id"])

        relay.conduct = conduct
        seen: List[str] = []
        for item in self.client(self.agent_actor["api_key"], relay.url).inbox():
            seen.append(item["event"]["event_id"])
            if len(seen) == 1:
                self.spaces.actor.stop(self.agent_actor["actor_id"])
                stopped_at.append(len(relay.requests))
            if len(seen) == 3:
                break
        # The first could not be marked as done while the agent was stopped, so it came again.
        self.assertEqual(seen, [questions[0], questions[0], questions[1]])

    def test_a_loop_raises_when_the_key_is_replaced(self) -> None:
        self.ask(1)
        with self.assertRaises(SpacesError) as raised:
            for _ in self.scout.inbox():
                self.spaces.actor.rotate_key(self.agent_actor["actor_id"])
        self.assertEqual(raised.exception.status, 401)

    def test_a_loop_survives_a_restart_of_the_server(self) -> None:
        questions = self.ask(2)
        seen: List[str] = []
        for item in self.scout.inbox():
            seen.append(item["event"]["event_id"])
            if len(seen) == 1:
                self.server.kill()
                self.server.start()
            else:
                break
        self.assertEqual(seen, questions)

    def test_an_agent_that_is_killed_at_random_answers_1000_mentions_exactly_once(self) -> None:
        questions = self.ask(1_000)
        kills = 0
        while self.unread() > 0:
            process = self.program("answer.py", self.agent_actor["api_key"])
            left = max(0, self.unread() - random.randrange(1, 150))
            eventually(lambda: self.unread() <= left)
            kill(process)
            kills += 1
        self.assertEqual(self.answered(), questions)
        self.assertGreater(kills, 5)


if __name__ == "__main__":
    unittest.main()
