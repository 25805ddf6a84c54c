"""One session with a referee, message by message: keeps a view of every table and answers every turn.

It knows no network: `receive` takes a message and yields what is to be sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from erqiwang.asking import Asked, Asking
from erqiwang.chance import TableRandom
from erqiwang.errors import WireError
from erqiwang.rules import Profile, format_cards, open_view
from erqiwang.session_table import SessionTable
from erqiwang.v1 import bot_service_pb2
from erqiwang.wire import cards_from_wire, cause_from_wire, reason_from_wire, told_profile

_Player = TypeVar("_Player")

_READY = bot_service_pb2.PlayRequest(ready=bot_service_pb2.Ready()).SerializeToString()


class Session(Generic[_Player]):
    """What a bot's side of a stream does with each message of the referee.

    `factory` makes the bot of a table, `asking` tells and asks it.
    """

    def __init__(
        self, factory: Callable[[], _Player], asking: Asking[_Player], log: Callable[[str], None]
    ) -> None:
        self._factory = factory
        self._asking = asking
        self._log = log
        self._profile: Profile | None = None
        self._tables: dict[int, SessionTable[_Player]] = {}
        self.is_over = False
        self.is_guest = False
        """Whether the bot came with an API token: it waits in a lobby and plays match after match."""
        self.resume_token = ""
        self.arrivals = 0
        """How often the referee took the bot in, into a match or into the lobby."""

    @property
    def is_joined(self) -> bool:
        """Whether the referee has taken the bot in."""
        return self._profile is not None or self.is_guest

    def return_to_lobby(self) -> None:
        """Give the match up that was played when the stream broke."""
        self._tables.clear()
        self.resume_token = ""

    def receive(self, response: bot_service_pb2.PlayResponse) -> Iterator[bytes]:
        """Do what a message asks for and yield the requests that answer it.

        Raises `WireError` if the message is unreadable, `BotError` if the bot fails.
        """
        match response.WhichOneof("response"):
            case "turns":
                turns = response.turns.turns
                yield from self._asking.turns([Asked(turn, self._table(turn.table_id)) for turn in turns])
            case "tables_opened":
                for opened in response.tables_opened.tables:
                    self._open(opened)
            case "tables_over":
                for over in response.tables_over.tables:
                    self._close(over)
            case "rejections":
                for rejection in response.rejections.rejections:
                    self._log(_rejection_line(rejection))
            case "joined":
                self._join(response.joined)
            case "match_over":
                if response.match_over.aborted:
                    self._log("the match was broken off; its tables do not count")
                if self.is_guest:
                    self.return_to_lobby()
                    yield _READY
            case "waiting":
                if not self.is_guest:
                    self._log(f"in the lobby as {response.waiting.name!r}: waiting for matches")
                self.is_guest = True
                self.arrivals += 1
            case "goodbye":
                self.is_over = True
            case _:
                pass

    def _join(self, joined: bot_service_pb2.Joined) -> None:
        self.arrivals += 1
        if self.is_guest and not self.resume_token:
            self._tables.clear()  # a new match: its numbers begin anew
        try:
            self.resume_token = joined.resume_token
            house = joined.definition if joined.HasField("definition") else None
            self._profile = told_profile(joined.profile, joined.switches, house)
        except ValueError as error:
            raise WireError(f"profile {joined.profile!r} is unknown here: {error}") from error

    def _open(self, opened: bot_service_pb2.TableOpened) -> None:
        if self._profile is None:
            raise WireError("a table opened before the session was joined")
        view = open_view(self._profile, opened.seat, room=opened.room or 1)
        table = SessionTable(opened.table_id, view, self._factory(), TableRandom(opened.seed))
        before = self._tables.get(opened.table_id)
        if before is not None:  # the stream broke
            table.before = before.before or before.view
        self._tables[opened.table_id] = table
        self._asking.opened(table)

    def _close(self, over: bot_service_pb2.TableOver) -> None:
        table = self._table(over.table_id)
        del self._tables[over.table_id]
        self._asking.over(table, over.events)

    def _table(self, table_id: int) -> SessionTable[_Player]:
        try:
            return self._tables[table_id]
        except KeyError:
            raise WireError(f"table {table_id} is not open") from None


def _rejection_line(rejection: bot_service_pb2.Rejection) -> str:
    words = [f"turn {rejection.turn_id} not applied:", cause_from_wire(rejection.cause).name.lower()]
    reason = reason_from_wire(rejection.reason)
    if reason is not None:
        words.append(f"({reason.name.lower()})")
    words.append(rejection.detail)
    if rejection.owed:
        words.append(f"[owed: {format_cards(cards_from_wire(rejection.owed))}]")
    return " ".join(word for word in words if word).replace("\n", " ")
