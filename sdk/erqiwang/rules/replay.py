"""Playing a record again from its dealt cards, and saying where it breaks the rules."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TypeAlias, cast

from erqiwang.rules.action import Action, Bid, Bury, NameTrump, Play, Surrender
from erqiwang.rules.auction import Auction, open_auction
from erqiwang.rules.card import format_cards
from erqiwang.rules.catalogue import RULES_VERSION, get_profile
from erqiwang.rules.contract import MAX_REDEALS, Table, check_deals
from erqiwang.rules.deal import Deal
from erqiwang.rules.declaring import Naming
from erqiwang.rules.event import BidMade, Event
from erqiwang.rules.finished import Finished
from erqiwang.rules.house import DEFINITION
from erqiwang.rules.playing import Playing
from erqiwang.rules.profile import Profile
from erqiwang.rules.record import Announcement, Record, RecordError, Trick
from erqiwang.rules.recording import record_of
from erqiwang.rules.soundness import check_room
from erqiwang.rules.table import State, apply
from erqiwang.rules.turn import PassOut, TurnKind
from erqiwang.rules.violation import RuleViolation


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a record departs from the rules: the field, what is wrong, and the ruling."""

    path: str
    detail: str
    ruling: str = ""

    def __str__(self) -> str:
        ruling = f" ({self.ruling})" if self.ruling else ""
        return f"{self.path}: {self.detail}{ruling}"


class _Departure(Exception):
    """Carries a difference up to the caller."""

    def __init__(self, path: str, detail: str, ruling: str = "") -> None:
        super().__init__(path)
        self.difference = Difference(path, detail, ruling)


def verify_record(record: Record, profile: Profile | None = None) -> Difference | None:
    """Return the first difference between a record and the rules, or `None` if there is none.

    `profile` stands in for the one that the record names, which must be in the catalogue otherwise.
    """
    try:
        _compare(record, _replayed(record, _profile_of(record, profile)))
    except _Departure as departure:
        return departure.difference
    return None


def replay(record: Record, profile: Profile | None = None) -> Record:
    """Return what the rules make of a record's cards and actions; raise `RecordError` where they refuse one.

    A record is right if it equals its replay.
    """
    try:
        return _replayed(record, _profile_of(record, profile))
    except _Departure as departure:
        raise RecordError(departure.difference.path, str(departure.difference.detail)) from None


