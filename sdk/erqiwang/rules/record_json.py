"""The JSON form of a record (`erqiwang.record/1`). Unknown keys are refused."""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import Enum
from typing import cast

from erqiwang.rules.card import format_cards
from erqiwang.rules.event import BidMade, TrumpReport
from erqiwang.rules.fault import DecidedBy, DecisionTime, Fault, FaultCause, FaultPoint
from erqiwang.rules.json_node import LIMIT, MS_LIMIT, Node, read_json
from erqiwang.rules.record import RECORD_FORMAT, Announcement, PassedDeal, Record, Trick
from erqiwang.rules.turn import PassOut, Phase
from erqiwang.rules.violation import Reason

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
    return record_from_object(read_json(text))


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
    top = Node(value, _REQUIRED, _OPTIONAL)
    if top.text("format") != RECORD_FORMAT:
        raise top.error("format", f"expected {RECORD_FORMAT!r}")
    return Record(
        profile=top.text("profile"),
        switches=top.texts("switches") if top.has("switches") else {},
        rules_version=top.text("rules_version"),
        room=top.integer("room", low=1),
        pass_out=top.choice("pass_out", PassOut),
        id=top.text("id") if top.has("id") else "",
        opener=top.integer("opener"),
        hands=top.hands("hands"),
        kitty=top.cards("kitty"),
        redeals=tuple(map(_read_redeal, top.children("redeals", ("opener", "hands", "kitty", "auction")))),
        auction=_read_auction(top),
        declarer=top.integer_or_none("declarer"),
        bid=top.integer_or_none("bid"),
        trump=None if top.is_null("trump") else top.trump("trump"),
        buried=None if top.is_null("buried") else top.cards("buried"),
        surrender=top.boolean("surrender"),
        tricks=tuple(map(_read_trick, top.children("tricks", ("leader", "plays", "winner")))),
        announcements=_read_announcements(top),
        kitty_multiplier=top.integer("kitty_multiplier"),
        defender_points=top.integer("defender_points"),
        play_scores=top.integers("play_scores"),
        bonus_scores=top.integers("bonus_scores"),
        scores=top.integers("scores"),
        next_opener=top.integer("next_opener"),
        charm=top.integers("charm") if top.has("charm") else (),
        faults=_read_faults(top) if top.has("faults") else (),
        decisions=_read_decisions(top) if top.has("decisions") else (),
    )


def _name(member: Enum) -> str:
    return member.name.lower()


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


def _read_auction(node: Node) -> tuple[BidMade, ...]:
    calls = node.children("auction", ("seat", "bid"))
    return tuple([BidMade(call.integer("seat"), call.integer_or_none("bid")) for call in calls])


def _read_redeal(node: Node) -> PassedDeal:
    return PassedDeal(node.integer("opener"), node.hands("hands"), node.cards("kitty"), _read_auction(node))


def _read_trick(node: Node) -> Trick:
    return Trick(node.integer("leader"), node.hands("plays"), node.integer("winner"))


def _read_announcements(top: Node) -> tuple[Announcement, ...]:
    entries = top.children("announcements", ("after_trick", "after_play", "void", "trumps"))
    return tuple([_read_announcement(entry) for entry in entries])


def _read_announcement(node: Node) -> Announcement:
    reports = [
        TrumpReport(report.integer("seat"), report.integer("count"), report.boolean("pair"))
        for report in node.children("trumps", ("seat", "count", "pair"))
    ]
    after_trick, after_play = node.integer("after_trick"), node.integer("after_play")
    return Announcement(after_trick, after_play, node.integers("void"), tuple(reports))


def _read_faults(top: Node) -> tuple[Fault, ...]:
    entries = top.children("faults", ("seat", "cause", "reason", "at", "detail"))
    return tuple([_read_fault(entry) for entry in entries])


def _read_fault(node: Node) -> Fault:
    at = node.child("at", ("phase", "trick", "play"))
    return Fault(
        node.integer("seat"),
        node.choice("cause", FaultCause),
        None if node.is_null("reason") else node.choice("reason", Reason),
        FaultPoint(at.choice("phase", Phase), at.integer("trick", low=0), at.integer("play", low=0)),
        node.text("detail"),
    )


def _read_decisions(top: Node) -> tuple[DecisionTime, ...]:
    """Read the longest list of a record, a decision for every play."""
    usual = _usual_decisions(top.items("decisions"))
    if usual is not None:
        return usual
    entries = top.children("decisions", _DECISION)
    return tuple(
        [
            DecisionTime(entry.integer("seat"), entry.milliseconds("ms"), entry.choice("by", DecidedBy))
            for entry in entries
        ]
    )


_DECISION = ("seat", "ms", "by")
_DECIDED_BY: dict[object, DecidedBy] = {_name(member): member for member in DecidedBy}


def _usual_decisions(values: list[object]) -> tuple[DecisionTime, ...] | None:
    """Read decisions as they are written here; None if any is written otherwise, and has to be looked at."""
    decisions: list[DecisionTime] = []
    try:
        for value in cast("list[dict[str, object]]", values):
            seat, ms, by = value["seat"], value["ms"], _DECIDED_BY[value["by"]]
            if type(seat) is not int or type(ms) is not float or len(value) > len(_DECISION):
                return None
            if not (0 <= seat < LIMIT and 0 <= ms < MS_LIMIT):
                return None
            decisions.append(DecisionTime(seat, round(ms, 3), by))
    except (KeyError, TypeError):
        return None
    return tuple(decisions)
