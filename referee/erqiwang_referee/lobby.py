"""Where remote bots wait for matches, and matches for remote bots.

Bots and places meet by the SHA-256 of the bot's API token, first come, first served; one
session plays one place.
"""

from __future__ import annotations

from collections import Counter

from erqiwang_referee.guest import Guest
from erqiwang_referee.match import Match
from erqiwang_referee.player import Presence
from erqiwang_referee.registry import Place
from erqiwang_referee.settings import Limits
from erqiwang_referee.tokens import Kind, KnownToken, TokenFile


class Lobby:
    """The sessions that have no match, and the places that have no session. Without tokens nobody comes."""

    def __init__(self, tokens: TokenFile | None, limits: Limits) -> None:
        self._tokens = tokens
        self._limits = limits
        self._waiting: list[Guest] = []
        self._wanted: list[Place] = []
        self._sessions: Counter[bytes] = Counter()
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether no guest will get another match."""
        return self._is_closed

    @property
    def waiting(self) -> int:
        """How many sessions wait."""
        return len(self._waiting)

    def recognise(self, secret: str) -> KnownToken | None:
        """Tell whose API token this is, None if nobody's."""
        return None if self._tokens is None else self._tokens.find(secret, Kind.BOT)

    def knows(self, digest: bytes) -> bool:
        """Whether an API token of this SHA-256 may come."""
        return self._tokens is not None and self._tokens.find_digest(digest, Kind.BOT) is not None

    def is_full(self, token: KnownToken) -> bool:
        """Whether a token has as many sessions as it may."""
        return self._sessions[token.digest] >= self._limits.token_sessions

    # Sessions.

    def enter(self, guest: Guest) -> None:
        """Count a session that opened."""
        self._sessions[guest.who.token.digest] += 1

    def wait(self, guest: Guest) -> None:
        """Let a session wait for a match, or play at once if one waits for it."""
        if self._is_closed:
            guest.dismiss("the referee ends")
        elif not self.knows(guest.who.token.digest):
            guest.dismiss("the token was revoked")
        else:
            guest.tell_waiting()
            self._waiting.append(guest)
            self._match_up()

    def withdraw(self, guest: Guest) -> None:
        """Let a session wait no longer."""
        if guest in self._waiting:
            self._waiting.remove(guest)

    def leave(self, guest: Guest) -> None:
        """Hear that a session's stream ended."""
        self.withdraw(guest)
        digest = guest.who.token.digest
        self._sessions[digest] -= 1
        if not self._sessions[digest]:
            del self._sessions[digest]

    # Matches.

    def invite(self, match: Match) -> None:
        """Seat the remote players of a match that opened, now or as they come."""
        for index, player in enumerate(match.plan.players):
            if player.remote:
                self._wanted.append(Place(match, index))
        self._match_up()

    def forget(self, match: Match) -> None:
        """Nobody is wanted for a match any more."""
        self._wanted = [place for place in self._wanted if place.match is not match]

    def close(self, reason: str) -> None:
        """Say goodbye to everybody who waits; who plays may play on, and goes after the match."""
        self._is_closed = True
        waiting, self._waiting = self._waiting, []
        for guest in waiting:
            guest.dismiss(reason)

    def _match_up(self) -> None:
        for place in list(self._wanted):
            if place not in self._wanted:
                continue  # the match ended while its players were seated
            if not _is_expected(place):
                self._wanted.remove(place)
                continue
            guest = self._take(place.match.plan.players[place.player].token_sha256)
            if guest is not None:
                self._wanted.remove(place)
                guest.begin(place)

    def _take(self, digest: bytes) -> Guest | None:
        for guest in self._waiting:
            if guest.who.token.digest == digest:
                self._waiting.remove(guest)
                return guest
        return None


def _is_expected(place: Place) -> bool:
    match = place.match
    return match.outcome is None and match.players[place.player].presence is Presence.EXPECTED
