"""Local tools need what the extra `play` brings, and nothing of a server."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import erqiwang_runner.cli
import erqiwang_runner.local

BLOCKED = ("celery", "kombu", "sqlalchemy", "alembic", "psycopg", "redis", "prometheus_client", "structlog")

PROGRAM = """
import importlib, sys
for name in {blocked!r}:
    sys.modules[name] = None
for name in {modules!r}:
    importlib.import_module(name)
from erqiwang_runner.cli.__main__ import run
sys.exit(run(["play", "lowest", "lowest", "--boards", "1", "--workers", "1", "--out", "here"]))
"""


def modules_of(package: object) -> list[str]:
    folder = Path(str(package.__file__)).parent  # type: ignore[attr-defined]
    return [f"{package.__name__}.{path.stem}" for path in sorted(folder.glob("*.py"))]  # type: ignore[attr-defined]


def test_a_play_without_queue_and_database(tmp_path: Path) -> None:
    modules = [*modules_of(erqiwang_runner.local), "erqiwang_runner.cli.app"]
    modules += [f"erqiwang_runner.cli.{name}" for name in ("play", "new", "check", "watch")]
    program = PROGRAM.format(blocked=BLOCKED, modules=modules)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "here" / "games.jsonl").exists()
