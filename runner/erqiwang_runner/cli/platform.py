"""`erqi up`, `worker`, `coordinator` and `db upgrade`."""

import logging
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from sqlalchemy.exc import OperationalError

from erqiwang_runner.broker import RedisBroker
from erqiwang_runner.coordinator import Coordinator
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.launcher.death_signal import adopt_orphans
from erqiwang_runner.liveness import process_name
from erqiwang_runner.run_directory import RunDirectory
from erqiwang_runner.run_lock import running_redis
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.settings import Settings
from erqiwang_runner.store import versions
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.migrate import upgrade
from erqiwang_runner.supervisor import (
    PATIENCE_S,
    TICK_S,
    Interrupted,
    Supervisor,
    raise_on_signals,
    uninterrupted,
)
from erqiwang_runner.tournament_spec import NO_SANDBOX_NOTE
from erqiwang_runner.workers import Workers, end_descendants

_DATABASE_PAUSE_S: Final = 2.0

_log = logging.getLogger("erqiwang.coordinator")


def run_up(data: Path | None, workers: int) -> ExitCode:
    """Run the whole platform until SIGINT or SIGTERM."""
    settings = Settings.from_environment(data)
    raise_on_signals()
    try:
        with Supervisor(settings, workers) as platform:
            log_to(settings, "coordinator")
            print(f"erqi: {workers} workers on {settings.data}; stop with Ctrl-C", flush=True)
            print(f"erqi: {NO_SANDBOX_NOTE}", flush=True)
            while True:
                platform.tick()
    except Interrupted:
        print("erqi: stopped")
        return ExitCode.YES


def run_workers(data: Path | None, count: int) -> ExitCode:
    """Run workers only, until SIGINT or SIGTERM."""
    settings = _with_redis(Settings.from_environment(data))
    with closing(Database(settings.database_url)) as database:
        versions.check(database)
    raise_on_signals()
    adopt_orphans()
    directory = RunDirectory()
    workers = Workers(replace(settings, run_directory=directory.path, run_id=process_name()), count)
    try:
        print(f"erqi: {count} workers; {NO_SANDBOX_NOTE}; stop with Ctrl-C", flush=True)
        while True:
            workers.start()
            time.sleep(TICK_S)
    except Interrupted:
        return ExitCode.YES
    finally:
        with uninterrupted():
            workers.stop(PATIENCE_S)
            end_descendants()
            directory.close()


def run_coordinator(data: Path | None, window: int) -> ExitCode:
    """Run a coordinator only, with `window` matches planned ahead, until SIGINT or SIGTERM."""
    settings = _with_redis(Settings.from_environment(data))
    assert settings.redis_url is not None
    log_to(settings, "coordinator")
    raise_on_signals()
    coordinator = Coordinator(
        Database(settings.database_url),
        RedisBroker(settings.redis_url),
        secrets=SecretFile.of(settings),
        window=window,
    )
    try:
        # What does not work at the beginning is an error of who started it, and said.
        coordinator.step()
        while True:
            time.sleep(TICK_S)
            _step(coordinator)
    except Interrupted:
        return ExitCode.YES


def _step(coordinator: Coordinator) -> None:
    """Let it do what is due. A database that restarts or fails over is waited for: nothing is in memory."""
    try:
        coordinator.step()
    except OperationalError as error:
        _log.warning("the database does not answer: %s", str(error.orig).partition("\n")[0])
        time.sleep(_DATABASE_PAUSE_S)


def run_upgrade(data: Path | None) -> ExitCode:
    """Bring the database to the newest schema."""
    database = Database(Settings.from_environment(data).database_url)
    upgrade(database)
    print("erqi: the database is up to date")
    return ExitCode.YES


def log_to(settings: Settings, name: str) -> None:
    """Send the log of this process to a file of the data directory."""
    logs = settings.data / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    # A log that cannot be written, as on a full disk, is no reason to write on the terminal.
    logging.raiseExceptions = False
    logging.basicConfig(
        filename=logs / f"{name}.log", level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s"
    )


def _with_redis(settings: Settings) -> Settings:
    url = settings.redis_url or running_redis(settings.data)
    if url is None:
        raise UnavailableError(f"no platform runs on {settings.data}: start `erqi up`, or set ERQI_REDIS_URL")
    return replace(settings, redis_url=url)
