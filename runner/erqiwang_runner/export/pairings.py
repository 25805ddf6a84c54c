"""Whether the groups and the seats of an export are those that its own results make.

A format is a pure function of the results so far, and so are suspensions, substitutes and replacement boards:
whoever has the results can decide them again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from erqiwang_runner.errors import UsageError
from erqiwang_runner.export.played_slots import PlayedSlots
from erqiwang_runner.formats import Format, FormatSettings, Group, Past, Scheduler, scheduler_of
from erqiwang_runner.local.game_lines import Fields, inside, integer, integers, items, text
from erqiwang_runner.local.games_header import GamesHeader
from erqiwang_runner.plan import Plan, Round
from erqiwang_runner.results import BoardSet, EntryRole, FaultPolicy, Slot
from erqiwang_runner.scoring import ScoredSet, ScoringRule, score_set
from erqiwang_runner.seating import SetType, get_set_type
from erqiwang_runner.store.extension import stand_in
from erqiwang_runner.store.replacement import LAST_GENERATION
from erqiwang_runner.tournament_spec import field_of

_PLAYERS = 2
"""Fewer of them are not seated."""


@dataclass(frozen=True, slots=True)
class _ScoredPast(Past):
    """A past whose board sets are scored once, however many rounds are decided from them."""

    scores: Mapping[tuple[Slot, int], ScoredSet] | None = None

    def scored(self) -> list[ScoredSet]:
        assert self.scores is not None
        return [self.scores[board.key] for board in self.board_sets]


@dataclass(frozen=True)
class Pairings:
    """The plan of an export, the groups that it claims, and what was played of them."""

    scheduler: Scheduler
    plan: Plan
    groups: tuple[Group, ...]
    set_type: SetType
    roles: Mapping[int, EntryRole]
    names: Mapping[int, str]
    rule: ScoringRule
    look_back: int
    round_look_back: int
    may_suspend: bool
    is_finished: bool
    played: PlayedSlots

    @classmethod
    def of(cls, header: GamesHeader, played: PlayedSlots) -> Pairings:
        """Read what an export says of its schedule; raises ValueError."""
        fields, told = header.fields, header.tournament()
        schedule = inside(fields, "schedule")
        format_ = Format(text(schedule, "rule"))
        entries = header.entries()
        set_type = get_set_type(told.set_type)
        groups = tuple(integers({"groups": each}, "groups") for each in items(fields, "groups"))
        try:
            settings = FormatSettings.of(format_, inside(schedule, "parameters"))
            field = field_of(set_type, [entry.role for entry in entries])
            scheduler = scheduler_of(settings, field, integer(fields, "boards"))
        except (UsageError, TypeError, AttributeError) as error:
            raise ValueError(f"schedule: {error}") from None
        rounds = integers(fields, "rounds")
        return cls(
            scheduler=scheduler,
            plan=Plan(sum(rounds), integer(fields, "boards"), integer(schedule, "lap"), rounds),
            groups=groups,
            set_type=set_type,
            roles={entry.id: entry.role for entry in entries},
            names={entry.id: entry.bot for entry in entries},
            rule=ScoringRule(told.policy, told.forfeit_points),
            look_back=integer(schedule, "look_back"),
            round_look_back=integer(schedule, "round_look_back"),
            may_suspend=format_ is not Format.REGRESSION,
            is_finished=fields.get("state") == "finished",
            played=played,
        )

    def differences(self) -> Iterator[str]:
        """Say where somebody else should have met or sat."""
        if self.scheduler.rounds != self.plan.rounds:
            yield f"rounds of {list(self.plan.rounds)} groups instead of {list(self.scheduler.rounds)}"
            return
        for round_ in self.plan.each_round():
            yield from self._round(round_)
        for slot in sorted({slot for slot, _ in self.played.tables}):
            if 0 <= slot.group < len(self.groups):
                yield from self._slot(slot)

    @property
    def said(self) -> str:
        """Say what was checked."""
        number = sum(round_.first < len(self.groups) for round_ in self.plan.each_round())
        rounds = f" of {number} rounds" if number > 1 else ""
        out = f"; suspended by their faults: {len(self.suspensions)}" * bool(self.suspensions)
        groups = "1 group" if len(self.groups) == 1 else f"{len(self.groups)} groups"
        return f"{groups}{rounds}, chosen again from the results before them{out}"

    @cached_property
    def suspensions(self) -> Mapping[int, int]:
        """After how many slots in order an entry was suspended."""
        players = [entry for entry, role in self.roles.items() if role is not EntryRole.FILLER]
        return self.played.suspensions(self.plan, players) if self.may_suspend else {}

    @cached_property
    def _sets(self) -> Sequence[tuple[int, BoardSet]]:
        return tuple(self.played.sets(self.plan))

    @cached_property
    def _scores(self) -> Mapping[tuple[Slot, int], ScoredSet]:
        return {board.key: score_set(board, self.roles, self.rule) for _, board in self._sets}

    @cached_property
    def _last_generation(self) -> Mapping[Slot, int]:
        found: defaultdict[Slot, int] = defaultdict(int)
        for slot, generation in (*self.played.tables, *self.played.states):
            found[slot] = max(found[slot], generation)
        return found

    @cached_property
    def _fillers(self) -> tuple[int, ...]:
        return tuple(entry for entry, role in self.roles.items() if role is EntryRole.FILLER)

    def _round(self, round_: Round) -> Iterator[str]:
        claimed = self.groups[round_.first : round_.end]
        if not claimed and not self.is_finished:
            return
        made = self.scheduler.groups(round_.number, self._past(round_))
        for place, (one, other) in enumerate(zip_longest(made, claimed)):
            if one != other:
                group = f"round {round_.number + 1}, group {round_.first + place}"
                yield f"{group}: {self._say(other)} met, but the results before it make {self._say(one)} meet"

    def _past(self, round_: Round) -> Past:
        if round_.number == 0:
            return Past()
        needs = max(0, round_.start - self.round_look_back)
        return _ScoredPast(
            groups=self.groups[: round_.first],
            board_sets=tuple(
                sorted((board for position, board in self._sets if position < needs), key=lambda b: b.key)
            ),
            suspended=frozenset(entry for entry, at in self.suspensions.items() if at <= needs),
            rule=self.rule,
            roles=self.roles,
            scores=self._scores,
        )

    def _slot(self, slot: Slot) -> Iterator[str]:
        """Follow a slot through its generations: who had to sit, and whether there had to be another."""
        seated = self._first_seating(slot)
        last = self._last_generation[slot]
        for generation in range(last + 1):
            place = f"board {slot.n} of group {slot.group}, generation {generation}"
            if seated is None:
                yield f"{place}: it was played, but nobody is owed it"
                return
            board = self._board(slot, generation)
            if board is not None:
                yield from (f"{place}: {each}" for each in self._seats(board, seated))
                seated = self._next_seating(board, seated)
            elif (slot, generation) not in self.played.states:
                yield f"{place}: it is neither played nor given up"
                return
        is_void = self.played.states.get((slot, last)) == "void"
        if seated is not None and self._board(slot, last) is not None and self.is_finished and not is_void:
            yield f"board {slot.n} of group {slot.group}: {self._say(seated)} are owed another board"

    def _board(self, slot: Slot, generation: int) -> BoardSet | None:
        tables = self.played.tables.get((slot, generation))
        return BoardSet(slot, generation, tuple(tables[k] for k in sorted(tables))) if tables else None

    def _first_seating(self, slot: Slot) -> Group | None:
        group = self.groups[slot.group]
        first = slot.n // self.plan.lap * self.plan.lap
        decided_by = self.plan.position(slot.group, first) - self.look_back
        out = [entry for entry in group if self.suspensions.get(entry, decided_by + 1) <= decided_by]
        seated = stand_in(group, out, self._fillers)
        return None if seated is None or (out and self._players(seated) < _PLAYERS) else seated

    def _next_seating(self, board: BoardSet, seated: Group) -> Group | None:
        """Give who plays the next generation; None if nobody is owed one."""
        out = [entry for entry in seated if entry in board.offenders]
        innocent = [each for each in seated if each not in out and each not in self._fillers]
        is_owed = self.rule.policy is FaultPolicy.FORFEIT and board.generation < LAST_GENERATION
        if not (out and is_owed and len(innocent) >= _PLAYERS):
            return None
        return stand_in(seated, out, self._fillers)

    def _seats(self, board: BoardSet, seated: Group) -> Iterator[str]:
        rows = self.set_type.seating(seated, board.slot.n)
        for table in board.tables:
            due = rows[table.table] if 0 <= table.table < len(rows) else ()
            if table.entries != due:
                yield f"table {table.table} seats {self._say(table.entries)}, not {self._say(due)}"

    def _players(self, seated: Group) -> int:
        return sum(self.roles[entry] is not EntryRole.FILLER for entry in seated)

    def _say(self, group: Group | None) -> str:
        return "nobody" if group is None else ", ".join(self.names.get(each, f"#{each}") for each in group)


def has_schedule(fields: Fields) -> bool:
    """Tell whether an export says how its groups were chosen; what was played locally has one group."""
    return fields.get("schedule") is not None
