"""HTTP requests: what is sent, what is repeated, and how an answer is read."""

from __future__ import annotations

import http.client
import json
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing, contextmanager
from typing import Any, Callable, Dict, Iterator, Mapping, NamedTuple, NoReturn, Optional, Tuple

from .errors import SpacesError, refused, unreachable
from .timing import Timing, delay_after

#: How many times a request is sent at most when it may be repeated.
MAX_ATTEMPTS = 5

_PIECE_BYTES = 64 * 1024

#: Called before each wait for another attempt, with what went wrong and the seconds.
OnRetry = Callable[[SpacesError, float], None]

JsonObject = Dict[str, Any]


class _Omitted:
    """The default of optional fields of a body, where None is sent as null."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED: Any = _Omitted()


class Operation(NamedTuple):
    """One operation of the service, as the OpenAPI document describes it."""

    name: str
    method: str
    path: str
    #: Whether sending it twice has the effect of sending it once.
    is_idempotent: bool = False
    #: Whether the server recognizes a repetition by the header `Idempotency-Key`.
    is_keyed: bool = False
    #: The field of the body that lists what takes an `idempotency_key` each.
    keyed_list: Optional[str] = None

    @property
    def is_repeatable(self) -> bool:
        return self.is_idempotent or self.is_keyed or self.keyed_list is not None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect, as the token is for one server only."""

    def redirect_request(self, req: Any, fp: Any, code: Any, msg: Any, headers: Any, newurl: Any) -> None:
        return None


class Transport:
    """The server, the credential, and how requests are sent."""

    def __init__(
        self,
        url: str,
        token: Optional[str],
        installation_id: Optional[str],
        timeout: float,
        timing: Timing,
        on_retry: Optional[OnRetry],
    ) -> None:
        self._base = _base_of(url)
        self._headers = _own_headers(token, installation_id)
        self._timeout = timeout
        self.timing = timing
        self._on_retry = on_retry
        self._opener = urllib.request.build_opener(_NoRedirect())

    def call(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        content: Optional[bytes] = None,
    ) -> Any:
        """Returns the JSON value of an answer, like `content`. The body is JSON, or `content`."""
        sent, data = _sent(operation, headers or {}, body)
        if content is not None:
            sent.setdefault("Content-Type", "application/octet-stream")
            data = content
        answer = self._answer(operation, path, query, sent, data)
        try:
            return json.loads(answer)
        except ValueError:
            _raise_not_ours()

    def content(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
    ) -> bytes:
        """Returns the bytes of an answer. Repeats the request where that is safe, until it has taken too long."""
        return self._answer(operation, path, query, *_sent(operation, headers or {}, None))

    def _answer(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Optional[Mapping[str, Any]],
        headers: Mapping[str, str],
        data: Optional[bytes],
    ) -> bytes:
        wait = float((query or {}).get("wait") or 0)
        limit = self._timeout + wait
        deadline = time.monotonic() + limit
        failures = 0
        while True:
            try:
                return self._read(self._request(operation, path, query or {}, headers, data), deadline, limit)
            except SpacesError as error:
                failures += 1
                delay = self._delay_before_retry(operation, error, failures)
                if delay is None or time.monotonic() + delay >= deadline:
                    raise
                if self._on_retry is not None:
                    self._on_retry(error, delay)
                time.sleep(delay)

    def _delay_before_retry(self, operation: Operation, error: SpacesError, failures: int) -> Optional[float]:
        """Returns None if another attempt is no use: the caller has to know about a 4xx, even if it may pass."""
        is_worth_it = error.may_pass and (error.status is None or error.status >= 500)
        if not (operation.is_repeatable and is_worth_it) or failures == MAX_ATTEMPTS:
            return None
        delay = max(delay_after(failures, self.timing), error.retry_after or 0)
        return delay if delay <= self.timing.longest_delay else None

    def _read(self, request: urllib.request.Request, deadline: float, limit: float) -> bytes:
        def remaining() -> float:
            left = deadline - time.monotonic()
            if left <= 0:
                raise SpacesError(f"No answer from the server within {limit:g} seconds", may_pass=True)
            return left

        pieces = []
        with self._open(request, remaining()) as response:
            for piece in _pieces(response):
                pieces.append(piece)
                remaining()
        return b"".join(pieces)

    @contextmanager
    def opened(
        self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Any], accept: str
    ) -> Iterator[Iterator[bytes]]:
        """Provides the bytes of an answer of any length. They fail when none come for long."""
        request = self._request(operation, path, query, {"Accept": accept}, None)
        with self._open(request, self.timing.silence) as response:
            if not response.headers.get("Content-Type", "").startswith(accept):
                _raise_not_ours()
            yield _pieces(response)

    def lines(self, operation: Operation, path: Mapping[str, str], query: Mapping[str, Any]) -> Iterator[str]:
        """Returns the lines of an answer as they arrive. It is not repeated."""
        rest = b""
        with self.opened(operation, path, query, "application/x-ndjson") as pieces:
            for piece in pieces:
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    yield line.decode()
        if rest:
            yield rest.decode()

    def _request(
        self,
        operation: Operation,
        path: Mapping[str, str],
        query: Mapping[str, Any],
        headers: Mapping[str, str],
        data: Optional[bytes],
    ) -> urllib.request.Request:
        quoted = {name: urllib.parse.quote(str(value), safe="") for name, value in path.items()}
        target = operation.path.format(**quoted)
        wanted = {name: _query_value(value) for name, value in query.items() if value is not None}
        search = f"?{urllib.parse.urlencode(wanted)}" if wanted else ""
        all_headers = {**self._headers, **headers}
        return urllib.request.Request(self._base + target + search, data, all_headers, method=operation.method)

    @contextmanager
    def _open(self, request: urllib.request.Request, timeout: float) -> Iterator[http.client.HTTPResponse]:
        try:
            with closing(self._opener.open(request, timeout=timeout)) as response:
                yield response
        except urllib.error.HTTPError as error:
            with closing(error):
                body = _body_of(error)
            raise refused(error.code, error.headers, body) from None
        except urllib.error.URLError as error:
            raise unreachable(error.reason) from error
        except (OSError, http.client.HTTPException) as error:
            raise unreachable(str(error) or type(error).__name__) from error


