"""How many matches run, and whether more may begin."""

from __future__ import annotations

import asyncio

import grpc

Refusal = tuple[grpc.StatusCode, str]


class Gate:
    """Counts the matches; closed when the referee is told to end."""

    __slots__ = ("_empty", "_is_closed", "_most", "_running")

    def __init__(self, most: int) -> None:
        self._most = most
        self._running = 0
        self._is_closed = False
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def running(self) -> int:
        """How many matches run."""
        return self._running

    def refusal(self) -> Refusal | None:
        """Say why no match may begin now, None if one may."""
        if self._is_closed:
            return grpc.StatusCode.UNAVAILABLE, "the referee ends"
        if self._running >= self._most:
            return grpc.StatusCode.RESOURCE_EXHAUSTED, f"{self._most} matches run, as many as may"
        return None

    def enter(self) -> None:
        """Count a match that begins."""
        self._running += 1
        self._empty.clear()

    def leave(self) -> None:
        """Count a match that is over."""
        self._running -= 1
        if not self._running:
            self._empty.set()

    def close(self) -> None:
        """Let no more matches begin."""
        self._is_closed = True

    async def wait_until_empty(self) -> None:
        """Wait for the end of the last match."""
        await self._empty.wait()
