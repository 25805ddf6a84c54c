"""Work beside the steps of the coordinator, in a thread that lives while there is something to do."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Thread

_log = logging.getLogger("erqiwang.errand")


class Errand:
    """One kind of work, done once at a time. What fails is logged, and the play goes on."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        self._name = name
        self._work = work
        self._thread: Thread | None = None

    @property
    def is_under_way(self) -> bool:
        """Whether it is being done."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self) -> None:
        """Begin, unless it is being done."""
        if not self.is_under_way:
            # A daemon: it may be broken off at any moment, and the next coordinator begins anew.
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def join(self) -> None:
        """Wait until it is done."""
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        try:
            self._work()
        except Exception:
            _log.exception("%s failed", self._name)
