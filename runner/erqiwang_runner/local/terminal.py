"""The terminal that a person at a table sits at: it prints what it is told and reads lines."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass
from multiprocessing.connection import Connection, Listener


@dataclass(frozen=True, slots=True)
class Say:
    """Print a text."""

    text: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Print a prompt and answer with a line of input, None at the end of input."""

    prompt: str


class Terminal:
    """Serves players that connect to `address`, one after the other, from a thread of its own."""

    def __init__(self, address: str) -> None:
        self._listener = Listener(address, family="AF_UNIX")
        self._input = _Input()
        # Nothing is lost when it dies in the middle of reading a line.
        threading.Thread(target=self._serve, name="terminal", daemon=True).start()

    def close(self) -> None:
        """Accept no more players."""
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection: Connection[str | None, Say | Ask] = self._listener.accept()
            except OSError:
                return
            with connection:
                _talk(connection, self._input)


class _Input:
    """Lines of standard input, read from its descriptor.

    A thread that is blocked in `sys.stdin` holds a lock that the end of the interpreter would want.
    """

    def __init__(self) -> None:
        self._read = b""

    def line(self) -> str | None:
        """Wait for a line; None at the end of input."""
        while b"\n" not in self._read:
            data = os.read(sys.stdin.fileno(), 4096)
            if not data:
                return None
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")


def _talk(connection: Connection[str | None, Say | Ask], lines: _Input) -> None:
    while True:
        try:
            match connection.recv():
                case Say(text):
                    print(text, flush=True)
                case Ask(prompt):
                    print(prompt, end="", flush=True)
                    connection.send(lines.line())
        except (EOFError, OSError):
            return
