"""Delivers events beside the play."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

from erqiwang_runner.errand import Errand
from erqiwang_runner.errors import RunnerError, UnavailableError
from erqiwang_runner.sealed import VARIABLE
from erqiwang_runner.secret_file import SecretFile
from erqiwang_runner.store import webhooks
from erqiwang_runner.store.engine import Database
from erqiwang_runner.store.webhooks import Delivery, DeliveryState
from erqiwang_runner.webhook.post import LIMIT_S, DeliveryError, post, sign

_log = logging.getLogger("erqiwang.webhook")

USER_AGENT: Final = "erqiwang-webhook/1"


class Courier:
    """Sends what is due, so that an address that hangs holds nothing up; two couriers do no harm."""

    def __init__(
        self,
        database: Database,
        secrets: SecretFile | None,
        *,
        clock: Callable[[], float] = time.time,
        limit_s: float = LIMIT_S,
    ) -> None:
        self._database = database
        self._secrets = secrets
        self._clock = clock
        self._limit_s = limit_s
        self._errand = Errand("webhooks", self._deliver_all)

    def look(self) -> None:
        """Begin to send if something is due and nothing is being sent."""
        if self._errand.is_under_way:
            return
        with self._database.read() as connection:
            if not webhooks.due(connection, self._clock()):
                return
        self._errand.begin()

    def join(self) -> None:
        """Wait until what is being sent is sent."""
        self._errand.join()

    def deliver(self) -> int:
        """Send what is due now, an address that fails once only; gives how many events arrived."""
        with self._database.read() as connection:
            found = webhooks.due(connection, self._clock())
        arrived, silent = 0, set[int]()
        for each in found:
            # The others of this address wait for the next time: it may hang again.
            if each.webhook_id not in silent and self._claim(each):
                if self._send(each):
                    arrived += 1
                else:
                    silent.add(each.webhook_id)
        return arrived

    def _deliver_all(self) -> None:
        while self.deliver():
            pass

    def _claim(self, delivery: Delivery) -> bool:
        with self._database.write() as connection:
            return webhooks.claim(connection, delivery, self._clock())

    def _send(self, delivery: Delivery) -> bool:
        try:
            send(delivery, secret_of(self._secrets, delivery.secret_name), self._clock(), self._limit_s)
        except (DeliveryError, RunnerError) as error:
            with self._database.write() as connection:
                state = webhooks.failed(connection, delivery, str(error), self._clock())
            level = logging.ERROR if state is DeliveryState.FAILED else logging.WARNING
            _log.log(level, "%s did not reach %s (%s): %s", delivery.kind, delivery.url, state.value, error)
            return False
        with self._database.write() as connection:
            webhooks.delivered(connection, delivery, self._clock())
        return True


def send(delivery: Delivery, secret: str, now: float, limit_s: float = LIMIT_S) -> int:
    """Send an event; gives the status of the answer. Raises DeliveryError if it did not arrive."""
    body = delivery.body.encode()
    headers = {
        "User-Agent": USER_AGENT,
        "Erqi-Event": delivery.kind,
        "Erqi-Event-Id": delivery.event_id,
        "Erqi-Signature": sign(secret, int(now), body),
    }
    return post(delivery.url, body, headers, limit_s)


def secret_of(secrets: SecretFile | None, name: str) -> str:
    """Look up the secret of a webhook, 64 hexadecimal digits; raises DeliveryError where it is not kept."""
    if secrets is None:
        raise DeliveryError("this coordinator has no data directory, where the secret would be")
    try:
        return secrets.get(name).hex()
    except UnavailableError:
        raise DeliveryError(
            f"its secret is not in {secrets.path}, or is sealed with another key than {VARIABLE}"
        ) from None
