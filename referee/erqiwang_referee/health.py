"""The standard health service `grpc.health.v1`: whether new work is taken."""

from __future__ import annotations

import grpc.aio
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import aio

from erqiwang.v1 import bot_service_pb2, match_service_pb2


class Health:
    """The health of the process (the empty name) and of both services: they serve and end together."""

    def __init__(self) -> None:
        self._servicer = aio.HealthServicer()

    def serve(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def begin(self) -> None:
        """Say that the referee serves."""
        for file in (bot_service_pb2, match_service_pb2):
            for service in file.DESCRIPTOR.services_by_name.values():
                await self._servicer.set(service.full_name, health_pb2.HealthCheckResponse.SERVING)

    async def end(self) -> None:
        """Say that the referee takes nothing new, from now on."""
        await self._servicer.enter_graceful_shutdown()
