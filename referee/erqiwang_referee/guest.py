"""A remote bot's stream: in the lobby, in a match, in the lobby again."""

from __future__ import annotations

import logging
from typing import Protocol

from google.protobuf.message import DecodeError

from erqiwang.v1 import bot_service_pb2
from erqiwang.wire.fields import bytes_tag
from erqiwang_referee.player import Link
from erqiwang_referee.registry import Place, Registry
from erqiwang_referee.settings import Limits
from erqiwang_referee.welcome import Pass, joined

_GOODBYE = bytes_tag(bot_service_pb2.PlayResponse.DESCRIPTOR, "goodbye")
_LOG = logging.getLogger(__name__)


class Host(Protocol):
    """Whoever keeps the guests that have no match."""

    def wait(self, guest: Guest) -> None:
        """Hear that a guest wants a match."""
        ...

    def withdraw(self, guest: Guest) -> None:
        """Hear that a guest wants no match any more."""
        ...

    @property
    def is_closed(self) -> bool:
        """Whether no guest will get another match."""
        ...


class Guest:
    """One open stream of a remote bot. To the match that it plays it is the link to its player.

    Between a match's end and the bot's `ready` everything it sends belongs to the match that is over.
    """

    __slots__ = (
        "_farewell",
        "_host",
        "_is_ready",
        "_limits",
        "_registry",
        "_stray",
        "_stream",
        "place",
        "who",
    )

    def __init__(
        self,
        who: Pass,
        stream: Link,
        *,
        host: Host,
        registry: Registry,
        limits: Limits,
        place: Place | None = None,
    ) -> None:
        """Begin in a match if there is a `place`, else on the way into the lobby."""
        self.who = who
        self.place = place
        self._stream = stream
        self._host = host
        self._registry = registry
        self._limits = limits
        self._is_ready = place is None
        self._stray = 0
        self._farewell: bytes | None = None

    # What the lobby does.

    def begin(self, place: Place) -> None:
        """Sit down at a match that waits for this bot."""
        match, player = place.match, place.player
        self.place = Place(match, player, self.who)
        self._is_ready = False
        self._stray = 0
        terms = match.terms(self.who.max_tables, self.who.full_history)
        message = joined(match.plan, terms, self._registry.promise_return(self.place))
        self._stream.send(bot_service_pb2.PlayResponse(joined=message).SerializeToString())
        _LOG.debug("session %s token=%r player=%d", message.session_id, self.who.token.name, player)
        match.join(player, self, terms, self.who.client)

    def tell_waiting(self) -> None:
        """Say that a match will come."""
        waiting = bot_service_pb2.Waiting(name=self.who.token.name)
        self._stream.send(bot_service_pb2.PlayResponse(waiting=waiting).SerializeToString())

    def dismiss(self, reason: str, breach: str | None = None) -> None:
        """End the session of a guest that plays no match."""
        self._host.withdraw(self)
        goodbye = bot_service_pb2.Goodbye(reason=reason)
        self._stream.send(bot_service_pb2.PlayResponse(goodbye=goodbye).SerializeToString())
        self._stream.close(breach)

    # What the bot does.

    def receive(self, data: bytes) -> None:
        """Take a message: the match's affair if there is one."""
        place = self.place
        if place is not None:
            place.match.receive(place.player, self, data)
        else:
            self._receive_in_lobby(data)

    def break_off(self) -> None:
        """Hear that the stream ended."""
        if self.place is not None:
            self.place.match.break_off(self.place.player, self)

    # What the match does: a guest is a `Link`.

    @property
    def waiting_bytes(self) -> int:
        """How much the bot has not read."""
        return self._stream.waiting_bytes

    def send(self, message: bytes) -> None:
        """Send a message; a goodbye is kept until it is known whether only the match is over."""
        if message.startswith(_GOODBYE):
            self._farewell = message
        else:
            self._stream.send(message)

    def close(self, breach: str | None = None) -> None:
        """Go back to the lobby if the match is over, else end the session."""
        place, self.place = self.place, None
        farewell, self._farewell = self._farewell, None
        is_over = place is not None and place.match.outcome is not None
        if is_over and breach is None and not self._host.is_closed:
            return
        if farewell is not None:
            self._stream.send(farewell)
        self._stream.close(breach)

    def _receive_in_lobby(self, data: bytes) -> None:
        request = _request_of(data)
        kind = None if request is None else request.WhichOneof("request")
        if kind == "ready" and not self._is_ready:
            self._is_ready = True
            self._stray = 0
            self._host.wait(self)
        elif kind == "leave":
            self.dismiss("good-bye")
        else:
            self._stray += 1
            if self._stray > self._limits.idle_messages or len(data) > self._limits.message_bytes:
                text = "messages in the lobby, where nothing is asked for"
                self.dismiss(f"flooded: {text}", text)


def _request_of(data: bytes) -> bot_service_pb2.PlayRequest | None:
    try:
        return bot_service_pb2.PlayRequest.FromString(data)
    except DecodeError:
        return None
