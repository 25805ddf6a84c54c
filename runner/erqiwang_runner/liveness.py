"""Whether a process that wrote its name somewhere still lives.

A process is named by its host, its number and the time of its start, so that a number that was given out
again is not taken for the old process. Death is told only where it can be proved: on the same host.
"""

import os
import socket
from pathlib import Path


def process_name(pid: int | None = None) -> str:
    """Name a running process of this host (by default this one) as `host/pid/start`."""
    number = os.getpid() if pid is None else pid
    return f"{_host()}/{number}/{_start_time(number)}"


def is_dead(name: str) -> bool:
    """Tell whether the process of this name is known to be gone."""
    host, _, rest = name.rpartition("/")
    host, _, pid = host.rpartition("/")
    return host == _host() and pid.isdecimal() and _start_time(int(pid)) != rest


def _host() -> str:
    boot = _read(Path("/proc/sys/kernel/random/boot_id")).strip()
    namespace = os.readlink("/proc/self/ns/pid")
    return f"{socket.gethostname()}/{boot}/{namespace}"


def _start_time(pid: int) -> str:
    stat = _read(Path(f"/proc/{pid}/stat"))
    # The second field is the program's name in brackets and may hold anything.
    fields = stat.rpartition(")")[2].split()
    # A zombie has no future: state Z or X counts as dead.
    return "" if not fields or fields[0] in "ZX" else fields[19]


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
