"""Metrics of the runner for Prometheus, computed when they are scraped.

One process reads the store and the queue; nothing is counted in memory, so nothing is lost or doubled when a
process dies. A source that does not answer takes its own metrics away and shows as
`erqiwang_runner_scrape_source_up{source="…"} 0`; the others stay. Counters are counts of rows: they fall only
if rows are deleted.
"""

import logging
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Final, Protocol

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from erqiwang.rules import RULES_VERSION

PREFIX: Final = "erqiwang_runner"

_log = logging.getLogger("erqiwang.exporter")


@dataclass(frozen=True, slots=True)
class RatingFigure:
    """The rating of an entry; `error` is infinite or None where it is not known yet."""

    tournament: str
    pool: str
    entry: int
    bot: str
    elo: float
    error: float | None
    boards: int


@dataclass(frozen=True, slots=True)
class LadderFigure:
    """A ladder: epochs so far, bots by state, and by bot its rating with the error of it (None: unknown)."""

    ladder: str
    epochs: int
    bots: Mapping[str, int]
    ratings: Mapping[str, tuple[float, float | None]]


@dataclass(frozen=True, slots=True)
class OperationFigure:
    """What runs beside the play.

    `kept` holds bytes by kind as measured last, `retention_since` the Unix time since which retention was not
    carried out (None: nothing is to be thrown away), `events` counts those for webhooks by state, and
    `competitions` by phase, `held_up` those that do not go on.
    """

    kept: Mapping[str, int] = field(default_factory=dict[str, int])
    retention_since: float | None = None
    records_pruned: int = 0
    events: Mapping[str, int] = field(default_factory=dict[str, int])
    competitions: Mapping[str, int] = field(default_factory=dict[str, int])
    held_up: int = 0


@dataclass(frozen=True, slots=True)
class StoreFigures:
    """What the store says at one moment; the mappings count by state, outcome or cause.

    `leaderboard_times` holds, for each running tournament, the Unix time of the ratings that are shown of it
    or, if there are none yet, of its start.
    """

    tournaments: Mapping[str, int]
    matches: Mapping[str, int]
    board_sets: Mapping[str, int]
    tables: Mapping[str, int]
    attempts: Mapping[str, int]
    faults: Mapping[str, int]
    matches_finished: int
    tables_finished: int
    decisions: int
    workers: int
    ratings: tuple[RatingFigure, ...]
    leaderboard_times: Mapping[str, float]
    ladders: tuple[LadderFigure, ...] = ()
    operation: OperationFigure = OperationFigure()


class StoreSource(Protocol):
    """The store, as the exporter sees it."""

    def figures(self) -> StoreFigures:
        """Count everything, in one consistent view of the store."""
        ...


class QueueSource(Protocol):
    """The queue, as the exporter sees it."""

    def length(self) -> int:
        """Count the matches that no worker has taken yet."""
        ...


class RunnerCollector(Collector):
    """Asks its sources at every scrape."""

    def __init__(
        self, store: StoreSource, queue: QueueSource | None, *, clock: Callable[[], float] = time.time
    ) -> None:
        self._store = store
        self._queue = queue
        self._clock = clock

    def describe(self) -> Iterable[Metric]:
        """Ask no source when it is registered."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield every metric family that the sources which answer can fill."""
        yield _build_info()
        up = _gauge("scrape_source_up", "Whether a source of the metrics answered this scrape.", "source")
        took = _gauge("scrape_source_duration_seconds", "How long a source took to answer.", "source")
        for source, read in (("store", self._read_store), ("queue", self._read_queue)):
            started = time.perf_counter()
            families = _attempt(source, read)
            up.add_metric([source], float(families is not None))
            took.add_metric([source], time.perf_counter() - started)
            yield from families or ()
        yield up
        yield took

    def _read_store(self) -> list[Metric]:
        figures = self._store.figures()
        return [
            *_progress(figures),
            *_counters(figures),
            *_ratings(figures, self._clock()),
            *_ladders(figures),
            *_operation(figures.operation, self._clock()),
        ]

    def _read_queue(self) -> list[Metric]:
        if self._queue is None:
            raise ConnectionError("no queue is running")
        depth = _gauge("queue_matches", "Matches in the queue that no worker has taken yet.")
        depth.add_metric([], self._queue.length())
        return [depth]


def register(registry: CollectorRegistry, store: StoreSource, queue: QueueSource | None) -> RunnerCollector:
    """Add the runner's metrics to a registry."""
    collector = RunnerCollector(store, queue)
    registry.register(collector)
    return collector


def _attempt(source: str, read: Callable[[], list[Metric]]) -> list[Metric] | None:
    try:
        return read()
    except Exception as error:  # a source may fail in any way; the exporter must outlive all of them
        _log.warning("source %s does not answer: %s", source, error)
        return None


