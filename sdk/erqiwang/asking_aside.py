"""`AsyncBot`s are asked side by side; what concerns one table is done in its order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from erqiwang.asking import Asked
from erqiwang.async_bot import SOURCE, AsyncBot, decide_async
from erqiwang.session_table import SessionTable
from erqiwang.v1 import bot_service_pb2, events_pb2
from erqiwang.wire import encode_decision, encode_decisions


class AskingAside:
    """How an `AsyncBot` is told and asked; `begin` comes before anything else, at every stream."""

    def __init__(self) -> None:
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._group: asyncio.TaskGroup | None = None
        self._send: Callable[[bytes], None] | None = None

    def begin(self, group: asyncio.TaskGroup, send: Callable[[bytes], None]) -> None:
        """Do everything in a group of tasks, whose failure ends the stream, and `send` the answers."""
        self._jobs = {}
        self._group = group
        self._send = send

    async def finish(self) -> None:
        """Wait until all is done that was begun."""
        if self._jobs:
            await asyncio.wait([*self._jobs.values()])

    def opened(self, table: SessionTable[AsyncBot]) -> None:
        """Tell the bot that a table opened."""
        self._then(table, "when it opened", lambda: table.bot.table_opened(table.view))

    def turns(self, asked: Sequence[Asked[AsyncBot]]) -> Iterator[bytes]:
        """Ask for the decisions; each is sent when it is made."""
        for turn, table in asked:
            self._ask(turn, table)
        return iter(())

    def over(self, table: SessionTable[AsyncBot], events: Iterable[events_pb2.TableEvent]) -> None:
        """Tell the bot that a table is over, after its last events."""

        async def end() -> None:
            table.observe(events)
            await table.bot.table_over(table.view)

        self._then(table, "when it was over", end)

    def _ask(self, turn: bot_service_pb2.Turn, table: SessionTable[AsyncBot]) -> None:
        async def answer() -> None:
            # An earlier decision of the table may have been late: the view stands still while it is made.
            table.begin(turn)
            action = await decide_async(table.bot, table.view)
            assert self._send is not None, "a stream has begun"
            self._send(encode_decisions([encode_decision(turn.turn_id, action)]))

        self._then(table, f"turn {turn.turn_id}", answer)

    def _then(self, table: SessionTable[AsyncBot], moment: str, job: Callable[[], Awaitable[None]]) -> None:
        """Do a job of a table when those before it are done."""
        before = self._jobs.get(table.table_id)

        async def do() -> None:
            if before is not None:
                await asyncio.wait([before])
            SOURCE.set(table.random)
            try:
                await job()
            except Exception as error:
                raise table.failure(moment) from error

        assert self._group is not None, "a stream has begun"
        task = self._group.create_task(do())
        self._jobs[table.table_id] = task
        task.add_done_callback(lambda done: self._forget(table.table_id, done))

    def _forget(self, table_id: int, done: asyncio.Task[None]) -> None:
        if self._jobs.get(table_id) is done:
            del self._jobs[table_id]
