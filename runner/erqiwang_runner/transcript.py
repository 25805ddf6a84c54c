"""A record as a person reads it."""

from collections.abc import Iterator, Sequence
from itertools import accumulate

from erqiwang.rules import Fault, Profile, Record, Trick, format_cards
from erqiwang.rules.event import TrumpReport
from erqiwang_runner.arithmetic import arithmetic
from erqiwang_runner.card_text import hand_line
from erqiwang_runner.plain_text import plain

PASS = "pass"


def transcript(
    record: Record,
    names: Sequence[str] = (),
    *,
    tricks: int | None = None,
    profile: Profile | None = None,
) -> str:
    """Write a table down, a line a trick; with `tricks` only so many of the first, and the last.

    `names` are the bots by seat, `profile` the rules where they are a house's. Hands are sorted by effective
    suit, trumps first. In a trick each play stands in order of play, the leader's first; an asterisk marks
    the winner's. The score is written out.
    """
    return "\n".join(map(plain, _lines(record, names, tricks, profile)))


def _lines(
    record: Record, names: Sequence[str], tricks: int | None, profile: Profile | None
) -> Iterator[str]:
    yield _title(record)
    for seat, hand in enumerate(record.hands):
        name = f" {names[seat]}" if names else ""
        yield f"  seat {seat}{name}: {hand_line(hand, record.trump)}"
    yield f"  kitty: {format_cards(record.kitty)}"
    for deal in record.redeals:
        yield f"  dealt again: seat {deal.opener} opened and everybody passed"
    yield "  auction: " + ", ".join(
        f"{call.seat} {PASS if call.bid is None else call.bid}" for call in record.auction
    )
    yield f"  {_contract(record)}"
    yield from _play(record, tricks)
    yield from (f"  {line}" for line in ending(record, profile))


def ending(record: Record, profile: Profile | None = None) -> Iterator[str]:
    """Give what stands below the tricks: the score written out, the result and the faults, a line each."""
    yield from arithmetic(record, profile)
    yield _result(record)
    yield from (plain(f"fault: {_fault(fault)}") for fault in record.faults)


def _title(record: Record) -> str:
    switches = ", ".join(f"{name}={value}" for name, value in sorted(record.switches.items()))
    return " ".join(
        part
        for part in (
            record.profile,
            f"({switches})" if switches else "",
            f"table {record.id}" if record.id else "",
            f"opener seat {record.opener}",
        )
        if part
    )


def _contract(record: Record) -> str:
    if record.declarer is None:
        return "passed out"
    trump = "?" if record.trump is None else str(record.trump)
    text = f"seat {record.declarer} declares at {record.bid}, trump {trump}"
    if record.buried is not None:
        text += f", buries {format_cards(record.buried)}"
    return text + (", surrenders" if record.surrender else "")


def _play(record: Record, shown: int | None) -> Iterator[str]:
    total = len(record.tricks)
    hidden = range(0) if shown is None or total <= shown + 1 else range(shown, total - 1)
    captured = accumulate(trick.points if trick.winner != record.declarer else 0 for trick in record.tricks)
    for number, (trick, points) in enumerate(zip(record.tricks, captured, strict=True)):
        if number == hidden.start and hidden:
            yield f"  ... {len(hidden)} tricks ..."
        if number not in hidden:
            yield f"  {number + 1:2}. {_trick(trick, len(record.hands))}  (defenders {points})"
            yield from (
                f"      {announcement(each.void_seats, each.trumps)}"
                for each in record.announcements
                if each.after_trick == number
            )


def _trick(trick: Trick, seats: int) -> str:
    plays: list[str] = []
    for place, cards in enumerate(trick.plays):
        seat = (trick.leader + place) % seats
        mark = "*" if seat == trick.winner else ""
        plays.append(f"{seat}{mark} {format_cards(cards)}")
    return " | ".join(plays)


def announcement(void_seats: Sequence[int], trumps: Sequence[TrumpReport]) -> str:
    """Say who has no trump, and what the others told of theirs (R-32)."""
    void = ", ".join(str(seat) for seat in void_seats)
    held = "".join(
        f"; seat {report.seat} has {report.count} trumps{' with a pair' if report.pair else ''}"
        for report in trumps
    )
    return f"without trump: {void or 'nobody'}{held}"


def _result(record: Record) -> str:
    scores = " ".join(f"{score:+d}" for score in record.scores)
    return f"scores {scores}; seat {record.next_opener} opens next"


def _fault(fault: Fault) -> str:
    reason = f" ({fault.reason.name.lower()})" if fault.reason is not None else ""
    where = f"{fault.at.phase.name.lower()}, trick {fault.at.trick + 1}"
    detail = f": {fault.detail}" if fault.detail else ""
    return f"seat {fault.seat} {fault.cause.name.lower()}{reason} in {where}{detail}"
