"""Who may join: tokens that were promised to players, known by their SHA-256 only, each good for one use."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from erqiwang_referee.match import Match
from erqiwang_referee.welcome import Pass

_TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Place:
    """A player's place in a match; `guest` says who plays it if that is a remote bot."""

    match: Match
    player: int
    guest: Pass | None = None


@dataclass(slots=True)
class _Promise:
    digest: bytes
    place: Place


class Registry:
    """Promised tokens of every match that runs. Tokens of both kinds are compared in constant time."""

    __slots__ = ("_joins", "_resumes")

    def __init__(self) -> None:
        self._joins: list[_Promise] = []
        self._resumes: list[_Promise] = []

    def __len__(self) -> int:
        return len(self._joins) + len(self._resumes)

    def expects(self, digest: bytes) -> bool:
        """Whether a token of this digest is promised to somebody."""
        return any(promise.digest == digest for promise in self._joins)

    def expect(self, digest: bytes, place: Place) -> None:
        """Promise a place to whoever brings the token of this digest."""
        self._joins = [promise for promise in self._joins if promise.place != place]
        self._joins.append(_Promise(digest, place))

    def claim(self, token: str) -> Place | None:
        """Use up a token: the place that it was promised, or None if it is unknown or was used."""
        return _take(self._joins, token)

    def promise_return(self, place: Place) -> str:
        """Give a place a fresh resume token; an older one is void."""
        self._resumes = [promise for promise in self._resumes if promise.place != place]
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        self._resumes.append(_Promise(_digest(token), place))
        return token

    def claim_return(self, token: str) -> Place | None:
        """Use up a resume token."""
        return _take(self._resumes, token)

    def forget(self, match: Match) -> None:
        """Void every token of a match."""
        self._joins = [promise for promise in self._joins if promise.place.match is not match]
        self._resumes = [promise for promise in self._resumes if promise.place.match is not match]


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _take(promises: list[_Promise], token: str) -> Place | None:
    digest = _digest(token)
    found = [promise for promise in promises if hmac.compare_digest(promise.digest, digest)]
    for promise in found:
        promises.remove(promise)
    return found[0].place if found else None
