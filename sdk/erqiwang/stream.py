"""The stream between a bot and its referee, and where the bot's author is told what happens on it."""

from __future__ import annotations

import sys
from typing import TypeAlias

import grpc
import grpc.aio

from erqiwang.v1 import bot_service_pb2

AsyncCall: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bot_service_pb2.PlayResponse]"

_METHOD = "/erqiwang.v1.BotService/Play"


def play_stream(
    channel: grpc.Channel,
) -> grpc.StreamStreamMultiCallable[bytes, bot_service_pb2.PlayResponse]:
    """Return the method of the stream, taking requests as bytes."""
    return channel.stream_stream(
        _METHOD, request_serializer=None, response_deserializer=bot_service_pb2.PlayResponse.FromString
    )


def open_async_stream(channel: grpc.aio.Channel) -> AsyncCall:
    """Open a stream on an event loop, taking requests as bytes."""
    method: grpc.aio.StreamStreamMultiCallable[bytes, bot_service_pb2.PlayResponse] = channel.stream_stream(
        _METHOD, request_serializer=None, response_deserializer=bot_service_pb2.PlayResponse.FromString
    )
    return method()


def log(line: str) -> None:
    """Write one line for the bot's author."""
    print(f"erqiwang: {line}", file=sys.stderr, flush=True)
