"""What a session leaves to the kind of its bots: how they are told and asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from erqiwang.session_table import SessionTable
from erqiwang.v1 import bot_service_pb2, events_pb2

_Player = TypeVar("_Player")


class Asked(NamedTuple, Generic[_Player]):
    """A turn and the table that it is of."""

    turn: bot_service_pb2.Turn
    table: SessionTable[_Player]


class Asking(Protocol[_Player]):
    """How bots are told and asked; whatever a bot raises becomes a `BotError`."""

    def opened(self, table: SessionTable[_Player]) -> None:
        """Tell the bot that a table opened."""
        ...

    def turns(self, asked: Sequence[Asked[_Player]]) -> Iterator[bytes]:
        """Bring tables up to their turns, ask for the decisions, and yield requests as they are ready."""
        ...

    def over(self, table: SessionTable[_Player], events: Iterable[events_pb2.TableEvent]) -> None:
        """Tell the bot that a table is over, after its last events."""
        ...
