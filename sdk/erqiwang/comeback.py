"""How a bot comes back after its stream broke: what it says then, how long it tries, and when it gives up.

A player of one match comes back by its resume token, for a few seconds. A remote bot does the same while it
plays; without a match, or where it came back too late for it, it returns to the lobby by its API token, and
is patient.
"""

from __future__ import annotations

import time
from typing import Protocol

import grpc

from erqiwang.errors import RefusedError, UnavailableError
from erqiwang.rules import RULES_VERSION
from erqiwang.settings import Settings
from erqiwang.v1 import bot_service_pb2

PROTOCOL_VERSION = 1

_CLIENT = "erqiwang-python/1"
_RETRY_S = 0.1
_LOBBY_RETRY_S = 1.0
_REFUSALS = (
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.UNIMPLEMENTED,
)


class Resumable(Protocol):
    """What a comeback reads of a session."""

    @property
    def is_joined(self) -> bool:
        """Whether the referee has taken the bot in."""
        ...

    @property
    def is_guest(self) -> bool:
        """Whether the bot came with an API token."""
        ...

    @property
    def resume_token(self) -> str:
        """The token to come back with, empty between matches."""
        ...

    @property
    def arrivals(self) -> int:
        """How often the referee took the bot in."""
        ...

    def return_to_lobby(self) -> None:
        """Give the match up that was played when the stream broke."""
        ...


class Comeback:
    """The join to send next and the patience that is left; `pause_s` is to be waited before it."""

    def __init__(self, settings: Settings, session: Resumable, max_tables: int) -> None:
        self._settings = settings
        self._session = session
        self._max_tables = max_tables
        self._arrivals: int = 0
        self._give_up = time.monotonic() + settings.connect_timeout_s
        self.request = join_request(settings.token, max_tables=max_tables)
        self.pause_s = _RETRY_S

    def after(self, error: grpc.RpcError) -> None:
        """Prepare the next join after a stream broke; raises a `SessionError` if it is not worth it."""
        session = self._session
        code, detail = error.code(), error.details()
        if session.arrivals != self._arrivals:  # the referee took the bot in, and then the stream broke
            self._arrivals = session.arrivals
            self._be_patient()
        elif session.is_guest and session.resume_token and (code in _REFUSALS or self._is_late()):
            session.return_to_lobby()  # the match went on without the bot
            self._be_patient()
            code = grpc.StatusCode.UNAVAILABLE
        if code in _REFUSALS:
            raise RefusedError(f"the referee at {self._settings.referee} refuses the bot: {detail}") from None
        if not self._is_worth_retrying(code):
            what = "went away" if session.is_joined else "does not answer"
            raise UnavailableError(f"the referee at {self._settings.referee} {what}: {detail}") from None
        self.request = (
            join_request(resume_token=session.resume_token, max_tables=self._max_tables)
            if session.resume_token
            else join_request(self._settings.token, max_tables=self._max_tables)
        )

    def _is_worth_retrying(self, code: grpc.StatusCode) -> bool:
        passing = code is grpc.StatusCode.UNAVAILABLE
        if self._session.is_guest:  # the broken stream may still count as one of the token's
            passing = passing or code is grpc.StatusCode.RESOURCE_EXHAUSTED
        return passing and not self._is_late()

    def _be_patient(self) -> None:
        settings, in_match = self._settings, bool(self._session.resume_token)
        self._give_up = time.monotonic() + (
            settings.rejoin_timeout_s if in_match else settings.lobby_timeout_s
        )
        self.pause_s = _RETRY_S if in_match else _LOBBY_RETRY_S

    def _is_late(self) -> bool:
        return time.monotonic() > self._give_up


def join_request(token: str = "", *, resume_token: str = "", max_tables: int = 0) -> bytes:
    """Write the first message of a stream."""
    join = bot_service_pb2.Join(
        token=token,
        protocol_version=PROTOCOL_VERSION,
        rules_version=RULES_VERSION.partition(".")[0],
        max_tables=max_tables,
        resume_token=resume_token,
        client=_CLIENT,
    )
    return bot_service_pb2.PlayRequest(join=join).SerializeToString()
