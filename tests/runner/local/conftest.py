"""The command `erqi` as a process, in a folder of the test's own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Erqi = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def erqi(tmp_path: Path) -> Erqi:
    """Run `erqi` in the test's folder."""

    def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "erqiwang_runner.cli", *arguments]
        return subprocess.run(command, cwd=tmp_path, input=stdin, capture_output=True, text=True, check=False)

    return run
