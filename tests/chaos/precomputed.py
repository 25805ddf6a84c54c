"""A worker without players: it takes claims and stores precomputed board sets through the real store."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from erqiwang.deals import deal_hash, deals_of_board
from erqiwang.rules import PassOut, Record, apply, fallback, get_profile, open_table, record_of
from erqiwang_runner.contestants import Contestant
from erqiwang_runner.liveness import process_name
from erqiwang_runner.match_claim import MatchClaim, SlotClaim
from erqiwang_runner.played import PlayedSet, PlayedTable
from erqiwang_runner.results import TableResult
from erqiwang_runner.standings import read_standings
from erqiwang_runner.standings_text import to_object
from erqiwang_runner.store import claims, extension, planning, settlement, tournaments
from erqiwang_runner.store.claims import Worker
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.reader import SqlResults, StoredTable
from erqiwang_runner.tournament_spec import EntrySpec, TournamentSpec

PROFILE = "classic"
WINDOW = 32
Outcome: TypeAlias = tuple[list[StoredTable], object]


def spec_of(name, boards, *, entries=4, boards_per_match=1, **more) -> TournamentSpec:
    """Describe a tournament of bots that never run."""
    bots = [
        Contestant(f"bot{number}", "1", ("true",), f"{number:064}", bundled=True) for number in range(entries)
    ]
    return TournamentSpec(
        name=name,
        seed_text="chaos",
        entries=tuple(EntrySpec(bot) for bot in bots),
        boards=boards,
        boards_per_match=boards_per_match,
        **more,
    )


def played_out() -> tuple[Record, str]:
    """Play one table by the fallback: the record that every table gets, and the hash of its deal."""
    profile, seed = get_profile(PROFILE), bytes(32)
    state, _ = open_table(profile, deals_of_board(profile, seed, PassOut.ZERO))
    while (turn := state.turn) is not None:
        state, _ = apply(state, turn.seat, fallback(state))
    return record_of(state), deal_hash(profile, seed).hex()


class PrecomputedWorker:
    """Plays matches in no time. The points of a table are a function of its deal and of who sits where."""

    def __init__(self, database: Database, worker: Worker | None = None) -> None:
        self.database = database
        self.worker = worker or Worker(process_name(), process_name(), "here", "none")
        self._record, self._hash = played_out()

    def play(self, match_id: int) -> bool:
        """Play a match, if it may be taken; tells whether it was."""
        claim = claims.take(self.database, match_id, self.worker)
        if claim is None:
            return False
        for slot in claim.slots:
            claims.store_set(self.database, claim, self.board_set(claim, slot))
        claims.complete(self.database, claim)
        return True

    def board_set(self, claim: MatchClaim, slot: SlotClaim) -> PlayedSet:
        """Give the board set of a slot."""
        set_type = claim.conditions.set_type
        tables = [
            self._table(slot, number, row, tuple(claim.group[set_type.place(each)].number for each in row))
            for number, row in enumerate(set_type.square(slot.slot.n))
        ]
        return PlayedSet(slot.slot, slot.generation, tuple(tables))

    def _table(
        self, slot: SlotClaim, number: int, row: Sequence[int], entries: tuple[int, ...]
    ) -> PlayedTable:
        points = [slot.board_seed[4 * number + seat] + 8 * entry for seat, entry in enumerate(entries)]
        points = [len(points) * each - sum(points) for each in points]
        place = (slot.slot.epoch, slot.slot.group, slot.slot.n, slot.generation, number)
        lost = (False,) * len(entries)
        result = TableResult(*place, entries, tuple(row), tuple(points), None, lost)
        return replace(PlayedTable(result, self._record, self._hash), deal_hash=slot.board_seed.hex())


def play_through(database: Database, spec: TournamentSpec, tenth=lambda: None) -> None:
    """Plan a tournament in a window, claim it, store it and finish it; `tenth` is called after each tenth."""
    with database.write() as connection:
        number = tournaments.create(connection, spec)
        tournaments.start(connection, number)
        row = tournaments.get(connection, number)
    worker, played, tenths = PrecomputedWorker(database), 0, 0
    while not planning.finish_if_complete(database, row):
        planning.reclaim(database, number, time.time())
        planning.reopen(database, row)
        settlement.settle(database, row)
        extension.extend(database, row, WINDOW)
        for match_id, _ in planning.waiting(database, number):
            played += worker.play(match_id)
            if played >= (tenths + 1) * spec.plan.board_sets // 10:
                tenths += 1
                tenth()


def outcome(database: Database, name: str) -> Outcome:
    """Give what must not depend on any fault: every table in the order of the plan, and the ratings."""
    reader = SqlResults(database)
    return list(reader.tables(name)), to_object(read_standings(reader, name))
