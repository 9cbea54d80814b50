"""How long the client waits, in seconds."""

from __future__ import annotations

import random
from typing import NamedTuple


class Timing(NamedTuple):
    #: Before the first repetition; it doubles from one to the next.
    first_delay: float = 1.0
    #: The longest wait before a repetition, unless the server asks a stream to wait longer.
    longest_delay: float = 30.0
    #: The longest wait before a stream that worked is opened again.
    reconnect: float = 1.0
    #: A connection without data for so long is dead: on a quiet stream, the server sends a comment every 15 seconds.
    silence: float = 45.0


TIMING = Timing()

#: How much longer than needed a delay may be, so that clients that failed together do not come back together.
_JITTER = 0.5


def delay_after(failures: int, timing: Timing) -> float:
    """Returns how long to wait after so many failures in a row."""
    # The exponent is bounded, as an outage may last for days.
    delay = min(timing.first_delay * 2.0 ** min(failures - 1, 30), timing.longest_delay / (1 + _JITTER))
    return delay * (1 + random.random() * _JITTER)