def _gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", text, labels=labels)


def _counter(name: str, text: str, *labels: str) -> CounterMetricFamily:
    return CounterMetricFamily(f"{PREFIX}_{name}", text, labels=labels)


def _by_label(family: GaugeMetricFamily | CounterMetricFamily, counts: Mapping[str, int]) -> Metric:
    for label, count in counts.items():
        family.add_metric([label], count)
    return family


def _single(family: GaugeMetricFamily | CounterMetricFamily, count: float) -> Metric:
    family.add_metric([], count)
    return family


def _build_info() -> Metric:
    info = InfoMetricFamily(f"{PREFIX}_build", "Versions of the running exporter.")
    versions = {
        "version": version("erqiwang"),
        "rules_version": RULES_VERSION,
        "python": platform.python_version(),
    }
    info.add_metric([], versions)
    return info


def _progress(figures: StoreFigures) -> Iterator[Metric]:
    yield _by_label(_gauge("tournaments", "Tournaments by state.", "state"), figures.tournaments)
    yield _by_label(_gauge("matches", "Planned matches by state.", "state"), figures.matches)
    yield _by_label(_gauge("board_sets", "Planned board sets by state.", "state"), figures.board_sets)
    yield _by_label(_gauge("tables", "Tables of the planned board sets by state.", "state"), figures.tables)
    yield _single(_gauge("workers", "Worker processes that hold the lease of a match."), figures.workers)


def _counters(figures: StoreFigures) -> Iterator[Metric]:
    yield _single(_counter("matches_finished", "Matches that were finished."), figures.matches_finished)
    yield _single(_counter("tables_finished", "Tables that were stored."), figures.tables_finished)
    yield _single(_counter("decisions", "Decisions at the stored tables."), figures.decisions)
    yield _by_label(
        _counter("attempts", "Ended attempts at matches, by outcome.", "outcome"), figures.attempts
    )
    yield _by_label(_counter("faults", "Faults of players by cause.", "cause"), figures.faults)


def _ratings(figures: StoreFigures, now: float) -> Iterator[Metric]:
    labels = ("tournament", "pool", "entry", "bot")
    elo = _gauge("rating_elo", "Elo of an entry against its wins and losses of boards.", *labels)
    error = _gauge("rating_standard_error_elo", "Standard error of the Elo against the anchors.", *labels)
    boards = _gauge("rating_boards", "Boards that the rating of an entry rests on.", *labels)
    for each in figures.ratings:
        values = [each.tournament, each.pool, str(each.entry), each.bot]
        elo.add_metric(values, each.elo)
        boards.add_metric(values, each.boards)
        if each.error is not None:
            error.add_metric(values, each.error)
    age = _gauge("leaderboard_age_seconds", "Age of the ratings of a running tournament.", "tournament")
    for tournament, computed in figures.leaderboard_times.items():
        age.add_metric([tournament], max(0.0, now - computed))
    yield from (elo, error, boards, age)


def _operation(found: OperationFigure, now: float) -> Iterator[Metric]:
    yield _by_label(
        _gauge("kept_bytes", "Bytes that are kept, by kind, as measured last.", "kind"), found.kept
    )
    if found.retention_since is not None:
        age = _gauge("retention_age_seconds", "Time since retention was carried out to its end.")
        yield _single(age, max(0.0, now - found.retention_since))
    pruned = _counter("records_pruned", "Records of tables that retention threw away.")
    yield _single(pruned, found.records_pruned)
    yield _by_label(_gauge("webhook_events", "Events for webhooks by state.", "state"), found.events)
    yield _by_label(_gauge("competitions", "Competitions by phase.", "phase"), found.competitions)
    yield _single(_gauge("competitions_held_up", "Competitions that do not go on."), found.held_up)


def _ladders(figures: StoreFigures) -> Iterator[Metric]:
    epochs = _gauge("ladder_epochs", "Epochs of a ladder that were opened.", "ladder")
    bots = _gauge("ladder_bots", "Bots of a ladder by where they stand.", "ladder", "state")
    elo = _gauge("ladder_rating_elo", "Elo of a bot after the last closed epoch.", "ladder", "bot")
    error = _gauge("ladder_rating_standard_error_elo", "Standard error of that Elo.", "ladder", "bot")
    for each in figures.ladders:
        epochs.add_metric([each.ladder], each.epochs)
        for state, count in each.bots.items():
            bots.add_metric([each.ladder, state], count)
        for bot, (rating, uncertainty) in each.ratings.items():
            elo.add_metric([each.ladder, bot], rating)
            if uncertainty is not None:
                error.add_metric([each.ladder, bot], uncertainty)
    yield from (epochs, bots, elo, error)
