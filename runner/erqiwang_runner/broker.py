"""The queue as the coordinator sees it: matches go in; how many wait can be asked; it may be emptied."""

from dataclasses import dataclass
from typing import Final, Protocol

import redis
from kombu.exceptions import OperationalError
from redis.backoff import NoBackoff
from redis.retry import Retry

from erqiwang_runner.celery_app import PLAY_MATCH, QUEUE, make_app

_MARK: Final = "erqi:mark"
_TIMEOUT_S: Final = 5.0


class BrokerDown(Exception):
    """The broker does not answer; it may later."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a task may run: after `soft_s` it is asked to end, after `hard_s` its process is killed."""

    soft_s: float
    hard_s: float


class Broker(Protocol):
    """What the coordinator needs of a queue."""

    def enqueue(self, match_id: int, limits: TimeLimits) -> None:
        """Put a match into the queue; raises BrokerDown."""
        ...

    def length(self) -> int:
        """Count the matches that no worker has taken yet; raises BrokerDown."""
        ...

    def was_emptied(self) -> bool:
        """Tell, once, that the queue lost everything since the last question; raises BrokerDown."""
        ...


class RedisBroker:
    """The queue of Celery in Redis."""

    def __init__(self, url: str) -> None:
        self._app = make_app(url)
        self._redis = _redis_client(url)

    def enqueue(self, match_id: int, limits: TimeLimits) -> None:
        """Put a match into the queue."""
        try:
            self._app.send_task(
                PLAY_MATCH,
                args=[match_id],
                soft_time_limit=limits.soft_s,
                time_limit=limits.hard_s,
                retry=False,
            )
        except (OperationalError, redis.RedisError, OSError) as error:
            raise BrokerDown(str(error)) from error

    def length(self) -> int:
        """Count the matches that no worker has taken yet."""
        try:
            return self._redis.llen(QUEUE)
        except redis.RedisError as error:
            raise BrokerDown(str(error)) from error

    def was_emptied(self) -> bool:
        """Tell, once, that the queue lost everything: then our mark is gone, too."""
        try:
            return bool(self._redis.set(_MARK, "1", nx=True))
        except redis.RedisError as error:
            raise BrokerDown(str(error)) from error

    def check(self) -> None:
        """Ask for a sign of life; raises BrokerDown."""
        try:
            self._redis.ping()  # pyright: ignore[reportUnknownMemberType]  # it takes any keyword
        except (redis.RedisError, OSError, ValueError) as error:
            raise BrokerDown(str(error)) from error

    def close(self) -> None:
        """Close its connections."""
        self._app.close()
        self._redis.close()


def _redis_client(url: str) -> redis.Redis:
    return redis.Redis.from_url(  # pyright: ignore[reportUnknownMemberType]  # it takes any keyword
        url.replace("redis+socket://", "unix://"),
        socket_timeout=_TIMEOUT_S,
        socket_connect_timeout=_TIMEOUT_S,
        # The coordinator tries again by itself, and must not wait here.
        retry=Retry(NoBackoff(), 0),
    )
