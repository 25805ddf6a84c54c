"""The state of a tournament in a few numbers: what waits, what runs, what failed and why."""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, func, select

from erqiwang_runner.pool_key import isolation_of
from erqiwang_runner.store import quarantine, retention, schema, tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.quarantine import Quarantine
from erqiwang_runner.store.retention import Pruned
from erqiwang_runner.store.states import AttemptOutcome, SlotState, TournamentState
from erqiwang_runner.store.verdicts import is_needless

_LATEST: Final = 100
"""Board sets that the speed is taken from."""

_PLAYED: Final = (SlotState.FINISHED.value, SlotState.FORFEITED.value, SlotState.DISTURBED.value)


@dataclass(frozen=True, slots=True)
class FaultSummary:
    """The faults of one bot with one cause; `detail` and `log` are those of the latest."""

    bot: str
    cause: str
    count: int
    detail: str
    log: str | None

    def lines(self) -> list[str]:
        """Say it, with the last words of the bot's process below."""
        log = [f"    {line}" for line in (self.log or "").splitlines()]
        return [f"faults of {self.bot}: {self.count} {self.cause}; the latest: {self.detail}", *log]


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a tournament is.

    `matches` counts by state, `attempts` by outcome, `reasons` the failed attempts and `given_up` the board
    sets that were given up, by reason; `replaced` are those that a bot forfeited and the others played again.
    `trouble` is why its matches wait for their public referee, `remote` are the bots that come to it.
    `round` of `rounds` is planned. The speed is that of the latest sets; None where nothing is being played.
    """

    name: str
    state: str
    planned: int
    played: int
    explained: int
    matches: Mapping[str, int]
    attempts: Mapping[str, int]
    reasons: Mapping[str, int]
    given_up: Mapping[str, int]
    faults: tuple[FaultSummary, ...]
    format: str
    round: int
    rounds: int
    suspended: tuple[str, ...]
    replaced: int
    board_sets_per_s: float | None
    seconds_left: float | None
    quarantined: tuple[Quarantine, ...]
    isolation: str
    remote: tuple[str, ...]
    trouble: str | None
    pruned: Pruned | None

    def to_object(self) -> dict[str, object]:
        """Give it as JSON would have it."""
        return asdict(self)

    def line(self) -> str:
        """Say it in one line."""
        needless = sum(count for reason, count in self.given_up.items() if is_needless(reason))
        lost = f", {needless} not needed after the verdict" * bool(needless)
        if left := self.explained - needless:
            lost += f", {left} given up"
        return f"{self.name}: {self.state}, {self.played} of {self.planned} board sets played{lost}"

    def text(self) -> str:
        """Say it in full."""
        parts = [
            self.line(),
            *self._pace(),
            *([f"waits for its referee: {self.trouble}"] * (self.trouble is not None)),
            *(f"remote, nobody sees what else runs there: {bot}" for bot in self.remote),
            f"matches: {_counts(self.matches)}",
            f"attempts: {_counts(self.attempts)}",
            *(f"attempt failed ({count}): {reason}" for reason, count in self.reasons.items()),
            *(
                f"host {each.host} takes nothing until {_time(each.until)}: {each.reason}"
                for each in self.quarantined
            ),
            *(f"suspended for its faults: {bot}" for bot in self.suspended),
            *(
                [f"board sets played again for those who did nothing wrong: {self.replaced}"]
                * bool(self.replaced)
            ),
            *(f"board set {_what(reason)} ({count}): {reason}" for reason, count in self.given_up.items()),
            *self._pruned(),
            *(line for fault in self.faults for line in fault.lines()),
        ]
        return "\n".join(parts)

    def _pruned(self) -> list[str]:
        if self.pruned is None:
            return []
        gone = f"{self.pruned.records} records and {self.pruned.logs} logs were thrown away"
        return [f"{gone} by retention, the last at {_time(self.pruned.pruned_at)}; results are whole"]

    def _pace(self) -> list[str]:
        rounds = [f"{self.format}: round {self.round} of {self.rounds}"] if self.rounds > 1 else []
        if self.board_sets_per_s is None or self.seconds_left is None:
            return rounds
        left = timedelta(seconds=round(self.seconds_left))
        return [*rounds, f"{self.board_sets_per_s:.2f} board sets a second, about {left} left"]


def _what(reason: str) -> str:
    return "not needed" if is_needless(reason) else "given up"


def summarise(database: Database, name: str | None) -> Summary:
    """Look at a tournament, or the latest for None; raises UsageError if there is none."""
    matches, attempts, slots = schema.matches, schema.attempts, schema.slots
    failed = (AttemptOutcome.VOID.value, AttemptOutcome.LOST.value)
    with database.read() as connection:
        row = tournaments.find(connection, name)
        progress = tournaments.progress(connection, row)
        of_row = select(matches.c.id).where(matches.c.tournament_id == row.id)

        by_state = connection.execute(
            select(matches.c.state, func.count())
            .where(matches.c.tournament_id == row.id)
            .group_by(matches.c.state)
        )
        by_outcome = connection.execute(
            select(attempts.c.outcome, func.count())
            .where(attempts.c.match_id.in_(of_row))
            .group_by(attempts.c.outcome)
        )
        reasons = connection.execute(
            select(attempts.c.reason, func.count())
            .where(attempts.c.match_id.in_(of_row), attempts.c.outcome.in_(failed))
            .group_by(attempts.c.reason)
        )
        given_up = connection.execute(
            select(slots.c.reason, func.count())
            .where(slots.c.tournament_id == row.id, slots.c.state == "void")
            .group_by(slots.c.reason)
        )
        pace = speed(connection, row.id) if row.state is TournamentState.RUNNING else None
        left = progress.planned - progress.played - progress.explained
        number = row.plan.stint(max(0, row.planned_stints - 1)).group
        entries = tournaments.entries(connection, row.id)
        bots = [each.contestant for each in entries]
        return Summary(
            name=row.name,
            state=row.state.value,
            planned=progress.planned,
            played=progress.played,
            explained=progress.explained,
            matches={each[0]: each[1] for each in by_state},
            attempts={each[0]: each[1] for each in by_outcome},
            reasons={each[0]: each[1] for each in reasons},
            given_up={each[0]: each[1] for each in given_up},
            faults=_faults(connection, row.id),
            format=row.format.format.value,
            round=row.plan.round_of(number).number + 1,
            rounds=max(1, len(row.plan.rounds)),
            suspended=tuple(str(each.contestant) for each in entries if each.suspended),
            replaced=_replaced(connection, row.id),
            board_sets_per_s=pace,
            quarantined=quarantine.of(connection),
            isolation=isolation_of(bots).value,
            remote=tuple(str(bot) for bot in bots if bot.is_remote),
            trouble=row.trouble,
            pruned=next(iter(retention.prunings(connection, row.id)), None),
            seconds_left=None if pace is None else left / pace,
        )


def speed(connection: Connection, tournament_id: int) -> float | None:
    """Give the board sets a second of the latest time, all workers together; None before there are two."""
    table = schema.slots
    latest = (
        select(table.c.finished_at)
        .where(table.c.tournament_id == tournament_id, table.c.state.in_(_PLAYED))
        .order_by(table.c.finished_at.desc())
        .limit(_LATEST)
        .subquery()
    )
    count, first = connection.execute(select(func.count(), func.min(latest.c.finished_at))).one()
    # Until now, not until the last one: what stands still gets slower and slower.
    return None if count < 2 else count / max(time.time() - first, 1e-3)


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "seconds")


def _replaced(connection: Connection, tournament_id: int) -> int:
    table = schema.slots
    count = select(func.count()).where(
        table.c.tournament_id == tournament_id, table.c.state == SlotState.FORFEITED.value
    )
    return connection.scalar(count) or 0


def _faults(connection: Connection, tournament_id: int) -> tuple[FaultSummary, ...]:
    """Sum faults up, those of void attempts included: they are what a failing start has to show."""
    table = schema.faults
    latest = (
        select(func.max(table.c.id).label("id"), func.count().label("times"))
        .where(table.c.tournament_id == tournament_id)
        .group_by(table.c.entry, table.c.cause)
        .subquery()
    )
    bots = {entry.number: str(entry.contestant) for entry in tournaments.entries(connection, tournament_id)}
    rows = connection.execute(
        select(table, latest.c.times)
        .join(latest, table.c.id == latest.c.id)
        .order_by(table.c.entry, table.c.cause)
    )
    return tuple(FaultSummary(bots[row.entry], row.cause, row.times, row.detail, row.log) for row in rows)


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"
