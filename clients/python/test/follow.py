"""follow.py SPACE FILE: writes the id and the text of each event to a file, and resumes after its last line."""

from __future__ import annotations

import sys

from collaboration_spaces import Spaces
from collaboration_spaces.timing import Timing

space_id, path = sys.argv[1:]
with open(path, "a+", encoding="utf-8") as file:
    file.seek(0)
    whole = [line for line in file.read().split("\n")[:-1]]
    stream = Spaces.from_environment().stream(space_id, since=whole[-1].split(" ")[0] if whole else None)
    stream._transport.timing = Timing(first_delay=0.05, reconnect=0.05)
    for event in stream:
        file.write(f"{event['event_id']} {event['text']}\n")
        file.flush()
