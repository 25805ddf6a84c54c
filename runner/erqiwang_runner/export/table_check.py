"""Checking one table of an export: its place, its seating, its deal, its record, its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from erqiwang.deals import board_seed, deal_hash, deals_of_board
from erqiwang.rules import (
    Deal,
    PassOut,
    Profile,
    Record,
    RecordError,
    format_cards,
    get_profile,
    is_house,
    record_from_object,
    verify_record,
)
from erqiwang_runner.clocks import get_clock_class
from erqiwang_runner.local.game_lines import Fields, integer, integers, items, read_result, text, texts
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.plan import Plan
from erqiwang_runner.played import PlayedTable
from erqiwang_runner.pool_key import pool_key_of
from erqiwang_runner.results import EntryRole, TableResult
from erqiwang_runner.seating import SetType, get_set_type
from erqiwang_runner.tournament_spec import Conditions


@dataclass(frozen=True, slots=True)
class TableCheck:
    """What tables of an export are held against; `key` is the master key, if it is known."""

    name: str
    profile: Profile
    switches: dict[str, str]
    room: int
    pass_out: PassOut
    set_type: SetType
    groups: tuple[tuple[int, ...], ...]
    fillers: frozenset[int]
    boards: int | None
    rounds: tuple[int, ...]
    key: bytes | None

    @classmethod
    def of(cls, header: GamesHeader, key: bytes | None) -> TableCheck:
        """Read the conditions of an export; raises ValueError."""
        fields = header.fields
        switches = texts(fields, "switches")
        try:
            profile = header.house() or get_profile(text(fields, "profile"), switches)
            set_type = get_set_type(text(fields, "set_type"))
            pass_out = PassOut[text(fields, "pass_out").upper()]
        except LookupError as error:
            raise ValueError(str(error.args[0])) from None
        return cls(
            name=header.name,
            profile=profile,
            switches=switches,
            room=integer(fields, "room"),
            pass_out=pass_out,
            set_type=set_type,
            groups=_groups(header, set_type),
            fillers=frozenset(each.id for each in header.entries() if each.role is EntryRole.FILLER),
            boards=integer(fields, "boards") if "boards" in fields else None,
            rounds=integers(fields, "rounds") if "rounds" in fields else (),
            key=key,
        )

    def pool(self, header: GamesHeader) -> str:
        """Give the key of the rating pool that these conditions are; raises ValueError or LookupError."""
        fields = header.fields
        conditions = Conditions(
            name=self.name,
            profile=self.profile,
            switches=self.switches,
            room=self.room,
            pass_out=self.pass_out,
            set_type=self.set_type,
            clock=get_clock_class(text(fields, "clock")),
            sandbox_level=text(fields, "sandbox_level"),
        )
        told = header.tournament()
        return pool_key_of(conditions, text(fields, "rules_version"), told.policy, told.isolation)

    @property
    def house(self) -> Profile | None:
        """The rules where they are a house's."""
        return self.profile if is_house(self.profile) else None

    @property
    def plan(self) -> Plan | None:
        """The plan, where the export says how many boards were planned."""
        return None if self.boards is None else self._plan(self.boards)

    def _plan(self, boards: int) -> Plan:
        # While an adaptive tournament is played, the groups of its later rounds are not chosen yet.
        return Plan(sum(self.rounds) or len(self.groups), boards, 1, self.rounds)

    def differences(self, fields: Fields) -> Iterator[str]:
        """Say what is wrong with the line of a table; raises ValueError if it cannot be read."""
        result, index = read_result(fields), integer(fields, "deal_index")
        yield from self._place(result, index)
        yield from self._seating(result)
        record = _record_of(fields)
        if self.key is not None:
            yield from self._deal(self.key, index, text(fields, "deal_hash"), record)
        if record is not None:
            yield from self._record(result, record)
            yield from self._numbers(result, record, fields)

    def _place(self, result: TableResult, index: int) -> Iterator[str]:
        if not 0 <= result.group < len(self.groups):
            yield f"there is no group {result.group}"
            return
        if self.boards is not None and not 0 <= result.n < self.boards:
            yield f"board {result.n} is outside the plan of {self.boards} boards"
        given = self._plan(self.boards or 0).deal_index(result.group, result.n, result.generation)
        if index != given:
            yield f"it was played with deal {index}, but the plan gives its board deal {given}"

    def _seating(self, result: TableResult) -> Iterator[str]:
        square = self.set_type.square(result.n)
        if not 0 <= result.table < len(square):
            yield f"{self.set_type.name} has no table {result.table}"
            return
        if result.columns != square[result.table]:
            yield f"columns {result.columns} instead of {square[result.table]}"
        if 0 <= result.group < len(self.groups):
            seating = self.set_type.seating(self.groups[result.group], result.n)[result.table]
            if any(
                entry != seated and entry not in self.fillers
                for entry, seated in zip(result.entries, seating, strict=True)
            ):
                yield f"entries {result.entries} on its seats instead of {seating}"

    def _deal(self, key: bytes, index: int, claimed: str, record: Record | None) -> Iterator[str]:
        seed = board_seed(key, index)
        if deal_hash(self.profile, seed).hex() != claimed:
            yield f"deal {index} has another deal hash"
        if record is None:
            return
        deals = deals_of_board(self.profile, seed, self.pass_out)
        dealt = [*((each.opener, each.hands, each.kitty) for each in record.redeals)]
        dealt.append((record.opener, record.hands, record.kitty))
        for number, (deal, (opener, hands, kitty)) in enumerate(zip(deals, dealt, strict=False)):
            if number == 0 and opener != deal.opener:
                yield f"seat {opener} opened instead of seat {deal.opener}"
            yield from _card_differences(deal, Deal(hands, kitty, opener))

    def _record(self, result: TableResult, record: Record) -> Iterator[str]:
        slot = result.slot
        place = f"{slot.epoch}/{slot.group}/{slot.n}/{result.generation}/{result.table}"
        if record.id != f"{self.name}/{place}":
            yield f"its record is that of table {record.id!r}"
        conditions = (record.profile, dict(record.switches), record.room, record.pass_out)
        if conditions != (self.profile.slug, self.switches, self.room, self.pass_out):
            yield "its record was played under other conditions"
        elif difference := verify_record(record, self.house):
            yield f"its record breaks the rules: {difference}"

    def _numbers(self, result: TableResult, record: Record, fields: Fields) -> Iterator[str]:
        if result.scores != record.scores:
            yield f"scores {result.scores}, but its record ends with {record.scores}"
        if result.declarer != record.declarer:
            yield f"declarer {result.declarer}, but {record.declarer} in its record"
        if text(fields, "moves_hash") != PlayedTable(result, record, "").moves_hash:
            yield "its record has another moves hash"


def _groups(header: GamesHeader, set_type: SetType) -> tuple[tuple[int, ...], ...]:
    fields = header.fields
    if "groups" not in fields:
        return tuple(combinations(range(len(header.entries())), set_type.entries))
    return tuple(integers({"groups": group}, "groups") for group in items(fields, "groups"))


def _record_of(fields: Fields) -> Record | None:
    record = fields.get("record")
    if record is None:
        return None
    try:
        return record_from_object(record)
    except RecordError as error:
        raise ValueError(f"record: {error}") from None


def _card_differences(dealt: Deal, recorded: Deal) -> Iterator[str]:
    for seat, (one, other) in enumerate(zip(dealt.hands, recorded.hands, strict=False)):
        if sorted(one) != sorted(other):
            yield f"seat {seat} was dealt {format_cards(one)}, its record says {format_cards(other)}"
    if sorted(dealt.kitty) != sorted(recorded.kitty):
        yield f"the kitty was {format_cards(dealt.kitty)}, its record says {format_cards(recorded.kitty)}"
