"""Playing a tournament that stands in the store to its end, and watching it."""

from pathlib import Path

from rich.console import Console

from erqiwang_runner.cli.platform import log_to
from erqiwang_runner.cli.watching import watch
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.referee_address import check
from erqiwang_runner.run_lock import AlreadyRunningError, is_running
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import tournaments
from erqiwang_runner.store.engine import Database
from erqiwang_runner.supervisor import Interrupted, Supervisor, raise_on_signals, wait_a_moment
from erqiwang_runner.tournament_spec import NO_SANDBOX_NOTE


def play_to_the_end(
    settings: Settings, database: Database, name: str, workers: int, console: Console
) -> bool:
    """Play what is left of a tournament; False if that was interrupted, which is said then.

    Where a platform runs on the data directory already it does the work, and we watch.
    """
    raise_on_signals()
    with database.write() as connection:
        tournament = tournaments.find(connection, name)
        tournaments.start(connection, tournament.id)
    console.print(NO_SANDBOX_NOTE)
    try:
        try:
            with Supervisor(settings, workers) as platform:
                # The workers of this platform dial with what is set here.
                check(tournament.conditions.referee)
                log_to(settings, "coordinator")
                watch(database, name, platform, console)
        except AlreadyRunningError as error:
            console.print(f"{error}: watching it", highlight=False, soft_wrap=True)
            watch(database, name, _Elsewhere(settings.data), console)
    except Interrupted:
        console.print(_interrupted(database, name))
        return False
    return True


def _interrupted(database: Database, name: str) -> str:
    with database.read() as connection:
        progress = tournaments.progress(connection, tournaments.find(connection, name))
    safe = f"{progress.played} of {progress.planned} board sets are stored"
    return f"interrupted: {safe}; the same command continues"


class _Elsewhere:
    """A platform in another process, as long as it runs."""

    def __init__(self, data: Path) -> None:
        self._data = data

    def tick(self) -> None:
        if not is_running(self._data):
            raise UnavailableError("the platform that played it has stopped; the same command continues")
        wait_a_moment()
