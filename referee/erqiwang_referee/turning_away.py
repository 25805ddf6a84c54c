"""Refusing a stream so that its client hears why."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import NoReturn

import grpc

from erqiwang_referee.stream import PlayContext

_LISTEN_S = 0.5


async def turn_away(context: PlayContext, code: grpc.StatusCode, reason: str) -> NoReturn:
    """End a call with a status before anything of it was read.

    Its first message is taken off the line, if it comes soon: a client that is still sending when the call
    ends hears of a broken stream (INTERNAL) and not of the reason.
    """
    with suppress(TimeoutError):
        await asyncio.wait_for(context.read(), _LISTEN_S)
    await context.abort(code, reason)
    raise AssertionError("abort raises")
