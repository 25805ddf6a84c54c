"""Replays a record from its dealt cards alone and lists everything that is wrong with it."""

from collections import Counter
from typing import Any

from naive.auction import Auction, Call
from naive.cards import GAMES, PROFILES, deck, holds, trumps_of
from naive.follow import legal_follow, legal_lead
from naive.settle import surrender_cost
from naive.table import Deal, Options, Record, Table, charm_of, play_table
from naive.throw import stands

NEEDED = [
    "format",
    "profile",
    "rules_version",
    "room",
    "pass_out",
    "opener",
    "hands",
    "kitty",
    "redeals",
    "auction",
    "declarer",
    "bid",
    "trump",
    "buried",
    "surrender",
    "tricks",
    "announcements",
    "kitty_multiplier",
    "defender_points",
    "play_scores",
    "bonus_scores",
    "scores",
    "next_opener",
]
OPTIONAL = ["switches", "id", "charm", "faults", "decisions"]


class Wrong(Exception):
    """The record cannot be followed any further."""


class Script:
    """A decider that does what the record says, after checking that it is allowed."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.trick = self.number = 0

    def auction(self, options: Options, opener: int, number: int) -> list[Call]:
        deals = [*self.record["redeals"], self.record]
        if number >= len(deals):
            raise Wrong("a passed-out deal that should have been dealt again")
        auction = Auction(options.profile, opener)
        for call in deals[number]["auction"]:
            if auction.over or call["seat"] != auction.turn:
                raise Wrong(f"call out of turn: {call}")
            if call["bid"] is not None and (not is_int(call["bid"]) or call["bid"] not in auction.bids()):
                raise Wrong(f"bid not allowed: {call}")
            auction.call(call["bid"])
            if auction.calls[-1] != (call["seat"], call["bid"]):
                raise Wrong("the automatic bid is not written down")
        if not auction.over:
            raise Wrong("the auction has no end")
        return auction.calls

    def name_trump(self, table: Table) -> str:
        if self.record["trump"] not in trumps_of(table.profile):
            raise Wrong("no such trump")
        return str(self.record["trump"])

    def surrenders(self, table: Table, moment: str) -> bool:
        if self.record["surrender"] is not True:
            return False
        if (moment == "bury") != (self.record["buried"] is None):
            return False
        if surrender_cost(table.profile, table.bid, table.options.switches) is None:
            raise Wrong("surrender not allowed")
        return True

    def bury(self, table: Table) -> list[str]:
        cards = read(self.record["buried"] or "")
        if len(cards) != GAMES[table.profile].kitty or not holds(table.hands[table.declarer], cards):
            raise Wrong("not cards that can be buried")
        return cards

    def play(self, table: Table) -> list[str]:
        number, place = len(table.tricks), len(table.plays)
        if number >= len(self.record["tricks"]) or place >= len(self.record["tricks"][number]["plays"]):
            raise Wrong("plays are missing")
        cards = read(self.record["tricks"][number]["plays"][place])
        if not is_legal(table, cards):
            raise Wrong(f"trick {number}, play {place}: {cards} is not allowed")
        return cards


def is_legal(table: Table, cards: list[str]) -> bool:
    """Whether the seat in turn may play these cards, as the switches say."""
    hand, trump, switches = table.hands[table.turn], table.trump, table.options.switches
    if table.plays:
        return legal_follow(hand, table.plays[0], cards, trump, switches.get("short_tractor_follow", "must"))
    others = table.others(table.turn)
    if legal_lead(hand, cards, trump, others):
        return True
    return switches.get("throw_rule") == "max_now" and stands(hand, cards, trump, others)


def read(text: str) -> list[str]:
    """Cards of a record, one word a card."""
    return text.split()


def is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def replay(record: Record) -> list[str]:
    """Every difference found; a record without any is valid."""
    problems = check_keys(record) or check_deals(record)
    if problems:
        return problems
    deals = [_deal(deal) for deal in [*record["redeals"], record]]
    options = Options(
        record["profile"],
        record.get("switches", {}),
        record["room"],
        record["pass_out"],
        record["rules_version"],
    )
    filler = deals[-1:] * (4 - len(deals))
    try:
        again = play_table(options, deals + filler, Script(record))
    except Wrong as wrong:
        return [str(wrong)]
    problems = [
        f"{key}: {record[key]!r} instead of {again[key]!r}"
        for key in NEEDED
        if canonical(key, record[key]) != canonical(key, again[key])
    ]
    expected, given = charm_of(record), record.get("charm", [])
    if given != expected and (given or any(expected)):
        problems.append(f"charm instead of {expected}")
    return problems


def check_keys(record: Record) -> list[str]:
    problems = [f"{key} is missing" for key in NEEDED if key not in record]
    problems += [f"{key} is not known" for key in record if key not in NEEDED + OPTIONAL]
    if problems:
        return problems
    if record["format"] != "erqiwang.record/1" or record["profile"] not in PROFILES:
        return ["unknown format or profile"]
    if not is_int(record["room"]) or record["room"] < 1 or (record["room"] > 1 and record["profile"] != "qq"):
        problems.append("room")
    if record["pass_out"] not in ("zero", "redeal"):
        problems.append("pass_out")
    if not is_int(record["opener"]) or not 0 <= record["opener"] < GAMES[record["profile"]].seats:
        problems.append("opener")
    if len(record["redeals"]) > (3 if record["pass_out"] == "redeal" else 0):
        problems.append("too many redeals")
    return problems


def check_deals(record: Record) -> list[str]:
    game = GAMES[record["profile"]]
    for deal in [*record["redeals"], record]:
        cards = [card for hand in deal["hands"] for card in read(hand)] + read(deal["kitty"])
        sizes = [len(read(hand)) for hand in deal["hands"]]
        if Counter(cards) != Counter(deck(record["profile"])) or sizes != [game.hand] * game.seats:
            return ["not a deal of the deck"]
    return []


def _deal(deal: Record) -> Deal:
    return Deal([read(hand) for hand in deal["hands"]], read(deal["kitty"]), deal["opener"])


def canonical(key: str, value: Any) -> Any:
    """The value with every string of cards in sorted order and with booleans told from numbers."""
    if isinstance(value, dict):
        return {name: canonical(name, item) for name, item in value.items()}
    if isinstance(value, list):
        return [canonical(key, item) for item in value]
    if isinstance(value, str) and key in {"hands", "kitty", "buried", "plays"}:
        return sorted(read(value))
    return (type(value).__name__, value)