def _body_of(error: urllib.error.HTTPError) -> bytes:
    try:
        return error.read()
    except (OSError, http.client.HTTPException):
        return b""


def _pieces(response: http.client.HTTPResponse) -> Iterator[bytes]:
    # Before Python 3.12, `read1` does not count, and takes the end of the connection for that of the body.
    left = response.length
    while left is None or left > 0:
        piece = response.read1(_PIECE_BYTES)
        if piece == b"":
            if left is not None:
                raise http.client.IncompleteRead(b"", left)
            return
        if left is not None:
            left -= len(piece)
        yield piece


def _sent(
    operation: Operation, headers: Mapping[str, Optional[str]], body: Optional[Mapping[str, Any]]
) -> Tuple[Dict[str, str], Optional[bytes]]:
    """Returns headers and body, the same for all attempts, with keys where the operation takes some."""
    sent = {name: _header_value(name, value) for name, value in headers.items() if value is not None}
    if operation.is_keyed:
        sent.setdefault("Idempotency-Key", secrets.token_hex(16))
    if body is None:
        return sent, None
    fields = {name: value for name, value in body.items() if value is not OMITTED}
    if operation.keyed_list is not None:
        key = operation.keyed_list
        fields[key] = [_keyed(item) for item in fields[key]]
    sent["Content-Type"] = "application/json"
    return sent, json.dumps(fields, allow_nan=False).encode()


def _keyed(item: Mapping[str, Any]) -> Mapping[str, Any]:
    return item if item.get("idempotency_key") is not None else {**item, "idempotency_key": secrets.token_hex(16)}


def _query_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _base_of(url: str) -> str:
    """Returns the address without a slash at the end. Errors end up in logs, so they do not quote it."""
    parsed = urllib.parse.urlsplit(url)
    is_plain = not (parsed.username or parsed.password or parsed.query or parsed.fragment)
    if parsed.scheme not in ("http", "https") or not parsed.hostname or not is_plain:
        raise ValueError("url: must be an http or https address without credentials or query")
    return url.rstrip("/")


def _own_headers(token: Optional[str], installation_id: Optional[str]) -> Dict[str, str]:
    headers = {"Accept": "application/json"}
    if token is not None:
        if token == "" or any(not "!" <= character <= "~" for character in token):
            raise ValueError("token: must be printable ASCII without spaces")
        headers["Authorization"] = f"Bearer {token}"
    if installation_id is not None:
        headers["X-Installation-Id"] = _header_value("installation_id", installation_id)
    return headers


def _header_value(name: str, value: str) -> str:
    if any(not " " <= character <= "~" for character in value):
        raise ValueError(f"{name}: must be printable ASCII")
    return value


def _raise_not_ours() -> NoReturn:
    raise SpacesError("The answer does not come from Collaboration Spaces: check the url")
