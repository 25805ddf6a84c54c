from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from erqiwang_runner.launcher.capped import HEAD_BYTES, TAIL_BYTES, HeadAndTail
from erqiwang_runner.launcher.client import LauncherClient, LauncherLost
from erqiwang_runner.launcher.protocol import (
    Announced,
    Exited,
    PlayersStopped,
    Start,
    Started,
    StartFailed,
    StopPlayers,
    decode,
    encode,
)

PATIENCE_S = 60
ENVIRONMENT = {"PATH": os.environ["PATH"]}


class Desk:
    """A launcher with its reports in a queue."""

    def __init__(self, directory: Path) -> None:
        self.reports: queue.SimpleQueue = queue.SimpleQueue()
        self.launcher = LauncherClient(directory, self.reports.put)

    def start(self, name: str, *argv: str, **more) -> Started | StartFailed:
        self.launcher.start(Start(name, argv, {**ENVIRONMENT, **more.pop("environment", {})}, **more))
        return self.report(Started | StartFailed)

    def python(self, name: str, code: str, **more) -> Started | StartFailed:
        return self.start(name, sys.executable, "-c", code, **more)

    def report(self, kind):
        while True:
            report = self.reports.get(timeout=PATIENCE_S)
            if isinstance(report, kind):
                return report


@pytest.fixture
def desk():
    parent = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    desk = Desk(parent / "launcher")
    yield desk
    desk.launcher.close()
    parent.rmdir()  # the launcher removed its own directory


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until_dead(*pids: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while any(is_alive(pid) for pid in pids):
        assert time.monotonic() < deadline, f"still alive: {[pid for pid in pids if is_alive(pid)]}"
        time.sleep(0.01)


def test_an_exit_is_reported_with_code_and_last_words(desk):
    desk.python("a", "import sys; print('boom', file=sys.stderr); sys.exit(3)")
    assert desk.report(Exited) == Exited("a", 3, None, by_us=False, out_of_memory=False, stderr="boom\n")


def test_a_signal_is_reported_as_a_signal(desk):
    desk.python("a", "import os; os.kill(os.getpid(), 11)")
    exited = desk.report(Exited)
    assert (exited.code, exited.signal, exited.by_us) == (None, 11, False)


def test_a_command_that_does_not_exist_is_reported_with_its_text(desk):
    failed = desk.start("a", "/no/such/bot", "--fast")
    assert isinstance(failed, StartFailed)
    assert failed.reason.startswith("/no/such/bot --fast: ")


def test_a_player_has_a_clean_environment_and_a_private_directory(desk):
    os.environ["ERQI_CANARY"] = "secret"
    desk.python(
        "a",
        "import os, sys, stat; h = os.environ['HOME']; print(sorted(os.environ), os.getcwd() == h, "
        "oct(stat.S_IMODE(os.stat(h).st_mode)), os.getpid() == os.getsid(0), file=sys.stderr)",
        environment={"ERQI_TOKEN": "t", "LC_CTYPE": "C"},
    )
    said = desk.report(Exited).stderr.split("]")
    assert said[0] == "['ERQI_TOKEN', 'HOME', 'LC_CTYPE', 'PATH', 'TMPDIR'"
    assert said[1].split() == ["True", "0o700", "True"]
    assert list(desk.launcher.directory.iterdir()) == []


def test_limits_hold(desk):
    desk.python(
        "a",
        "import resource as r, sys; print(r.getrlimit(r.RLIMIT_CORE), r.getrlimit(r.RLIMIT_NOFILE), "
        "r.getrlimit(r.RLIMIT_FSIZE), file=sys.stderr)",
        open_files=64,
        file_bytes=4096,
    )
    assert desk.report(Exited).stderr == "(0, 0) (64, 64) (4096, 4096)\n"


def test_a_flood_of_output_is_capped_and_keeps_both_ends(desk):
    desk.python(
        "a", "import sys; sys.stderr.write('first' + 'x' * 3_000_000); print('y' * 1_000_000 + 'last')"
    )
    said = desk.report(Exited).stderr
    assert said.startswith("firstx"), "what is logged"
    assert said.endswith("ylast\n"), "what is printed"
    assert len(said) < HEAD_BYTES + TAIL_BYTES + 100


def test_stopping_ends_players_with_everything_they_left_behind(desk):
    code = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        print(os.getpid(), file=sys.stderr, flush=True)\n"
        "        time.sleep(1000)\n"
        "    os._exit(0)\n"
        "os.wait(); sys.exit(0)\n"
    )
    desk.python("a", code)
    detached = int(desk.report(Exited).stderr)
    assert is_alive(detached)
    player = desk.python("b", "import time; time.sleep(1000)")
    referee = desk.start("r", "cat", announces=True)
    desk.launcher.stop_players()
    assert desk.report(Exited) == Exited("b", None, 9, by_us=True, out_of_memory=False, stderr="")
    assert desk.report(PlayersStopped) == PlayersStopped(0)
    assert not is_alive(detached)
    assert not is_alive(player.pid)
    assert is_alive(referee.pid)


