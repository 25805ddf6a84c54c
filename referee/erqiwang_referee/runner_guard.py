"""Runners that come from the network bring a credential: a token of the kind `runner`."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

import grpc

from erqiwang_referee.stream import PlayContext
from erqiwang_referee.tokens import Kind, TokenFile
from erqiwang_referee.turning_away import turn_away

_SCHEME = "Bearer "
_LOG = logging.getLogger(__name__)


class RunnerContext(PlayContext, Protocol):
    """A gRPC context with what the caller sent along."""

    def invocation_metadata(self) -> Iterable[tuple[str, str | bytes]] | None:
        """Give the names and values that came with the call."""
        ...


class RunnerGuard:
    """Lets those runners call whose token is known."""

    def __init__(self, tokens: TokenFile) -> None:
        self._tokens = tokens

    def guard(
        self, behaviour: Callable[[object, RunnerContext], Awaitable[None]]
    ) -> Callable[[object, RunnerContext], Awaitable[None]]:
        """Put the credential before a stream's behaviour."""

        async def guarded(requests: object, context: RunnerContext) -> None:
            token = self._tokens.find(_secret(context), Kind.RUNNER)
            if token is None:
                _LOG.warning("a runner was refused: its credential is missing or unknown")
                text = "a runner must send `authorization: Bearer TOKEN` with its token for this referee"
                await turn_away(context, grpc.StatusCode.UNAUTHENTICATED, text)
            _LOG.info("runner %r", token.name)
            await behaviour(requests, context)

        return guarded


def _secret(context: RunnerContext) -> str:
    for name, value in context.invocation_metadata() or ():
        if name == "authorization" and isinstance(value, str) and value.startswith(_SCHEME):
            return value.removeprefix(_SCHEME)
    return ""
