"""Shared parts of the tests: the built server as a process, actors, and programs that are killed."""

from __future__ import annotations

import http.client
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, TypeVar

CLIENT = Path(__file__).resolve().parent.parent
ROOT = CLIENT.parent.parent
sys.path.insert(0, str(CLIENT))

from collaboration_spaces import Spaces, SpacesError  # noqa: E402
from collaboration_spaces.timing import Timing  # noqa: E402

#: Delays as short as a test on the same machine needs.
FAST = Timing(first_delay=0.05, longest_delay=2.0, reconnect=0.05)

#: Ends the server when this process is gone, which closes its end of the pipe.
END_WITH_STDIN = "data:text/javascript,process.stdin.on('end',()=>process.kill(process.pid,'SIGTERM')).resume().unref()"

#: A database to use instead of a new one of the server's own.
DATABASE_SETTINGS = ("DATABASE_URL", "MIGRATION_DATABASE_URL", "DATABASE_TIMEOUT")

Found = TypeVar("Found")


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def eventually(look: Callable[[], Found], seconds: float = 60.0) -> Found:
    """Returns the first value that is true, or fails."""
    deadline = time.monotonic() + seconds
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"Not within {seconds} seconds: {found!r}")
        time.sleep(0.02)


class Server:
    """The built server. It keeps its address and its database when it is killed and started again."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._data = tempfile.mkdtemp()
        self._process: Optional[subprocess.Popen] = None

    def start(self) -> None:
        given = {name: os.environ[name] for name in DATABASE_SETTINGS if name in os.environ}
        environment = {
            "PATH": os.environ["PATH"],
            "PORT": str(self.port),
            "LOG_LEVEL": "silent",
            "SERVER_KEY": "5a" * 32,
            "DATA_DIR": os.path.join(self._data, "data"),
            **given,
        }
        main = ROOT / "apps/server/dist/main.js"
        self._process = subprocess.Popen(
            ["node", "--import", END_WITH_STDIN, str(main)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
        )
        eventually(self._is_ready)

    def kill(self) -> None:
        """Kills it with SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)
        shutil.rmtree(self._data)

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None and self._process.stdin is not None
        self._process.send_signal(how)
        self._process.wait()
        self._process.stdin.close()

    def _is_ready(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            raise AssertionError("The server did not start")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        with closing(connection):
            try:
                connection.request("GET", "/health")
                return connection.getresponse().status == 200
            except OSError:
                return False


class Relay:
    """A proxy that can refuse a request or lose its answer, and records requests."""

    def __init__(self, target: str) -> None:
        self.requests: List[Dict[str, Any]] = []
        #: Answers a request instead of the server: a status with headers, or "lose" after the server has answered.
        self.conduct: Callable[[Dict[str, Any]], Any] = lambda request: None
        relay = self

        class Handler(BaseHTTPRequestHandler):
            def handle_request(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                request = {"method": self.command, "path": self.path, "headers": dict(self.headers), "body": body}
                relay.requests.append(request)
                verdict = relay.conduct(request)
                if isinstance(verdict, tuple):
                    status, headers = verdict
                    return self.respond(status, headers, b'{"detail": "Not now"}')
                passed = http.client.HTTPConnection(target.replace("http://", ""))
                with closing(passed):
                    passed.request(self.command, self.path, body, dict(self.headers))
                    answer = passed.getresponse()
                    content = answer.read()
                if verdict == "lose":
                    self.close_connection = True
                    return None
                return self.respond(answer.status, {"Content-Type": "application/json"}, content)

            def respond(self, status: int, headers: Dict[str, str], content: bytes) -> None:
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class ServerTest(unittest.TestCase):
    """Tests that talk to one server, which each class has for itself."""

    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.server.start()
        cls.addClassCleanup(cls.server.stop)

    def client(self, token: Optional[str] = None, url: Optional[str] = None, **options: Any) -> Spaces:
        return Spaces(url or self.server.url, token, timing=FAST, **options)

    def human(self, name: str = "Ada") -> Any:
        return self.client().actor.register(display_name=name, email="ada@example.org")

    def agent(self, sponsor: Any, name: str = "Scout") -> Any:
        return self.client(sponsor["api_key"]).actor.register(display_name=name, actor_type="agent")

    def space(self, human: Any) -> str:
        """Creates a space and returns its id."""
        space_id = f"space-{random.randrange(10**12)}"
        self.client(human["api_key"]).space.create(space_id=space_id)
        return space_id

    def program(self, name: str, token: str, *arguments: str) -> subprocess.Popen:
        """Starts a program of this directory. It is killed at the end at the latest."""
        environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(CLIENT),
            "SPACES_URL": self.server.url,
            "SPACES_TOKEN": token,
        }
        process = subprocess.Popen([sys.executable, str(Path(__file__).parent / name), *arguments], env=environment)
        self.addCleanup(kill, process)
        return process


def kill(process: subprocess.Popen) -> None:
    process.kill()
    process.wait()


def blocks_in(markdown: str) -> List[str]:
    return re.findall(r"^```python\n(.*?)^```$", markdown, re.M | re.S)


__all__ = ["CLIENT", "FAST", "Relay", "Server", "ServerTest", "Spaces", "SpacesError", "blocks_in", "eventually", "kill"]
