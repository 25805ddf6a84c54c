"""A table from the deal to the score: `open_table`, then `apply` until no turn is left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from erqiwang.rules.action import Action
from erqiwang.rules.auction import Auction, open_auction
from erqiwang.rules.contract import MAX_REDEALS, Table, check_deals
from erqiwang.rules.deal import Deal
from erqiwang.rules.declaring import Burying, Naming
from erqiwang.rules.event import Event
from erqiwang.rules.finished import Finished
from erqiwang.rules.playing import Playing
from erqiwang.rules.profile import Profile
from erqiwang.rules.soundness import check_room
from erqiwang.rules.turn import PassOut

State: TypeAlias = Auction | Naming | Burying | Playing | Finished
"""A table at some moment; each phase is a class of its own."""


def open_table(
    profile: Profile, deals: Sequence[Deal], *, room: int = 1, pass_out: PassOut = PassOut.ZERO
) -> tuple[Auction, tuple[Event, ...]]:
    """Open a table.

    `deals` holds the deal, and for `PassOut.REDEAL` the three that passed-out deals lead to; the opener of
    a redeal is the seat after the opener before, whatever the deal says (R-09). Raises `ValueError` if
    there are too few deals, or one is not of the profile's deck, or the profile knows no such room.
    """
    wanted = 1
    if pass_out is PassOut.REDEAL and profile.forced_bid is None:
        wanted += MAX_REDEALS
    if len(deals) < wanted:
        raise ValueError(f"{len(deals)} deals instead of {wanted}")
    check_room(profile, room)
    check_deals(profile, deals[:wanted])
    table = Table(profile, room, pass_out, tuple(deals[:wanted]))
    return open_auction(table, (), deals[0].opener)


def apply(state: State, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Return the state after a seat's action, and what everybody saw of it.

    Nothing is changed; an action that the rules refuse raises `RuleViolation` (R-74).
    """
    return state.act(seat, action)
