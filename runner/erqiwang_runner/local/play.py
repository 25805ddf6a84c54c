"""Playing a plan to its end on this machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Final

from erqiwang.rules import Deal
from erqiwang_runner.errors import RunnerError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.local.local_claims import next_attempt, open_claims
from erqiwang_runner.local.pool import LocalPool
from erqiwang_runner.local.pool_messages import MatchFailed, MatchPlayed, SetPlayed
from erqiwang_runner.local.result_store import ResultStore
from erqiwang_runner.played import PlayedSet, TableNews
from erqiwang_runner.tournament_spec import TournamentSpec

ATTEMPTS: Final = 3
"""How often a match is tried that fails through no fault of a bot."""


_LINES: Final = 4


class PlayFailed(RunnerError):
    """A match cannot be played here."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNAVAILABLE


class LocalPlay:
    """A plan being played: iterate over `sets()`; each board set is in the store when it is given out.

    Give it up by leaving the loop and closing the pool. `said` holds, once a match is over, what its players
    wrote to standard error, by entry, table and column. `follow` hears what happens at table 0 of each board.
    """

    def __init__(
        self,
        spec: TournamentSpec,
        store: ResultStore,
        pool: LocalPool,
        deals: Sequence[Deal] = (),
        follow: Callable[[TableNews], None] | None = None,
    ) -> None:
        self._spec = spec
        self._store = store
        self._pool = pool
        self._follow = follow
        followed = None if follow is None else 0
        self._claims = open_claims(spec, store.finished_slots(), deals=deals, followed=followed)
        self._failures: Counter[int] = Counter()
        self._said: dict[tuple[int, int, int], str] = {}

    @property
    def said(self) -> Mapping[tuple[int, int, int], str]:
        """What the players wrote to standard error."""
        return self._said

    def sets(self) -> Iterator[PlayedSet]:
        """Play what is left of the plan, in its order; gives the board sets as they are finished.

        Raises PlayFailed.
        """
        self._submit_next()
        while not self._pool.is_idle:
            for message in self._pool.receive():
                match message:
                    case SetPlayed(played):
                        self._store.store_set(played)
                        yield played
                    case MatchPlayed(faults=faults, said=said):
                        self._store.store_faults(faults)
                        self._said.update(said)
                    case MatchFailed():
                        self._retry(message)
                    case TableNews():
                        if self._follow is not None:
                            self._follow(message)
            self._submit_next()

    def _submit_next(self) -> None:
        while self._pool.has_room and (claim := next(self._claims, None)) is not None:
            self._pool.submit(claim)

    def _retry(self, failed: MatchFailed) -> None:
        claim = failed.claim
        self._failures[claim.match_id] += 1
        if self._failures[claim.match_id] >= ATTEMPTS:
            raise PlayFailed(f"a match failed {ATTEMPTS} times: {failed.reason}{_logs(failed)}")
        finished = self._store.finished_slots()
        left = tuple(each for each in claim.slots if each.slot not in finished)
        if left:
            self._pool.submit(next_attempt(self._spec, claim, left))


def _logs(failed: MatchFailed) -> str:
    """Give the last that each bot of a failed match wrote to standard error."""
    bots = {entry.number: entry.contestant for entry in failed.claim.group}
    last = {bots[entry]: words.strip().splitlines()[-_LINES:] for (entry, _, _), words in failed.said.items()}
    return "".join(f"\n{bot}: {line}" for bot, lines in last.items() for line in lines)
