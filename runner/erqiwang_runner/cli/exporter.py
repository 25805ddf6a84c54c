"""`erqi exporter`: metrics of the runner for Prometheus."""

import signal
from contextlib import closing
from pathlib import Path
from threading import Event, Lock

from prometheus_client import CollectorRegistry, start_http_server

from erqiwang_runner.broker import RedisBroker
from erqiwang_runner.errors import UnavailableError
from erqiwang_runner.exit_codes import ExitCode
from erqiwang_runner.exporter import register
from erqiwang_runner.run_lock import running_redis
from erqiwang_runner.settings import Settings
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.figures import SqlFigures
from erqiwang_runner.store.migrate import upgrade


class RunningQueue:
    """The queue of whatever platform runs at the moment: a private Redis moves with every start."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._url = ""
        self._broker: RedisBroker | None = None
        self._lock = Lock()

    def length(self) -> int:
        """Count the matches that no worker has taken yet."""
        url = self._settings.redis_url or running_redis(self._settings.data)
        if url is None:
            raise ConnectionError("no platform runs on this data directory, and ERQI_REDIS_URL is not set")
        with self._lock:
            if self._broker is None or url != self._url:
                self.close()
                self._broker, self._url = RedisBroker(url), url
            return self._broker.length()

    def close(self) -> None:
        """Close the connection."""
        if self._broker is not None:
            self._broker.close()
            self._broker = None


def run_exporter(data: Path | None, host: str, port: int) -> ExitCode:
    """Serve metrics until SIGINT or SIGTERM; port 0 takes a free one, which is printed."""
    settings = Settings.from_environment(data)
    stopped = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: stopped.set())
    with closing(Database(settings.database_url)) as database, closing(RunningQueue(settings)) as queue:
        upgrade(database)
        registry = CollectorRegistry()
        register(registry, SqlFigures(database), queue)
        try:
            server, thread = start_http_server(port, host, registry=registry)
        except OSError as error:
            raise UnavailableError(f"cannot serve metrics on {host}:{port}: {error.strerror}") from None
        print(f"metrics: http://{host}:{server.server_port}/metrics", flush=True)
        stopped.wait()
        server.shutdown()
        server.server_close()
        thread.join()
    return ExitCode.YES