def replay_states(
    record: Record, profile: Profile | None = None
) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Yield each state of a recorded table and the events that led to it; raise as `replay` does."""
    try:
        yield from _states(record, _profile_of(record, profile))
    except _Departure as departure:
        raise RecordError(departure.difference.path, str(departure.difference.detail)) from None


def _profile_of(record: Record, profile: Profile | None) -> Profile:
    major = RULES_VERSION.split(".")[0]
    if record.rules_version.split(".")[0] != major:
        raise _Departure("rules_version", f"{record.rules_version!r} is not of version {major} of the rules")
    if profile is None:
        try:
            profile = get_profile(record.profile, record.switches)
        except ValueError as error:
            house = " (a house profile: its definition has to be given)" * (DEFINITION in record.switches)
            raise _Departure("profile", f"{error}{house}") from None
    if profile.slug != record.profile:
        raise _Departure("profile", f"recorded {record.profile}, but judged by {profile.slug}")
    if dict(profile.switches) != dict(record.switches):
        detail = f"recorded {_switches(record.switches)}, but the given {profile.slug} has "
        raise _Departure("profile", detail + _switches(dict(profile.switches)))
    return profile


def _switches(switches: Mapping[str, str]) -> str:
    return ", ".join(f"{name}={answer}" for name, answer in sorted(switches.items())) or "no switches"


def _replayed(record: Record, profile: Profile) -> Record:
    state: State | None = None
    for state, _ in _states(record, profile):  # noqa: B007 -- the last one is wanted
        pass
    if isinstance(state, Finished):
        return record_of(state, id=record.id, faults=record.faults, decisions=record.decisions)
    turn = None if state is None else state.turn
    assert turn is not None
    path, verb = _WAITS[turn.kind]
    place = f" in trick {len(record.tricks) + 1}" if turn.kind is TurnKind.PLAY else ""
    raise _Departure(path, f"the record ends although seat {turn.seat} is to {verb}{place}")


_WAITS = {
    TurnKind.BID: ("auction", "call"),
    TurnKind.NAME_TRUMP: ("trump", "name trump"),
    TurnKind.BURY: ("buried", "bury"),
    TurnKind.PLAY: ("tricks", "play"),
}

_Steps: TypeAlias = Generator[tuple[State, tuple[Event, ...]], None, State]
"""Yields each state and its events, and returns the last state."""


def _states(record: Record, profile: Profile) -> _Steps:
    opener = record.redeals[0].opener if record.redeals else record.opener
    _expect("opener", opener in range(profile.seats), f"{opener} is no seat")
    state: State
    state, events = open_auction(_table(record, profile), (), opener)
    yield state, events
    state = yield from _auctions(record, state)
    if not isinstance(state, Naming):
        return state
    contract = state.contract
    if record.declarer != contract.declarer:
        raise _Departure(
            "declarer", f"recorded {record.declarer}, but seat {contract.declarer} bid lowest", "R-08"
        )
    if record.bid != contract.bid:
        raise _Departure("bid", f"recorded {record.bid}, but the lowest bid is {contract.bid}", "R-08")
    state = yield from _declarations(record, state, contract.declarer)
    for number in range(len(record.tricks)):
        state = yield from _trick(record, number, state)
    return state


def _auctions(record: Record, state: State) -> _Steps:
    for index, redeal in enumerate(record.redeals):
        state = yield from _calls(f"redeals[{index}].auction", redeal.auction, state)
        passed_out = isinstance(state, Auction) and len(state.redeals) == index + 1
        _expect(f"redeals[{index}].auction", passed_out, "dealt again without being passed out", "R-09")
        assert isinstance(state, Auction)
        last = index + 1 == len(record.redeals)
        opener = record.opener if last else record.redeals[index + 1].opener
        path = "opener" if last else f"redeals[{index + 1}].opener"
        _expect(path, opener == state.opener, f"recorded {opener}, but seat {state.opener} opens", "R-09")
    return (yield from _calls("auction", record.auction, state))


def _calls(path: str, calls: Iterable[BidMade], state: State) -> _Steps:
    for index, call in enumerate(calls):
        place = f"{path}[{index}]"
        state, events = _applied(state, place, call.seat, Bid(call.bid))
        _expect(place, events[0] == call, "a pass that counts as a bid is written as the bid", "R-10")
        yield state, events
    return state


def _declarations(record: Record, state: State, declarer: int) -> _Steps:
    actions: list[tuple[str, Action]] = []
    if record.trump is not None:
        actions.append(("trump", NameTrump(record.trump)))
    if record.buried is not None:
        actions.append(("buried", Bury(record.buried)))
    if record.surrender:
        actions.append(("surrender", Surrender()))
    for path, action in actions:
        state, events = _applied(state, path, declarer, action)
        yield state, events
    return state


def _trick(record: Record, number: int, state: State) -> _Steps:
    path, trick = f"tricks[{number}]", record.tricks[number]
    if isinstance(state, Finished):
        raise _Departure(path, "the table is over")
    if isinstance(state, Playing):
        _check_shape(path, trick, state)
    for place, cards in enumerate(trick.plays):
        seat = state.turn.seat if isinstance(state, Playing) else trick.leader
        play = _play(cards)
        try:
            state, events = apply(state, seat, play)
        except RuleViolation as violation:
            raise _refused(f"{path}.plays[{place}]", seat, play, violation) from None
        yield state, events
    winner = state.tricks[-1].winner if isinstance(state, Playing | Finished) and state.tricks else None
    if trick.winner != winner:
        detail = f"recorded {trick.winner}, but seat {winner} won with the highest cards"
        raise _Departure(f"{path}.winner", detail, "R-69")
    return state


_play = lru_cache(maxsize=1 << 12)(Play)
"""Most plays are of one card, and come up again and again."""


def _check_shape(path: str, trick: Trick, state: Playing) -> None:
    """Compare who leads a trick and how many play to it."""
    seats, leader = state.game.seats, state.seat
    if trick.leader != leader:
        # The declarer leads first, then whoever won the trick before.
        ruling = "R-69" if state.tricks else "R-12"
        raise _Departure(f"{path}.leader", f"recorded {trick.leader}, but seat {leader} leads", ruling)
    if len(trick.plays) != seats:
        raise _Departure(f"{path}.plays", f"{len(trick.plays)} plays of {seats} seats")


def _expect(path: str, holds: bool, detail: str, ruling: str = "") -> None:
    if not holds:
        raise _Departure(path, detail, ruling)


def _applied(state: State, path: str, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    try:
        return apply(state, seat, action)
    except RuleViolation as violation:
        raise _refused(path, seat, action, violation) from None


def _refused(path: str, seat: int, action: Action, violation: RuleViolation) -> _Departure:
    what = f"seat {seat} {_said(action)}"
    owed = f": {format_cards(violation.owed)}" if violation.owed else ""
    detail = f"{what}: {violation.reason.name.lower()}, {violation.detail}{owed}"
    return _Departure(path, detail, violation.ruling)


def _said(action: Action) -> str:
    match action:
        case Bid(value):
            return "passes" if value is None else f"bids {value}"
        case NameTrump(trump):
            return f"names {trump.letter}"
        case Bury(cards):
            return f"buries {format_cards(cards)}"
        case Surrender():
            return "surrenders"
        case _:
            return f"plays {format_cards(action.cards)}"


def _table(record: Record, profile: Profile) -> Table:
    try:
        check_room(profile, record.room)
    except ValueError as error:
        raise _Departure("room", str(error), "R-44") from None
    if record.redeals and (record.pass_out is PassOut.ZERO or len(record.redeals) > MAX_REDEALS):
        allowed = 0 if record.pass_out is PassOut.ZERO else MAX_REDEALS
        raise _Departure("redeals", f"{len(record.redeals)} redeals where at most {allowed} are made", "R-09")
    deals = [Deal(redeal.hands, redeal.kitty, redeal.opener) for redeal in record.redeals]
    deals.append(Deal(record.hands, record.kitty, record.opener))
    for index, deal in enumerate(deals):
        try:
            check_deals(profile, (deal,))
        except ValueError as error:
            path = f"redeals[{index}]" if index < len(record.redeals) else "hands"
            raise _Departure(path, str(error).removeprefix("deal 0: "), "R-01") from None
    # A table that goes on after the last recorded deal is found unfinished, whichever cards it is given.
    deals += [deals[-1]] * (MAX_REDEALS + 1 - len(deals))
    return Table(profile, record.room, record.pass_out, tuple(deals))


def _compare(record: Record, right: Record) -> None:
    """Compare what follows from the play: announcements, points, scores, the next opener, charm."""
    if record.declarer != right.declarer or record.trump != right.trump or record.bid != right.bid:
        raise _Departure("declarer", "a passed-out table has no declarer, bid or trump", "R-09")
    went_on = len(record.redeals) != len(right.redeals)
    _expect("auction", not went_on, "calls go on after everybody passed, without a redeal", "R-09")
    _compare_seats("faults", [fault.seat for fault in record.faults], len(right.scores))
    _compare_seats("decisions", [entry.seat for entry in record.decisions], len(right.scores))
    _expect("tricks", len(record.tricks) == len(right.tricks), "a passed-out table has no tricks", "R-09")
    _compare_announcements(record, right)
    for path, ruling in _RESULTS:
        written, wanted = getattr(record, path), getattr(right, path)
        if path == "charm" and not any(wanted) and written in ((), (0,) * len(right.scores)):
            continue  # a ledger of zeros may be left out, and kept where it means nothing
        if written != wanted:
            detail = f"recorded {_text(written)}, but it is {_text(wanted)}"
            if path.endswith("scores") and sum(written):
                detail += "; the recorded ones do not sum to zero"
            raise _Departure(path, detail, ruling)


def _compare_seats(path: str, named: list[int], seats: int) -> None:
    for seat in set(named) - set(range(seats)):
        _expect(f"{path}[{named.index(seat)}].seat", False, f"{seat} is no seat")


_RESULTS = (
    ("kitty_multiplier", "R-39"),
    ("defender_points", "R-40"),
    ("play_scores", "R-42"),
    ("bonus_scores", "R-52"),
    ("scores", "R-42"),
    ("next_opener", "R-05"),
    ("charm", "R-73"),
    ("surrender", "R-33"),
    ("buried", "R-14"),
)


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(str(item) for item in cast(tuple[object, ...], value)) or "none"
    return str(value)


def _compare_announcements(record: Record, right: Record) -> None:
    pairs = zip_longest(record.announcements, right.announcements)
    for index, (written, wanted) in enumerate(pairs):
        if written == wanted:
            continue
        path = f"announcements[{index}]"
        if wanted is None or (written is not None and _when(written) < _when(wanted)):
            detail = f"{_announced(written)} is announced, though nothing changed then"
            raise _Departure(path, detail, "R-32")
        if written is None or _when(written) > _when(wanted):
            raise _Departure(path, f"{_announced(wanted)} is not announced", "R-32")
        detail = f"{_announced(written)} is announced, but it is {_announced(wanted)}"
        raise _Departure(path, detail, "R-32")


def _when(announcement: Announcement) -> tuple[int, int]:
    return announcement.after_trick, announcement.after_play


def _announced(announcement: Announcement | None) -> str:
    assert announcement is not None
    void = " ".join(map(str, announcement.void_seats)) or "nobody"
    held = "".join(
        f", {report.seat} with {report.count}{' and a pair' if report.pair else ''}"
        for report in announcement.trumps
    )
    trick, play = announcement.after_trick + 1, announcement.after_play
    return f"void {void}{held} after play {play} of trick {trick}"
