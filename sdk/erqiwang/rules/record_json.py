"""The JSON form of a record (`erqiwang.record/1`). Unknown keys are refused."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import TypeAlias, TypeGuard, TypeVar

from erqiwang.rules.card import Card, format_cards, parse_cards
from erqiwang.rules.event import BidMade, TrumpReport
from erqiwang.rules.fault import DecidedBy, DecisionTime, Fault, FaultCause, FaultPoint
from erqiwang.rules.record import RECORD_FORMAT, Announcement, PassedDeal, Record, RecordError, Trick
from erqiwang.rules.trump import Trump
from erqiwang.rules.turn import PassOut, Phase
from erqiwang.rules.violation import Reason

_E = TypeVar("_E", bound=Enum)
_Values: TypeAlias = list[object]
_SINGLES = {card.name: (card,) for card in Card}
"""Most plays are of one card, and are not read word by word."""
_LIMIT = 1 << 31
"""Numbers are those that the message of the same content can hold."""
_MS_LIMIT = _LIMIT / 1000  # a message holds microseconds
_DECIDED_BY = {member.name.lower(): member for member in DecidedBy}

_REQUIRED = (
    *("format", "profile", "rules_version", "room", "pass_out", "opener", "hands", "kitty", "redeals"),
    *("auction", "declarer", "bid", "trump", "buried", "surrender", "tricks", "announcements"),
    *("kitty_multiplier", "defender_points", "play_scores", "bonus_scores", "scores", "next_opener"),
)
_OPTIONAL = ("switches", "id", "charm", "faults", "decisions")


def write_record(record: Record) -> str:
    """Write a record on one line."""
    return json.dumps(record_to_object(record), separators=(",", ":"), ensure_ascii=False)


def read_record(text: str) -> Record:
    """Read a record; raise `RecordError` naming the field that is wrong, missing or unknown."""
    try:
        value: object = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except RecordError:
        raise
    except (ValueError, RecursionError) as error:
        raise RecordError("", f"not JSON: {error}") from None
    return record_from_object(value)


def record_to_object(record: Record) -> dict[str, object]:
    """Build the object that the JSON form holds; optional keys are left out when empty."""
    written: dict[str, object] = {"format": RECORD_FORMAT, "profile": record.profile}
    if record.switches:
        written["switches"] = dict(sorted(record.switches.items()))
    written |= {
        "rules_version": record.rules_version,
        "room": record.room,
        "pass_out": _name(record.pass_out),
    }
    if record.id:
        written["id"] = record.id
    written |= {
        "opener": record.opener,
        "hands": [format_cards(hand) for hand in record.hands],
        "kitty": format_cards(record.kitty),
        "redeals": [_write_redeal(redeal) for redeal in record.redeals],
        "auction": _write_auction(record.auction),
        "declarer": record.declarer,
        "bid": record.bid,
        "trump": None if record.trump is None else record.trump.letter,
        "buried": None if record.buried is None else format_cards(record.buried),
        "surrender": record.surrender,
        "tricks": [_write_trick(trick) for trick in record.tricks],
        "announcements": [_write_announcement(entry) for entry in record.announcements],
        "kitty_multiplier": record.kitty_multiplier,
        "defender_points": record.defender_points,
        "play_scores": list(record.play_scores),
        "bonus_scores": list(record.bonus_scores),
        "scores": list(record.scores),
        "next_opener": record.next_opener,
    }
    if record.charm:
        written["charm"] = list(record.charm)
    if record.faults:
        written["faults"] = [_write_fault(fault) for fault in record.faults]
    if record.decisions:
        written["decisions"] = [
            {"seat": decision.seat, "ms": decision.ms, "by": _name(decision.by)}
            for decision in record.decisions
        ]
    return written


def record_from_object(value: object) -> Record:
    """Read the object that the JSON form holds; raise `RecordError` as `read_record` does."""
    top = _Node(value).object(_REQUIRED, _OPTIONAL)
    if top["format"].text() != RECORD_FORMAT:
        raise top["format"].error(f"expected {RECORD_FORMAT!r}")
    trump = top["trump"].optional()
    buried = top["buried"].optional()
    return Record(
        profile=top["profile"].text(),
        switches=top["switches"].texts() if "switches" in top else {},
        rules_version=top["rules_version"].text(),
        room=top["room"].integer(low=1),
        pass_out=top["pass_out"].choice(PassOut),
        id=top["id"].text() if "id" in top else "",
        opener=top["opener"].integer(),
        hands=top["hands"].hands(),
        kitty=top["kitty"].cards(),
        redeals=tuple(_read_redeal(node) for node in top["redeals"].items()),
        auction=_read_auction(top["auction"]),
        declarer=_integer_or_none(top["declarer"]),
        bid=_integer_or_none(top["bid"]),
        trump=None if trump is None else trump.trump(),
        buried=None if buried is None else buried.cards(),
        surrender=top["surrender"].boolean(),
        tricks=tuple(_read_trick(node) for node in top["tricks"].items()),
        announcements=tuple(_read_announcement(node) for node in top["announcements"].items()),
        kitty_multiplier=top["kitty_multiplier"].integer(),
        defender_points=top["defender_points"].integer(),
        play_scores=top["play_scores"].integers(),
        bonus_scores=top["bonus_scores"].integers(),
        scores=top["scores"].integers(),
        next_opener=top["next_opener"].integer(),
        charm=top["charm"].integers() if "charm" in top else (),
        faults=tuple(_read_fault(node) for node in top["faults"].items()) if "faults" in top else (),
        decisions=_read_decisions(top["decisions"]) if "decisions" in top else (),
    )


def _name(member: Enum) -> str:
    return member.name.lower()


@lru_cache(maxsize=8)
def _members(kind: type[Enum]) -> dict[str, str]:
    return {_name(member): member.name for member in kind}


def _write_auction(auction: Iterable[BidMade]) -> list[object]:
    return [{"seat": call.seat, "bid": call.bid} for call in auction]


def _write_redeal(redeal: PassedDeal) -> dict[str, object]:
    return {
        "opener": redeal.opener,
        "hands": [format_cards(hand) for hand in redeal.hands],
        "kitty": format_cards(redeal.kitty),
        "auction": _write_auction(redeal.auction),
    }


def _write_trick(trick: Trick) -> dict[str, object]:
    plays = [format_cards(cards) for cards in trick.plays]
    return {"leader": trick.leader, "plays": plays, "winner": trick.winner}


def _write_announcement(entry: Announcement) -> dict[str, object]:
    return {
        "after_trick": entry.after_trick,
        "after_play": entry.after_play,
        "void": list(entry.void_seats),
        "trumps": [
            {"seat": report.seat, "count": report.count, "pair": report.pair} for report in entry.trumps
        ],
    }


def _write_fault(fault: Fault) -> dict[str, object]:
    return {
        "seat": fault.seat,
        "cause": _name(fault.cause),
        "reason": None if fault.reason is None else _name(fault.reason),
        "at": {"phase": _name(fault.at.phase), "trick": fault.at.trick, "play": fault.at.play},
        "detail": fault.detail,
    }


def _read_auction(node: _Node) -> tuple[BidMade, ...]:
    calls = [item.object(["seat", "bid"]) for item in node.items()]
    return tuple(BidMade(call["seat"].integer(), _integer_or_none(call["bid"])) for call in calls)


def _read_redeal(node: _Node) -> PassedDeal:
    parts = node.object(["opener", "hands", "kitty", "auction"])
    return PassedDeal(
        parts["opener"].integer(),
        parts["hands"].hands(),
        parts["kitty"].cards(),
        _read_auction(parts["auction"]),
    )


def _read_trick(node: _Node) -> Trick:
    parts = node.object(["leader", "plays", "winner"])
    return Trick(parts["leader"].integer(), parts["plays"].hands(), parts["winner"].integer())


def _read_announcement(node: _Node) -> Announcement:
    parts = node.object(["after_trick", "after_play", "void", "trumps"])
    reports = [item.object(["seat", "count", "pair"]) for item in parts["trumps"].items()]
    return Announcement(
        parts["after_trick"].integer(),
        parts["after_play"].integer(),
        parts["void"].integers(),
        tuple(
            TrumpReport(report["seat"].integer(), report["count"].integer(), report["pair"].boolean())
            for report in reports
        ),
    )


def _read_fault(node: _Node) -> Fault:
    parts = node.object(["seat", "cause", "reason", "at", "detail"])
    reason = parts["reason"].optional()
    at = parts["at"].object(["phase", "trick", "play"])
    return Fault(
        parts["seat"].integer(),
        parts["cause"].choice(FaultCause),
        None if reason is None else reason.choice(Reason),
        FaultPoint(at["phase"].choice(Phase), at["trick"].integer(low=0), at["play"].integer(low=0)),
        parts["detail"].text(),
    )


def _read_decisions(node: _Node) -> tuple[DecisionTime, ...]:
    """Read the longest list of a record, a decision for every play."""
    values = enumerate(node.values())
    return tuple([_usual_decision(each) or _read_decision(_Node(each, node, at)) for at, each in values])


def _usual_decision(value: object) -> DecisionTime | None:
    """Read a decision as it is written here; None for one that has to be looked at part by part."""
    if not _is_object(value) or len(value) != 3:
        return None
    seat, ms, by = value.get("seat"), value.get("ms"), value.get("by")
    if type(seat) is not int or type(ms) is not float or type(by) is not str:
        return None
    if by in _DECIDED_BY and 0 <= seat < _LIMIT and 0 <= ms < _MS_LIMIT:
        return DecisionTime(seat, round(ms, 3), _DECIDED_BY[by])
    return None


def _read_decision(node: _Node) -> DecisionTime:
    parts = node.object(["seat", "ms", "by"])
    return DecisionTime(parts["seat"].integer(), parts["ms"].milliseconds(), parts["by"].choice(DecidedBy))


def _integer_or_none(node: _Node) -> int | None:
    present = node.optional()
    return None if present is None else present.integer(low=0)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise RecordError(next(key for key in keys if keys.count(key) > 1), "given twice in one object")
    return found


def _refuse(constant: str) -> object:
    raise RecordError("", f"{constant} is no number")


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _cards(text: object) -> tuple[Card, ...]:
    if not isinstance(text, str):
        raise ValueError("expected a text")
    return _SINGLES.get(text) or parse_cards(text)


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    return isinstance(value, dict)


def _is_list(value: object) -> TypeGuard[list[object]]:
    return isinstance(value, list)


class _Node:
    """A value of the JSON text and the path that leads to it."""

    __slots__ = ("_key", "_parent", "value")

    def __init__(self, value: object, parent: _Node | None = None, key: str | int = "") -> None:
        self.value = value
        self._parent = parent
        self._key = key

    @property
    def path(self) -> str:
        """Where the value is; put together only for a message."""
        parent = "" if self._parent is None else self._parent.path
        if isinstance(self._key, int):
            return f"{parent}[{self._key}]"
        return f"{parent}.{self._key}" if parent else self._key

    def error(self, detail: str) -> RecordError:
        return RecordError(self.path, detail)

    def optional(self) -> _Node | None:
        return None if self.value is None else self

    def object(self, required: Collection[str], optional: Collection[str] = ()) -> Mapping[str, _Node]:
        value = self.value
        if not _is_object(value):
            raise self.error("expected an object")
        for key in required:
            if key not in value:
                raise _Node(None, self, key).error("missing")
        if len(value) > len(required):
            for key in value:
                if key not in required and key not in optional:
                    raise _Node(None, self, key).error("unknown key")
        return {key: _Node(item, self, key) for key, item in value.items()}

    def values(self) -> _Values:
        value = self.value
        if not _is_list(value):
            raise self.error("expected a list")
        return value

    def items(self) -> list[_Node]:
        return [_Node(item, self, index) for index, item in enumerate(self.values())]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.error("expected a text")
        if not self.value.isascii() and not _is_unicode(self.value):
            raise self.error("half of a surrogate pair")
        return self.value

    def texts(self) -> dict[str, str]:
        value = self.value
        if not _is_object(value):
            raise self.error("expected an object")
        return {_Node(key, self, key).text(): _Node(item, self, key).text() for key, item in value.items()}

    def integer(self, low: int | None = None) -> int:
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.error("expected a whole number")
        if not -_LIMIT <= self.value < _LIMIT:
            raise self.error("expected a number of 32 bits")
        if low is not None and self.value < low:
            raise self.error(f"expected at least {low}")
        return self.value

    def integers(self) -> tuple[int, ...]:
        return tuple(item.integer() for item in self.items())

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.error("expected true or false")
        return self.value

    def milliseconds(self) -> float:
        if not isinstance(self.value, int | float) or isinstance(self.value, bool):
            raise self.error("expected a number")
        if not 0 <= self.value < _MS_LIMIT:
            raise self.error("expected a time in milliseconds")
        return round(float(self.value), 3)

    def choice(self, kind: type[_E]) -> _E:
        members = _members(kind)
        member = members.get(self.text())
        if member is None:
            raise self.error(f"expected one of {', '.join(members)}")
        return kind[member]

    def trump(self) -> Trump:
        try:
            return Trump.parse(self.text())
        except ValueError as error:
            raise self.error(str(error)) from None

    def cards(self) -> tuple[Card, ...]:
        try:
            return _cards(self.text())
        except ValueError as error:
            raise self.error(str(error)) from None

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        try:
            return tuple(map(_cards, self.values()))
        except ValueError:
            return tuple(item.cards() for item in self.items())  # says which of them is wrong
