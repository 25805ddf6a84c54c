"""How often one network address may come: an address that comes more often waits, and nobody else does."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Protocol

import grpc

from erqiwang_referee.stream import PlayContext
from erqiwang_referee.timekeeper import Monotonic
from erqiwang_referee.turning_away import turn_away

_MINUTE_S = 60.0
_ADDRESSES_MAX = 4096


class PeerContext(PlayContext, Protocol):
    """A gRPC context that knows who calls."""

    def peer(self) -> str:
        """Tell who calls, such as `ipv4:192.0.2.1:40112`."""
        ...


class JoinRate:
    """A bucket for each address: `per_minute` streams at once, filled again over a minute."""

    __slots__ = ("_levels", "_monotonic", "_per_minute")

    def __init__(self, per_minute: int, monotonic: Monotonic) -> None:
        self._per_minute = per_minute
        self._monotonic = monotonic
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Count a stream of an address; False if it is one too many."""
        now = self._monotonic()
        level, since = self._levels.pop(address, (0.0, now))
        level = max(0.0, level - (now - since) * self._per_minute / _MINUTE_S)
        is_allowed = level + 1 <= self._per_minute
        self._levels[address] = (level + 1 if is_allowed else level, now)
        if len(self._levels) > _ADDRESSES_MAX:
            self._levels.popitem(last=False)
        return is_allowed

    def guard(
        self, behaviour: Callable[[object, PeerContext], Awaitable[None]]
    ) -> Callable[[object, PeerContext], Awaitable[None]]:
        """Put the bucket before a stream's behaviour."""

        async def guarded(requests: object, context: PeerContext) -> None:
            address = context.peer().rpartition(":")[0]
            if not self.allows(address):
                text = f"more than {self._per_minute} streams a minute from one address"
                await turn_away(context, grpc.StatusCode.RESOURCE_EXHAUSTED, text)
            await behaviour(requests, context)

        return guarded
