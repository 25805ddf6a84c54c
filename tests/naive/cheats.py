"""Cheats: the table is played again up to some moment, where one thing is done that is not allowed.

Everything after it is played properly and consistent with it, so that the record is wrong in that one action
and nowhere else.
"""

from collections.abc import Callable
from random import Random

from naive.auction import Call
from naive.cards import GAMES, parse, trumps_of
from naive.follow import legal_follow, legal_lead, of_suit
from naive.order import eff
from naive.player import RandomDecider
from naive.replay import Script
from naive.settle import surrender_cost
from naive.table import Deal, Options, Record, Table, play_table

Edit = Callable[[Record, Random], Record | None]


class NotHere(Exception):
    """The record has no place for this kind of tampering."""


class Cheat(Script):
    """Follows the record, cheats once where it can, then plays at random."""

    def __init__(self, record: Record, rng: Random) -> None:
        super().__init__(record)
        self.rng, self.free, self.done = rng, RandomDecider(rng), False

    def once(self) -> None:
        self.done = True

    def name_trump(self, table: Table) -> str:
        return self.free.name_trump(table) if self.done else super().name_trump(table)

    def surrenders(self, table: Table, moment: str) -> bool:
        return False if self.done else super().surrenders(table, moment)

    def bury(self, table: Table) -> list[str]:
        return self.free.bury(table) if self.done else super().bury(table)

    def play(self, table: Table) -> list[str]:
        if not self.done:
            cards = self.illegal(table)
            if cards is not None:
                self.once()
                return cards
        return self.free.play(table) if self.done else super().play(table)

    def illegal(self, table: Table) -> list[str] | None:
        """Cards that may not be played now, or None to wait."""
        return None


class HoldBack(Cheat):
    """Follows suit with as many cards as owed, but keeps a pair or a tractor."""

    def illegal(self, table: Table) -> list[str] | None:
        if not table.plays or len(table.plays[0]) == 1:
            return None
        hand, lead = table.hands[table.turn], table.plays[0]
        mine = of_suit(hand, eff(lead[0], table.trump), table.trump)
        if len(mine) <= len(lead):
            return None
        for _ in range(20):
            play = self.rng.sample(mine, len(lead))
            if not legal_follow(hand, lead, play, table.trump):
                return play
        return None


class Revoke(Cheat):
    """Plays at least one card of another suit although the led suit would do."""

    def illegal(self, table: Table) -> list[str] | None:
        if not table.plays:
            return None
        hand, lead = table.hands[table.turn], table.plays[0]
        led = eff(lead[0], table.trump)
        mine = of_suit(hand, led, table.trump)
        rest = [card for card in hand if eff(card, table.trump) != led]
        if not mine or not rest or self.rng.random() < 0.5:
            return None
        keep = min(len(mine), len(lead)) - 1
        if len(rest) < len(lead) - keep:
            return None
        return self.rng.sample(mine, keep) + self.rng.sample(rest, len(lead) - keep)


class BadLead(Cheat):
    """Leads a throw that is not allowed, or cards of several suits; `where` is mixed, side or trump."""

    def __init__(self, record: Record, rng: Random, where: str) -> None:
        super().__init__(record, rng)
        self.where = where

    def illegal(self, table: Table) -> list[str] | None:
        if table.plays or self.rng.random() < 0.5:
            return None
        hand, trump = table.hands[table.turn], table.trump
        # The others must be able to follow in number, so not more than the shortest hand.
        for _ in range(20):
            cards = self.rng.sample(hand, min(self.rng.choice([2, 2, 3, 4]), len(hand)))
            suits = {eff(card, trump) for card in cards}
            kind = "mixed" if len(suits) > 1 else "trump" if suits == {"T"} else "side"
            if kind == self.where and not legal_lead(hand, cards, trump, table.others(table.turn)):
                return cards
        return None

    def play(self, table: Table) -> list[str]:
        if self.done and table.plays and self.where == "mixed":
            # Nothing to follow: any cards will do.
            hand = table.hands[table.turn]
            if len({eff(card, table.trump) for card in table.plays[0]}) > 1:
                return self.rng.sample(hand, len(table.plays[0]))
        return super().play(table)


class BadSurrender(Cheat):
    """Surrenders where the bid or the profile does not allow it."""

    def surrenders(self, table: Table, moment: str) -> bool:
        if surrender_cost(table.profile, table.bid, table.options.switches) is not None:
            raise NotHere
        if moment == "lead" or self.rng.random() < 0.5:
            self.once()
            return True
        return False


class BadTrump(Cheat):
    """Names no-trump where there is none."""

    def name_trump(self, table: Table) -> str:
        if "N" in trumps_of(table.profile):
            raise NotHere
        self.once()
        return "N"


class BadAuction(Cheat):
    """Cheats in the auction of the last deal, then plays the contract that comes out of it."""

    def __init__(self, record: Record, rng: Random, what: str) -> None:
        super().__init__(record, rng)
        self.what = what

    def auction(self, options: Options, opener: int, number: int) -> list[Call]:
        calls = super().auction(options, opener, number)
        if number < len(self.record["redeals"]):
            return calls
        self.once()
        changed = self.change(options, list(calls))
        if changed is None or changed == calls or not any(bid is not None for _, bid in changed):
            raise NotHere
        return changed

    def change(self, options: Options, calls: list[Call]) -> list[Call] | None:
        game, rng = GAMES[options.profile], self.rng
        bids = [number for number, (_, bid) in enumerate(calls) if bid is not None]
        if not bids:
            return None
        at = rng.choice(bids)
        seat, bid = calls[at]
        assert bid is not None
        if self.what == "odd bid":
            calls[at] = (seat, bid + rng.choice([-2, -1, 1, 2, 3]))
        elif self.what == "out of range":
            calls[bids[-1]] = (calls[bids[-1]][0], game.lowest - 5)
            if len(bids) == 1 and rng.random() < 0.5:
                calls[at] = (seat, game.highest + 5)
        elif self.what == "not lower":
            if len(bids) < 2:
                return None
            calls[bids[-1]] = (calls[bids[-1]][0], calls[bids[-2]][1])
        elif self.what == "after a pass":
            passed = [caller for caller, value in calls if value is None]
            if not passed or bid == game.lowest or at != bids[-1] or calls[-1][1] is not None:
                return None
            calls.append((rng.choice(passed), game.lowest))
        elif self.what == "no end":
            if len(calls) < 2 or calls[-1][1] is not None:
                return None
            calls.pop()
        elif self.what == "turn":
            if len(calls) < 2:
                return None
            place = rng.randrange(len(calls) - 1)
            calls[place], calls[place + 1] = calls[place + 1], calls[place]
        return calls


def cheated(make: Callable[[Record, Random], Cheat]) -> Edit:
    def edit(record: Record, rng: Random) -> Record | None:
        deals = [
            Deal([parse(hand) for hand in deal["hands"]], parse(deal["kitty"]), deal["opener"])
            for deal in [*record["redeals"], record]
        ]
        options = Options(
            record["profile"], record["switches"], record["room"], record["pass_out"], record["rules_version"]
        )
        cheat = make(record, rng)
        try:
            again = play_table(options, deals, cheat)
        except NotHere:
            return None
        return again if cheat.done else None

    return edit
