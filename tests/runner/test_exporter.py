import math
import subprocess
import urllib.request
from dataclasses import replace

import pytest
from prometheus_client import CollectorRegistry, generate_latest, start_http_server
from prometheus_client.parser import text_string_to_metric_families

from erqiwang_runner.exporter import OperationFigure, RatingFigure, RunnerCollector, StoreFigures, register

FIGURES = StoreFigures(
    tournaments={"created": 0, "running": 1, "finished": 2},
    matches={"open": 3, "leased": 2, "retry": 1, "finished": 40},
    board_sets={"planned": 30, "finished": 200, "replaced": 1, "void": 0},
    tables={"planned": 120, "finished": 800},
    attempts={"completed": 40, "void": 1, "lost": 1, "interrupted": 0},
    faults={"crashed": 3, "illegal": 0},
    matches_finished=40,
    tables_finished=800,
    decisions=90_000,
    workers=2,
    ratings=(
        RatingFigure("cup", "0f", 0, "random@1", 1402.5, 12.0, 200),
        RatingFigure("cup", "0f", 1, 'odd"\\bot@1', 1597.5, None, 200),
    ),
    leaderboard_times={"cup": 990.0},
    operation=OperationFigure(
        kept={"records": 5000, "player_logs": 70},
        retention_since=400.0,
        records_pruned=12,
        events={"waiting": 3, "delivered": 40, "failed": 1},
        competitions={"open": 2, "revealed": 1},
        held_up=1,
    ),
)


class Store:
    def __init__(self, figures=FIGURES):
        self._figures = figures

    def figures(self):
        if isinstance(self._figures, Exception):
            raise self._figures
        return self._figures


class Queue:
    def __init__(self, length=7):
        self._length = length

    def length(self):
        if isinstance(self._length, Exception):
            raise self._length
        return self._length


def scrape(store=None, queue=None, now=1000.0):
    registry = CollectorRegistry()
    registry.register(RunnerCollector(store or Store(), queue or Queue(), clock=lambda: now))
    return generate_latest(registry).decode()


def samples(text):
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(found, name, **labels):
    return found[f"erqiwang_runner_{name}", tuple(sorted(labels.items()))]


def test_figures_become_metrics():
    found = samples(scrape())
    assert value(found, "tournaments", state="running") == 1
    assert value(found, "matches", state="leased") == 2
    assert value(found, "board_sets", state="planned") == 30
    assert value(found, "tables", state="finished") == 800
    assert value(found, "attempts_total", outcome="lost") == 1
    assert value(found, "faults_total", cause="crashed") == 3
    assert value(found, "matches_finished_total") == 40
    assert value(found, "tables_finished_total") == 800
    assert value(found, "decisions_total") == 90_000
    assert value(found, "workers") == 2
    assert value(found, "queue_matches") == 7
    assert value(found, "scrape_source_up", source="store") == 1
    assert value(found, "scrape_source_up", source="queue") == 1
    assert value(found, "scrape_source_duration_seconds", source="store") >= 0


def test_ratings_carry_the_bot_and_its_pool():
    found = samples(scrape())
    one = {"tournament": "cup", "pool": "0f", "entry": "0", "bot": "random@1"}
    two = {"tournament": "cup", "pool": "0f", "entry": "1", "bot": 'odd"\\bot@1'}
    assert value(found, "rating_elo", **one) == 1402.5
    assert value(found, "rating_standard_error_elo", **one) == 12
    assert value(found, "rating_boards", **two) == 200
    assert value(found, "rating_elo", **two) == 1597.5
    with pytest.raises(KeyError):
        value(found, "rating_standard_error_elo", **two)


def test_what_runs_beside_the_play_is_told():
    found = samples(scrape())
    assert value(found, "kept_bytes", kind="records") == 5000
    assert value(found, "retention_age_seconds") == 600
    assert value(found, "records_pruned_total") == 12
    assert value(found, "webhook_events", state="failed") == 1
    assert value(found, "competitions", phase="open") == 2
    assert value(found, "competitions_held_up") == 1


def test_without_a_bound_retention_has_no_age():
    unbounded = replace(FIGURES, operation=OperationFigure())
    assert "retention_age" not in scrape(Store(unbounded))


def test_age_of_the_leaderboard_counts_from_its_ratings():
    assert value(samples(scrape()), "leaderboard_age_seconds", tournament="cup") == 10
    assert value(samples(scrape(now=5.0)), "leaderboard_age_seconds", tournament="cup") == 0


def test_versions_are_told():
    (labels,) = [labels for name, labels in samples(scrape()) if name == "erqiwang_runner_build_info"]
    assert {name for name, _ in labels} == {"version", "rules_version", "python"}


@pytest.mark.parametrize(
    ("store", "queue", "down", "gone", "kept"),
    [
        (Store(OSError("disk full")), None, "store", "matches", "queue_matches"),
        (None, Queue(ConnectionError("refused")), "queue", "queue_matches", "matches_finished_total"),
        (Store(ValueError("a bug of ours")), Queue(RuntimeError()), "store", "matches", "build_info"),
    ],
)
def test_source_that_fails_takes_only_its_own_metrics_away(store, queue, down, gone, kept):
    found = samples(scrape(store, queue))
    names = {name.removeprefix("erqiwang_runner_") for name, _ in found}
    assert value(found, "scrape_source_up", source=down) == 0
    assert gone not in names
    assert kept in names


def test_without_a_queue_the_exporter_lives():
    registry = CollectorRegistry()
    register(registry, Store(), None)
    found = samples(generate_latest(registry).decode())
    assert value(found, "scrape_source_up", source="queue") == 0
    assert value(found, "scrape_source_up", source="store") == 1


def test_nothing_is_kept_between_scrapes():
    store = Store()
    collector = RunnerCollector(store, Queue())
    registry = CollectorRegistry()
    registry.register(collector)
    generate_latest(registry)
    store._figures = replace(FIGURES, ratings=(), workers=0)
    found = samples(generate_latest(registry).decode())
    assert value(found, "workers") == 0
    assert not [name for name, _ in found if name.startswith("erqiwang_runner_rating")]


def test_metrics_pass_the_linter_of_prometheus(require):
    promtool = require("promtool")
    linted = subprocess.run(
        [promtool, "check", "metrics"], input=scrape(), capture_output=True, text=True, check=False
    )
    assert (linted.returncode, linted.stdout, linted.stderr) == (0, "", "")


def test_metrics_are_served_over_http():
    registry = CollectorRegistry()
    register(registry, Store(), Queue())
    server, thread = start_http_server(0, "127.0.0.1", registry=registry)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/metrics") as answer:
            found = samples(answer.read().decode())
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert value(found, "queue_matches") == 7
    assert not any(math.isnan(each) for each in found.values())
