"""The process that plays matches, one after the other: a prefork child of a Celery worker."""

import logging
import os
import socket
import time
from functools import partial
from typing import Final

from erqiwang_runner.artefact_cache import ArtefactCache
from erqiwang_runner.errors import (
    RunnerError,
    StaleAttemptError,
    UnavailableError,
    UsageError,
    WorkerRefusedError,
)
from erqiwang_runner.homes import Homes
from erqiwang_runner.liveness import process_name
from erqiwang_runner.match_claim import MatchClaim, Worker
from erqiwang_runner.referee_address import trouble_with
from erqiwang_runner.settings import Settings
from erqiwang_runner.stage import Stage
from erqiwang_runner.store import claims, contestants, player_logs, remote_turns
from erqiwang_runner.store.engine import Database

WORKER_PID: Final = "ERQI_WORKER_PID"
"""The variable with the number of the worker process that this one is a child of."""

SANDBOX_LEVEL: Final = "none"
_REFUSED_PAUSE_S: Final = 5.0

_log = logging.getLogger("erqiwang.worker")


class WorkerChild:
    """Takes a match, has it played, and settles the attempt, however it ended."""

    def __init__(self, settings: Settings) -> None:
        if settings.run_directory is None:
            raise UsageError(
                "a worker is started by `erqi worker` or `erqi up`, which give it a run directory"
            )
        self._database = Database(settings.database_url)
        self._stage = Stage(settings.run_directory)
        cache = ArtefactCache(settings.data / "artefacts", self._fetch)
        self._homes = Homes(settings.run_directory / f"bots{os.getpid()}", cache)
        self._worker = Worker(process_name(), settings.run_id, socket.gethostname(), SANDBOX_LEVEL)

    def play(self, match_id: int) -> None:
        """Play a match if it is open; its outcome is in the store."""
        if not self._has_referee(match_id):
            claims.leave_to_others(self._database, match_id)
            time.sleep(_REFUSED_PAUSE_S)
            return
        try:
            claim = claims.take(self._database, match_id, self._worker)
        except WorkerRefusedError as error:
            _log.error("match %d is left to others: %s", match_id, error)
            # Others should get the messages, not this worker.
            time.sleep(_REFUSED_PAUSE_S)
            return
        if claim is None:
            _log.info("match %d: nothing to do", match_id)
            return
        try:
            self._play(claim)
        except StaleAttemptError as error:
            _log.warning("match %d: %s", match_id, error)

    def close(self) -> None:
        """End the launcher and with it everything below."""
        self._stage.close()
        self._homes.close()
        self._database.close()

    def _has_referee(self, match_id: int) -> bool:
        """Tell whether a match can be played where it is to be; if not, that costs nobody an attempt."""
        referee = remote_turns.referee_of(self._database, match_id)
        if not referee:
            return True
        trouble = self._trouble_with(referee)
        if trouble is not None:
            _log.error("match %d waits: %s", match_id, trouble)
        remote_turns.note_trouble(self._database, match_id, trouble)
        return trouble is None

    def _trouble_with(self, referee: str) -> str | None:
        try:
            channel = self._stage.channel(referee)
        except UsageError as error:
            return f"the referee at {referee}: worker on {self._worker.host}: {error}"
        return trouble_with(channel, referee)

    def _play(self, claim: MatchClaim) -> None:
        # It imports gRPC, which no process may have done before it forked this one.
        from erqiwang_runner.match_runner import MatchRun

        try:
            run = MatchRun(
                self._homes.settle(claim),
                self._stage,
                store=partial(claims.store_set, self._database, claim),
                beat=partial(claims.beat, self._database, claim),
            )
        except UnavailableError as error:
            _log.warning("match %d: %s", claim.match_id, error)
            claims.fail(self._database, claim, str(error))
            return
        try:
            faults = run.play()
        except StaleAttemptError:
            raise
        except RunnerError as error:
            _log.warning("match %d, attempt %d is void: %s", claim.match_id, claim.attempt_number, error)
            claims.fail(self._database, claim, str(error), run.faults())
        except BaseException as error:
            claims.fail(self._database, claim, f"{type(error).__name__}: {error}", run.faults())
            raise
        else:
            claims.complete(self._database, claim, faults)
            _log.info("match %d is played", claim.match_id)
        player_logs.keep(self._database, claim, run.said())

    def _fetch(self, digest: str) -> bytes | None:
        with self._database.read() as connection:
            return contestants.archive_of(connection, digest)
