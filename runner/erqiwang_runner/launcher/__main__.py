"""The launcher process: `python -m erqiwang_runner.launcher DIRECTORY`."""

import os
import selectors
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Final

from erqiwang_runner.launcher.child import Child
from erqiwang_runner.launcher.death_signal import adopt_orphans, die_with_parent
from erqiwang_runner.launcher.process_tree import descendants, kill_all, out_of_memory_kills
from erqiwang_runner.launcher.protocol import (
    Announced,
    PlayersStopped,
    Report,
    Start,
    Started,
    StartFailed,
    StopPlayers,
    decode,
    encode,
)

_READ_BYTES: Final = 65536
_KILL_PATIENCE_S: Final = 10.0


class Launcher:
    """The loop over orders, deaths and outputs."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._children: dict[int, Child] = {}
        self._oom_kills = out_of_memory_kills()
        self._orders = b""
        self._closing = False
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ)
        self._wakeup = _wakeup_pipe()
        self._selector.register(self._wakeup, selectors.EVENT_READ)

    def run(self) -> None:
        """Serve until the input closes, then leave nothing behind."""
        while not self._closing:
            self._turn(timeout=None)
        kill_all(descendants(os.getpid()))
        for child in self._children.values():
            child.kill()
        self._outlast(lambda: not descendants(os.getpid()), spare_announcers=False)
        shutil.rmtree(self._directory, ignore_errors=True)

    def close(self, *_: object) -> None:
        """Stop serving; a signal handler."""
        self._closing = True

    def _turn(self, timeout: float | None) -> None:
        for key, _ in self._selector.select(timeout):
            if key.fd == 0:
                self._take_orders()
            elif key.fd == self._wakeup:
                with suppress(BlockingIOError):
                    os.read(self._wakeup, _READ_BYTES)
            else:
                self._take_output(key.data, key.fd)
        self._reap()

    def _take_orders(self) -> None:
        data = os.read(0, _READ_BYTES)
        if not data:
            self._closing = True
        *lines, self._orders = (self._orders + data).split(b"\n")
        for line in lines:
            order = decode(line)
            if isinstance(order, Start):
                self._start(order)
            elif isinstance(order, StopPlayers):
                self._stop_players(order.grace_s)

    def _start(self, order: Start) -> None:
        try:
            child = Child(order, self._directory)
        except (OSError, ValueError) as error:
            self._report(StartFailed(order.id, f"{' '.join(order.argv)}: {error}"))
            return
        self._children[child.pid] = child
        for fd in (child.stderr_fd, child.stdout_fd):
            if fd is not None:
                self._selector.register(fd, selectors.EVENT_READ, child)
        self._report(Started(child.id, child.pid))

    def _stop_players(self, grace_s: float) -> None:
        """Wait a moment for the players, then kill until nothing but announcers is left below us."""
        players = [child for child in self._children.values() if not child.announces]
        deadline = time.monotonic() + grace_s
        while (left := deadline - time.monotonic()) > 0 and any(
            child.pid in self._children for child in players
        ):
            self._turn(timeout=left)
        for child in players:
            child.stopping = True
        self._outlast(lambda: not self._doomed(), spare_announcers=True)
        self._report(PlayersStopped(survivors=len(self._doomed())))

    def _outlast(self, is_done: Callable[[], bool], *, spare_announcers: bool) -> None:
        deadline = time.monotonic() + _KILL_PATIENCE_S
        while not is_done() and time.monotonic() < deadline:
            kill_all(self._doomed() if spare_announcers else descendants(os.getpid()))
            self._reap()
            # A death wakes us; the timeout covers processes that are still being taken apart.
            self._drain_wakeup(0.01)
            self._reap()

    def _drain_wakeup(self, timeout: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self._wakeup, selectors.EVENT_READ)
            if selector.select(timeout):
                os.read(self._wakeup, _READ_BYTES)

    def _doomed(self) -> list[int]:
        spared = {pid for pid, child in self._children.items() if child.announces}
        return descendants(os.getpid(), without=spared)

    def _take_output(self, child: Child, fd: int) -> None:
        try:
            data = os.read(fd, _READ_BYTES)
        except BlockingIOError:
            return
        if not data:
            self._selector.unregister(fd)
        elif fd == child.stderr_fd:
            child.stderr.add(data)
        else:
            *lines, child.stdout_rest = (child.stdout_rest + data).split(b"\n")
            for line in lines:
                self._report(Announced(child.id, line.decode(errors="replace")))

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            # Others are orphans of players, adopted.
            if (child := self._children.pop(pid, None)) is not None:
                self._settle(child, status)

    def _settle(self, child: Child, status: int) -> None:
        for fd in (child.stderr_fd, child.stdout_fd):
            if fd is not None:
                self._drain(child, fd)
        kills = out_of_memory_kills()
        self._report(child.bury(status, out_of_memory=kills > self._oom_kills))
        self._oom_kills = kills

    def _drain(self, child: Child, fd: int) -> None:
        """Read what a dead process left in a pipe, but not for ever: its orphans may go on writing."""
        for _ in range(4):
            if fd not in self._selector.get_map():
                return
            self._take_output(child, fd)
        self._selector.unregister(fd)

    def _report(self, report: Report) -> None:
        try:
            _write_all(encode(report))
        except BrokenPipeError:
            self._closing = True


def _write_all(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _wakeup_pipe() -> int:
    """Give a descriptor that becomes readable when a child dies."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    # Python's own handler must exist, or no byte is written.
    signal.signal(signal.SIGCHLD, _wake)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _wake(_number: int, _frame: FrameType | None) -> None:
    pass


def main() -> None:
    """Tie this process to its parent and serve."""
    directory = Path(sys.argv[1])
    parent = int(sys.argv[2])
    adopt_orphans()
    # The worker ends us by closing our input: a terminal's Ctrl-C is none of our business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    directory.mkdir(mode=0o700)
    launcher = Launcher(directory)
    signal.signal(signal.SIGTERM, launcher.close)
    die_with_parent(parent, signal.SIGTERM)
    launcher.run()


if __name__ == "__main__":
    main()
