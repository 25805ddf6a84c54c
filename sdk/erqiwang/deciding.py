"""From a bot and a view to the action that the bot takes."""

from __future__ import annotations

from erqiwang.answers import bid_of, burial_of, play_of, trump_of
from erqiwang.batch_bot import BatchBot
from erqiwang.bot import Bot
from erqiwang.rules import Action, SeatView, Surrender, TurnKind


def decide(bot: Bot, view: SeatView) -> Action:
    """Ask the bot for the decision that its seat owes; raises `TypeError` if the answer is of no use."""
    if isinstance(bot, BatchBot):
        return bot.decide_one(view)
    if view.may_surrender and bot.surrender(view):
        return Surrender()
    match view.kind:
        case TurnKind.PLAY:
            return play_of(bot.play(view))
        case TurnKind.BID:
            return bid_of(bot.bid(view))
        case TurnKind.NAME_TRUMP:
            return trump_of(bot.name_trump(view))
        case TurnKind.BURY:
            return burial_of(bot.bury(view))
        case None:
            raise ValueError(f"seat {view.seat} owes no decision")
