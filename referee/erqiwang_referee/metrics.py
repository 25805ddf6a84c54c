"""The referee's metrics for Prometheus, served by a thread of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import accumulate

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from erqiwang_referee.errors import SettingsError
from erqiwang_referee.gate import Gate
from erqiwang_referee.lobby import Lobby
from erqiwang_referee.meter import Meter
from erqiwang_referee.timekeeper import Timekeeper


def serve_metrics(
    address: str, meter: Meter, gate: Gate, lobby: Lobby, timekeeper: Timekeeper
) -> tuple[int, Callable[[], None]]:
    """Serve until the function that comes back is called; also gives the port. Raises `SettingsError`."""
    registry = CollectorRegistry()
    registry.register(_Figures(meter, gate, lobby, timekeeper))
    host, _, port = address.rpartition(":")
    try:
        server, thread = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        raise SettingsError(f"--metrics {address}: {error.strerror}") from None

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return server.server_port, stop


class _Figures(Collector):
    """Reads the figures when somebody asks."""

    def __init__(self, meter: Meter, gate: Gate, lobby: Lobby, timekeeper: Timekeeper) -> None:
        self._meter = meter
        self._gate = gate
        self._lobby = lobby
        self._timekeeper = timekeeper

    def collect(self) -> Iterable[Metric]:
        meter = self._meter
        yield self._decision_seconds()
        decisions = CounterMetricFamily("erqiwang_referee_decisions", "Decisions made.", labels=["by"])
        for by, count in list(meter.decisions.items()):
            decisions.add_metric([by.name.lower()], count)
        yield decisions
        faults = CounterMetricFamily("erqiwang_referee_faults", "Faults of players.", labels=["cause"])
        for cause, count in list(meter.faults.items()):
            faults.add_metric([cause.name.lower()], count)
        yield faults
        matches = CounterMetricFamily("erqiwang_referee_matches", "Matches that ended.", labels=["outcome"])
        for outcome, count in list(meter.matches.items()):
            matches.add_metric([outcome.name.lower()], count)
        yield matches
        yield CounterMetricFamily("erqiwang_referee_tables", "Tables played to the end.", meter.tables)
        yield CounterMetricFamily(
            "erqiwang_referee_messages", "Messages of players in matches that ended.", meter.messages
        )
        yield CounterMetricFamily(
            "erqiwang_referee_stalls", "Times the referee itself stood still.", self._timekeeper.stalls
        )
        yield GaugeMetricFamily("erqiwang_referee_matches_running", "Matches that run.", self._gate.running)
        yield GaugeMetricFamily(
            "erqiwang_referee_lobby_sessions", "Remote bots that wait for a match.", self._lobby.waiting
        )

    def _decision_seconds(self) -> Metric:
        histogram = self._meter.decision_seconds
        bounds = [*[f"{bound:g}" for bound in histogram.bounds], "+Inf"]
        seconds = HistogramMetricFamily(
            "erqiwang_referee_decision_seconds", "Time charged for a decision that a player made itself."
        )
        seconds.add_metric([], list(zip(bounds, accumulate(histogram.counts), strict=True)), histogram.total)
        return seconds
