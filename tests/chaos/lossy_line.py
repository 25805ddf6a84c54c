"""A line to a server that lets a request through and loses the answer, as networks do."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

CHUNK = 1 << 16


class LossyLine:
    """Listens on a port of this machine and carries bytes to a Unix socket and back.

    After `lose(word, reply, n)` each n-th request that holds `word` is carried, and once `reply` has come
    back from the server the line is cut: the client hears nothing of it.
    """

    def __init__(self, server: Path) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.lost = 0
        self._word, self._reply, self._every, self._seen = b"", b"", 0, 0
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._is_closed = False
        self._accepting = threading.Thread(target=self._accept)
        self._accepting.start()

    def lose(self, word: bytes, reply: bytes, every: int = 1) -> None:
        """Lose the reply to each `every`-th request with `word`; 0 to lose nothing."""
        with self._lock:
            self._word, self._reply, self._every, self._seen = word, reply, every, 0

    def close(self) -> None:
        """Cut every connection and listen no more."""
        self._is_closed = True
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._accepting.join()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                thread = threading.Thread(target=self._carry, args=(client,))
                self._threads.append(thread)
                thread.start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self._server))
            is_losing = False
            for source in self._readable(client, server):
                data = source.recv(CHUNK)
                if not data:
                    return
                if source is client:
                    is_losing = is_losing or self._is_due(data)
                    server.sendall(data)
                elif is_losing and self._reply in data:
                    self.lost += 1
                    return
                else:
                    client.sendall(data)

    def _readable(self, *ends: socket.socket) -> Iterator[socket.socket]:
        with selectors.DefaultSelector() as selector:
            for end in ends:
                selector.register(end, selectors.EVENT_READ, end)
            while not self._is_closed:
                for key, _ in selector.select(0.1):
                    yield key.data

    def _is_due(self, data: bytes) -> bool:
        with self._lock:
            if not self._every or self._word not in data:
                return False
            self._seen += 1
            return self._seen % self._every == 0
