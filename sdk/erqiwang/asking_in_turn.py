"""Bots are asked table after table, or, if they are `BatchBot`s, for all tables at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from erqiwang.asking import Asked
from erqiwang.batch_bot import BatchBot, decide_together
from erqiwang.bot import Bot
from erqiwang.deciding import decide
from erqiwang.errors import BotError
from erqiwang.rules import SeatView
from erqiwang.session_table import SessionTable
from erqiwang.v1 import events_pb2
from erqiwang.wire import encode_decision, encode_decisions

_Answer = TypeVar("_Answer")

HOLD_BACK_S = 0.02
"""A batch is answered in parts where the bot takes longer: the clock of its oldest open turn runs."""


class AskingInTurn:
    """How a `Bot` is told and asked."""

    def opened(self, table: SessionTable[Bot]) -> None:
        """Tell the bot that a table opened."""
        _ask(table, "when it opened", lambda bot, view: bot.table_opened(view))

    def turns(self, asked: Sequence[Asked[Bot]]) -> Iterator[bytes]:
        """Answer all turns: those of a `BatchBot` in one message, others' unless they take their time."""
        batches: dict[int, list[Asked[Bot]]] = {}
        decisions: list[bytes] = []
        send_at = time.monotonic() + HOLD_BACK_S
        for turn, table in asked:
            table.begin(turn)
            if isinstance(table.bot, BatchBot):
                batches.setdefault(id(table.bot), []).append(Asked(turn, table))
                continue
            action = _ask(table, f"turn {turn.turn_id}", decide)
            decisions.append(encode_decision(turn.turn_id, action))
            if time.monotonic() > send_at:
                yield encode_decisions(decisions)
                decisions = []
                send_at = time.monotonic() + HOLD_BACK_S
        if decisions:
            yield encode_decisions(decisions)
        for batch in batches.values():
            yield encode_decisions(_ask_together(batch))

    def over(self, table: SessionTable[Bot], events: Iterable[events_pb2.TableEvent]) -> None:
        """Tell the bot that a table is over, after its last events."""
        table.observe(events)
        _ask(table, "when it was over", lambda bot, view: bot.table_over(view))


def _ask(table: SessionTable[Bot], moment: str, question: Callable[[Bot, SeatView], _Answer]) -> _Answer:
    table.bot.random = table.random
    try:
        return question(table.bot, table.view)
    except Exception as error:
        raise table.failure(moment) from error


def _ask_together(batch: Sequence[Asked[Bot]]) -> list[bytes]:
    bot = batch[0].table.bot
    assert isinstance(bot, BatchBot), "only such a bot has a batch"
    try:
        actions = decide_together(bot, {table.view: table.random for _, table in batch})
    except Exception as error:
        turns = ", ".join(str(turn.turn_id) for turn, _ in batch)
        tables = ", ".join(str(table.table_id) for _, table in batch)
        raise BotError(f"in decide_many at tables {tables}, turns {turns}") from error
    return [encode_decision(turn.turn_id, action) for (turn, _), action in zip(batch, actions, strict=True)]
