"""Worker processes that play matches side by side."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Final

from erqiwang_runner.errors import RunnerError
from erqiwang_runner.local.interruption import uninterrupted
from erqiwang_runner.local.pool_messages import MatchFailed, MatchPlayed, PoolMessage
from erqiwang_runner.match_claim import MatchClaim
from erqiwang_runner.run_directory import RunDirectory

_END_PATIENCE_S: Final = 15.0


class WorkerLost(RunnerError):
    """A worker process died."""


class LocalPool:
    """Some worker processes, for a `with` block: at its end nothing of them or of their players is left.

    `submit` claims, then `receive` what becomes of them. The processes start with the first claim. Each has a
    referee of its own.
    """

    def __init__(self, workers: int) -> None:
        self._size = workers
        self._directory = RunDirectory()
        self._workers: list[_Worker] = []
        self._waiting: deque[MatchClaim] = deque()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to wait for."""
        return not self._waiting and not any(worker.is_busy for worker in self._workers)

    @property
    def has_room(self) -> bool:
        """Whether a worker would begin at once with the next claim."""
        busy = sum(worker.is_busy for worker in self._workers)
        return busy + len(self._waiting) < self._size

    def submit(self, claim: MatchClaim) -> None:
        """Have a match played, when its turn comes."""
        self._waiting.append(claim)
        self._assign()

    def receive(self, timeout_s: float | None = None) -> tuple[PoolMessage, ...]:
        """Wait for news; nothing if the time is over or nothing is to be waited for. Raises WorkerLost."""
        busy = {worker.pipe: worker for worker in self._workers if worker.is_busy}
        ready = wait(list(busy), timeout_s) if busy else ()
        news = tuple(busy[pipe].receive() for pipe in ready if isinstance(pipe, Connection))
        self._assign()
        return news

    def close(self) -> None:
        """End all processes and wait until they are gone."""
        with uninterrupted():
            for worker in self._workers:
                worker.ask_to_end()
            for worker in self._workers:
                worker.end()
            self._workers.clear()
            self._directory.close()

    def __enter__(self) -> LocalPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _assign(self) -> None:
        for worker in self._free_workers():
            if self._waiting:
                worker.play(self._waiting.popleft())

    def _free_workers(self) -> Iterable[_Worker]:
        yield from [worker for worker in self._workers if not worker.is_busy]
        while self._waiting and len(self._workers) < self._size:
            self._workers.append(_Worker(len(self._workers), self._directory))
            yield self._workers[-1]


class _Worker:
    """The pool's end of one worker process."""

    def __init__(self, number: int, directory: RunDirectory) -> None:
        home = directory.path / str(number)
        home.mkdir(mode=0o700)
        self.is_busy = False
        pipe, theirs = multiprocessing.Pipe()
        self.pipe: Connection[MatchClaim, PoolMessage] = pipe
        arguments = (str(theirs.fileno()), str(home), str(os.getpid()))
        self._process = subprocess.Popen(
            [sys.executable, "-m", "erqiwang_runner.local.pool_worker", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()

    def play(self, claim: MatchClaim) -> None:
        self.is_busy = True
        try:
            self.pipe.send(claim)
        except BrokenPipeError:
            raise self._lost() from None

    def receive(self) -> PoolMessage:
        try:
            message = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise self._lost() from None
        self.is_busy = not isinstance(message, MatchPlayed | MatchFailed)
        return message

    def ask_to_end(self) -> None:
        self.pipe.close()
        self._process.terminate()

    def end(self) -> None:
        try:
            self._process.wait(_END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _lost(self) -> WorkerLost:
        return WorkerLost(f"a worker process died (exit code {self._process.wait()})")
