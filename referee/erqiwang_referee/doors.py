"""Where players come in: a name of its own in the file system for each player, all of one listening socket.

A name is a hard link to the socket. It costs a system call and no descriptor, it can be bound into a sandbox
like a socket of its own, and once it is removed nobody comes in by it. Who comes in is decided by the token
alone.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from typing import Protocol


class Doors(Protocol):
    """Gives players their addresses."""

    def open(self, players: int) -> list[str]:
        """Give a gRPC target for each player."""
        ...

    def close(self, addresses: list[str]) -> None:
        """Make these addresses lead nowhere from now on."""
        ...


class LinkedDoors:
    """One name for each player in a private folder."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._numbers = count()

    def open(self, players: int) -> list[str]:
        """Link a new name for each player."""
        return [self._link() for _ in range(players)]

    def close(self, addresses: list[str]) -> None:
        """Remove the names."""
        for address in addresses:
            Path(address.removeprefix("unix:")).unlink(missing_ok=True)

    def _link(self) -> str:
        path = self._socket.with_name(f"p{next(self._numbers)}.sock")
        path.unlink(missing_ok=True)
        os.link(self._socket, path)
        return f"unix:{path}"


class SharedDoor:
    """One network address for everybody."""

    def __init__(self, address: str) -> None:
        self._address = address

    def open(self, players: int) -> list[str]:
        """Give every player the same address."""
        return [self._address] * players

    def close(self, addresses: list[str]) -> None:
        """Do nothing: the address stays."""
