"""How many streams of players are open at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc

from erqiwang_referee.stream import PlayContext
from erqiwang_referee.turning_away import turn_away

_Context = TypeVar("_Context", bound=PlayContext)


class StreamCount:
    """Counts the streams of one door; one too many is refused at once."""

    __slots__ = ("_most", "_open")

    def __init__(self, most: int) -> None:
        self._most = most
        self._open = 0

    def guard(
        self, behaviour: Callable[[object, _Context], Awaitable[None]]
    ) -> Callable[[object, _Context], Awaitable[None]]:
        """Put the count before a stream's behaviour."""

        async def guarded(requests: object, context: _Context) -> None:
            if self._open >= self._most:
                text = f"{self._most} streams are open, as many as may"
                await turn_away(context, grpc.StatusCode.RESOURCE_EXHAUSTED, text)
            self._open += 1
            try:
                await behaviour(requests, context)
            finally:
                self._open -= 1

        return guarded
