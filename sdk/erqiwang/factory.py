"""Where the bots of a session come from: one for each table, or one for all."""

from __future__ import annotations

from erqiwang.batch_bot import BatchBot
from erqiwang.bot import Bot, BotFactory


def factory_of(bot: Bot | BotFactory) -> BotFactory:
    """Make a factory that gives the one object for every table, or pass a factory on.

    Of a `BatchBot` class one object is made for all tables.
    """
    if isinstance(bot, Bot):
        return lambda: bot
    one = _one_for_all(bot)
    return bot if one is None else lambda: one


def _one_for_all(factory: BotFactory) -> Bot | None:
    return factory() if isinstance(factory, type) and issubclass(factory, BatchBot) else None
