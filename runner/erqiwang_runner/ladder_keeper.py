"""Keeps the ladders going: newcomers are validated, epochs opened and closed."""

import logging
from typing import Final

from erqiwang_runner.errors import RunnerError
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import admission, ladder_epochs, ladders
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.ladders import LadderRow, LadderState

_log: Final = logging.getLogger("erqiwang.ladders")


class LadderKeeper:
    """Looks after every ladder; the trouble of one is said once and holds no other up."""

    def __init__(self, database: Database, secrets: SecretFile | None) -> None:
        self._database = database
        self._secrets = secrets
        self._troubles: dict[str, str] = {}

    def step(self, now: float) -> None:
        """Do what is due at `now`, in seconds since 1970."""
        with self._database.read() as connection:
            found = ladders.every(connection)
        for ladder in found:
            if ladder.state not in (LadderState.CLOSED, LadderState.PAUSED):
                self._tend(ladder, now)

    def _tend(self, ladder: LadderRow, now: float) -> None:
        try:
            news = admission.admit(self._database, ladder, now)
            news += ladder_epochs.tend(self._database, ladder, now, self._secrets)
        except RunnerError as error:
            if self._troubles.get(ladder.name) != str(error):
                _log.warning("ladder %s: %s", ladder.name, error)
            self._troubles[ladder.name] = str(error)
            return
        self._troubles.pop(ladder.name, None)
        for line in news:
            _log.info("ladder %s: %s", ladder.name, line)
