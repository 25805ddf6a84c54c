"""The processes below this one, as Linux tells them."""

import os
import signal
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Final

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36


def descendants(of: int, without: Collection[int] = ()) -> list[int]:
    """List every process below one, leaving out those in `without` and what is below them."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for entry in os.listdir("/proc"):
        if entry.isdecimal():
            with suppress(OSError, IndexError):
                stat = Path("/proc", entry, "stat").read_text()
                # After the program's name in brackets, which may hold anything, come state and parent.
                children[int(stat.rpartition(")")[2].split()[1])].append(int(entry))
    found: list[int] = []
    waiting = [of]
    while waiting:
        for child in children[waiting.pop()]:
            if child not in without:
                found.append(child)
                waiting.append(child)
    return found


def kill_all(pids: Collection[int]) -> None:
    """Kill processes that are known to be ours; all are stopped first, so that none can fork in between."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)


def out_of_memory_kills() -> int:
    """Count how often this host killed a process for want of memory."""
    with suppress(OSError):
        for line in Path("/proc/vmstat").read_text().splitlines():
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0
