"""The gRPC servers of a referee process: sockets for its own machine, and what it offers to the network."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio

from erqiwang_referee.bot_service import BotService
from erqiwang_referee.doors import Doors, LinkedDoors, SharedDoor
from erqiwang_referee.errors import SettingsError
from erqiwang_referee.health import Health
from erqiwang_referee.join_rate import JoinRate
from erqiwang_referee.match_service import MatchService
from erqiwang_referee.runner_guard import RunnerGuard
from erqiwang_referee.settings import Limits, Network, Settings

BOTS = "erqiwang.v1.BotService"
MATCHES = "erqiwang.v1.MatchService"
_GRPC_MESSAGE_MAX = 4_194_304
"""Above the referee's own limit, so that a long message is a fault of its player and not a broken stream."""
_SPEC_MAX = 64 << 20
"""The longest message of a runner that comes from the network."""
_CHECKS_MAX = 64
"""Calls of the health service and of reflection beside the matches of a server."""
_CLOSE_S = 3.0


@dataclass(frozen=True, slots=True)
class Services:
    """What is served."""

    bots: BotService
    matches: MatchService
    health: Health


class Servers:
    """All servers; `ready` says where they listen. Raises `SettingsError` if one of them cannot."""

    def __init__(self, settings: Settings, services: Services) -> None:
        self._settings = settings
        self._services = services
        self._servers: list[grpc.aio.Server] = []
        self.socket = settings.socket_dir / "bots.sock"
        self._bind_sockets()
        self.ready = f"ready unix:{settings.socket_dir / 'match.sock'}"
        if settings.network.is_open:
            self._bind_network(settings.network)

    async def start(self) -> None:
        """Begin to serve. Bots of other users may connect: their socket is open to all, its folder is not."""
        for server in self._servers:
            await server.start()
        self.socket.chmod(0o666)

    async def stop(self) -> None:
        """End every stream."""
        for server in reversed(self._servers):
            await server.stop(_CLOSE_S)

    def _bind_sockets(self) -> None:
        limits, services = self._settings.limits, self._services
        bots = self._server(_player_options(limits), limits.streams, BOTS)
        bots.add_generic_rpc_handlers((services.bots.handler(),))
        _listen(bots, f"unix:{self.socket}", None)
        matches = self._server(_runner_options(-1), limits.matches, MATCHES)
        matches.add_generic_rpc_handlers((services.matches.handler(LinkedDoors(self.socket)),))
        _listen(matches, f"unix:{self._settings.socket_dir / 'match.sock'}", None)

    def _bind_network(self, network: Network) -> None:
        limits, services = self._settings.limits, self._services
        players: str | None = None
        if network.players is not None:
            server = self._server(_player_options(limits), limits.streams, BOTS)
            joins = JoinRate(limits.joins_per_minute, time.monotonic)
            server.add_generic_rpc_handlers((services.bots.handler(joins),))
            players = self._listen_on(server, network, network.players, network.player_ca)
            self.ready += f" players={players}"
        if network.runners is not None:
            assert network.tokens is not None
            doors = self._network_doors(network, players)
            server = self._server(_runner_options(_SPEC_MAX), limits.matches, MATCHES)
            guard = RunnerGuard(network.tokens)
            server.add_generic_rpc_handlers((services.matches.handler(doors, guard),))
            self.ready += f" runners={self._listen_on(server, network, network.runners, network.runner_ca)}"

    def _network_doors(self, network: Network, players: str | None) -> Doors:
        if players is None:
            return LinkedDoors(self.socket)
        if network.advertise is None:
            return SharedDoor(players)
        return SharedDoor(_target(network.advertise, network))

    def _server(self, options: list[tuple[str, int]], calls: int, service: str) -> grpc.aio.Server:
        server = grpc.aio.server(options=options, maximum_concurrent_rpcs=calls + _CHECKS_MAX)
        self._services.health.serve(server)
        if self._settings.reflection:
            _reflect(server, service)
        self._servers.append(server)
        return server

    @staticmethod
    def _listen_on(server: grpc.aio.Server, network: Network, address: str, authority: Path | None) -> str:
        credentials = None if network.tls is None else network.tls.credentials(authority)
        port = _listen(server, address, credentials)
        return _target(f"{address.rpartition(':')[0]}:{port}", network)


def _target(address: str, network: Network) -> str:
    return address if network.tls is None else f"tls://{address}"


def _listen(server: grpc.aio.Server, address: str, credentials: grpc.ServerCredentials | None) -> int:
    try:
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        reason = str(error).partition(";")[0]
        raise SettingsError(f"cannot listen on {address}: {reason}") from None
    if port == 0:
        raise SettingsError(f"cannot listen on {address}")
    return port


def _reflect(server: grpc.aio.Server, service: str) -> None:
    try:
        from grpc_reflection.v1alpha import reflection
    except ModuleNotFoundError:
        raise SettingsError("--reflection needs the package grpcio-reflection") from None
    names = (service, "grpc.health.v1.Health", reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)


def _player_options(limits: Limits) -> list[tuple[str, int]]:
    # A single-threaded bot answers no ping while it computes, for 30 s a move; move limits find the dead.
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.keepalive_time_ms", 5000),
        ("grpc.keepalive_timeout_ms", 60_000),
        ("grpc.http2.ping_timeout_ms", 60_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.max_receive_message_length", max(_GRPC_MESSAGE_MAX, 2 * limits.message_bytes)),
        ("grpc.max_concurrent_streams", limits.connection_streams),
        ("grpc.max_metadata_size", 8192),
    ]


def _runner_options(longest: int) -> list[tuple[str, int]]:
    return [
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", longest),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_metadata_size", 8192),
    ]
