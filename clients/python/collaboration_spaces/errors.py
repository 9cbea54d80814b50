"""The one error of the package."""

from __future__ import annotations

import json
import time
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Dict, Optional


class SpacesError(Exception):
    """The service refused a request, or no answer came. Its text is `detail`, and never contains a credential."""

    def __init__(
        self,
        detail: str,
        *,
        status: Optional[int] = None,
        may_pass: bool = False,
        fields: Optional[Dict[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(detail)
        #: What is wrong, in words for people.
        self.detail = detail
        #: The HTTP status; None when no answer came.
        self.status = status
        #: Whether the same request may succeed later: no answer came, or the status is 5xx, 408, 425 or 429.
        self.may_pass = may_pass
        #: Further fields of this error, such as `holder` of `claimed`.
        self.fields = fields or {}
        #: The id of the request in the server's log.
        self.request_id = request_id
        #: How many seconds the server asks to wait before the next attempt.
        self.retry_after = retry_after

    @property
    def error(self) -> Optional[str]:
        """The name of the error where it has one, such as `loop_guard`."""
        name = self.fields.get("error")
        return name if isinstance(name, str) else None


def refused(status: int, headers: Message, body: bytes) -> SpacesError:
    """Returns the error that the server, or a proxy in front of it, answered."""
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    fields = dict(value) if isinstance(value, dict) and isinstance(value.get("detail"), str) else {}
    detail = fields.pop("detail", None) or f"The server answered {status} without an explanation"
    fields.pop("request_id", None)
    return SpacesError(
        detail,
        status=status,
        may_pass=status >= 500 or status in (408, 425, 429),
        fields=fields,
        request_id=headers.get("X-Request-Id"),
        retry_after=_retry_after(headers.get("Retry-After")),
    )


def unreachable(reason: object) -> SpacesError:
    return SpacesError(f"No answer from the server: {reason}", may_pass=True)


def _retry_after(value: Optional[str]) -> Optional[float]:
    """Returns the seconds of a `Retry-After`, which is a number or a date."""
    if value is None:
        return None
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
