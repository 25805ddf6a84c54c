"""A table that is played by a decider and written down honestly, whatever the decider does."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from naive.auction import Auction, Call
from naive.cards import GAMES, points, show, without
from naive.settle import (
    bonus,
    charm,
    kitty_multiplier,
    made,
    next_opener,
    play_scores,
    spread,
    surrender_cost,
)
from naive.trick import report, winner

Record = dict[str, Any]


@dataclass
class Deal:
    """Hands by seat, the kitty, and who opens."""

    hands: list[list[str]]
    kitty: list[str]
    opener: int


@dataclass
class Options:
    """What is agreed before the deal."""

    profile: str
    switches: dict[str, str] = field(default_factory=dict)
    room: int = 1
    pass_out: str = "zero"
    rules_version: str = "1.0.0"


@dataclass
class Table:
    """Everything about the table, nothing hidden."""

    options: Options
    deal: Deal
    calls: list[Call]
    declarer: int
    bid: int
    hands: list[list[str]]
    trump: str = ""
    buried: list[str] | None = None
    tricks: list[dict[str, Any]] = field(default_factory=list)
    leader: int = 0
    plays: list[list[str]] = field(default_factory=list)
    announcements: list[dict[str, Any]] = field(default_factory=list)

    @property
    def profile(self) -> str:
        return self.options.profile

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def turn(self) -> int:
        return (self.leader + len(self.plays)) % self.seats

    def others(self, seat: int) -> list[list[str]]:
        return [hand for other, hand in enumerate(self.hands) if other != seat]


class Decider(Protocol):
    """Makes every decision of every seat."""

    def auction(self, options: Options, opener: int, number: int) -> list[Call]:
        """Return every call of the auction of the deal with this number (0, then redeals)."""
        ...

    def name_trump(self, table: Table) -> str: ...

    def surrenders(self, table: Table, moment: str) -> bool:
        """Say whether to give up at the moment `bury` or `lead`."""
        ...

    def bury(self, table: Table) -> list[str]: ...

    def play(self, table: Table) -> list[str]: ...


def run_auction(options: Options, opener: int, decide: Any) -> list[Call]:
    """Call by call until the auction is over; `decide(auction)` gives a bid or None."""
    auction = Auction(options.profile, opener)
    while not auction.over:
        auction.call(decide(auction))
    return auction.calls


def play_table(options: Options, deals: list[Deal], decider: Decider) -> Record:
    """The record of a table."""
    opener, redeals = deals[0].opener, []
    allowed = deals[:4] if options.pass_out == "redeal" else deals[:1]
    for number, deal in enumerate(allowed):
        calls = decider.auction(options, opener, number)
        if any(bid is not None for _, bid in calls) or number == len(allowed) - 1:
            break
        redeals.append({"opener": opener, **_cards(deal), "auction": _calls(calls)})
        opener = (opener + 1) % GAMES[options.profile].seats
    head = _head(options, Deal(deal.hands, deal.kitty, opener), redeals, calls)
    bids = [(seat, bid) for seat, bid in calls if bid is not None]
    if not bids:
        return head | _passed_out(options.profile, opener)
    declarer, bid = bids[-1]
    hands = [list(hand) for hand in deal.hands]
    hands[declarer] += deal.kitty
    table = Table(options, deal, calls, declarer, bid, hands, leader=declarer)
    return head | _contract(table, decider)


def _contract(table: Table, decider: Decider) -> Record:
    table.trump = decider.name_trump(table)
    if decider.surrenders(table, "bury"):
        return _surrendered(table)
    table.buried = decider.bury(table)
    table.hands[table.declarer] = without(table.hands[table.declarer], table.buried)
    _announce(table, 0, 0, {"void": [], "trumps": []})
    if decider.surrenders(table, "lead"):
        return _surrendered(table)
    while any(table.hands):
        _trick(table, decider)
    return _settled(table)


def _trick(table: Table, decider: Decider) -> None:
    table.plays, last = [], False
    while len(table.plays) < table.seats:
        before = report(table.hands, table.trump)
        seat = table.turn
        cards = decider.play(table)
        if not table.plays:
            last = len(cards) == len(table.hands[seat])
        table.hands[seat] = without(table.hands[seat], cards)
        table.plays.append(cards)
        if not last:
            _announce(table, len(table.tricks), len(table.plays), before)
    best = winner(table.plays, table.trump)
    won_by = (table.leader + best) % table.seats
    table.tricks.append({"leader": table.leader, "plays": table.plays, "winner": won_by})
    table.leader = won_by


def _announce(table: Table, trick: int, play: int, before: dict[str, Any]) -> None:
    now = report(table.hands, table.trump)
    if now != before:
        table.announcements.append({"after_trick": trick, "after_play": play, **now})


# ------------------------------------------------------------------------------------------------ the record


def _cards(deal: Deal) -> Record:
    return {"hands": [show(hand) for hand in deal.hands], "kitty": show(deal.kitty)}


def _calls(calls: list[Call]) -> list[dict[str, Any]]:
    return [{"seat": seat, "bid": bid} for seat, bid in calls]


def _head(options: Options, deal: Deal, redeals: list[Record], calls: list[Call]) -> Record:
    return {
        "format": "erqiwang.record/1",
        "profile": options.profile,
        "switches": dict(options.switches),
        "rules_version": options.rules_version,
        "room": options.room,
        "pass_out": options.pass_out,
        "opener": deal.opener,
        **_cards(deal),
        "redeals": redeals,
        "auction": _calls(calls),
    }


def _passed_out(profile: str, opener: int) -> Record:
    seats = GAMES[profile].seats
    nothing: Record = {"declarer": None, "bid": None, "trump": None, "buried": None}
    return nothing | _result([0] * seats, [0] * seats, (opener + 1) % seats)


def _result(
    play: list[int], extra: list[int], opener: int, points_: int = 0, multiplier: int = 0
) -> dict[str, Any]:
    return {
        "surrender": False,
        "tricks": [],
        "announcements": [],
        "kitty_multiplier": multiplier,
        "defender_points": points_,
        "play_scores": play,
        "bonus_scores": extra,
        "scores": [a + b for a, b in zip(play, extra, strict=True)],
        "next_opener": opener,
    }


def _contract_fields(table: Table) -> Record:
    buried = None if table.buried is None else show(table.buried)
    return {"declarer": table.declarer, "bid": table.bid, "trump": table.trump, "buried": buried}


def _surrendered(table: Table) -> Record:
    cost = surrender_cost(table.profile, table.bid, table.options.switches)
    unit = (1 if cost is None else cost) * table.options.room
    play = spread(table.profile, table.declarer, -unit)
    opener = next_opener(table.profile, table.declarer, won=False)
    result = _result(play, bonus_scores(table, surrendered=True), opener)
    return _contract_fields(table) | result | {"surrender": True, "announcements": table.announcements}


def _settled(table: Table) -> Record:
    options = table.options
    assert table.buried is not None
    defenders = [trick for trick in table.tricks if trick["winner"] != table.declarer]
    total = sum(points([card for play in trick["plays"] for card in play]) for trick in defenders)
    last = table.tricks[-1]
    won = last["plays"][(last["winner"] - last["leader"]) % table.seats]
    by_defender = last["winner"] != table.declarer
    multiplier = kitty_multiplier(table.profile, by_defender, won, table.trump, options.switches)
    total += multiplier * points(table.buried)
    play = play_scores(table.profile, table.declarer, table.bid, total, options.room, options.switches)
    opener = next_opener(table.profile, table.declarer, made(table.bid, total))
    result = _result(play, bonus_scores(table, surrendered=False), opener, total, multiplier)
    tricks = [trick | {"plays": [show(play) for play in trick["plays"]]} for trick in table.tricks]
    return _contract_fields(table) | result | {"tricks": tricks, "announcements": table.announcements}


def bonus_scores(table: Table, surrendered: bool) -> list[int]:
    """冲关 by seat."""
    total = [0] * table.seats
    switches = table.options.switches
    for seat, hand in enumerate(table.deal.hands):
        is_declarer = seat == table.declarer
        with_kitty = is_declarer and switches.get("bonus_pool") != "dealt"
        pool = hand + (table.deal.kitty if with_kitty else [])
        own = [bid for caller, bid in table.calls if caller == seat and bid is not None]
        value = bonus(table.profile, pool, own, table.trump, surrendered and is_declarer, switches)
        if switches.get("room_mult_on_bonus_004") == "true":
            value *= table.options.room
        total = [a + b for a, b in zip(total, spread(table.profile, seat, value), strict=True)]
    return total


def charm_of(record: Record) -> list[int]:
    """The ledger that the record's faults demand."""
    left = {fault["seat"] for fault in record.get("faults", []) if fault["cause"] == "left"}
    return charm(record["profile"], left)
