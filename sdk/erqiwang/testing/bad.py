"""Players that misbehave on purpose: `python -m erqiwang.testing.bad HOW`, started like any bot.

Each plays the fallback for a few turns first (`--after N`, 3 by default), then does its worst. For tests of a
referee and a launcher, and for hosts who want to see what a fault looks like.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import NoReturn

import grpc

from erqiwang.comeback import join_request
from erqiwang.dialing import open_channel
from erqiwang.settings import Settings
from erqiwang.stream import play_stream
from erqiwang.v1 import bot_service_pb2

_FOREVER_S = 3600.0
_FLOOD = 100_000


class Stream:
    """A stream to the referee without any manners."""

    def __init__(self, settings: Settings, after: int) -> None:
        self.settings = settings
        self.after = after
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        channel = open_channel(settings)
        self._responses = play_stream(channel)(iter(self._outbox.get, None), wait_for_ready=True)

    def join(self) -> None:
        """Join as a decent bot does."""
        self.send(join_request(self.settings.token))

    def send(self, message: bytes) -> None:
        """Send whatever it is."""
        self._outbox.put(message)

    def answer(self, turn: bot_service_pb2.Turn, action: bot_service_pb2.Action) -> None:
        """Answer one turn."""
        decision = bot_service_pb2.Decision(turn_id=turn.turn_id, action=action)
        decisions = bot_service_pb2.Decisions(decisions=[decision])
        self.send(bot_service_pb2.PlayRequest(decisions=decisions).SerializeToString())

    def use_fallback(self, turn: bot_service_pb2.Turn) -> None:
        """Answer one turn without a thought."""
        self.answer(turn, bot_service_pb2.Action(use_fallback=True))

    def turns(self) -> Iterator[bot_service_pb2.Turn]:
        """Join and yield every turn until the stream ends."""
        self.join()
        for response in self._responses:
            if response.HasField("goodbye"):
                return
            yield from response.turns.turns

    def finish(self) -> None:
        """Say no more, and listen until the referee is done."""
        self._outbox.put(None)
        for _ in self._responses:
            pass

    def late_turns(self) -> Iterator[bot_service_pb2.Turn]:
        """Play on by the fallback, then yield the turns at which to misbehave."""
        for number, turn in enumerate(self.turns()):
            if number < self.after:
                self.use_fallback(turn)
            else:
                yield turn


def crash(stream: Stream) -> None:
    """Exit with code 1 in the middle of a turn."""
    next(stream.late_turns())
    print("about to crash, as ordered", file=sys.stderr, flush=True)
    os._exit(1)


def exit0(stream: Stream) -> None:
    """Exit with code 0 in the middle of a turn."""
    next(stream.late_turns())
    os._exit(0)


def hang(stream: Stream) -> None:
    """Stop answering, but stay alive and connected."""
    next(stream.late_turns())
    _wait()


def slow(stream: Stream) -> None:
    """Answer every turn after one and a half times the move limit."""
    for turn in stream.late_turns():
        time.sleep(1.5 * turn.move_limit_ms / 1000)
        stream.use_fallback(turn)


def garbage(stream: Stream) -> None:
    """Answer with bytes that are no message."""
    for _ in stream.late_turns():
        stream.send(b"\xff\xfe this is no message \x00")


def malformed(stream: Stream) -> None:
    """Answer with cards and trumps that do not exist, and with nothing."""
    nonsense = (
        bot_service_pb2.Action(play=b"\x00\xff"),
        bot_service_pb2.Action(),
        bot_service_pb2.Action.FromString(b"\x18\x63"),
    )
    for number, turn in enumerate(stream.late_turns()):
        stream.answer(turn, nonsense[number % len(nonsense)])


def flood(stream: Stream) -> None:
    """Send answers to turns that never were, without end."""
    next(stream.late_turns())
    for number in range(_FLOOD):
        stream.use_fallback(bot_service_pb2.Turn(turn_id=10**9 + number))
    _wait()


def illegal(stream: Stream) -> None:
    """Answer with what the rules refuse."""
    for turn in stream.late_turns():
        stream.answer(turn, _ILLEGAL[turn.kind])


def deaf(stream: Stream) -> None:
    """Join and never read."""
    stream.join()
    _wait()


def leaves(stream: Stream) -> None:
    """Say that it leaves, and exit with code 0."""
    next(stream.late_turns())
    leave = bot_service_pb2.Leave(reason="had enough")
    stream.send(bot_service_pb2.PlayRequest(leave=leave).SerializeToString())
    stream.finish()


def never_joins(stream: Stream) -> None:
    """Connect, and say nothing."""
    _wait()


def joins_twice(stream: Stream) -> None:
    """Join again in the middle of the session."""
    for turn in stream.late_turns():
        stream.join()
        stream.use_fallback(turn)


def forks(stream: Stream) -> None:
    """Leave a child behind that ignores the usual ways to end it, then crash."""
    next(stream.late_turns())
    if os.fork() == 0:
        os.setsid()
        time.sleep(_FOREVER_S)
        os._exit(0)
    os._exit(1)


def noisy(stream: Stream) -> None:
    """Play on, writing megabytes to both outputs."""
    for turn in stream.late_turns():
        print("noise " * 20_000, flush=True)
        print("NOISE " * 20_000, file=sys.stderr, flush=True)
        stream.use_fallback(turn)


_KINDS = bot_service_pb2.TurnKind
_ILLEGAL: dict[int, bot_service_pb2.Action] = {
    _KINDS.TURN_KIND_BID: bot_service_pb2.Action(bid=1),
    _KINDS.TURN_KIND_NAME_TRUMP: bot_service_pb2.Action(bid=5),
    _KINDS.TURN_KIND_BURY: bot_service_pb2.Action(bury=b"\x01"),
    _KINDS.TURN_KIND_PLAY: bot_service_pb2.Action(play=b"\x01" * 3),
}

HOW: dict[str, Callable[[Stream], None]] = {
    how.__name__: how
    for how in (
        *(crash, hang, slow, garbage, malformed, flood, illegal, deaf, leaves, never_joins, exit0),
        *(joins_twice, forks, noisy),
    )
}


def main() -> None:
    """Misbehave as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m erqiwang.testing.bad", description=__doc__)
    parser.add_argument(
        "how", choices=sorted(HOW), help="; ".join(f"{k}: {v.__doc__}" for k, v in HOW.items())
    )
    parser.add_argument("--after", type=int, default=3, help="how many turns to play decently first")
    arguments = parser.parse_args()
    settings = Settings.from_environment(os.environ)
    try:
        HOW[arguments.how](Stream(settings, arguments.after))
    except (grpc.RpcError, StopIteration):
        sys.exit(0)


def _wait() -> NoReturn:
    while True:
        time.sleep(_FOREVER_S)


if __name__ == "__main__":
    main()
