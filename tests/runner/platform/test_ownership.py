from __future__ import annotations

import os
import stat
import subprocess
import sys
import time

import pytest

from erqiwang_runner import run_directory
from erqiwang_runner.liveness import is_dead, process_name
from erqiwang_runner.run_directory import RunDirectory
from erqiwang_runner.run_lock import AlreadyRunningError, RunLock, is_running, running_redis


@pytest.fixture(autouse=True)
def own_parent(tmp_path, monkeypatch):
    """Leave the run directories of others alone."""
    monkeypatch.setattr(run_directory, "_parent", lambda: tmp_path)
    return tmp_path


def directories(parent) -> list[str]:
    return sorted(path.name for path in parent.glob("erqi-run-*"))


def test_a_process_is_known_to_be_dead_only_when_it_is():
    sleeper = subprocess.Popen(["sleep", "60"])
    name = process_name(sleeper.pid)
    assert not is_dead(name)
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert is_dead(name), "a zombie has no future"
    sleeper.wait()
    assert is_dead(name)
    assert not is_dead(process_name())


def test_a_number_that_was_given_out_again_is_another_process():
    host, pid, start = process_name().rsplit("/", 2)
    assert is_dead(f"{host}/{pid}/{int(start) - 1}")


def test_nothing_is_known_of_other_hosts():
    host, pid, start = process_name().rsplit("/", 2)
    assert not is_dead(f"elsewhere{host}/{pid}/{int(start) - 1}")


def test_a_run_directory_is_private_and_goes(own_parent):
    directory = RunDirectory()
    assert stat.S_IMODE(directory.path.stat().st_mode) == 0o700
    directory.close()
    assert directories(own_parent) == []


def test_the_directory_of_a_living_owner_stays(own_parent):
    first, second = RunDirectory(), RunDirectory()
    assert len(directories(own_parent)) == 2
    first.close()
    second.close()


def test_the_directory_of_a_killed_owner_is_removed_by_the_next(own_parent):
    code = (
        "import os, pathlib, sys\n"
        "from erqiwang_runner import run_directory\n"
        "run_directory._parent = lambda: pathlib.Path(sys.argv[1])\n"
        "run_directory.RunDirectory()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(own_parent)])
    assert len(directories(own_parent)) == 1
    RunDirectory().close()
    assert directories(own_parent) == []


def test_a_directory_without_a_lock_is_not_ours(own_parent):
    (own_parent / "erqi-run-of-somebody").mkdir()
    run_directory.remove_stale()
    assert directories(own_parent) == ["erqi-run-of-somebody"]


def test_an_owner_that_died_before_it_could_lock_is_cleaned_up_later(own_parent):
    early = own_parent / "erqi-run-early"
    early.mkdir()
    (early / ".owner.new").touch()
    run_directory.remove_stale()
    assert directories(own_parent) == ["erqi-run-early"]
    long_ago = time.time() - 3600
    os.utime(early, (long_ago, long_ago))
    run_directory.remove_stale()
    assert directories(own_parent) == []


def test_a_data_directory_has_one_owner(tmp_path):
    lock = RunLock(tmp_path)
    with pytest.raises(AlreadyRunningError, match=f"process {os.getpid()} runs the platform"):
        RunLock(tmp_path)
    lock.release()
    RunLock(tmp_path).release()


def test_others_find_the_redis_of_a_living_owner_only(tmp_path):
    assert running_redis(tmp_path) is None
    lock = RunLock(tmp_path)
    lock.announce_redis("redis+socket:///x")
    assert running_redis(tmp_path) == "redis+socket:///x"
    lock.release()
    assert running_redis(tmp_path) is None


def test_the_redis_of_a_killed_owner_is_not_found(tmp_path):
    code = (
        "import os, pathlib, sys\n"
        "from erqiwang_runner.run_lock import RunLock\n"
        "RunLock(pathlib.Path(sys.argv[1])).announce_redis('redis://gone')\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)])
    assert (tmp_path / "redis.json").exists()
    assert running_redis(tmp_path) is None
    RunLock(tmp_path).release()
    assert not (tmp_path / "redis.json").exists()


def test_a_running_platform_is_seen_by_others(tmp_path):
    assert not is_running(tmp_path)
    lock = RunLock(tmp_path)
    assert is_running(tmp_path)
    lock.release()
    assert not is_running(tmp_path)
