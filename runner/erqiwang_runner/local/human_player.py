"""A person at a table: a player whose answers come from a terminal elsewhere.

Started like every bot. The terminal belongs to `erqi play`, which is reached through the socket that the
option `terminal` names.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Client, Connection
from typing import Final

from erqiwang import Bot, run
from erqiwang.rules import (
    Bid,
    Bury,
    Card,
    NameTrump,
    Play,
    SeatView,
    Trump,
    format_cards,
    parse_cards,
)
from erqiwang_runner.card_text import hand_lines
from erqiwang_runner.local.terminal import Ask, Say

TERMINAL: Final = "terminal"
_HINTS: Final = 8
_HELP: Final = "type cards (SA SA), the number of a hint, or f for the fallback"


class Person(Bot):
    """Shows the table and asks; an empty answer at the end of input plays the fallback from then on."""

    def __init__(self, terminal: Connection[Say | Ask, str | None]) -> None:
        self._terminal = terminal
        self._is_alone = False
        self._shown: list[str] = []
        self._hand: tuple[Card, ...] = ()

    def bid(self, view: SeatView) -> int | None:
        """Ask for a bid."""
        self._show(view)
        bids = view.legal_bids()
        known = {"pass" if bid is None else str(bid): bid for bid in bids}
        while (answer := self._ask(f"bid ({', '.join(known)}) > ")) is not None:
            if answer in known:
                return known[answer]
            self._say(f"{answer!r} is not one of them")
        call = view.fallback()
        return call.value if isinstance(call, Bid) else None

    def name_trump(self, view: SeatView) -> Trump:
        """Ask for the trump."""
        self._show(view)
        known = {trump.letter: trump for trump in view.legal_trumps()}
        while (answer := self._ask(f"trump ({', '.join(known)}) > ")) is not None:
            if answer.upper() in known:
                return known[answer.upper()]
            self._say(f"{answer!r} is not one of them")
        named = view.fallback()
        return named.trump if isinstance(named, NameTrump) else view.legal_trumps()[0]

    def surrender(self, view: SeatView) -> bool:
        """Ask whether to give up."""
        self._show(view)
        return self._ask("surrender? (y, Enter for no) > ") in ("y", "yes")

    def bury(self, view: SeatView) -> Iterable[Card]:
        """Ask for the cards to bury."""
        self._show(view)
        cards = self._cards(view, f"bury {view.profile.kitty_size} cards > ", ())
        put_down = view.fallback()
        return cards if cards is not None else put_down.cards if isinstance(put_down, Bury) else ()

    def play(self, view: SeatView) -> Iterable[Card]:
        """Ask for the cards to play."""
        self._show(view)
        count = view.count_legal_plays()
        hints = list(islice(view.legal_plays(), _HINTS))
        shown = "  ".join(f"{number}: {format_cards(hint)}" for number, hint in enumerate(hints, 1))
        self._say(f"{count} legal: {shown}{' ...' if count > _HINTS else ''}")
        cards = self._cards(view, "play > ", hints)
        return cards if cards is not None else _fallback_play(view)

    def table_over(self, view: SeatView) -> None:
        """Show how it ended."""
        self._show(view, with_hand=False)
        if view.settled is not None:
            scores = " ".join(f"{score:+d}" for score in view.settled.scores)
            self._say(f"defenders have {view.settled.defender_points} points; scores by seat: {scores}")

    def _cards(
        self, view: SeatView, prompt: str, hints: list[tuple[Card, ...]] | tuple[()]
    ) -> Iterable[Card] | None:
        while (answer := self._ask(prompt)) is not None:
            if answer == "f":
                return None
            if answer.isdecimal() and 1 <= int(answer) <= len(hints):
                return hints[int(answer) - 1]
            try:
                cards = parse_cards(answer.upper())
            except ValueError as error:
                self._say(f"{error}; {_HELP}")
                continue
            violation = view.violation(cards)
            if violation is None:
                return cards
            self._say(str(violation))
        return None

    def _show(self, view: SeatView, *, with_hand: bool = True) -> None:
        """Say what happened since the last time, and what is in the hand."""
        story = list(_story(view))
        news = story[len(self._shown) :]
        for line in news:
            self._say(line)
        self._shown = story
        plays = _current(view)
        if plays:
            self._say(plays)
        if with_hand and (plays or news or view.hand != self._hand):
            self._hand = view.hand
            self._say(f"you are seat {view.seat}, with")
            for line in hand_lines(view.hand, view.trump):
                self._say(line)

    def _say(self, text: str) -> None:
        self._terminal.send(Say(text))

    def _ask(self, prompt: str) -> str | None:
        if self._is_alone:
            return None
        self._terminal.send(Ask(prompt))
        answer = self._terminal.recv()
        self._is_alone = answer is None
        return None if answer is None else answer.strip()


def _story(view: SeatView) -> Iterator[str]:
    """Tell what happened, a line an event, always the same lines for the same events."""
    yield f"seat {view.opener} opens the auction"
    for call in view.auction:
        yield f"seat {call.seat} {'passes' if call.bid is None else f'bids {call.bid}'}"
    if view.declarer is not None:
        yield f"seat {view.declarer} declares at {view.bid}; the kitty is {format_cards(view.kitty or ())}"
    if view.trump is not None:
        yield f"trump is {view.trump}"
    for number, trick in enumerate(view.tricks, 1):
        plays = _plays(view, trick.leader, trick.plays)
        yield f"trick {number}: {plays}; seat {trick.winner} wins {trick.points} points"


def _current(view: SeatView) -> str:
    if view.leader is None or not view.current_plays:
        return ""
    return f"on the table: {_plays(view, view.leader, view.current_plays)}"


def _plays(view: SeatView, leader: int, plays: Iterable[tuple[Card, ...]]) -> str:
    seats = view.profile.seats
    return ", ".join(f"{(leader + place) % seats} {format_cards(cards)}" for place, cards in enumerate(plays))


def _fallback_play(view: SeatView) -> tuple[Card, ...]:
    action = view.fallback()
    return action.cards if isinstance(action, Play) else ()


def main() -> None:
    """Play at one table at a time."""
    address: str = json.loads(os.environ["ERQI_OPTIONS"])[TERMINAL]
    with Client(address, family="AF_UNIX") as terminal:
        run(lambda: Person(terminal), max_tables=1)


if __name__ == "__main__":
    main()
