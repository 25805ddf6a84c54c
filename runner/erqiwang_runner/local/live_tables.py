"""Tables as they are played, for a person: one after the other, event by event.

Boards are played side by side. One table is followed until its board is finished; what happens at the others
meanwhile is kept for their turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from erqiwang.rules import Deal, Profile, format_cards
from erqiwang.rules.event import (
    Announced,
    BidMade,
    Buried,
    Dealt,
    Event,
    KittyShown,
    PassedOut,
    Played,
    Settled,
    Surrendered,
    TrickWon,
    TrumpNamed,
)
from erqiwang_runner.card_text import hand_line
from erqiwang_runner.plain_text import plain
from erqiwang_runner.played import PlayedSet, TableNews
from erqiwang_runner.results import Slot
from erqiwang_runner.transcript import announcement, ending, transcript


def board_title(slot: Slot) -> str:
    """Name a board of duplicate play."""
    return f"board {slot.n}, table 0"


class LiveTables:
    """Says what happens at the followed table of each board; `names` are the bots by entry.

    `say` gets pieces of text with their line ends; a line grows while a trick is played. `title` is the first
    line of a board.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        names: Mapping[int, str],
        profile: Profile | None = None,
        title: Callable[[Slot], str] = board_title,
    ) -> None:
        self._say = say
        self._names = names
        self._profile = profile
        self._title = title
        self._tables: dict[Slot, _Table] = {}
        self._finished: dict[Slot, PlayedSet] = {}
        self._current: Slot | None = None

    def take(self, news: TableNews) -> None:
        """Hear what happened at a followed table."""
        table = self._tables.setdefault(news.slot, _Table(self._title(news.slot), self._names))
        text = table.text_of(news)
        if self._current is None:
            self._current = news.slot
        if news.slot == self._current:
            self._say(text)
        else:
            table.kept += text

    def finish(self, played: PlayedSet) -> None:
        """Hear that a board is finished."""
        self._finished[played.slot] = played
        if played.slot not in self._tables:
            self._end(played.slot)
        while self._current in self._finished:
            self._end(self._current)
            self._current = min(self._tables, default=None)
            if self._current is not None:
                self._say(self._tables[self._current].kept)

    def _end(self, slot: Slot) -> None:
        played = self._finished.pop(slot)
        shown = played.tables[0]
        if self._tables.pop(slot, None) is not None:
            self._say("".join(f"  {line}\n" for line in ending(shown.record, self._profile)) + "\n")
            return
        names = [self._names[entry] for entry in shown.result.entries]
        text = transcript(shown.record, names, profile=self._profile)
        self._say(f"{self._title(slot)}\n{text}\n\n")


class _Table:
    """What was told of one table: enough to go on with a sentence."""

    def __init__(self, title: str, names: Mapping[int, str]) -> None:
        self.kept = ""
        """What is to be said when its turn comes."""
        self._title = title
        self._names = names
        self._begin()

    def _begin(self) -> None:
        self._declarer: int | None = None
        self._trick = 0
        self._is_open = False
        self._captured = 0
        self._announced: list[str] = []

    def text_of(self, news: TableNews) -> str:
        deals = iter(news.deals)
        return "".join(
            self._dealt(news, event, next(deals)) if isinstance(event, Dealt) else self._event(event)
            for event in news.events
        )

    def _dealt(self, news: TableNews, event: Dealt, deal: Deal) -> str:
        again = "\n  the match failed and begins again\n" if self._is_open else ""
        self._begin()
        lines = [f"  dealt again: seat {event.opener} opens"] if event.redeal else [self._title]
        lines += _hands(deal, [self._names[entry] for entry in news.entries])
        return again + "".join(f"{plain(line)}\n" for line in lines)

    def _event(self, event: Event) -> str:
        match event:
            case BidMade(seat, bid):
                return f"  seat {seat} {'passes' if bid is None else f'bids {bid}'}\n"
            case PassedOut():
                return "  everybody passes\n"
            case KittyShown(declarer, bid, _):
                self._declarer = declarer
                return f"  seat {declarer} declares at {bid} and takes the kitty\n"
            case TrumpNamed(trump):
                return f"  trump is {trump}\n"
            case Surrendered():
                return f"  seat {self._declarer} surrenders\n"
            case Buried():
                return f"  seat {self._declarer} buries\n"
            case Played():
                return self._play(event)
            case Announced():
                return self._announce(event)
            case TrickWon():
                return self._win(event)
            case Settled(buried=buried):
                return f"  buried: {format_cards(buried)}\n" if buried else ""
            case Dealt():
                return ""  # told with the cards

    def _play(self, event: Played) -> str:
        if self._is_open:
            lead = " | "
        else:
            self._is_open = True
            self._trick += 1
            lead = f"  {self._trick:2}. "
        thrown = f" (tried {format_cards(event.thrown)})" if event.thrown else ""
        return f"{lead}{event.seat} {format_cards(event.cards)}{thrown}"

    def _win(self, event: TrickWon) -> str:
        self._is_open = False
        self._captured += event.points if event.seat != self._declarer else 0
        said, self._announced = self._announced, []
        return f"  -> {event.seat} (defenders {self._captured})\n" + "".join(said)

    def _announce(self, event: Announced) -> str:
        line = f"      {announcement(event.void_seats, event.trumps)}\n"
        if not self._is_open:
            return line
        self._announced.append(line)  # it would break the line of the trick
        return ""


def _hands(deal: Deal, names: Sequence[str]) -> Iterator[str]:
    for seat, hand in enumerate(deal.hands):
        yield f"  seat {seat} {names[seat]}: {hand_line(hand, None)}"
    yield f"  kitty: {format_cards(deal.kitty)}"
