"""What /proc says of processes, running or just gone."""

from __future__ import annotations

from pathlib import Path


def command(pid: int) -> str:
    return read(Path(f"/proc/{pid}/cmdline")).replace(b"\0", b" ").decode(errors="replace")


def parent_of(pid: int) -> int:
    fields = read(Path(f"/proc/{pid}/stat")).decode(errors="replace").rpartition(")")[2].split()
    return int(fields[1]) if fields else 0


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
