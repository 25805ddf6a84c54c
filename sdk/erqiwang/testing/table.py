"""A table in one process: the rule book as judge, each bot with its own view, no network and no clock."""

from __future__ import annotations

from collections.abc import Sequence

from erqiwang.bot import Bot, BotFactory
from erqiwang.chance import TableRandom
from erqiwang.deals import board_seed, bot_seed, deals_of_board, master_key
from erqiwang.deciding import decide
from erqiwang.factory import factory_of
from erqiwang.rules import (
    Bury,
    Deal,
    Event,
    Finished,
    PassOut,
    Profile,
    SeatView,
    State,
    apply,
    get_profile,
    open_table,
    open_view,
)


def play_table(
    bots: Sequence[Bot | BotFactory],
    deals: Deal | Sequence[Deal],
    *,
    profile: Profile | None = None,
    room: int = 1,
    pass_out: PassOut = PassOut.ZERO,
    seeds: Sequence[bytes] | None = None,
) -> Finished:
    """Play one table to its end; `bots` are by seat, `seeds` their random seeds (32 zero bytes by default).

    `profile` is `classic` by default. Several deals are needed only where passed-out deals are dealt again.
    Raises `RuleViolation` if a bot breaks a rule, and whatever a bot raises.
    """
    rules = profile or get_profile("classic")
    dealt = (deals,) if isinstance(deals, Deal) else tuple(deals)
    players = [factory_of(bot)() for bot in bots]
    views = [open_view(rules, seat, room=room) for seat in range(rules.seats)]
    sources = [TableRandom(seed) for seed in seeds or [bytes(32)] * rules.seats]
    for player, view, source in zip(players, views, sources, strict=True):
        player.random = source
        player.table_opened(view)
    state: State
    state, events = open_table(rules, dealt, room=room, pass_out=pass_out)
    for view in views:
        view.hold(state.hand(view.seat))
    _show(views, events)
    while not isinstance(state, Finished):
        turn = state.turn
        assert turn is not None, "a table that is not finished waits for somebody"
        player, view = players[turn.seat], views[turn.seat]
        player.random = sources[turn.seat]
        view.hold(state.hand(turn.seat))
        action = decide(player, view)
        state, events = apply(state, turn.seat, action)
        if isinstance(action, Bury):
            view.bury(action.cards)
        _show(views, events)
    for player, view, source in zip(players, views, sources, strict=True):
        player.random = source
        player.table_over(view)
    return state


def play_board(
    bots: Sequence[Bot | BotFactory],
    number: int,
    *,
    profile: Profile | None = None,
    seed: str = "practice",
    pass_out: PassOut = PassOut.ZERO,
) -> Finished:
    """Play board `number` of a series of deals that `seed` names; the same bots give the same result."""
    rules = profile or get_profile("classic")
    key = master_key(seed)
    deals = deals_of_board(rules, board_seed(key, number), pass_out)
    seeds = [bot_seed(key, number, 0, seat) for seat in range(rules.seats)]
    return play_table(bots, deals, profile=rules, pass_out=pass_out, seeds=seeds)


def _show(views: Sequence[SeatView], events: Sequence[Event]) -> None:
    for event in events:
        for view in views:
            view.observe(event)
