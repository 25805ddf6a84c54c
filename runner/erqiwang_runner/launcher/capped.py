"""Text of unknown length, of which the beginning and the end are kept."""

from typing import Final

HEAD_BYTES: Final = 4096
TAIL_BYTES: Final = 4096


class HeadAndTail:
    """Takes any amount of bytes and keeps the first and the last few thousand."""

    def __init__(self) -> None:
        self._head = b""
        self._tail = b""
        self._dropped = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        tail = self._tail + data[room:]
        keep = tail[-TAIL_BYTES:]
        self._dropped += len(tail) - len(keep)
        self._tail = keep

    def text(self) -> str:
        """Give what was kept, with a note of what was not."""
        gap = f"\n... {self._dropped} bytes left out ...\n".encode() if self._dropped else b""
        return (self._head + gap + self._tail).decode(errors="replace")