def test_stopping_gives_players_a_moment_to_go_by_themselves(desk):
    desk.start("a", "sleep", "0.05")
    desk.launcher.stop_players(grace_s=PATIENCE_S)
    assert desk.report(Exited).code == 0
    assert desk.report(PlayersStopped) == PlayersStopped(0)


def test_a_bot_that_forks_is_ended_with_all_its_children(desk):
    desk.python("a", "import os, time\nfor _ in range(6):\n    os.fork()\ntime.sleep(1000)")
    desk.launcher.stop_players()
    assert desk.report(PlayersStopped) == PlayersStopped(0)


def test_what_a_referee_announces_is_passed_on(desk):
    desk.python("r", "print('ready unix:/x', flush=True); input()", announces=True)
    assert desk.report(Announced) == Announced("r", "ready unix:/x")


def test_closing_ends_everything(desk):
    pids = [desk.start(name, "sleep", "1000").pid for name in "ab"]
    pids.append(desk.start("r", "cat", announces=True).pid)
    desk.launcher.close()
    assert [is_alive(pid) for pid in pids] == [False] * 3
    assert desk.report(LauncherLost)


def test_a_killed_worker_leaves_nothing(tmp_path):
    """The launcher's owner dies by SIGKILL: launcher, players, detached children and directories go."""
    directory = Path(tempfile.mkdtemp(prefix="erqi-test-"))
    code = f"""
import queue, os
from pathlib import Path
from erqiwang_runner.launcher.client import LauncherClient
from erqiwang_runner.launcher.protocol import Start
inbox = queue.SimpleQueue()
client = LauncherClient(Path({str(directory / "launcher")!r}), inbox.put)
client.start(Start("a", ("sh", "-c", "setsid sleep 1000 & sleep 1000"), {ENVIRONMENT!r}))
print(client.pid, inbox.get().pid, flush=True)
inbox.get()
"""
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    launcher, player = map(int, owner.stdout.readline().split())
    os.kill(owner.pid, signal.SIGKILL)
    owner.wait()
    owner.stdout.close()
    wait_until_dead(launcher, player)
    assert not (directory / "launcher").exists()
    directory.rmdir()


def test_a_killed_launcher_takes_its_players_along(desk):
    player = desk.start("a", "sleep", "1000")
    os.kill(desk.launcher.pid, signal.SIGKILL)
    assert desk.report(LauncherLost)
    wait_until_dead(player.pid)
    (desk.launcher.directory / "a").rmdir()
    desk.launcher.directory.rmdir()
    assert not desk.launcher.is_alive


@pytest.mark.parametrize(
    "message",
    [
        Start("a", ("x", "y"), {"A": "b"}, announces=True, open_files=3),
        StopPlayers(0.5),
        Started("a", 7),
        StartFailed("a", "why"),
        Announced("a", "线"),
        Exited("a", None, 9, by_us=True, out_of_memory=False, stderr="\n"),
        PlayersStopped(0),
    ],
    ids=lambda each: type(each).__name__,
)
def test_messages_survive_the_pipe(message):
    line = encode(message)
    assert line.count(b"\n") == 1
    assert decode(line) == message


def test_short_output_is_kept_whole():
    text = HeadAndTail()
    for part in ("ab", "cd"):
        text.add(part.encode())
    assert text.text() == "abcd"


def test_the_launcher_imports_neither_grpc_nor_the_store():
    code = (
        "import sys, erqiwang_runner.launcher.__main__\n"
        "print(sorted({'grpc', 'sqlalchemy', 'celery', 'google.protobuf'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
