"""One open stream: what is sent waits here for the network, and the sender never does."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable
from typing import Protocol

import grpc


class Context(Protocol):
    """The part of a gRPC stream context that is used here; messages are bytes."""

    def read(self) -> Awaitable[object]:
        """Receive one message, or something that is no bytes at the end."""
        ...

    def write(self, message: bytes) -> Awaitable[None]:
        """Send one message; done when the transport took it."""
        ...


class PlayContext(Context, Protocol):
    """A context as a service needs it."""

    def abort(self, code: grpc.StatusCode, details: str = "") -> Awaitable[object]:
        """End the call with a status; raises."""
        ...


class Stream:
    """The sending side. `send` and `close` return at once, `pump` does the work until the stream is closed.

    A peer that does not read is given `close_s` after the close; then the call is cancelled.
    """

    __slots__ = (
        "_close_s",
        "_context",
        "_is_closed",
        "_messages",
        "_task",
        "_wake",
        "breach",
        "waiting_bytes",
    )

    def __init__(self, context: Context, close_s: float) -> None:
        self._context = context
        self._close_s = close_s
        self._messages: deque[bytes] = deque()
        self._task: asyncio.Task[object] | None = None
        self._wake: asyncio.Future[None] | None = None
        self._is_closed = False
        self.breach: str | None = None
        self.waiting_bytes = 0

    def send(self, message: bytes) -> None:
        """Send a message after those that wait."""
        self._messages.append(message)
        self.waiting_bytes += len(message)
        self._rouse()

    def close(self, breach: str | None = None) -> None:
        """End the stream once everything is sent."""
        self._is_closed = True
        self.breach = breach
        self._rouse()
        if self._task is not None:
            asyncio.get_running_loop().call_later(self._close_s, self._give_up)

    async def pump(self) -> None:
        """Write what is sent, until the stream is closed and empty."""
        self._task = asyncio.current_task()
        try:
            await self._write_all()
        finally:
            self._task = None

    async def _write_all(self) -> None:
        messages, write = self._messages, self._context.write
        loop = asyncio.get_running_loop()
        while True:
            while messages:
                message = messages.popleft()
                await write(message)
                self.waiting_bytes -= len(message)
            if self._is_closed:
                return
            self._wake = loop.create_future()
            await self._wake

    def _rouse(self) -> None:
        wake = self._wake
        if wake is not None and not wake.done():
            wake.set_result(None)

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
