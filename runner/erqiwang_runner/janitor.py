"""Carries the retention out, beside the play, once an hour."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from erqiwang_runner.errand import Errand
from erqiwang_runner.store import retention
from erqiwang_runner.store.engine import Database

_LOOK_EVERY_S: Final = 60.0

_log = logging.getLogger("erqiwang.retention")


class Janitor:
    """Runs the retention of a database when it is due; two of them do no harm."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._errand = Errand("retention", self._run)
        # What is short-lived, such as a tournament that is run to its end and forgotten, cleans nothing up.
        self._looked_at = clock()

    def look(self) -> None:
        """Begin if it is due."""
        now = self._clock()
        if self._errand.is_under_way or 0 <= now - self._looked_at < _LOOK_EVERY_S:
            return
        self._looked_at = now
        with self._database.read() as connection:
            if not retention.is_due(connection, now):
                return
        self._errand.begin()

    def join(self) -> None:
        """Wait until what is under way is done."""
        self._errand.join()

    def _run(self) -> None:
        for each in retention.run(self._database, self._clock()):
            _log.info(
                "tournament %s: %d records and %d logs are thrown away by now",
                each.tournament,
                each.records,
                each.logs,
            )
