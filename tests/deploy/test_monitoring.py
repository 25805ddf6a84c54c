"""Rules and dashboards ask for what the exporter gives, and the rules do what their tests say."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from erqiwang_runner.exporter import OperationFigure, RatingFigure, RunnerCollector, StoreFigures

DEPLOY = Path(__file__).parents[2] / "deploy"
RULES = DEPLOY / "prometheus" / "rules.yml"
DASHBOARDS = sorted((DEPLOY / "grafana").glob("*.json"))
METRIC = re.compile(r"\berqiwang_[a-z_]+(?::[a-z0-9_]+)*")


class Store:
    def figures(self):
        one = {"some": 1}
        rating = RatingFigure("cup", "pool", 0, "bot@1", 1500.0, 10.0, 5)
        beside = OperationFigure(one, 0.0, 1, one, one, 1)
        return StoreFigures(
            one, one, one, one, one, one, 1, 1, 1, 1, (rating,), {"cup": 0.0}, operation=beside
        )


class Queue:
    def length(self):
        return 1


@pytest.fixture(scope="module")
def exported():
    registry = CollectorRegistry()
    registry.register(RunnerCollector(Store(), Queue()))
    lines = generate_latest(registry).decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}


@pytest.fixture(scope="module")
def recorded():
    return set(re.findall(r"^ *- record: (\S+)$", RULES.read_text(), re.MULTILINE))


def queries(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("expr", "definition", "query") and isinstance(value, str):
                yield value
            else:
                yield from queries(value)
    elif isinstance(node, list):
        for each in node:
            yield from queries(each)


def test_there_are_dashboards():
    assert DASHBOARDS


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_every_query_of_a_dashboard_names_a_metric_that_exists(path, exported, recorded):
    asked = [METRIC.findall(query) for query in queries(json.loads(path.read_text()))]
    names = {name for each in asked for name in each}
    assert names
    assert names <= exported | recorded


@pytest.mark.parametrize("path", DASHBOARDS, ids=lambda path: path.name)
def test_panels_are_told_apart_and_do_not_overlap(path):
    panels = json.loads(path.read_text())["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    cells = [
        (x, y)
        for panel in panels
        for place in [panel["gridPos"]]
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_every_rule_names_a_metric_that_exists(exported, recorded):
    names = {name for name in METRIC.findall(RULES.read_text()) if name != "erqiwang_runner"}
    assert names - {"erqiwang_runner_records", "erqiwang_runner_alerts"} <= exported | recorded


def test_every_exported_metric_is_shown(exported):
    shown = {
        name
        for path in DASHBOARDS
        for query in queries(json.loads(path.read_text()))
        for name in METRIC.findall(query)
    }
    rules = set(METRIC.findall(RULES.read_text()))
    assert exported - shown - rules <= {"erqiwang_runner_matches_finished_total"}


def test_every_alert_says_what_to_do():
    blocks = RULES.read_text().split("- alert: ")[1:]
    assert len(blocks) >= 8
    for block in blocks:
        assert all(word in block for word in ("summary:", "description:", "severity:", "for:"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "config", "prometheus.yml"),
        ("check", "rules", "rules.yml"),
        ("test", "rules", "rules_test.yml"),
    ],
    ids=" ".join,
)
def test_promtool_is_content(arguments, require):
    done = subprocess.run(
        [require("promtool"), *arguments],
        cwd=RULES.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
