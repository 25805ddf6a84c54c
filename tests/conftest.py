"""What every suite needs: programs that pip cannot bring, and an honest account of what did not run."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from certificates import Certificates

# A busy machine must not fail a test: no example has a deadline.
settings.register_profile("erqiwang", deadline=None)
settings.load_profile("erqiwang")

# Program -> the line that brings it on Debian.
PROGRAMS = {
    "redis-server": "apt-get install redis-server",
    "openssl": "apt-get install openssl",
    "promtool": "apt-get install prometheus",
    "postgres": "apt-get install postgresql",
    "node": "apt-get install nodejs",
    "npm": "apt-get install npm",
    "ip": "apt-get install iproute2",
}

Require = Callable[[str], str]


def find_program(name: str) -> str | None:
    """The path of a program: on PATH, or where Debian keeps the server programs of PostgreSQL."""
    found = shutil.which(name)
    if found is None and name in {"postgres", "initdb", "pg_ctl"}:
        kept = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(kept[-1]) if kept else None
    return found


@pytest.fixture(scope="session")
def require() -> Require:
    """`require("promtool")` gives a program's path, or leaves the test out with the line that would bring it.

    With ERQI_REQUIRE=all an absence is a failure.
    """

    def find(program: str) -> str:
        path = find_program(program)
        if path is not None:
            return path
        line = f"{program} is not installed: {PROGRAMS[program]}"
        if os.environ.get("ERQI_REQUIRE") == "all":
            pytest.fail(line, pytrace=False)
        pytest.skip(line)

    return find


@pytest.fixture(scope="session")
def certificates(require: Require, tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """An authority, and certificates for a server on this machine and for a client."""
    return Certificates(require("openssl"), tmp_path_factory.mktemp("tls"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List at the end what did not run, and the line that would bring it."""
    reasons = Counter(
        (report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)).removeprefix(
            "Skipped: "
        )
        for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        terminalreporter.section("did not run")
        for reason, count in sorted(reasons.items()):
            terminalreporter.line(f"{count} test(s): {reason}")
