"""The Celery application: a queue of matches, nothing else.

Celery brings no types; the untyped edge is this module and `tasks`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeVar

from celery import Celery  # pyright: ignore[reportMissingTypeStubs]

from erqiwang_runner.clocks import VISIBILITY_S
from erqiwang_runner.settings import Settings

QUEUE: Final = "erqi.matches"
PLAY_MATCH: Final = "erqiwang.play_match"

SOFT_SHUTDOWN_S: Final = 2.0


_Task = TypeVar("_Task", bound=Callable[..., None])


class QueueApp(Protocol):
    """What we use of a Celery application."""

    def task(self, *, name: str) -> Callable[[_Task], _Task]:
        """Register a task."""
        ...

    def send_task(
        self, name: str, args: Sequence[int], *, soft_time_limit: float, time_limit: float, retry: bool
    ) -> object:
        """Put a task into the queue."""
        ...

    def worker_main(self, argv: list[str]) -> None:
        """Run a worker until it is told to stop."""
        ...

    def close(self) -> None:
        """Close every connection."""
        ...


def make_app(broker_url: str, visibility_s: int = VISIBILITY_S) -> QueueApp:
    """Make an application for a broker, which gives a message to others after `visibility_s`."""
    app: Any = Celery("erqiwang", broker=broker_url, include=["erqiwang_runner.tasks"])
    app.conf.update(
        accept_content=["json"],
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            "visibility_timeout": visibility_s,
            # What a killed worker held comes back at once instead of after about 100 seconds.
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "socket_connect_timeout": 5,
        },
        result_backend=None,
        task_acks_late=True,
        task_default_queue=QUEUE,
        task_ignore_result=True,
        task_reject_on_worker_lost=True,
        task_serializer="json",
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_hijack_root_logger=False,
        worker_prefetch_multiplier=1,
        worker_proc_alive_timeout=60,
        worker_soft_shutdown_timeout=SOFT_SHUTDOWN_S,
    )
    made: QueueApp = app
    return made


_SETTINGS: Final = Settings.from_environment()

app: Final[QueueApp] = make_app(_SETTINGS.redis_url or "redis://", _SETTINGS.visibility_s)
"""The application of a worker process, whose environment says where the broker is."""
