"""Writing matches and the slots that they are to play."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from erqiwang.deals import board_seed, bot_seed
from erqiwang_runner.plan import Claim
from erqiwang_runner.store import schema
from erqiwang_runner.store.states import MatchState, SlotState
from erqiwang_runner.store.tournaments import TournamentRow

SlotKey = dict[str, int]


@dataclass(frozen=True, slots=True)
class Planner:
    """Writes what is to be played of a tournament; `master` is the key of its deals."""

    connection: Connection
    tournament: TournamentRow
    master: bytes

    def add_match(self, claim: Claim, entries: Sequence[int], generation: int = 0) -> None:
        """Plan the boards of a claim, to be played by these entries."""
        match_id = self._insert_match(claim, entries, generation, MatchState.OPEN)
        for n in range(claim.first_n, claim.end_n):
            self.add_slot(self._key(claim.group, n, generation), match_id)

    def add_void(self, claim: Claim, entries: Sequence[int], reason: str) -> None:
        """Explain why the boards of a claim are not played."""
        now = time.time()
        match_id = self._insert_match(claim, entries, 0, MatchState.FINISHED)
        rows = [
            {
                **self._slot(self._key(claim.group, n, 0), match_id, SlotState.VOID),
                "reason": reason,
                "finished_at": now,
            }
            for n in range(claim.first_n, claim.end_n)
        ]
        self.connection.execute(insert(schema.slots), rows)

    def add_slot(self, key: SlotKey, match_id: int) -> None:
        """Plan one board, with its seeds, as a part of a match."""
        row = self._slot(key, match_id, SlotState.PLANNED)
        self.connection.execute(insert(schema.slots).values(row))
        set_type, index = self.tournament.conditions.set_type, row["deal_index"]
        assert isinstance(index, int)
        seeds = (
            bot_seed(self.master, index, table, seat)
            for table in range(set_type.tables)
            for seat in range(set_type.seats)
        )
        self.connection.execute(
            insert(schema.slot_seeds).values(
                **key,
                seats=set_type.seats,
                board_seed=board_seed(self.master, index),
                bot_seeds=b"".join(seeds),
            )
        )

    def _key(self, group: int, n: int, generation: int) -> SlotKey:
        place = {"epoch": 0, "group_no": group, "n": n, "generation": generation}
        return {"tournament_id": self.tournament.id, **place}

    def _slot(self, key: SlotKey, match_id: int, state: SlotState) -> dict[str, object]:
        plan = self.tournament.plan
        return {
            **key,
            "deal_index": plan.deal_index(key["group_no"], key["n"], key["generation"]),
            "position": plan.position(key["group_no"], key["n"]),
            "state": state.value,
            "match_id": match_id,
        }

    def _insert_match(self, claim: Claim, entries: Iterable[int], generation: int, state: MatchState) -> int:
        key = self.connection.execute(
            insert(schema.matches).values(
                tournament_id=self.tournament.id,
                epoch=0,
                group_no=claim.group,
                first_n=claim.first_n,
                end_n=claim.end_n,
                generation=generation,
                entries=list(entries),
                state=state.value,
                fence=0,
                attempts=0,
                idle_attempts=0,
                finished_at=time.time() if state is MatchState.FINISHED else None,
            )
        ).inserted_primary_key
        assert key is not None
        return int(key[0])


def close(connection: Connection, key: SlotKey, state: SlotState, reason: str) -> None:
    """Give a slot up, or say what became of it; its seeds go."""
    connection.execute(delete(schema.slot_seeds).filter_by(**key))
    connection.execute(
        update(schema.slots)
        .filter_by(**key)
        .values(state=state.value, reason=reason, finished_at=time.time())
    )


def unfinished(connection: Connection, match_id: int) -> list[SlotKey]:
    """List the slots of a match that are still to be played."""
    table = schema.slots
    rows = connection.execute(
        select(*(table.c[name] for name in schema.SLOT_KEY))
        .where(table.c.match_id == match_id, table.c.state == SlotState.PLANNED.value)
        .order_by(table.c.n)
    )
    return [key_of(row) for row in rows]


def key_of(row: "Iterable[int]") -> SlotKey:
    """Give the key of a slot whose columns begin with it."""
    return dict(zip(schema.SLOT_KEY, row, strict=False))
