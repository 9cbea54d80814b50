"""answer.py: an agent that answers each item of its inbox, each time with other words, and marks it as done."""

from __future__ import annotations

import secrets

from collaboration_spaces import Spaces

spaces = Spaces.from_environment()
for item in spaces.inbox():
    spaces.inbox.answer(item, f"{item['event']['text']}: {secrets.token_hex(4)}")
